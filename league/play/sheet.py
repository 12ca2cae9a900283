"""A game as a score sheet: hands with their versions, rulings and substitutions in their place; and
what the match of a game says beside it.

Matches are another area's; `league.apps` puts in who can say it (`NOTES`).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from league.members.models import Member
from league.play.game_log import GameLog, counts, gained_in, score_after
from league.play.models import Hand, Ruling
from league.play.results import caller
from league.play.text import (
    gained_text,
    hand_note,
    hand_text,
    sentence,
    short_names,
    side_name,
)
from league.seating.models import Seat, Table
from scoring import Answer, check_hand

NameOf = Callable[[Member], str]


@dataclass(frozen=True, slots=True)
class MatchNote:
    """`line`: how the match stands in one short line. `head`: which game of the match it is, and
    the games won. `notes`: what it began with, and what it counts. `outcome`: who has won the
    match, empty while it goes on. `address`: where all matches stand."""

    line: str
    head: str
    notes: tuple[str, ...]
    outcome: str
    address: str


NoteOf = Callable[[Table, Sequence[str]], MatchNote | None]
NOTES: list[NoteOf] = []


def match_note(table: Table, sides: Sequence[str]) -> MatchNote | None:
    """What the match of a table's game says, its sides by these names; None for a game that is no
    part of a match of several."""
    if not table.round.by_tournament:
        return None
    notes = (note_of(table, sides) for note_of in NOTES)
    return next((note for note in notes if note is not None), None)


@dataclass(frozen=True)
class Version:
    """A version of a hand that no longer counts, in words, with who replaced it and why."""

    text: str
    hand: Hand
    replaced_by: Hand | None


@dataclass(frozen=True)
class SheetLine:
    """One hand: who dealt, who called, what it came to and paid, the score after it."""

    hand: Hand
    answer: Answer
    dealer: str
    maker: str
    maker_side: int | None
    trump: str | None
    text: str
    gained: str
    note: str
    score: tuple[int, ...]
    old: list[Version]
    faults: list[str]
    hands_dealt: list[tuple[str, list[str]]] = field(default_factory=list)
    tricks: list[list[tuple[str, str]]] = field(default_factory=list)


@dataclass(frozen=True)
class Event:
    """What happened between two hands: a ruling, a misdeal, somebody taking another's seat."""

    kind: str
    after_hand: int
    ruling: Ruling | None = None
    who: str = ""
    for_whom: str = ""
    points: str = ""
    score: tuple[int, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The whole sheet. `rows` are hands and events in the order they happened."""

    sides: list[str]
    rows: list[SheetLine | Event]
    people: list[tuple[str, Seat]]
    undone: list[Version]


def sheet_of(log: GameLog, name_of: NameOf) -> Sheet:
    """The score sheet of a game, people called as the reader may see them."""
    names = _Names(log, name_of)
    events = [*_rulings(log, names), *_substitutions(log, name_of)]
    rows: list[SheetLine | Event] = [event for event in events if event.after_hand == 0]
    for hand in log.hands:
        rows.append(_line(log, hand, names))
        rows += [event for event in events if event.after_hand == hand.number]
    undone = [
        Version(_words(log, hand, names), hand, None)
        for hand in log.versions
        if hand.undone_at is not None
    ]
    people = [(name_of(seat.member), seat) for seat in log.seats]
    return Sheet(names.sides(len(log.hands) or 1), rows, people, undone)


class _Names:
    """Who is called what in which hand."""

    def __init__(self, log: GameLog, name_of: NameOf) -> None:
        self.log, self.name_of = log, name_of

    def at(self, number: int) -> list[str]:
        played = self.log.who_played(number)
        seats = range(self.log.rules.players)
        names = [self.name_of(played[c].member) if c in played else "?" for c in seats]
        return short_names(names)

    def sides(self, number: int) -> list[str]:
        names = self.at(number)
        return [side_name([names[seat] for seat in side]) for side in self.log.rules.sides]


def _line(log: GameLog, hand: Hand, names: _Names) -> SheetLine:
    state, number = log.state, hand.number
    answer, called = state.answers[number - 1], names.at(number)
    maker = None if hand.struck else caller(hand.record)
    versions = log.versions_of(number)
    return SheetLine(
        hand=hand,
        answer=answer,
        dealer=called[hand.record["dealer"]],
        maker=called[maker] if maker is not None else "",
        maker_side=None if maker is None else maker % len(state.sides),
        trump=None if hand.struck else answer.trump,
        text=_words(log, hand, names, name_trump=False),  # it stands beside as a sign
        gained=gained_text(gained_in(log, number), names.sides(number)),
        note="" if hand.struck else hand_note(log, number, called),
        score=score_after(log, number, ruled=0),
        old=[
            Version(_words(log, old, names), old, versions[place + 1])
            for place, old in enumerate(versions[:-1])
            if old.undone_at is None  # an undone hand was not changed: it stands under the sheet
        ],
        faults=[sentence(f, called) for f in log.conflicts() if f.hand == number],
        hands_dealt=_dealt(hand.record, called),
        tricks=_tricks(hand.record, answer, called),
    )


def _words(log: GameLog, hand: Hand, names: _Names, *, name_trump: bool = True) -> str:
    if hand.struck:
        return ""
    answer = check_hand(hand.record, log.rules)
    return hand_text(hand.record, answer, names.at(hand.number), name_trump=name_trump)


def _dealt(record: dict[str, Any], names: list[str]) -> list[tuple[str, list[str]]]:
    hands = record.get("hands") or []
    return [(names[seat], cards) for seat, cards in enumerate(hands) if cards]


def _tricks(
    record: dict[str, Any], answer: Answer, names: list[str]
) -> list[list[tuple[str, str]]]:
    """The cards of each trick with who played them, where the leader was written down."""
    played = []
    for trick in record.get("tricks") or []:
        leader, cards = trick.get("leader"), trick["cards"]
        active = len(cards)
        known = leader is not None and active == len(names)
        who = [names[(leader + place) % len(names)] if known else "" for place in range(active)]
        played.append(list(zip(who, cards, strict=True)))
    return played


def _rulings(log: GameLog, names: _Names) -> list[Event]:
    events, ruled = [], Counter[int]()
    for ruling in log.rulings:
        after = ruling.after_hand
        called = names.at(after or 1)
        who = called[ruling.by_seat] if ruling.by_seat is not None else ""
        event = Event("ruling", after, ruling, who)
        if counts(ruling):
            before = score_after(log, after, ruled=ruled[after])
            ruled[after] += 1
            score = score_after(log, after, ruled=ruled[after])
            gained = [now - then for now, then in zip(score, before, strict=True)]
            points = gained_text(gained, names.sides(after or 1))
            event = replace(event, score=score, points=points)
        events.append(event)
    return events


def _substitutions(log: GameLog, name_of: NameOf) -> list[Event]:
    """Each seat taken over, before the hand from which somebody else sat on it."""
    left = {(seat.position, seat.until_hand): seat for seat in log.seats if seat.until_hand}
    return [
        Event("seat", seat.from_hand - 1, who=name_of(seat.member), for_whom=name_of(before.member))
        for seat in log.seats
        if (before := left.get((seat.position, seat.from_hand - 1)))
    ]
