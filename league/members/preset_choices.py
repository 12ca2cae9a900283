"""The presets as one chooses among them: by table size, the usual one first."""

from functools import cache

from django.utils.translation import gettext_lazy as _

from scoring import Ruleset, presets, ruleset

USUAL = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "nanaimo-four-handed"}


@cache
def presets_for(players: int) -> tuple[Ruleset, ...]:
    """Every preset for this number of players, turn-up games first."""
    return tuple(rules for name in presets() if (rules := ruleset(name)).players == players)


def preset_choices(players: int) -> tuple[list[tuple[str, str]], str]:
    """Choices for a form and the one chosen at first: Nanaimo's rules, as the club plays."""
    choices = [(rules.id, rules.name) for rules in presets_for(players)]
    usual = USUAL.get(players, choices[0][0] if choices else "")
    return sorted(choices, key=lambda choice: choice[0] != usual), usual


def family_name(family: str) -> str:
    """What the family of games is called."""
    return str(_("Turn-up games") if family == "turn_up" else _("Bid games"))
