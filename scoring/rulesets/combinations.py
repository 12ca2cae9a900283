"""Options that are each right and together impossible: one line a rule, every one told."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.cards import DECKS, SUITS, build_deck
from scoring.faults import Fault, fault
from scoring.rulesets.options import BID, TURN_UP

_CHUCK_KITTY = 4
_TURN_UP_HAND = 5


def combination_faults(
    shape: Mapping[str, Any], values: Mapping[str, Any], specials: Sequence[Any]
) -> list[Fault]:
    """Every combination that cannot be played, as faults placed at one of its fields."""
    family = shape["family"]
    return [
        fault(sentence, field=field)
        for field, only, sentence, broken in _RULES
        if only in ("", family) and broken(shape, values, specials)
    ]


def _cards(shape: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    if shape["family"] == TURN_UP:
        ranks, joker = DECKS[values["deck"]]
        return len(build_deck(ranks, joker=joker))
    return len(build_deck(shape["ranks"], shape["copies"]))


def _deal_too_big(shape: Any, values: Any, _: Any) -> bool:
    upcard = shape["family"] == TURN_UP
    return shape["hand"] * shape["players"] + upcard > _cards(shape, values)


def _chuck_without_kitty(shape: Any, values: Any, _: Any) -> bool:
    kitty = _cards(shape, values) - shape["hand"] * shape["players"]
    return bool(values.get("chuck")) and kitty != _CHUCK_KITTY


_Rule = tuple[str, str, str, Callable[[Any, Any, Any], bool]]
_RULES: tuple[_Rule, ...] = (
    ("hand", "", "unknown-option/deal-too-big", _deal_too_big),
    ("hand", TURN_UP, "unknown-option/turn-up-hand", lambda s, v, p: s["hand"] != _TURN_UP_HAND),
    ("players", TURN_UP, "unknown-option/turn-up-players", lambda s, v, p: s["players"] > 4),
    ("players", BID, "unknown-option/bid-players", lambda s, v, p: s["players"] < 3),
    ("target", "", "unknown-option/no-end", lambda s, v, p: not ("target" in v or "hands" in v)),
    ("chuck", TURN_UP, "unknown-option/chuck-kitty", _chuck_without_kitty),
    ("chuck", TURN_UP, "unknown-option/chuck-stick",
     lambda s, v, p: bool(v.get("chuck")) and not v["stick_the_dealer"]),
    ("forbidden_trumps", TURN_UP, "unknown-option/all-forbidden",
     lambda s, v, p: len(v["forbidden_trumps"]) >= len(SUITS) - v["r2_exclude_turned"]
     and v["no_trump"] == "never"),
    ("dirty_clubs", TURN_UP, "unknown-option/clubs-forbidden",
     lambda s, v, p: v["dirty_clubs"] and "c" in v["forbidden_trumps"]),
    ("defenders_score", TURN_UP, "unknown-option/odd-split",
     lambda s, v, p: v.get("defenders_score") == "split" and v["euchre"] % 2 == 1),
    ("slam", TURN_UP, "unknown-option/laps-target",
     lambda s, v, p: "on" in (v["laps"], v["slam"]) and "target" not in v),
    ("min", BID, "unknown-option/min-too-big",
     lambda s, v, p: max(v["min"], v["min_nt"]) > s["hand"]),
    ("special", BID, "unknown-option/alone-without-partner",
     lambda s, v, p: s["players"] < 4 and any(special.alone for special in p)),
    ("special", BID, "unknown-option/special-twice",
     lambda s, v, p: len({special.name for special in p}) < len(p)),
)  # fmt: skip
