"""A game as a score sheet: hands with their versions, rulings and substitutions in order;
what was decided about it; and the note about the match that it is part of.

Matches belong to other areas, which add their functions to `NOTES`, `MATCHES`, `ROUNDS`, `DRAWS`,
`AFTER_MATCH` and `EXTRA_HANDS` (in `league.apps`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from league.labels import as_partners
from league.members.initials import short_names
from league.members.models import AuditEntry, Member
from league.play.game_log import GameLog, counts, gained_in, score_after
from league.play.models import Confirmation, Game, Hand, Ruling
from league.play.queries import SideState
from league.play.results import caller
from league.play.table_changes import entries_about
from league.play.text import (
    gained_text,
    hand_note,
    hand_text,
    sentence,
    side_name,
)
from league.seating.models import Seat, Table
from scoring import Answer, check_hand

NameOf = Callable[[Member], str]
State = Game.State


@dataclass(frozen=True, slots=True)
class MatchNote:
    """`line` is the state of the match in one short line; `head` says which game of the match this
    is, with the games won. `notes` say what the game began with and what it counts. `outcome` names
    the winner of the match, empty while it goes on."""

    line: str
    head: str
    notes: tuple[str, ...]
    outcome: str


NoteOf = Callable[[Table, Sequence[str]], MatchNote | None]
NOTES: list[NoteOf] = []
MATCHES: list[Callable[[Table], tuple[str, str] | None]] = []
"""Each gives the name of what a table's match belongs to, and its page; None if it knows none."""

ROUNDS: list[Callable[[Iterable[int]], dict[int, str]]] = []
"""Each names the rounds of those of these tables, by key, that are played in a round of its own."""

DRAWS: list[Callable[[Table], str]] = []
"""Each says what a draw waits for at a table: the winner of a tied match, or a correction that the
draw does not follow; empty for nothing."""


EXTRA_HANDS: list[Callable[[Collection[int]], dict[int, int]]] = []
"""Each gives the positions that won one more hand after a tied match, for `extra_hands`."""


def extra_hands(tables: Collection[int]) -> dict[int, int]:
    """The position that won one more hand after a tied match, by the key of the table; empty for
    tables without one."""
    return {key: seat for seats_of in EXTRA_HANDS for key, seat in seats_of(tables).items()}


AFTER_MATCH: list[Callable[[Table], list[tuple[str, str]]]] = []
"""Each gives, for `after_match`, the names of those who played a match at a table, and a text."""


def after_match(table: Table) -> list[tuple[str, str]]:
    """What comes next for those who played a match at a table, with their names, unless that is a
    seat at another table; one text without names if it is the same for all."""
    if not table.round.by_tournament:
        return []
    lines = [line for lines_of in AFTER_MATCH for line in lines_of(table)]
    texts = {text for _names, text in lines}
    return [("", texts.pop())] if len(texts) == 1 and len(lines) > 1 else lines


def draw_warning(table: Table) -> str:
    """What a tied match or a corrected result at a table still needs; empty for nothing."""
    if not table.round.by_tournament:
        return ""
    return next(filter(None, (warning_of(table) for warning_of in DRAWS)), "")


def round_titles(tables: Iterable[Table]) -> dict[int, str]:
    """The title of each table's round, by the table's key: that of a tournament, or "Round 2"."""
    all_tables = list(tables)
    numbers = {table.pk: table.round.number for table in all_tables}
    titles = {key: _("Round %(n)d") % {"n": number} for key, number in numbers.items()}
    return titles | tournament_titles(all_tables)


def tournament_titles(tables: Iterable[Table]) -> dict[int, str]:
    """The title of the tournament's round at each of these tables that plays in one, by its key."""
    keys = [table.pk for table in tables if table.round.by_tournament]
    titles: dict[int, str] = {}
    for titles_of in ROUNDS if keys else ():
        titles |= titles_of(keys)
    return titles


def match_note(table: Table, sides: Sequence[str]) -> MatchNote | None:
    """The note about the match of a table's game, with these names of the sides; None for a game
    that is not part of a match of several games."""
    if not table.round.by_tournament:
        return None
    notes = (note_of(table, sides) for note_of in NOTES)
    return next((note for note in notes if note is not None), None)


def page_of_matches(table: Table) -> tuple[str, str] | None:
    """The name and the page of what a table's game is a match of; None if it is of nothing."""
    if not table.round.by_tournament:
        return None
    pages = (page_of(table) for page_of in MATCHES)
    return next((page for page in pages if page is not None), None)


@dataclass(frozen=True)
class Version:
    """A version of a hand that no longer counts, in words, with the version that replaced it."""

    text: str
    hand: Hand
    replaced_by: Hand | None


@dataclass(frozen=True)
class SheetLine:
    """One hand: dealer, maker, outcome, points, and the score after it."""

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
    """An event between two hands: a ruling, a misdeal, or a substitution."""

    kind: str
    after_hand: int
    ruling: Ruling | None = None
    who: str = ""
    for_whom: str = ""
    points: str = ""
    against_lone: bool = False
    score: tuple[int, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The whole sheet. `rows` are hands and events in order."""

    sides: list[str]
    rows: list[SheetLine | Event]
    people: list[tuple[str, Seat]]
    undone: list[Version]


def sheet_of(log: GameLog, name_of: NameOf) -> Sheet:
    """The score sheet of a game, with players named as the reader may see them."""
    names = _Names(log, name_of)
    events = [*_ruling_events(log, names), *_substitution_events(log, name_of)]
    rows: list[SheetLine | Event] = [event for event in events if event.after_hand == 0]
    for hand in log.hands:
        rows.append(_sheet_line(log, hand, names))
        rows += [event for event in events if event.after_hand == hand.number]
    undone = [
        Version(_hand_in_words(log, hand, names), hand, None)
        for hand in log.versions
        if hand.undone_at is not None and not _is_back(log, hand)
    ]
    people = [(name_of(seat.member), seat) for seat in log.seats]
    return Sheet(names.sides(len(log.hands) or 1), rows, people, undone)


def _is_back(log: GameLog, undone: Hand) -> bool:
    """Whether an undone hand was entered again as it was, as Redo does."""
    later = (hand for hand in log.versions_of(undone.number) if hand.version > undone.version)
    return any(hand.record == undone.record for hand in later)


class _Names:
    """The names of the players and sides in each hand."""

    def __init__(self, log: GameLog, name_of: NameOf) -> None:
        self.log = log
        people = {person.pk: person for person in [*log.people, *(s.member for s in log.seats)]}
        names = {pk: name_of(person) for pk, person in people.items()}
        aliases = {pk: name for pk, name in names.items() if name == people[pk].alias}
        named = {pk: name for pk, name in names.items() if pk not in aliases}
        self.shorts = dict(zip(named, short_names([*named.values()]), strict=True)) | aliases

    def at(self, number: int) -> list[str]:
        seats_in_hand = self.log.who_played(number)
        seats = range(self.log.rules.players)
        return [
            self.shorts[seats_in_hand[position].member_id] if position in seats_in_hand else "?"
            for position in seats
        ]

    def sides(self, number: int) -> list[str]:
        names = self.at(number)
        return [side_name([names[seat] for seat in side]) for side in self.log.rules.sides]


def _sheet_line(log: GameLog, hand: Hand, names: _Names) -> SheetLine:
    state, number = log.state, hand.number
    answer, players = state.answers[number - 1], names.at(number)
    maker = None if hand.struck else caller(hand.record)
    versions = log.versions_of(number)
    return SheetLine(
        hand=hand,
        answer=answer,
        dealer=players[hand.record["dealer"]],
        maker=players[maker] if maker is not None else "",
        maker_side=None if maker is None else maker % len(state.sides),
        trump=None if hand.struck else answer.trump,
        text=_hand_in_words(log, hand, names, name_trump=False),  # shown as a suit sign beside it
        gained=gained_text(gained_in(log, number), names.sides(number)),
        note="" if hand.struck else hand_note(log, number, players),
        score=score_after(log, number, ruled=0),
        old=[
            Version(_hand_in_words(log, old, names), old, versions[place + 1])
            for place, old in enumerate(versions[:-1])
            if old.undone_at is None  # undone hands are listed below the sheet
        ],
        faults=[sentence(fault, players) for fault in log.conflicts() if fault.hand == number],
        hands_dealt=_dealt_hands(hand.record, players),
        tricks=_trick_plays(hand.record, answer, players),
    )


def _hand_in_words(log: GameLog, hand: Hand, names: _Names, *, name_trump: bool = True) -> str:
    if hand.struck:
        return ""
    answer = check_hand(hand.record, log.rules)
    return hand_text(hand.record, answer, names.at(hand.number), name_trump=name_trump)


def _dealt_hands(record: dict[str, Any], names: list[str]) -> list[tuple[str, list[str]]]:
    return [(names[seat], cards) for seat, cards in enumerate(record.get("hands") or []) if cards]


def _trick_plays(
    record: dict[str, Any], answer: Answer, names: list[str]
) -> list[list[tuple[str, str]]]:
    """The cards of each trick, with their players where the leader was recorded."""
    tricks = []
    for trick in record.get("tricks") or []:
        leader, cards = trick.get("leader"), trick["cards"]
        active = len(cards)
        is_leader_known = leader is not None and active == len(names)
        players = [
            names[(leader + place) % len(names)] if is_leader_known else ""
            for place in range(active)
        ]
        tricks.append(list(zip(players, cards, strict=True)))
    return tricks


def _ruling_events(log: GameLog, names: _Names) -> list[Event]:
    events, ruled = [], Counter[int]()
    for ruling in log.rulings:
        hand_number = ruling.after_hand
        players = names.at(hand_number or 1)
        offender = players[ruling.by_seat] if ruling.by_seat is not None else ""
        alone = log.is_against_lone(ruling)
        event = Event("ruling", hand_number, ruling, offender, against_lone=alone)
        if counts(ruling):
            score_before = score_after(log, hand_number, ruled=ruled[hand_number])
            ruled[hand_number] += 1
            score = score_after(log, hand_number, ruled=ruled[hand_number])
            gained = [new - old for new, old in zip(score, score_before, strict=True)]
            points = gained_text(gained, names.sides(hand_number or 1))
            event = replace(event, score=score, points=points)
        events.append(event)
    return events


def _substitution_events(log: GameLog, name_of: NameOf) -> list[Event]:
    """An event for each seat that a substitute took over, before their first hand."""
    seats_left = {(seat.position, seat.until_hand): seat for seat in log.seats if seat.until_hand}
    return [
        Event(
            "seat", seat.from_hand - 1, who=name_of(seat.member), for_whom=name_of(previous.member)
        )
        for seat in log.seats
        if (previous := seats_left.get((seat.position, seat.from_hand - 1)))
    ]


@dataclass(frozen=True, slots=True)
class SaidAboutGame:
    """A dispute or a decision, the side that disputes, the score that a decision replaced and the
    one it gave, who has won by the latest decision, and the entry of the activity log that settled
    a dispute: it was taken back, decided or corrected. `of_card`: a captain disputed the card of
    the whole match, and not this game."""

    said: Confirmation
    sides: list[str]
    replaced: list[int]
    given: list[int]
    winners: str
    settled: AuditEntry | None
    of_card: bool

    @property
    def taken_back(self) -> AuditEntry | None:
        return self.settled if self.settled and self.settled.action == "withdraw dispute" else None

    @property
    def corrected_hand(self) -> int | None:
        """The number of the hand whose correction settled the dispute."""
        is_correction = self.settled and self.settled.action in ("correct hand", "strike hand")
        return (self.settled.new or {}).get("hand") if self.settled and is_correction else None


def disputes_and_decisions(
    game: Game, named_sides: Sequence[tuple[str, SideState]]
) -> list[SaidAboutGame]:
    """The disputes and decisions about a game, in order."""
    decided = Q(accepted=False) | ~Q(decision="")
    all_said = list(Confirmation.objects.filter(decided, game=game).order_by("id"))
    winners = [name for name, side in named_sides if side.won]
    of_card = game.table.session.of_team_match
    return [
        SaidAboutGame(
            said,
            [name for name, side in named_sides if said.seat in side.seats and not of_card],
            *scores_of_decision(said, game),
            as_partners(winners) if said == all_said[-1] else "",
            _settled(said, game),
            of_card,
        )
        for said in all_said
    ]


def correction_since_dispute(log: GameLog, words: Sequence[SaidAboutGame]) -> Hand | None:
    """The hand that was changed last, if the game is still disputed since: it may settle that."""
    disputed = [word.said.at for word in words if not word.said.settled_at]
    latest = max(log.hands, key=lambda hand: hand.entered_at, default=None)
    is_since = bool(disputed and latest and latest.reason and latest.entered_at > max(disputed))
    return latest if is_since and log.game.state == Game.State.DISPUTED else None


def scores_of_decision(said: Confirmation, game: Game) -> tuple[list[int], list[int]]:
    """The score that a decision replaced and the one it gave, as the activity log has them; empty
    if it replaced none."""
    if said.decision != Confirmation.Decision.SCORE:
        return [], []
    old, new = _change_by_decision(said, game)
    return old.get("score") or [], new.get("score") or []


def is_corrected_since(said: Confirmation, game: Game) -> bool:
    """Whether the score or the winners are no longer those that this decision gave."""
    _old, new = _change_by_decision(said, game)
    given, now = (new.get("score"), new.get("winners")), (game.score, game.winners)
    return bool(new) and given != now


def _change_by_decision(said: Confirmation, game: Game) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the activity log has of the game before and after a decision."""
    entries = entries_about(game.table).filter(
        action="settle game", at__gte=said.at, new__reason=said.reason
    )
    entry = entries.last()  # the first one after it: entries are in order from the newest
    return (entry.old or {}, entry.new or {}) if entry else ({}, {})


def _settled(said: Confirmation, game: Game) -> AuditEntry | None:
    """The entry that settled a dispute: the first one since then."""
    if said.decision or said.settled_at is None:
        return None
    about_card = AuditEntry.objects.filter(session=game.session_id)
    entries = about_card if game.table.session.of_team_match else entries_about(game.table)
    return entries.filter(at__gte=said.settled_at).last()
