"""The shape of a game, and impossible combinations of shape, options and special bids."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.cards import ALL_CARDS, DECKS, JOKER, RANKS, SUITS, build_deck
from scoring.faults import Fault, fault
from scoring.rulesets.options import BID, TURN_UP, sides_of

_CHUCK_KITTY = 4
_TURN_UP_HAND = 5
MOST_KITTY = 5
_MOST_EXTRA = 8
_DUMMY = 2
_SHAPE_VALUES: Mapping[str, Any] = {
    "family": (TURN_UP, BID),
    "players": range(2, 9),
    "hand": range(1, 17),
    "copies": range(1, 5),
    "sides": ("pairs", "each", "called"),
}


def shape_of(layers: list[Any], faults: list[Fault]) -> dict[str, Any] | None:
    """The family, players, sides, hand size and deck of a game; later layers override earlier
    ones."""
    shape: dict[str, Any] = {}
    for layer in layers:
        shape |= layer.get("shape", {})
    before = len(faults)
    for key, value in shape.items():
        if not _is_valid_part(key, value):
            faults.append(fault("unknown-option/shape", field=short(key), text=short(key)))
    needed = {"family", "players", "hand"} | (
        {"ranks", "copies"} if shape.get("family") == BID else set()
    )
    for key in sorted(needed - shape.keys()):
        faults.append(fault("bad-format/missing", field=f"shape.{key}", name=key))
    return shape if len(faults) == before else None


def _is_valid_part(key: Any, value: Any) -> bool:
    """Whether a part of a shape has a possible value."""
    if key == "ranks":
        return isinstance(value, str) and len(value) > 0 and RANKS.endswith(value)
    if key == "joker":
        return isinstance(value, bool)
    if key == "extra":
        is_list = isinstance(value, list | tuple) and len(value) <= _MOST_EXTRA
        return is_list and all(isinstance(c, str) and c in ALL_CARDS - {JOKER} for c in value)
    is_known = key in _SHAPE_VALUES and not isinstance(value, bool)
    return is_known and isinstance(value, str | int) and value in _SHAPE_VALUES[key]


def deck_of(shape: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, ...]:
    """Every card of the game's deck."""
    if shape["family"] == TURN_UP:
        ranks, joker = DECKS[values["deck"]]
        return build_deck(ranks, joker=joker)
    return build_deck(
        shape["ranks"], shape["copies"], shape.get("joker", False), shape.get("extra", ())
    )


def combination_faults(
    shape: Mapping[str, Any], values: Mapping[str, Any], specials: Sequence[Any]
) -> list[Fault]:
    """Faults for every combination that cannot be played, each at one of its fields."""
    family = shape["family"]
    return [
        fault(sentence, field=field)
        for field, only, sentence, broken in _RULES
        if only in ("", family) and broken(shape, values, specials)
    ]


def _left_over(shape: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    dummy = _DUMMY if values.get("dummy") == "two_cards" else 0
    return len(deck_of(shape, values)) - shape["hand"] * shape["players"] - dummy


def _odd_sides(shape: Any, _: Any, __: Any) -> bool:
    players, sides = shape["players"], sides_of(shape)
    if sides == "called":
        return bool(shape["family"] != TURN_UP or players not in (4, 5, 6))
    return bool(sides == "pairs" and (players < 4 or players % 2))


def _extra_in_run(shape: Any, _: Any, __: Any) -> bool:
    extra = shape.get("extra", ())
    return len(set(extra)) < len(extra) or any(card[0] in shape["ranks"] for card in extra)


def _counts_down(values: Mapping[str, Any]) -> bool:
    return bool(values.get("start", 0) > values.get("target", values.get("start", 0)))


def _starts_at_end(shape: Any, values: Any, _: Any) -> bool:
    return bool(values.get("start")) and values["start"] == values.get("target")


def _lacks_misere(shape: Any, values: Any, specials: Any) -> bool:
    """Whether misère is on, but the game has no such bid."""
    return values.get("misere", "off") != "off" and not any(s.lose_all for s in specials)


_Rule = tuple[str, str, str, Callable[[Any, Any, Any], bool]]
_RULES: tuple[_Rule, ...] = (
    ("sides", "", "unknown-option/sides", _odd_sides),
    ("hand", TURN_UP, "unknown-option/deal-too-big", lambda s, v, p: _left_over(s, v) < 1),
    ("hand", BID, "unknown-option/deal-too-big", lambda s, v, p: _left_over(s, v) < 0),
    ("hand", TURN_UP, "unknown-option/turn-up-hand", lambda s, v, p: s["hand"] != _TURN_UP_HAND),
    ("hand", BID, "unknown-option/bid-hand", lambda s, v, p: s["hand"] < 4),
    ("hand", BID, "unknown-option/left-over",
     lambda s, v, p: v["kitty_to"] == "maker" and _left_over(s, v) > MOST_KITTY),
    ("ranks", BID, "unknown-option/no-jacks", lambda s, v, p: v["bowers"] and "J" not in s["ranks"]),
    ("extra", BID, "unknown-option/extra", _extra_in_run),
    ("target", "", "unknown-option/no-end", lambda s, v, p: not ("target" in v or "hands" in v)),
    ("start", "", "unknown-option/start", _starts_at_end),
    ("chuck", TURN_UP, "unknown-option/chuck-kitty",
     lambda s, v, p: bool(v.get("chuck")) and _left_over(s, v) != _CHUCK_KITTY),
    ("chuck", TURN_UP, "unknown-option/chuck-stick",
     lambda s, v, p: bool(v.get("chuck")) and not v["stick_the_dealer"]),
    ("go_under", TURN_UP, "unknown-option/under-deck",
     lambda s, v, p: bool(v.get("go_under")) and v["deck"] != 24),
    ("upcard_goes_to", TURN_UP, "unknown-option/third-seat",
     lambda s, v, p: v["upcard_goes_to"] == "third_seat_orderer" and s["players"] != 4),
    ("forbidden_trumps", TURN_UP, "unknown-option/all-forbidden",
     lambda s, v, p: len(v["forbidden_trumps"]) >= len(SUITS) - v["r2_exclude_turned"]
     and v["no_trump"] == "never"),
    ("dirty_clubs", TURN_UP, "unknown-option/clubs-forbidden",
     lambda s, v, p: v["dirty_clubs"] and "c" in v["forbidden_trumps"]),
    ("dirty_clubs", BID, "unknown-option/dirty-clubs",
     lambda s, v, p: v.get("dirty_clubs") and not (v.get("drop_out") and _left_over(s, v))),
    ("defenders_score", TURN_UP, "unknown-option/odd-split",
     lambda s, v, p: v.get("defenders_score") == "split" and v["euchre"] % 2 == 1),
    ("laps", TURN_UP, "unknown-option/laps-target",
     lambda s, v, p: v["laps"] == "on" and ("target" not in v or _counts_down(v))),
    ("slam", TURN_UP, "unknown-option/laps-target",
     lambda s, v, p: v["slam"] == "on" and ("target" not in v or _counts_down(v))),
    ("min", BID, "unknown-option/min-too-big",
     lambda s, v, p: max(v["min"], v["min_nt"]) > s["hand"]),
    ("values", BID, "unknown-option/values-after",
     lambda s, v, p: v["values"] == "avondale" and v["denomination"] == "after"),
    ("trump_by_lead", BID, "unknown-option/lead-first",
     lambda s, v, p: v["trump_by_lead"] and v["lead"] == "eldest"),
    ("misere", BID, "unknown-option/no-such-bid", _lacks_misere),
    ("special", BID, "unknown-option/alone-without-partner",
     lambda s, v, p: sides_of(s) == "each" and any(special.alone for special in p)),
    ("special", BID, "unknown-option/special-twice",
     lambda s, v, p: len({special.name for special in p}) < len(p)),
)  # fmt: skip


def short(value: object) -> str:
    return value[:60] if isinstance(value, str) else type(value).__name__
