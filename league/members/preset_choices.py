"""The presets as one chooses among them: by table size, the usual one first."""

from functools import cache

from league.members.rule_options import plain_note
from scoring import Ruleset, preset_ids, ruleset

USUAL = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "nanaimo-four-handed"}


@cache
def presets_for(players: int) -> tuple[Ruleset, ...]:
    """Every preset for this number of players, turn-up games first."""
    return tuple(rules for name in preset_ids() if (rules := ruleset(name)).players == players)


def preset_choices(players: int) -> tuple[list[tuple[str, str]], str]:
    """Choices for a form and the one chosen at first: Nanaimo's rules, as the club plays."""
    choices = [(rules.id, rules.name) for rules in presets_for(players)]
    usual = USUAL.get(players, choices[0][0] if choices else "")
    return sorted(choices, key=lambda choice: choice[0] != usual), usual


def presets_by_size() -> list[tuple[int, list[tuple[Ruleset, str]]]]:
    """Every table size that has presets, with them and what they are in plain words."""
    sizes = sorted({ruleset(name).players for name in preset_ids()})
    return [(players, [(p, plain_note(p)) for p in presets_for(players)]) for players in sizes]
