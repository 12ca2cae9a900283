"""Faults and warnings: their codes, and the one catalogue of sentences they are told in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.sentences import SENTENCES, WORDS

_COMPASS = ("North", "East", "South", "West")
_RANK_WORDS = {"T": "10"}
_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong (or, among warnings, unlikely): a public code, its place, its sentence.

    `sentence` is the key in `scoring.sentences.SENTENCES`; the code is the part before the slash.
    `trick` and `hand` count from 1; `seat` is 0..n-1; `field` names the field of the record.
    """

    sentence: str
    trick: int | None = None
    seat: int | None = None
    field: str | None = None
    hand: int | None = None
    players: int = 4
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def code(self) -> str:
        """The public code, e.g. `renege` (hand-record.md, "Fault codes")."""
        return self.sentence.partition("/")[0]

    @property
    def message(self) -> str:
        """The sentence in English, seats told as North, East, South, West or Player A, B, C."""
        return self.say()

    def say(
        self, *, names: Sequence[str] | None = None, translate: Callable[[str], str] = str
    ) -> str:
        """The sentence with players called by `names` (by seat) and put through `translate`."""
        seats = names or seat_names(self.players)
        words = {key: _word(key, value, seats, translate) for key, value in self.values}
        if self.seat is not None and "who" not in words:
            words["who"] = _seat_word(self.seat, seats)
        words |= {"trick": str(self.trick), "field": self.field or "record"}
        return translate(SENTENCES[self.sentence]).format(**words)

    def to_json(self) -> dict[str, Any]:
        """`{"code", "message"}` and whichever of hand, trick, seat and field say where."""
        places = {"hand": self.hand, "trick": self.trick, "seat": self.seat, "field": self.field}
        given = {key: value for key, value in places.items() if value is not None}
        return {"code": self.code, **given, "message": self.message}


def fault(sentence: str, players: int = 4, /, **told: Any) -> Fault:
    """A fault by its sentence key; trick, seat and field place it, the rest fill the sentence."""
    places = {key: told.pop(key) for key in ("trick", "seat", "field", "hand") if key in told}
    return Fault(sentence, players=players, values=tuple(told.items()), **places)


def seat_names(players: int) -> tuple[str, ...]:
    """What seats are called when nobody gave names: compass points at four, letters otherwise."""
    if players == len(_COMPASS):
        return _COMPASS
    return tuple(f"Player {letter}" for letter in "ABCDEFGH"[:players])


def card_text(card: str) -> str:
    """A card as people write it.

    >>> card_text("Th"), card_text("Jc"), card_text("B")
    ('10♥', 'J♣', 'joker')
    """
    if len(card) != 2:
        return "joker"
    return _RANK_WORDS.get(card[0], card[0]) + _SUIT_SIGNS.get(card[1], card[1])


def _seat_word(seat: int, seats: Sequence[str]) -> str:
    return seats[seat] if 0 <= seat < len(seats) else str(seat)


def _word(key: str, value: Any, seats: Sequence[str], translate: Callable[[str], str]) -> str:
    """The first word of a value's name says what it is: who, suit, Suit, card, cards, or text."""
    kind = key.partition("_")[0]
    if kind == "who":
        return _seat_word(value, seats)
    if kind == "suit":
        return translate(WORDS[value])
    if kind == "Suit":
        word = translate(WORDS[value])
        return word[:1].upper() + word[1:]
    if kind == "card":
        return card_text(value)
    if kind == "cards":
        return ", ".join(map(card_text, value))
    return str(value)
