"""What pages ask about games: a table as it stands, a session's games, what a hand would pay."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, QuerySet, When
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Club
from league.play.game_log import (
    GameLog,
    counts,
    gained_in,
    open_game_log,
    score_after,
    tokens_after,
)
from league.play.models import Confirmation, Game, Hand, Result, Ruling
from league.play.results import accepted_by_silence, as_of
from league.play.text import (
    gained_text,
    hand_note,
    hand_text,
    ruling_text,
    short_names,
    side_name,
)
from league.seating.models import Seat, Table
from league.seating.queries.room import current_seats_prefetch
from league.sessions.models import Session
from league.sessions.queries import is_held_from
from scoring import GameState, Ruleset, check_hand

State = Game.State
TO_DECIDE = Q(state=State.DISPUTED) | Q(reopened=True)
BEGUN = Q(state=State.PLAYING) & (Q(hands_played__gt=0) | Q(rulings_written__gt=0))
ASK = "ask-organiser"


def may_change(log: GameLog, entry: Hand | Ruling, *, at: datetime) -> bool:
    """Whether the table itself may still take back or correct this hand or penalty."""
    return _why_not(log, entry, at) == ""


def refuse_too_late(
    log: GameLog, entry: Hand | Ruling, *, at: datetime, as_organiser: bool
) -> None:
    """Refuse the table's own change once it is the organiser's to make."""
    why = "" if as_organiser else _why_not(log, entry, at)
    if why:
        raise Refused(ASK, why, status=403)


def _why_not(log: GameLog, entry: Hand | Ruling, at: datetime) -> str:
    club, state = log.table.session.club, log.game.state
    if state == State.DISPUTED:
        return _("This game is disputed; an organiser decides.")
    if state == State.ABANDONED:
        return _("This game was not played.")
    confirmed = state == State.CONFIRMED or accepted_by_silence(log.game, at)
    if confirmed and club.confirm != Club.Confirm.NONE:
        return _("This result has been confirmed. Ask the organiser to change it.")
    if at > entry.entered_at + timedelta(minutes=club.correction_minutes):
        return _("The table's time for corrections is over. Ask the organiser.")
    return ""


@dataclass(frozen=True, slots=True)
class SideState:
    """A side of the table: its people, its points, what it still needs (None: no target) and the
    tokens that it holds."""

    name: str
    seats: tuple[int, ...]
    points: int
    target: int | None
    needs: int | None
    won: bool
    tokens: int = 0

    @property
    def seat(self) -> int:
        """A seat that stands for the side."""
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class HandSummary:
    """A hand in words. `gained` says who got what, `note` what that hides, such as a token;
    `struck` that it counts for nothing; `change` is the version by which it was corrected, `was`
    what it said before."""

    number: int
    version: int
    text: str
    gained: str
    note: str
    struck: bool
    change: Hand | None = None
    was: str = ""


@dataclass(frozen=True, slots=True)
class RulingSummary:
    """A penalty or a misdeal in words, in its place after a hand; `id` is the ruling's."""

    id: int
    after_hand: int
    text: str
    gained: str


@dataclass(frozen=True)
class TableState:
    """A table as it stands. `phase` is one word for what can happen at it next."""

    table: Table
    log: GameLog
    phase: str
    names: list[str]
    shorts: list[str]
    sides: list[SideState]
    last: HandSummary | None
    may_undo: bool

    @property
    def game(self) -> Game:
        return self.log.game

    @property
    def state(self) -> GameState:
        return self.log.state

    @property
    def number(self) -> int:
        """The number of the next hand."""
        return self.log.next_number

    @property
    def dealer(self) -> int:
        """Who deals the next hand."""
        due = self.state.next_dealer
        return self.game.first_dealer if due is None else due

    @property
    def side_names(self) -> list[str]:
        return [side.name for side in self.sides]


def table_state(table: Table, *, at: datetime | None = None) -> TableState:
    """A table as it stands; nothing is stored where nobody has entered anything yet.

    One query. `at` decides whether the table itself may still undo its last hand.
    """
    log = open_game_log(table)
    if at is not None:
        as_of(log.game, at)
    return state_of(log, at=at)


def state_of(log: GameLog, *, at: datetime | None = None) -> TableState:
    """The same of a log already open: no query."""
    names = [seat.member.name for seat in log.sitting()]
    shorts = short_names(names)
    last = log.hands[-1] if log.hands else None
    return TableState(
        table=log.table,
        log=log,
        phase=phase_of(log.game, log.table),
        names=names,
        shorts=shorts,
        sides=_sides(log, shorts),
        last=hand_summary(log, last.number) if last else None,
        may_undo=last is not None and at is not None and may_change(log, last, at=at),
    )


def phase_of(game: Game, table: Table) -> str:
    """playing, totals (only its score is asked), finished, disputed, confirmed, abandoned,
    reopened (an organiser decides)."""
    if game.reopened:
        return "reopened"
    if game.state == State.PLAYING and table.totals_only:
        return "totals"
    return game.state


def hand_summary(log: GameLog, number: int) -> HandSummary:
    """One hand of a log in words, with the names of those who sat there in it."""
    played = log.who_played(number)
    names = short_names([played[position].member.name for position in sorted(played)])
    hand, state = log.hands[number - 1], log.state
    sides = [side_name([names[seat] for seat in side]) for side in state.sides]
    gained = gained_text(gained_in(log, number), sides)
    before = [version for version in log.versions_of(number)[:-1] if version.undone_at is None]
    change, was = (hand, _words_of(before[-1], log, names)) if before else (None, "")
    text, note = "", ""
    if not hand.struck:
        text = hand_text(hand.record, state.answers[number - 1], names)
        note = hand_note(log, number, names)
    return HandSummary(number, hand.version, text, gained, note, hand.struck, change, was)


def _words_of(old: Hand, log: GameLog, names: list[str]) -> str:
    return "" if old.struck else hand_text(old.record, check_hand(old.record, log.rules), names)


def ruling_summaries(log: GameLog) -> list[RulingSummary]:
    """The rulings of a log that were not withdrawn, in words, in the order they were made."""
    ruled: Counter[int] = Counter()
    summaries = []
    for ruling in log.rulings:
        if ruling.withdrawn_at is not None:
            continue
        after, gained = ruling.after_hand, [0]
        played = log.who_played(after or 1)
        names = short_names([played[position].member.name for position in sorted(played)])
        sides = [side_name([names[seat] for seat in side]) for side in log.state.sides]
        if counts(ruling):
            before = score_after(log, after, ruled=ruled[after])
            ruled[after] += 1
            now = score_after(log, after, ruled=ruled[after])
            gained = [new - old for new, old in zip(now, before, strict=True)]
        text = ruling_text(ruling, names)
        paid = gained_text(gained, sides) if counts(ruling) else ""
        summaries.append(RulingSummary(ruling.pk, after, text, paid))
    return summaries


def _sides(log: GameLog, shorts: list[str]) -> list[SideState]:
    game, state = log.game, log.state
    score = game.totals if game.totals is not None else state.score
    rules = log.rules
    target = rules.target
    return [
        SideState(
            name=side_name([shorts[seat] for seat in side]),
            seats=side,
            points=points,
            target=target,
            needs=None
            if target is None
            else max(0, abs(rules.start - target) - way(rules, points)),
            won=side[0] in game.winners,
            tokens=tokens,
        )
        for side, points, tokens in zip(
            state.sides, score, tokens_after(log, len(log.hands)), strict=True
        )
    ]


def way(rules: Ruleset, points: int) -> int:
    """How far a score has come from where it began, up or down."""
    return rules.start - points if rules.counts_down else points - rules.start


def sitting_now() -> Prefetch:
    """Who sits at tables, last first span last, as `table.current_seats`."""
    seats = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    return Prefetch("table__seats", queryset=seats, to_attr="current_seats")


def games_of(club_session: Session) -> QuerySet[Game]:
    """A session's games with their tables and people, by table."""
    joined = ("table__round", "table__ruleset", "ruleset")
    games = Game.objects.filter(session=club_session).select_related(*joined)
    return games.prefetch_related(sitting_now()).order_by("table__number", "table_id")


def refuse_held_game(log: GameLog, rank: str | None, user: Any) -> None:
    """Refuse (`standings-held`) a game of a session whose standings are held back to anyone who
    has to wait for them and did not play in it: its neighbours' scores add up to standings."""
    played = {seat.member.user_id for seat in log.seats} - {None}
    if is_held_from(log.table.session, rank) and getattr(user, "pk", None) not in played:
        message = _(
            "Until the prize-giving, only the players of a game and the organisers can see it."
        )
        raise Refused("standings-held", message, status=403)


def words_on(game: Game) -> QuerySet[Confirmation]:
    """What was disputed and what was decided about a game, in the order it was said."""
    decided = Q(accepted=False) | ~Q(decision="")
    return Confirmation.objects.filter(decided, game=game).order_by("id")


def still_provisional(at: datetime) -> Q:
    """Which result rows are provisional at a moment: nobody has confirmed them, nor silence."""
    return Q(provisional=True) & ~silently_accepted(at, "game__")


def silently_accepted(at: datetime, game: str = "") -> Q:
    """Which games silence has accepted, though they are not stored as confirmed yet; `game` is
    the look-up that leads to the game."""
    fields = {"state": State.FINISHED, "reopened": False, "accept_at__lte": at}
    return Q(**{f"{game}{field}": value for field, value in fields.items()})


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is unfinished. `to_decide` are disputed games, those that a correction opened again
    and those with hands that do not fit; `to_confirm` are over and not confirmed; `playing` have
    begun and not ended; `not_begun` are tables at which nothing was entered."""

    to_decide: Sequence[Game]
    to_confirm: Sequence[Game]
    playing: Sequence[Game]
    not_begun: list[Table]

    @property
    def games(self) -> int:
        """How many games need a word from the organiser."""
        return len(self.to_decide) + len(self.to_confirm) + len(self.playing)

    @property
    def repeated_numbers(self) -> set[int]:
        """The table numbers that occur more than once, in different rounds."""
        games = (*self.to_decide, *self.to_confirm, *self.playing)
        numbers = Counter(t.number for t in [*(game.table for game in games), *self.not_begun])
        return {number for number, times in numbers.items() if times > 1}


def unfinished_of(club_session: Session, at: datetime) -> Unfinished:
    """Everything unfinished in a session at a moment; a fixed number of queries."""
    wanted = unsettled_games(at) | BEGUN
    disputes = Confirmation.objects.filter(accepted=False, settled_at=None).order_by("-id")
    games = list(
        games_of(club_session)
        .filter(wanted)
        .prefetch_related(Prefetch("confirmations", queryset=disputes, to_attr="disputes"))
    )
    odd = [game for game in games if is_odd(game)]
    rest = [game for game in games if game not in odd]
    return Unfinished(
        to_decide=odd,
        to_confirm=[game for game in rest if game.state == State.FINISHED],
        playing=[game for game in rest if game.state == State.PLAYING],
        not_begun=list(open_tables(club_session).exclude(games__in=games)),
    )


def is_odd(game: Game) -> bool:
    """Whether more than a confirmation or the rest of play is needed."""
    return game.state == State.DISPUTED or game.reopened or game.misfits > 0


def unsettled_games(at: datetime) -> Q:
    """The games an organiser should look at: disputed, reopened, still unconfirmed, or with hands
    that do not fit and about which nothing was decided."""
    waiting = Q(state=State.FINISHED) & (Q(accept_at=None) | Q(accept_at__gt=at))
    decided = Confirmation.objects.filter(game=OuterRef("pk")).exclude(decision="")
    return waiting | TO_DECIDE | Q(~Exists(decided), misfits__gt=0)


def to_decide(club_session: Session) -> QuerySet[Game]:
    """The session's games that wait for an organiser's decision, by table."""
    return games_of(club_session).filter(TO_DECIDE)


def open_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game has not ended, or not begun."""
    live = club_session.tables.filter(is_live=True)
    over = Game.objects.exclude(state=State.PLAYING).values("table")
    waiting = live.exclude(pk__in=over).select_related("ruleset", "round")
    return waiting.prefetch_related(current_seats_prefetch(), "games").order_by("number")


ENDED = Q(finished=True, games__gt=0)
"""Results of games that have ended, of the players who were there then."""
KELLER = "keller-1887-three-handed"


def _full_credit() -> Q:
    """Whether each co-winner of a game has the whole of it in games won (D-57): as the club chose,
    else where every finished three-handed game of the session is Keller's."""
    three = Result.objects.filter(ENDED, session=OuterRef("session"), players=3).order_by()
    by_games = Exists(three) & ~Exists(three.exclude(game__ruleset__preset=KELLER))
    chosen = "session__club__co_winners_credit"
    return Q((chosen, Club.CoWinners.FULL)) | Q((chosen, Club.CoWinners.GAMES)) & Q(by_games)


def has_full_credit(club_session: Session) -> bool:
    """Whether co-winners of its games have the whole of them, as far as it has been played."""
    return Result.objects.filter(_full_credit(), session=club_session).exists()


# Who shares a win otherwise than by a draw, in which everybody always has a share: they reached the
# target together, or an organiser says so of two of three.
CO_WON = Q(win_share__gt=0, win_share__lt=1, target__gt=0) & (
    Q(game__ended_by=Game.EndedBy.PLAY, game__totals__isnull=True)
    | Q(game__ended_by=Game.EndedBy.PLAY, points__gte=F("target"))
    | Q(game__ended_by=Game.EndedBy.DECISION, players=3)
)
# What the games won of a co-winner count beyond the share of the win, which every other figure has.
CREDIT = Case(When(CO_WON & _full_credit(), then=1 - F("win_share")), default=0.0)
