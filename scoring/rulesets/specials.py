"""Special bids of bid games, and a ruleset's choice of a value."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.faults import Fault, fault

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
