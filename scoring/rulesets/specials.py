"""Special bids of the bid games, and the choice a ruleset makes of each value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.faults import Fault, fault

_MOST, _MOST_STEPS = 500, 20


@dataclass(frozen=True, slots=True)
class Choice:
    """One value and why: `source` is "seed:line" or words, `decision` a D-number of rules.md."""

    value: Any
    source: str = ""
    decision: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Special:
    """A special bid: what it undertakes and pays. `step` ranks it above a plain bid of `tricks`.

    `plain`: a plain bid of so many tricks is this bid. `exchange` is the least and most cards
    changed with the partner. `names_after`: trump is named after the auction. `equalled_by_dealer`:
    the dealer, and only he, may overcall it with the same bid.
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


_SPECIAL_KEYS = set(Special.__slots__) | {"source", "note"}


def read_specials(
    data: list[Any], choices: Mapping[str, Choice], shape: Mapping[str, Any], faults: list[Fault]
) -> tuple[Special, ...]:
    specials = []
    for place, raw in enumerate(data):
        special = _special(raw, choices)
        if special is None or not 1 <= special.tricks <= shape["hand"]:
            faults.append(fault("unknown-option/special", field=f"special[{place}]"))
        else:
            specials.append(special)
    return tuple(specials)


def _special(raw: Mapping[str, Any], choices: Mapping[str, Choice]) -> Special | None:
    """A special bid; a text where a number is due names the option that holds it."""
    if not raw.keys() <= _SPECIAL_KEYS or not {"name", "tricks", "won", "lost"} <= raw.keys():
        return None
    values = {
        key: _referred(key, value, choices)
        for key, value in raw.items()
        if key not in ("source", "note")
    }
    exchange = values.get("exchange", (0, 0))
    if type(exchange) is int:
        exchange = (exchange, exchange)
    also = values.get("also", ())
    if not isinstance(exchange, list | tuple) or not isinstance(also, list | tuple):
        return None
    values |= {"exchange": tuple(exchange), "also": tuple(also)}
    special = Special(**values)
    return special if _good_special(special) else None


def _referred(key: str, value: Any, choices: Mapping[str, Choice]) -> Any:
    if key in ("won", "lost", "exchange", "kitty") and isinstance(value, str) and value in choices:
        return choices[value].value
    return value


def _good_special(special: Special) -> bool:
    numbers = (special.tricks, special.won, special.lost, special.step)
    switches = (special.alone, special.plain, special.kitty, special.names_after,
                special.equalled_by_dealer, special.ends_auction)  # fmt: skip
    return (
        all(type(number) is int and 0 <= number <= _MOST for number in numbers)
        and special.step <= _MOST_STEPS
        and all(isinstance(switch, bool) for switch in switches)
        and all(
            isinstance(text, str) and 0 < len(text) <= 40 for text in (special.name, *special.also)
        )
        and len(special.exchange) == 2
        and all(type(count) is int and 0 <= count <= 8 for count in special.exchange)
    )
