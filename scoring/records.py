"""The hand record, version 1: the frozen record of one deal, and its JSON format."""

from dataclasses import dataclass
from typing import Any, NamedTuple

# The parts are named tuples and not dataclasses because they are keys of the engine's caches: they
# hash and compare at the speed of plain tuples.


class Call(NamedTuple):
    """One call of the auction.

    `call` is `pass`, `order-up`, `name`, `bid` or, before the bidding, `mcevoy`, `redeal` or
    `go-under`. `alone` is None when nothing was said of it with the call.
    """

    seat: int
    call: str
    trump: str | None = None
    alone: bool | None = None
    tricks: int | None = None
    special: str | None = None


class Contract(NamedTuple):
    """The result of the auction: `round` is for turn-up games, `tricks` for bid games.

    `call_card` is the card whose holder is the maker's partner, where a partner is called.
    """

    seat: int
    trump: str | None = None
    round: int | None = None
    alone: bool = False
    tricks: int | None = None
    special: str | None = None
    call_card: str | None = None


class Trick(NamedTuple):
    """The cards of one trick in the order played; `leader` may be omitted and deduced.

    `named` is the suit that a joker led in no trump stands for.
    """

    cards: tuple[str, ...]
    leader: int | None = None
    named: str | None = None


class Exchange(NamedTuple):
    """Cards passed from one partner to the other (`from` and `to` in JSON)."""

    giver: int
    taker: int
    cards: tuple[str, ...]


class Penalty(NamedTuple):
    """A ruled infraction: a `renege`, `false-claim`, `table-talk` or hand `abandoned`.

    `form` is `add` (to the innocent side) or `deduct` (from the guilty), of a renege only.
    """

    kind: str
    by: int
    trick: int | None = None
    form: str | None = None


class Particulars(NamedTuple):
    """What only some games record; most records have none of it.

    `upcard2` is the second card turned up; `partner` the seat that held the called card; `nobody`
    that no one else held it (JSON's `"partner": null`); `out` the seats that dropped out; `dummy`
    its cards; `fast_break` that the defenders took the first two tricks and no more.
    """

    upcard2: str | None = None
    partner: int | None = None
    nobody: bool = False
    out: tuple[int, ...] | None = None
    dummy: tuple[str, ...] | None = None
    fast_break: bool | None = None


class RecordError(ValueError):
    """Data that is not a hand record; `faults` has everything wrong with it."""

    def __init__(self, faults: tuple[Any, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One deal, recorded at any level of detail. Fields are those of the public format.

    `thrown_in` is JSON's `"contract": null`; `makers_tricks` is `"tricks_won": {"makers": n}`.
    `lone_maker` is the maker's partner if the partner plays alone (in rules that allow it).

    >>> hand = HandRecord.from_json({"dealer": 0, "contract": {"seat": 1, "trump": "H", "round": 1},
    ...                              "tricks_won": [0, 4, 1, 0]})
    >>> hand.contract
    Contract(seat=1, trump='h', round=1, alone=False, tricks=None, special=None, call_card=None)
    >>> HandRecord.from_json(hand.to_json()) == hand
    True
    """

    dealer: int
    ruleset: str | None = None
    options: tuple[tuple[str, Any], ...] | None = None
    upcard: str | None = None
    hands: tuple[tuple[str, ...] | None, ...] | None = None
    auction: tuple[Call, ...] | None = None
    contract: Contract | None = None
    thrown_in: bool = False
    lone_maker: int | None = None
    lone_defender: int | None = None
    discards: tuple[tuple[str, ...] | None, ...] | None = None
    exchange: tuple[Exchange, ...] | None = None
    tricks: tuple[Trick, ...] | None = None
    tricks_won: tuple[int, ...] | None = None
    makers_tricks: int | None = None
    outcome: str | None = None
    penalties: tuple[Penalty, ...] = ()
    points: tuple[int, ...] | None = None
    particulars: Particulars | None = None

    @classmethod
    def from_json(cls, data: object) -> "HandRecord":
        """Read a decoded JSON object leniently (`10h`, `A♥`, `"Hearts"`). Raises RecordError."""
        from scoring.reading import read_record

        record, faults = read_record(data)
        if record is None or faults:
            raise RecordError(faults)
        return record

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data in strict form, without empty fields."""
        data: dict[str, Any] = {"dealer": self.dealer}
        for name in ("ruleset", "upcard", "lone_maker", "lone_defender", "outcome"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        for name in ("hands", "discards"):
            if getattr(self, name) is not None:
                data[name] = [
                    None if cards is None else list(cards) for cards in getattr(self, name)
                ]
        for name in ("tricks_won", "points"):
            if getattr(self, name) is not None:
                data[name] = list(getattr(self, name))
        return data | _parts_to_json(self)


def _parts_to_json(record: HandRecord) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if record.particulars is not None:
        data |= _particulars_to_json(record.particulars)
    if record.options is not None:
        data["options"] = {name: _plain(value) for name, value in record.options}
    if record.auction is not None:
        data["auction"] = [_filled(call) for call in record.auction]
    if record.contract is not None or record.thrown_in:
        data["contract"] = None if record.contract is None else _contract_to_json(record.contract)
    if record.exchange is not None:
        data["exchange"] = [
            {"from": passed.giver, "to": passed.taker, "cards": list(passed.cards)}
            for passed in record.exchange
        ]
    if record.tricks is not None:
        data["tricks"] = [_filled(trick) | {"cards": list(trick.cards)} for trick in record.tricks]
    if record.makers_tricks is not None:
        data["tricks_won"] = {"makers": record.makers_tricks}
    if record.penalties:
        data["penalties"] = [_filled(penalty) for penalty in record.penalties]
    return data


def _contract_to_json(contract: Contract) -> dict[str, Any]:
    data = _filled(contract)
    if not contract.alone:
        data.pop("alone", None)
    return data


def _particulars_to_json(particulars: Particulars) -> dict[str, Any]:
    data = _filled(particulars)
    if data.pop("nobody"):
        data["partner"] = None
    return {name: list(v) if isinstance(v, tuple) else v for name, v in data.items()}


def _filled(part: Any) -> dict[str, Any]:
    return {name: value for name, value in part._asdict().items() if value is not None}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
