"""What pages ask about games: a table as it stands, a session's games, what is unsettled."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from league.play.book import Book, open_book
from league.play.derived import as_of
from league.play.models import Confirmation, Game
from league.play.telling import (
    gained_text,
    hand_text,
    points_by_side,
    short_names,
    side_name,
)
from league.play.window import may_change
from league.seating.models import Seat, Table
from league.sessions.models import Session
from scoring import GameState

State = Game.State


@dataclass(frozen=True, slots=True)
class SideState:
    """A side of the table: its people, its points and what it still needs (None: no target)."""

    name: str
    seats: tuple[int, ...]
    points: int
    target: int | None
    needs: int | None
    won: bool

    @property
    def seat(self) -> int:
        """A seat that stands for the side."""
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand in words. `gained` says who got what; `struck` that it counts for nothing."""

    number: int
    version: int
    text: str
    gained: str
    struck: bool


@dataclass(frozen=True)
class TableState:
    """A table as it stands. `phase` is one word for what can happen at it next."""

    table: Table
    book: Book
    phase: str
    names: list[str]
    shorts: list[str]
    sides: list[SideState]
    last: HandTold | None
    may_undo: bool

    @property
    def game(self) -> Game:
        return self.book.game

    @property
    def state(self) -> GameState:
        return self.book.state

    @property
    def number(self) -> int:
        """The number of the next hand."""
        return self.book.next_number

    @property
    def dealer(self) -> int:
        """Who deals the next hand."""
        due = self.state.next_dealer
        return self.game.first_dealer if due is None else due

    @property
    def sides_named(self) -> list[str]:
        return [side.name for side in self.sides]


def table_state(table: Table, *, at: datetime | None = None) -> TableState:
    """A table as it stands; nothing is stored where nobody has entered anything yet.

    One query. `at` decides whether the table itself may still undo its last hand.
    """
    book = open_book(table)
    if at is not None:
        as_of(book.game, at)
    return state_of(book, at=at)


def state_of(book: Book, *, at: datetime | None = None) -> TableState:
    """The same of a book already open: no query."""
    names = [seat.member.name for seat in book.sitting()]
    shorts = short_names(names)
    last = book.hands[-1] if book.hands else None
    return TableState(
        table=book.table,
        book=book,
        phase=phase_of(book.game, book.table),
        names=names,
        shorts=shorts,
        sides=_sides(book, shorts),
        last=hand_told(book, last.number, shorts) if last else None,
        may_undo=last is not None and at is not None and may_change(book, last, at=at),
    )


def phase_of(game: Game, table: Table) -> str:
    """playing, totals (only its score is asked), finished, disputed, confirmed, abandoned,
    reopened (an organiser decides)."""
    if game.reopened:
        return "reopened"
    if game.state == State.PLAYING and table.totals_only:
        return "totals"
    return game.state


def hand_told(book: Book, number: int, names: list[str]) -> HandTold:
    """One hand of a book in words."""
    hand, state = book.hands[number - 1], book.state
    answer = state.answers[number - 1]
    gained = points_by_side(answer, state.sides)
    sides = [side_name([names[seat] for seat in side]) for side in state.sides]
    text = "" if hand.struck else hand_text(hand.record, answer, names)
    return HandTold(hand.number, hand.version, text, gained_text(gained, sides), hand.struck)


def _sides(book: Book, shorts: list[str]) -> list[SideState]:
    game, state = book.game, book.state
    score = game.totals if game.totals is not None else state.score
    target = book.rules.target
    return [
        SideState(
            name=side_name([shorts[seat] for seat in side]),
            seats=side,
            points=points,
            target=target,
            needs=None if target is None else max(0, target - points),
            won=side[0] in game.winners,
        )
        for side, points in zip(state.sides, score, strict=True)
    ]


def sitting_now() -> Prefetch:
    """Who sits at tables, last first span last, as `table.chairs`."""
    seats = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    return Prefetch("table__seats", queryset=seats, to_attr="chairs")


def games_of(club_session: Session) -> QuerySet[Game]:
    """A session's games with their tables and people, by table."""
    games = Game.objects.filter(session=club_session).select_related("table", "ruleset")
    return games.prefetch_related(sitting_now()).order_by("table__number", "table_id")


def unsettled(club_session: Session, at: datetime) -> QuerySet[Game]:
    """The games an organiser should look at: disputed, reopened, misfitting, still unconfirmed."""
    waiting = Q(state=State.FINISHED) & (Q(accept_at=None) | Q(accept_at__gt=at))
    odd = Q(state=State.DISPUTED) | Q(reopened=True) | Q(misfits__gt=0)
    disputes = Confirmation.objects.filter(accepted=False, settled_at=None).order_by("-id")
    return (
        games_of(club_session)
        .filter(waiting | odd)
        .prefetch_related(Prefetch("confirmations", queryset=disputes, to_attr="disputes"))
    )


def words_on(game: Game) -> QuerySet[Confirmation]:
    """What was disputed and what was decided about a game, in the order it was said."""
    said = Q(accepted=False) | ~Q(decision="")
    return Confirmation.objects.filter(said, game=game).order_by("id")


def unfinished(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game has not ended, or not begun."""
    live = club_session.tables.filter(is_live=True)
    over = Game.objects.exclude(state=State.PLAYING).values("table")
    seats = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    return (
        live.exclude(pk__in=over)
        .select_related("ruleset")
        .prefetch_related(Prefetch("seats", queryset=seats, to_attr="sitting"), "games")
        .order_by("number")
    )


def still_provisional(at: datetime) -> Q:
    """Which result rows are provisional at a moment: nobody has confirmed them, nor silence."""
    return Q(provisional=True) & ~silently_accepted(at, "game__")


def silently_accepted(at: datetime, game: str = "") -> Q:
    """Which games silence has accepted, though they are not stored as confirmed yet; `game` is
    the look-up that leads to the game."""
    asked = {"state": State.FINISHED, "reopened": False, "accept_at__lte": at}
    return Q(**{f"{game}{field}": value for field, value in asked.items()})
