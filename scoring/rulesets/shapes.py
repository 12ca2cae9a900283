"""The shape of a game: its players, deck and special bids, and impossible combinations of them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.cards import ALL_CARDS, DECKS, JOKER, RANKS, SUITS, build_deck
from scoring.faults import Fault, fault
from scoring.rulesets.options import BID, TURN_UP, sides_of

_MOST, _MOST_STEPS, _MOST_SPECIALS, _MOST_EXCHANGED = 500, 20, 12, 3
_ABOVE = re.compile(r"\d{1,2}(c|d|h|s|nt)?")


@dataclass(frozen=True, slots=True)
class Choice:
    """A value and why: `source` is "seed:line" or text, `decision` a D-number of rules.md."""

    value: Any
    source: str = ""
    decision: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Special:
    """A special bid: its contract and score. `step` ranks it above a plain bid of `tricks`.

    `plain`: a plain bid of `tricks` is this bid. `exchange` is the least and the most cards
    exchanged with the partner; with `partners_pass` each partner passes that many. `names_after`:
    trump is named after the auction. `equalled_by_dealer`: only the dealer may overcall it with the
    same bid. `lose_all`: no trump, and the makers must take no trick. `above` ranks it just above
    this bid ("7", "10d"); `over` is the bid that must have been made before. `when` is an option,
    and those of its values with which the game has the bid.
    """

    name: str
    tricks: int
    won: int
    lost: int
    alone: bool = False
    also: tuple[str, ...] = ()
    step: int = 1
    plain: bool = False
    exchange: tuple[int, int] = (0, 0)
    kitty: bool = True
    names_after: bool = False
    equalled_by_dealer: bool = False
    ends_auction: bool = False
    lose_all: bool = False
    partners_pass: bool = False
    above: str = ""
    over: str = ""
    when: tuple[str, ...] = ()


_SPECIAL_KEYS = set(Special.__slots__) | {"source", "note"}


def read_specials(
    data: list[Any], choices: Mapping[str, Choice], shape: Mapping[str, Any], faults: list[Fault]
) -> tuple[Special, ...]:
    specials = []
    if len(data) > _MOST_SPECIALS:
        faults.append(fault("unknown-option/too-long", field="special", limit=_MOST_SPECIALS))
    for place, raw in enumerate(data[:_MOST_SPECIALS]):
        special = _special(raw, choices)
        if special is None or not 0 <= special.tricks <= shape["hand"]:
            faults.append(fault("unknown-option/special", field=f"special[{place}]"))
        elif _is_available(special, choices):
            specials.append(special)
    return tuple(specials)


def _is_available(special: Special, choices: Mapping[str, Choice]) -> bool:
    """Whether the option on which a special bid depends allows it."""
    if not special.when or special.when[0] not in choices:
        return not special.when
    value = choices[special.when[0]].value
    return value is True if len(special.when) == 1 else value in special.when[1:]


def _special(raw: Mapping[str, Any], choices: Mapping[str, Choice]) -> Special | None:
    """A special bid from its data, in which a text instead of a number names an option."""
    if not raw.keys() <= _SPECIAL_KEYS or not {"name", "tricks", "won", "lost"} <= raw.keys():
        return None
    values = {
        key: _resolved(key, value, choices)
        for key, value in raw.items()
        if key not in ("source", "note")
    }
    exchange = values.get("exchange", (0, 0))
    if type(exchange) is int:
        exchange = (exchange, exchange)
    lists = {"exchange": exchange, "also": values.get("also", ()), "when": values.get("when", ())}
    if not all(isinstance(items, list | tuple) for items in lists.values()):
        return None
    values |= {name: tuple(items) for name, items in lists.items()}
    special = Special(**values)
    return special if _is_valid(special) else None


def _resolved(key: str, value: Any, choices: Mapping[str, Choice]) -> Any:
    if key in ("won", "lost", "exchange", "kitty") and isinstance(value, str) and value in choices:
        return choices[value].value
    return value


def _is_valid(special: Special) -> bool:
    numbers = (special.tricks, special.won, special.lost, special.step)
    switches = (special.alone, special.plain, special.kitty, special.names_after,
                special.equalled_by_dealer, special.ends_auction, special.lose_all,
                special.partners_pass)  # fmt: skip
    return (
        _are_counts(numbers, _MOST)
        and special.step <= _MOST_STEPS
        and all(isinstance(switch, bool) for switch in switches)
        and all(map(_is_word, (special.name, *special.also, *special.when)))
        and isinstance(special.over, str)
        and isinstance(special.above, str)
        and (not special.above or _ABOVE.fullmatch(special.above) is not None)
        and len(special.exchange) == 2
        and _are_counts(special.exchange, _MOST_EXCHANGED)
    )


def _are_counts(numbers: Iterable[Any], most: int) -> bool:
    return all(type(number) is int and 0 <= number <= most for number in numbers)


def _is_word(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= 40


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
