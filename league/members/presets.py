"""The presets a club can choose from: by table size, and found by any of their names."""

import re
import unicodedata
from functools import cache

from django.utils.translation import gettext_lazy as _

from league.members.rule_options import plain_name, plain_note, source_note
from league.members.rule_texts import special_name
from scoring import Ruleset, preset_ids, ruleset

USUAL = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "standard-four-handed"}


@cache
def offered() -> tuple[str, ...]:
    """The presets a club can choose, turn-up games first."""
    return preset_ids()


def find_games(wanted: str) -> list[tuple[int, list[tuple[Ruleset, str, str]]]]:
    """The presets with these words in one of their names or their description, by table size."""
    words = folded(wanted).split()
    by_players = []
    for players, presets in presets_by_size():
        fits = [preset for preset in presets if _has(words, *preset)]
        if fits:
            by_players.append((players, fits))
    return by_players


# Other spellings: where the first words stand in what is known of a game, the second find it too.
SPELLINGS = {
    "cut throat": "cutthroat",
    "cutthroat": "cut throat",
    "pepper": "hasenpfeffer hassenpfeffer hasenpfefer",
    "hoosier": "indiana",
    "misere": "misery nullo",
    "five hundred": "500",
    "set back": "setback",
    "bid euchre": "bideuchre auction",
}
HANDED = {
    2: _("two-handed"),
    3: _("three-handed"),
    4: _("four-handed"),
    5: _("five-handed"),
    6: _("six-handed"),
    8: _("eight-handed"),
}


def _has(words: list[str], rules: Ruleset, name: str, note: str) -> bool:
    text = _known(rules, name, note)
    return all(word in text for word in words)


def _known(rules: Ruleset, name: str, note: str) -> str:
    """All that a game can be found by."""
    n = rules.players
    sizes = f"{n} handed {n} players {HANDED[n]}"
    bids = (special_name(bid["name"]) for bid in rules.to_dict()["special"])
    texts = [name, rules.name, rules.alias, rules.id, note, source_note(rules)]
    text = folded(" ".join([*texts, sizes, *bids]))
    return " ".join([text, *(more for words, more in SPELLINGS.items() if words in text)])


def folded(text: str) -> str:
    """Text without accents, capitals and marks: "Misère" and "misere" are one."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[^\w]+", " ", "".join(c for c in bare if not unicodedata.combining(c)))


@cache
def presets_for(players: int) -> tuple[Ruleset, ...]:
    """Every preset for this number of players, turn-up games first."""
    return tuple(rules for name in offered() if (rules := ruleset(name)).players == players)


def preset_choices(players: int) -> tuple[list[tuple[str, str]], str]:
    """Choices for a form and the one chosen at first: Nanaimo's rules, as the club plays."""
    choices = [(rules.id, plain_name(rules)) for rules in presets_for(players)]
    usual = USUAL.get(players, choices[0][0] if choices else "")
    return sorted(choices, key=lambda choice: choice[0] != usual), usual


def presets_by_size() -> list[tuple[int, list[tuple[Ruleset, str, str]]]]:
    """Every table size that has presets: each with its name and what it is in plain words."""
    sizes = sorted({ruleset(name).players for name in offered()})
    return [
        (players, [(p, plain_name(p), plain_note(p)) for p in presets_for(players)])
        for players in sizes
    ]
