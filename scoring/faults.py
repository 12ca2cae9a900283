"""Faults and warnings with their one catalogue of sentences, and the answer to a hand record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.sentences import SENTENCES, WORDS

_COMPASS = ("North", "East", "South", "West")
_RANK_WORDS = {"T": "10"}
_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong (or, as a warning, unlikely): a public code, its place, a sentence.

    `sentence` is the key in `scoring.sentences.SENTENCES`; the code is the part before the slash.
    `trick`, `hand` and `game` (of a match) count from 1; `seat` is 0..n-1; `field` names the
    field of the record.
    """

    sentence: str
    trick: int | None = None
    seat: int | None = None
    field: str | None = None
    hand: int | None = None
    game: int | None = None
    players: int = 4
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def code(self) -> str:
        """The public code, e.g. `renege` (hand-record.md, "Fault codes")."""
        return self.sentence.partition("/")[0]

    @property
    def message(self) -> str:
        """The sentence in English, seats named North, East, South, West or Player A, B, C."""
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
        """`{"code", "message"}` and whichever of game, hand, trick, seat and field say where."""
        places = {
            "game": self.game,
            "hand": self.hand,
            "trick": self.trick,
            "seat": self.seat,
            "field": self.field,
        }
        stated = {key: value for key, value in places.items() if value is not None}
        return {"code": self.code, **stated, "message": self.message}


def fault(sentence: str, players: int = 4, /, **values: Any) -> Fault:
    """A fault by its sentence key; trick, seat and field place it, the rest fill the sentence."""
    kinds = ("trick", "seat", "field", "hand", "game")
    places = {key: values.pop(key) for key in kinds if key in values}
    return Fault(sentence, players=players, values=tuple(values.items()), **places)


def seat_names(players: int) -> tuple[str, ...]:
    """Names for seats without players' names: compass points for four, letters otherwise."""
    if players == len(_COMPASS):
        return _COMPASS
    return tuple(f"Player {letter}" for letter in "ABCDEFGH"[:players])


def card_text(card: str, translate: Callable[[str], str] = str) -> str:
    """A card for people to read, with the rank's letter put through `translate`.

    >>> card_text("Th"), card_text("Jc"), card_text("B")
    ('10♥', 'J♣', 'joker')
    """
    if len(card) != 2:
        return "joker"
    rank = translate(WORDS[card[0]]) if card[0] in WORDS else _RANK_WORDS.get(card[0], card[0])
    return rank + _SUIT_SIGNS.get(card[1], card[1])


def _seat_word(seat: int, seats: Sequence[str]) -> str:
    return seats[seat] if 0 <= seat < len(seats) else str(seat)


def _word(key: str, value: Any, seats: Sequence[str], translate: Callable[[str], str]) -> str:
    """A value in words; the first word of its name is its kind: who, suit, card and so on."""
    kind = key.partition("_")[0]
    if kind == "who":
        return _seat_word(value, seats)
    if kind == "suit":
        return translate(WORDS[value])
    if kind == "Suit":
        word = translate(WORDS[value])
        return word[:1].upper() + word[1:]
    if kind == "card":
        return card_text(value, translate)
    if kind == "cards":
        return ", ".join(card_text(card, translate) for card in value)
    if kind in ("outcome", "form"):
        return translate(WORDS.get(value, str(value)))
    return str(value)


@dataclass(frozen=True, slots=True)
class Answer:
    """The engine's result for one hand (hand-record.md, "The answer").

    `outcome` is made, march or euchred in turn-up games, made or set in bid games, `played` if no
    one bid, `thrown-in`, `renege` or `abandoned`. `tricks_won` and `points` are by seat; both
    partners have their side's points. `tricks_won` is None if the record does not say which player
    of a side won them. `alone` are the seats that played alone. `wins_game` marks a hand that ends
    the game at any score (Smitty, 004:181); `declared_by` is the seat that declared a McEvoy hand
    (004:182); `token` says that the makers earned one with four tricks. `trick_winners` are the
    seats that took the tricks, in order, if the cards are known.
    """

    valid: bool
    outcome: str | None = None
    trump: str | None = None
    makers: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    next_dealer: int | None = None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    alone: tuple[int, ...] = ()
    wins_game: bool = False
    declared_by: int | None = None
    token: bool = False
    trick_winners: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON data; an invalid one has no points."""
        data = {
            "faults": [fault.to_json() for fault in self.faults],
            "warnings": [warning.to_json() for warning in self.warnings],
        }
        if not self.valid:
            return {"valid": False, **data}
        won, points = self.tricks_won, self.points
        return {
            "valid": True,
            "outcome": self.outcome,
            "trump": self.trump,
            "makers": list(self.makers),
            "tricks_won": None if won is None else list(won),
            "points": None if points is None else list(points),
            "next_dealer": self.next_dealer,
            **data,
        }
