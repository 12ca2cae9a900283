"""Queries about games: the state of a table, the games of a session, what is unfinished."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, QuerySet, When
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.initials import short_names
from league.members.models import Club, Member, number_namesakes
from league.play.game_log import (
    GameLog,
    counts,
    gained_in,
    open_game_log,
    score_after,
    tokens_after,
)
from league.play.models import Confirmation, Game, Hand, Result, Ruling
from league.play.results import as_of, may_confirm
from league.play.table_changes import reason_not_to_undo, too_late
from league.play.text import gained_text, hand_note, hand_text, ruling_text, side_name
from league.seating.models import Table
from league.seating.queries import current_seats_prefetch, scored_seats_prefetch
from league.sessions.models import Session
from league.sessions.queries import came_to, is_held_from
from scoring import GameState, Ruleset, check_hand

State = Game.State
TO_DECIDE = Q(state=State.DISPUTED) | Q(reopened=True)
BEGUN = Q(state=State.PLAYING) & (Q(hands_played__gt=0) | Q(rulings_written__gt=0))


@dataclass(frozen=True, slots=True)
class SideState:
    """A side of the table. `needs` is what it still needs, None without a target."""

    name: str
    seats: tuple[int, ...]
    points: int
    target: int | None
    needs: int | None
    won: bool
    may_confirm: bool
    tokens: int = 0

    @property
    def seat(self) -> int:
        """The first seat of the side, which identifies it in forms."""
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class HandSummary:
    """A hand in words. `gained` says who got which points, `note` what that does not show, such as
    a token. `struck`: it was deleted. `change` is the version that corrected it, and `was` the text
    of the version before."""

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
    """A penalty or a misdeal in words, after the hand that it follows; `id` is the ruling's."""

    id: int
    after_hand: int
    text: str
    gained: str
    is_misdeal: bool
    against_lone: bool


@dataclass(frozen=True)
class TableState:
    """The state of a table. `phase` says what can happen next (see `phase_of`).

    `may_correct`: the table is in time to correct its hands; `may_undo`: it may undo the last one.
    """

    table: Table
    log: GameLog
    phase: str
    names: list[str]
    shorts: list[str]
    sides: list[SideState]
    last: HandSummary | None
    may_correct: bool
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
        """The seat that deals the next hand."""
        next_dealer = self.state.next_dealer
        return self.game.first_dealer if next_dealer is None else next_dealer

    @property
    def side_names(self) -> list[str]:
        return [side.name for side in self.sides]


def table_state(table: Table, *, at: datetime | None = None) -> TableState:
    """The state of a table, in one query; it stores nothing.

    `at` decides whether the table itself may still undo its last hand.
    """
    log = open_game_log(table)
    if at is not None:
        as_of(log.game, at)
    return state_of(log, at=at)


def session_short_names(people: Iterable[Member]) -> dict[int, str]:
    """The short name of everyone who came to a session, by key, the same on each of its pages."""
    number_namesakes(people := list(people))
    labels = {member.pk: member.label for member in people}
    return dict(zip(labels, short_names([*labels.values()]), strict=True))


def short_names_at(log: GameLog, number: int | None = None) -> list[str]:
    """The short names of the players in a hand by seat, or of those whom the score is for."""
    if not log.shorts.keys() >= {seat.member_id for seat in log.seats}:
        seated = [seat.member for seat in log.seats]
        words = {word for member in seated for word in member.name.casefold().split()}
        came = log.people or came_to(log.table.session)
        alike = [member for member in came if words & {*member.name.casefold().split()}]
        log.shorts = session_short_names([*alike, *seated])  # the others change no name here
    return [log.shorts[seat.member_id] for seat in log.seats_of(number)]


def side_names_at(log: GameLog, number: int | None = None) -> list[str]:
    """The names of the sides in a hand, or of those whom the score is for."""
    names = short_names_at(log, number)
    return [side_name([names[seat] for seat in side]) for side in log.state.sides]


def state_of(log: GameLog, *, at: datetime | None = None) -> TableState:
    """The state of a table whose log is already loaded, without a query."""
    shorts = short_names_at(log)
    names = [seat.member.label for seat in log.scored_seats()]
    last_hand = log.hands[-1] if log.hands else None
    may_correct = may_undo = False
    if last_hand is not None and at is not None:
        may_correct = not too_late(log, last_hand, at=at)
        may_undo = may_correct and not reason_not_to_undo(log, last_hand, at=at)
    return TableState(
        table=log.table,
        log=log,
        phase=phase_of(log.game, log.table),
        names=names,
        shorts=shorts,
        sides=_side_states(log, shorts),
        last=hand_summary(log, last_hand.number) if last_hand else None,
        may_correct=may_correct,
        may_undo=may_undo,
    )


def phase_of(game: Game, table: Table) -> str:
    """One of playing, totals (only the final score is entered), finished, disputed, confirmed,
    abandoned, reopened (an organiser decides)."""
    if game.reopened:
        return "reopened"
    if game.state == State.PLAYING and table.totals_only:
        return "totals"
    return game.state


def hand_summary(log: GameLog, number: int) -> HandSummary:
    """One hand of a log in words, with the names of the players who sat there then."""
    names = short_names_at(log, number)
    hand, state = log.hands[number - 1], log.state
    gained = gained_text(gained_in(log, number), side_names_at(log, number))
    earlier_versions = [old for old in log.versions_of(number)[:-1] if old.undone_at is None]
    earlier_text = _text_of_version(earlier_versions[-1], log, names) if earlier_versions else ""
    text, note = "", ""
    if not hand.struck:
        text = hand_text(hand.record, state.answers[number - 1], names)
        note = hand_note(log, number, names)
    change = hand if earlier_versions else None
    return HandSummary(number, hand.version, text, gained, note, hand.struck, change, earlier_text)


def _text_of_version(old: Hand, log: GameLog, names: list[str]) -> str:
    return "" if old.struck else hand_text(old.record, check_hand(old.record, log.rules), names)


def ruling_summaries(log: GameLog) -> list[RulingSummary]:
    """The rulings of a log that were not withdrawn, in words, in order of entry."""
    rulings_counted: Counter[int] = Counter()
    summaries = []
    for ruling in log.rulings:
        if ruling.withdrawn_at is not None:
            continue
        hand_number, gained = ruling.after_hand, ""
        names = short_names_at(log, hand_number or 1)
        if counts(ruling):
            old_score = score_after(log, hand_number, ruled=rulings_counted[hand_number])
            rulings_counted[hand_number] += 1
            new_score = score_after(log, hand_number, ruled=rulings_counted[hand_number])
            points = [new - old for new, old in zip(new_score, old_score, strict=True)]
            gained = gained_text(points, side_names_at(log, hand_number or 1))
        text, lone = ruling_text(ruling, names), log.is_against_lone(ruling)
        is_misdeal = ruling.kind == Ruling.Kind.MISDEAL
        summaries.append(RulingSummary(ruling.pk, hand_number, text, gained, is_misdeal, lone))
    return summaries


def _side_states(log: GameLog, shorts: list[str]) -> list[SideState]:
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
            else max(0, abs(rules.start - target) - distance_from_start(rules, points)),
            won=side[0] in game.winners,
            may_confirm=may_confirm(log, side[0]),
            tokens=tokens,
        )
        for side, points, tokens in zip(
            state.sides, score, tokens_after(log, len(log.hands)), strict=True
        )
    ]


def distance_from_start(rules: Ruleset, points: int) -> int:
    """The distance of a score from the start, in the direction of the target."""
    return rules.start - points if rules.counts_down else points - rules.start


def games_of(club_session: Session) -> QuerySet[Game]:
    """A session's games with their tables and players, by table."""
    joined = ("table__round", "table__ruleset", "ruleset")
    games = Game.objects.filter(session=club_session).select_related(*joined)
    seats = scored_seats_prefetch("table__seats")
    return games.prefetch_related(seats).order_by("table__number", "table_id")


def refuse_held_game(log: GameLog, rank: str | None, user: Any) -> None:
    """Refuse (`standings-held`) to show a game while the standings of its session are held back,
    except to its players and those who may see the standings: scores add up to standings."""
    players = {seat.member.user_id for seat in log.seats} - {None}
    if is_held_from(log.table.session, rank) and getattr(user, "pk", None) not in players:
        message = _(
            "Until the prize-giving, only the players of a game and the organisers can see it."
        )
        raise Refused("standings-held", message, status=403)


def still_provisional(at: datetime) -> Q:
    """Condition for result rows that are provisional at a moment: neither confirmed nor undisputed
    until the deadline."""
    return Q(provisional=True) & ~auto_confirmed(at, "game__")


def auto_confirmed(at: datetime, game: str = "") -> Q:
    """Condition for games that nobody disputed in time, though they are not stored as confirmed
    yet. `game` is the prefix of the lookup that leads to the game."""
    fields = {"state": State.FINISHED, "reopened": False, "accept_at__lte": at}
    return Q(**{f"{game}{field}": value for field, value in fields.items()})


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is unfinished in a session. `to_decide` are games that are disputed, reopened by a
    correction, or have hands that do not fit; `to_confirm` are over but not confirmed; `playing`
    have begun but not ended; `not_begun` are tables where nothing was entered."""

    to_decide: Sequence[Game]
    to_confirm: Sequence[Game]
    playing: Sequence[Game]
    not_begun: list[Table]

    @property
    def games(self) -> int:
        """The number of unfinished games that have begun."""
        return len(self.to_decide) + len(self.to_confirm) + len(self.playing)

    @property
    def undecided(self) -> int:
        """The number of these games that wait for more than confirmation."""
        return len(self.to_decide) + len(self.playing)

    @property
    def tables(self) -> list[Table]:
        games = (*self.to_decide, *self.to_confirm, *self.playing)
        return [*(game.table for game in games), *self.not_begun]

    @property
    def repeated_numbers(self) -> set[int]:
        """The table numbers that occur more than once, in different rounds."""
        numbers = Counter(table.number for table in self.tables)
        return {number for number, times in numbers.items() if times > 1}


def unfinished_of(club_session: Session, at: datetime) -> Unfinished:
    """Everything unfinished in a session at a moment, in a fixed number of queries."""
    needs_attention = unsettled_games(at) | BEGUN
    disputes = Confirmation.objects.filter(accepted=False, settled_at=None).order_by("-id")
    games = list(
        games_of(club_session)
        .filter(needs_attention)
        .prefetch_related(Prefetch("confirmations", queryset=disputes, to_attr="disputes"))
    )
    undecided = [game for game in games if needs_decision(game)]
    remaining_games = [game for game in games if game not in undecided]
    return Unfinished(
        to_decide=undecided,
        to_confirm=[game for game in remaining_games if game.state == State.FINISHED],
        playing=[game for game in remaining_games if game.state == State.PLAYING],
        not_begun=list(open_tables(club_session).exclude(games__in=games)),
    )


def needs_decision(game: Game) -> bool:
    """Whether a game needs an organiser's decision, not only confirmation or more play."""
    return game.state == State.DISPUTED or game.reopened or game.misfits > 0


def unsettled_games(at: datetime) -> Q:
    """Condition for games an organiser should look at: disputed, reopened, unconfirmed, or with
    hands that do not fit and no decision yet."""
    unconfirmed = Q(state=State.FINISHED) & (Q(accept_at=None) | Q(accept_at__gt=at))
    decided = Confirmation.objects.filter(game=OuterRef("pk")).exclude(decision="")
    return unconfirmed | TO_DECIDE | Q(~Exists(decided), misfits__gt=0)


def to_decide(club_session: Session) -> QuerySet[Game]:
    """The session's games that wait for an organiser's decision, by table."""
    return games_of(club_session).filter(TO_DECIDE)


def open_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game has not ended or not begun."""
    live_tables = club_session.tables.filter(is_live=True)
    tables_over = Game.objects.exclude(state=State.PLAYING).values("table")
    unfinished_tables = live_tables.exclude(pk__in=tables_over).select_related("ruleset", "round")
    return unfinished_tables.prefetch_related(current_seats_prefetch(), "games").order_by("number")


ENDED = Q(finished=True, games__gt=0)
"""Results of games that have ended, for the players who sat there at the end."""
KELLER = "keller-1887-three-handed"


def _full_credit() -> Q:
    """Condition for results where each co-winner gets a whole game won (D-57): by the club's
    setting, else if every finished three-handed game of the session follows Keller's rules."""
    three_handed = Result.objects.filter(ENDED, session=OuterRef("session"), players=3).order_by()
    keller_only = Exists(three_handed) & ~Exists(three_handed.exclude(game__ruleset__preset=KELLER))
    setting = "session__club__co_winners_credit"
    return Q((setting, Club.CoWinners.FULL)) | Q((setting, Club.CoWinners.GAMES)) & Q(keller_only)


def has_full_credit(club_session: Session) -> bool:
    """Whether co-winners in this session get a whole game won each, by the games so far."""
    return Result.objects.filter(_full_credit(), session=club_session).exists()


# Co-winners who share a win, as opposed to a draw: they reached the target together, or an
# organiser decided that two of three players won.
CO_WON = Q(win_share__gt=0, win_share__lt=1, target__gt=0) & (
    Q(game__ended_by=Game.EndedBy.PLAY, game__totals__isnull=True)
    | Q(game__ended_by=Game.EndedBy.PLAY, points__gte=F("target"))
    | Q(game__ended_by=Game.EndedBy.DECISION, players=3)
)

# What a co-winner's game counts in games won beyond the share of the win that all figures use.
CREDIT = Case(When(CO_WON & _full_credit(), then=1 - F("win_share")), default=0.0)
