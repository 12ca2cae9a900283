"""Reads a hand record from decoded JSON, and reports all faults of form without exceptions."""

from collections.abc import Callable
from typing import Any

from scoring.cards import SUITS, read_card, read_denomination
from scoring.faults import Fault, fault
from scoring.records import Call, Contract, Exchange, HandRecord, Particulars, Penalty, Trick

MAX_SEATS = 8
_MAX_CARDS = 16  # in a hand, a trick's pile, a discard
_MAX_CALLS = 128
_MAX_TRICKS = 16
_MAX_PENALTIES = 16
_MAX_OPTIONS = 128
_MAX_NUMBER = 1000
_MAX_TEXT = 80
_TOO_MUCH = "…"
_MAX_UNKNOWN_KEYS = 5

_CALLS = ("pass", "order-up", "name", "bid", "mcevoy", "redeal", "go-under")
_PENALTIES = ("renege", "false-claim", "table-talk", "abandoned")
JAMBONE, JAMBOREE = "jambone", "jamboree"
OUTCOMES = ("euchred", "made", "march")


def read_record(data: object) -> tuple[HandRecord | None, tuple[Fault, ...]]:
    """The record, or None and everything that is wrong with its form.

    A readable record that contradicts all rules is returned with that fault. Sizes are checked
    before contents, and contents are never repeated beyond a few characters, so that a record of
    ten megabytes costs no more than a valid one.
    """
    reader = _Reader()
    record = reader.record(data)
    if reader.faults:
        return None, (*reader.impossible, *reader.faults)
    return record, tuple(reader.impossible)


class _Reader:
    """Reads one record; a value that cannot be read adds a fault and becomes None."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.impossible: list[Fault] = []

    def bad(self, sentence: str, field: str, **values: Any) -> None:
        self.faults.append(fault(sentence, field=field, **values))

    def record(self, data: object) -> HandRecord | None:
        if not isinstance(data, dict):
            self.bad("bad-format/not-a-record", "record")
            return None
        fields = self.entries(data, _FIELDS, "")
        if data.get("dealer") is None:
            self.bad("bad-format/missing", "dealer", name="dealer")
        if self.faults:
            return None
        fields["thrown_in"] = "contract" in data and data["contract"] is None
        won = fields.get("tricks_won")
        if isinstance(won, int):
            fields["tricks_won"], fields["makers_tricks"] = None, won
        if fields.get("penalties") is None:
            fields["penalties"] = ()
        stated = {name: fields.pop(name) for name in _PARTICULARS if name in fields}
        nobody = "partner" in data and data["partner"] is None
        if stated or nobody:
            fields["particulars"] = Particulars(**stated, nobody=nobody)
        return HandRecord(**fields)

    def entries(self, data: dict[Any, Any], fields: dict[str, Any], path: str) -> dict[str, Any]:
        """The fields of one object, each read by its own reader; unknown fields are faults."""
        if len(data) > len(fields) or not data.keys() <= fields.keys():
            unknown = (key for key in data if key not in fields)
            for key, _ in zip(unknown, range(_MAX_UNKNOWN_KEYS), strict=False):
                name = _shown(key)
                where = f"{path}.{name}" if path else name
                self.bad("bad-format/unknown-field", where, text=name, path=path or "the record")
        values = {}
        for name, read in fields.items():
            if data.get(name) is not None:
                values[name] = read(self, data[name], f"{path}.{name}" if path else name)
        return values

    def part(self, make: Callable[..., Any], fields: dict[str, Any], needed: str) -> Any:
        """A reader for an object with the `needed` fields that becomes `make(**fields)`."""

        def read(data: object, path: str) -> Any:
            if not isinstance(data, dict):
                self.bad("bad-format/not-an-object", path)
                return None
            values = self.entries(data, fields, path)
            missing = [name for name in needed.split() if data.get(name) is None]
            for name in missing:
                self.bad("bad-format/missing", f"{path}.{name}", name=name)
            return None if missing else make(**values)

        return read

    def items(self, data: object, path: str, limit: int) -> list[Any] | None:
        if not isinstance(data, list | tuple):
            self.bad("bad-format/not-a-list", path)
            return None
        if len(data) > limit:
            self.bad("bad-format/too-long", path, limit=limit)
            return None
        return list(data)

    def many(self, data: object, path: str, limit: int, read: Any) -> tuple[Any, ...] | None:
        items = self.items(data, path, limit)
        if items is None:
            return None
        return tuple(read(item, f"{path}[{place}]") for place, item in enumerate(items))

    # -- single values -------------------------------------------------------------------------

    def seat(self, value: object, path: str) -> int | None:
        if type(value) is int and 0 <= value < MAX_SEATS:
            return value
        self.bad("bad-seat/none-such", path)
        return None

    def number(self, value: object, path: str) -> int | None:
        if type(value) is int and -_MAX_NUMBER <= value <= _MAX_NUMBER:
            return value
        self.bad("bad-format/not-a-number", path)
        return None

    def yes_or_no(self, value: object, path: str) -> bool | None:
        if isinstance(value, bool):
            return value
        self.bad("bad-format/not-yes-or-no", path)
        return None

    def text(self, value: object, path: str) -> str | None:
        if isinstance(value, str) and 0 < len(value) <= _MAX_TEXT:
            return value
        self.bad("bad-format/not-a-text", path)
        return None

    def word(self, value: object, path: str, words: tuple[str, ...], fault: str) -> str | None:
        if isinstance(value, str) and value in words:
            return value
        self.bad(fault, path, choices=", ".join(words))
        return None

    def card(self, value: object, path: str) -> str | None:
        card = read_card(value)
        if card is None:
            self.bad("bad-card/none-such", path, text=_shown(value))
        return card

    def trump(self, value: object, path: str) -> str | None:
        trump = read_denomination(value)
        if trump is None:
            self.bad("bad-format/not-a-trump", path, text=_shown(value))
        return trump

    # -- lists and parts -----------------------------------------------------------------------

    def cards(self, value: object, path: str) -> tuple[str, ...] | None:
        return self.many(value, path, _MAX_CARDS, self.card)

    def cards_by_seat(self, value: object, path: str) -> tuple[Any, ...] | None:
        def cards_or_none(item: object, place: str) -> tuple[str, ...] | None:
            return None if item is None else self.cards(item, place)

        return self.many(value, path, MAX_SEATS, cards_or_none)

    def numbers(self, value: object, path: str) -> tuple[Any, ...] | None:
        return self.many(value, path, MAX_SEATS, self.number)

    def tricks_won(self, value: object, path: str) -> tuple[Any, ...] | int | None:
        if isinstance(value, dict):
            read = self.part(lambda makers: makers, {"makers": _Reader.number}, "makers")
            return read(value, path)
        return self.numbers(value, path)

    def option_values(self, value: object, path: str) -> tuple[tuple[str, Any], ...] | None:
        if not isinstance(value, dict) or len(value) > _MAX_OPTIONS:
            self.bad("bad-format/not-an-object", path)
            return None
        return tuple((_shown(name), _frozen(item)) for name, item in value.items())

    def call(self, value: object, path: str) -> Call | None:
        self.shown_hand(value, path)
        return self.part(Call, _CALL_FIELDS, "seat call")(value, path)

    def contract(self, value: object, path: str) -> Contract | None:
        self.shown_hand(value, path)
        return self.part(Contract, _CONTRACT_FIELDS, "seat")(value, path)

    def shown_hand(self, value: object, path: str) -> None:
        """Report a shown hand with `alone` false; it is always a lone hand."""
        if isinstance(value, dict) and value.get("alone") is False:
            special = value.get("special")
            if isinstance(special, str) and special in (JAMBONE, JAMBOREE):
                place = {"field": f"{path}.alone", "text": special}
                self.impossible.append(fault("call-not-allowed/shown-alone", **place))

    def trick(self, value: object, path: str) -> Trick | None:
        return self.part(Trick, _TRICK_FIELDS, "cards")(value, path)

    def exchange(self, value: object, path: str) -> Exchange | None:
        def make(cards: Any, to: Any, **fields: Any) -> Exchange:
            return Exchange(fields["from"], to, cards)  # "from" cannot be an argument's name

        return self.part(make, _EXCHANGE_FIELDS, "from to cards")(value, path)

    def penalty(self, value: object, path: str) -> Penalty | None:
        return self.part(Penalty, _PENALTY_FIELDS, "kind by")(value, path)


def _shown(value: object) -> str:
    """A few printable characters of a value, safe to repeat in a sentence."""
    if not isinstance(value, str):
        return type(value).__name__
    return "".join(sign if sign.isprintable() else "?" for sign in value[:20])


def _frozen(value: object) -> Any:
    """An option's value, with lists as tuples; anything deep or long becomes a text that is no
    valid value."""
    if isinstance(value, list):
        is_short = len(value) <= _MAX_CARDS and all(isinstance(item, str) for item in value)
        return tuple(value) if is_short else _TOO_MUCH
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        return _TOO_MUCH
    return value if value is None or isinstance(value, str | int | float) else _TOO_MUCH


def _words(*words: str, fault: str = "bad-format/not-one-of") -> Any:
    return lambda reader, value, path: reader.word(value, path, words, fault)


def _list(limit: int, read: Callable[..., Any]) -> Any:
    return lambda reader, value, path: reader.many(
        value, path, limit, lambda item, place: read(reader, item, place)
    )


_BID_FIELDS = {
    "seat": _Reader.seat,
    "trump": _Reader.trump,
    "alone": _Reader.yes_or_no,
    "tricks": _Reader.number,
    "special": _Reader.text,
}
_CALL_FIELDS = {**_BID_FIELDS, "call": _words(*_CALLS)}
_CONTRACT_FIELDS = {**_BID_FIELDS, "round": _Reader.number, "call_card": _Reader.card}
_TRICK_FIELDS = {"leader": _Reader.seat, "cards": _Reader.cards, "named": _words(*SUITS)}
_EXCHANGE_FIELDS = {"from": _Reader.seat, "to": _Reader.seat, "cards": _Reader.cards}
_PENALTY_FIELDS = {
    "kind": _words(*_PENALTIES, fault="bad-penalty/kind"),
    "by": _Reader.seat,
    "trick": _Reader.number,
    "form": _words("add", "deduct", fault="bad-penalty/form"),
}
_PARTICULARS = {
    "upcard2": _Reader.card,
    "partner": _Reader.seat,
    "out": _list(MAX_SEATS, _Reader.seat),
    "dummy": _Reader.cards,
    "fast_break": _Reader.yes_or_no,
}
_FIELDS = {
    "ruleset": _Reader.text,
    "options": _Reader.option_values,
    "dealer": _Reader.seat,
    "upcard": _Reader.card,
    "hands": _Reader.cards_by_seat,
    "auction": _list(_MAX_CALLS, _Reader.call),
    "contract": _Reader.contract,
    "lone_maker": _Reader.seat,
    "lone_defender": _Reader.seat,
    "discards": _Reader.cards_by_seat,
    "exchange": _list(MAX_SEATS, _Reader.exchange),
    "tricks": _list(_MAX_TRICKS, _Reader.trick),
    "tricks_won": _Reader.tricks_won,
    "outcome": _words(*OUTCOMES),
    "penalties": _list(_MAX_PENALTIES, _Reader.penalty),
    "points": _Reader.numbers,
    **_PARTICULARS,
}
