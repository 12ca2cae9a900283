"""Live tables, players waiting, the check-in list, published rounds and players' moves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, Protocol, cast

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import ngettext

from league.labels import as_partners
from league.members.models import Club, ClubRuleset, Member, number_namesakes
from league.members.names import sort_key
from league.members.queries import default_rulesets, versions_of
from league.seating.models import Round, Seat, Table
from league.sessions.attendance import checked_in_elsewhere
from league.sessions.models import Attendance, Session
from league.sessions.queries import attendances, places_by_member, ready


class TableGames(Protocol):
    """What seating needs to know of the games at its tables, and does to them.

    Seating cannot import `league.play`, which implements this; `league.apps` sets `games`.
    """

    entered: Q
    """Tables with anything that counts: a hand, a total, a ruling, or a game that was ended."""
    over: Q
    called_off: Q
    """Tables whose game was marked as not played."""
    to_decide: Q
    """Tables whose game needs an organiser's decision."""
    last_hand: Subquery
    """The last hand of a seat's table, if its game has ended at the score of its hands."""

    def ever_written(self, table: Table) -> bool:
        """Whether a hand was ever entered at this table, including hands undone since."""

    def next_hand(self, table: Table) -> int:
        """The number of the hand being played: one more than the last that counts."""

    def deal_first(self, table: Table, position: int) -> None:
        """Set the seat that deals first in a game that has not begun."""

    def forget_unbegun(self, table: Table) -> None:
        """Delete a game that a phone opened before anything was entered."""


games = cast("TableGames", None)


def current_seats_prefetch(path: str = "seats") -> Prefetch:
    """A prefetch of the current seats of tables, as `table.current_seats`, in seat order.

    `path` leads from the rows of the query to the seats of their table.
    """
    current_seats = (
        Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    )
    return Prefetch(path, queryset=current_seats, to_attr="current_seats")


def seats_with_last_hand() -> QuerySet[Seat]:
    """The seats of all tables, each with the `last_hand` that says whom the score is for."""
    return Seat.objects.annotate(last_hand=games.last_hand)


def scored_seats() -> QuerySet[Seat]:
    """The seats of the players whom the scores of their tables are for: of a game that has ended,
    those who played its last hand. `GameLog.scored_seats` is the same for one table."""
    played_last = Q(from_hand__lte=F("last_hand")) & (
        Q(until_hand=None) | Q(until_hand__gte=F("last_hand"))
    )
    return seats_with_last_hand().filter(Q(last_hand=None, until_hand=None) | played_last)


def scored_seats_prefetch(path: str) -> Prefetch:
    """A prefetch of the `scored_seats` of tables, as `table.current_seats`, in seat order."""
    seats = scored_seats().select_related("member").order_by("position")
    return Prefetch(path, queryset=seats, to_attr="current_seats")


def members_at(tables: Iterable[Table]) -> list[Member]:
    """The players in the `current_seats` of these tables."""
    return [seat.member for table in tables for seat in table.current_seats]


def with_progress(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Annotate tables with whether their play has `begun`, is `done`, and is `disputed`, that is,
    needs an organiser's decision."""
    same_table = Table.objects.filter(pk=OuterRef("pk"))
    return tables.annotate(
        begun=Exists(same_table.filter(games.entered)),
        done=Exists(same_table.filter(games.over)),
        disputed=Exists(same_table.filter(games.to_decide)),
    )


def has_published_seat(club_session: Session, member: Member) -> bool:
    """Whether a published table of the session has, or had, this player."""
    seats = Seat.objects.filter(session=club_session, member=member)
    return seats.filter(table__round__state=Round.State.PUBLISHED).exists()


def live_tables(club_session: Session) -> QuerySet[Table]:
    """The tables in use, by number, with their progress and `current_seats`."""
    live = club_session.tables.filter(is_live=True).select_related("round", "ruleset")
    return with_progress(live).prefetch_related(current_seats_prefetch()).order_by("number")


def ready_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game is over and not in dispute: their players may move on."""
    return live_tables(club_session).filter(done=True, disputed=False)  # type: ignore[misc]


def has_begun(table: Table) -> bool:
    """Whether anything that counts was entered at this table."""
    return Table.objects.filter(games.entered, pk=table.pk).exists()


def waiting(club_session: Session) -> QuerySet[Member]:
    """The players checked in who want to play and sit at no table, by name."""
    at_tables = Seat.objects.filter(session=club_session, seated=True).values("member")
    return ready(club_session).exclude(pk__in=at_tables)


def draft_of(club_session: Session) -> Round | None:
    """The session's draft, if there is one."""
    return club_session.rounds.filter(state=Round.State.DRAFT).first()


def tables_left_out(draft: Round) -> list[int]:
    """The numbers of the tables whose players are not in the draft, as their game is not over."""
    staying = live_tables(draft.session).exclude(pk__in=draft.releases.all())
    open_games = staying.exclude(done=True, disputed=False)  # type: ignore[misc]
    return list(open_games.values_list("number", flat=True))


def latest_published(club_session: Session) -> Round | None:
    """The round published last."""
    return (
        club_session.rounds.filter(state=Round.State.PUBLISHED)
        .order_by("-published_at", "-number")
        .first()
    )


def was_unpublished(club_session: Session) -> bool:
    """Whether a round was published tonight and unpublished."""
    return club_session.rounds.filter(state=Round.State.WITHDRAWN).exists()


def published_rounds(club_session: Session) -> QuerySet[Round]:
    """The rounds published tonight, in order."""
    return club_session.rounds.filter(state=Round.State.PUBLISHED).order_by("number")


def can_take_back(published: Round) -> bool:
    """Whether a round can still be unpublished: nothing is entered, nobody has moved on."""
    return not published.tables.filter(games.entered | Q(is_live=False)).exists()


def seating_of(round_: Round) -> QuerySet[Table]:
    """A round's tables with their `current_seats`."""
    return (
        round_.tables.select_related("ruleset")
        .prefetch_related(current_seats_prefetch())
        .order_by("number")
    )


class PlayedRules(NamedTuple):
    """A version of house rules and the tables that play it."""

    ruleset: ClubRuleset
    numbers: list[int]

    @property
    def where(self) -> str:
        """The tables: "Tables 1–3, 5"; before there are any, "Tables of 4"."""
        if not self.numbers:
            n = self.ruleset.players
            return ngettext("Tables of %(n)d", "Tables of %(n)d", n) % {"n": n}
        words = ngettext("Table %(numbers)s", "Tables %(numbers)s", len(self.numbers))
        return words % {"numbers": _in_runs(self.numbers)}


def played_rules(tables: Iterable[Table]) -> list[PlayedRules]:
    """The house rules at these tables, those of most tables first."""
    numbers_by_ruleset: dict[ClubRuleset, list[int]] = {}
    for table in tables:
        numbers_by_ruleset.setdefault(table.ruleset, []).append(table.number)
    played = [PlayedRules(*item) for item in numbers_by_ruleset.items()]
    return sorted(played, key=lambda one: -len(one.numbers))


def use_newest_rules(club: Club, tables: list[Table]) -> None:
    """Give the tables of a draft the rules as they are now, as publishing does. One query."""
    newest: dict[tuple[str, int], ClubRuleset] = {}
    for rules in club.rulesets.filter(name__in={table.ruleset.name for table in tables}):
        newest.setdefault((rules.name, rules.players), rules)  # the newest version comes first
    for table in tables:
        table.ruleset = newest[table.ruleset.name, table.players]


def coming_rules(club_session: Session) -> list[ClubRuleset]:
    """The house rules that new tables play, those of the usual size first, then the session's own.

    Of a ruleset chosen for the session, new tables play the newest version.
    """
    club = club_session.club
    own = {one.players: versions_of(one)[0] for one in club_session.rulesets.all()}
    rules = {one.players: one for one in default_rulesets(club)} | own
    usual = club.usual_size(club_session.seating_policy)
    return sorted(
        rules.values(), key=lambda one: (one.players != usual, one.players not in own, one.players)
    )


def _in_runs(numbers: Iterable[int]) -> str:
    runs = groupby(enumerate(sorted(numbers)), key=lambda item: item[1] - item[0])
    ends = ([number for _place, number in run] for _offset, run in runs)
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ends)


GUEST_SESSIONS = 8
"""Guests of this many earlier sessions are offered at check-in; a search finds them all."""


@dataclass(frozen=True, slots=True)
class CheckinRow:
    """A player on the check-in list.

    `table` is the number of their current table. `place` is True for a player who signed up and
    has a place, False on the waiting list, None without a sign-up. `elsewhere` is another open
    session of that day that they are still checked in to.
    """

    member: Member
    attendance: Attendance | None
    table: int | None
    place: bool | None = None
    elsewhere: Session | None = None

    @property
    def is_expected(self) -> bool:
        """Whether they have a place, and are neither checked in nor at another session."""
        return bool(self.place) and self.attendance is None and self.elsewhere is None

    @property
    def is_present(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is None

    @property
    def has_left(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is not None

    @property
    def is_resting(self) -> bool:
        return self.is_present and bool(self.attendance and self.attendance.resting)

    @property
    def is_waiting(self) -> bool:
        """Whether they are checked in, want to play, and sit at no table."""
        return self.is_present and not self.is_resting and self.table is None

    def matches(self, query: str) -> bool:
        """Whether every word of the query begins a word of the name."""
        words = self.member.sort_key.split()
        return all(any(word.startswith(part) for word in words) for part in sort_key(query).split())


def checkin_rows(club_session: Session, *, every_guest: bool = False) -> list[CheckinRow]:
    """The club's members and that day's guests by name, those signed up first; five queries.

    With `every_guest` guests of other sessions are included, for a search.
    """
    sign_ups = places_by_member(club_session)
    attendances_by_member = {row.member_id: row for row in attendances(club_session)}
    other_sessions = checked_in_elsewhere(club_session)
    members = Member.objects.current().filter(club=club_session.club_id)
    if not every_guest:
        today = [*attendances_by_member, *sign_ups, *other_sessions]
        members = members.filter(Q(is_guest=False) | Q(pk__in=today))
    members = members.order_by("sort_key", "pk")
    seats = Seat.objects.filter(session=club_session, seated=True)
    tables = dict(seats.values_list("member", "table__number"))
    rows = [
        CheckinRow(
            member,
            attendances_by_member.get(member.pk),
            tables.get(member.pk),
            sign_ups.get(member.pk),
            other_sessions.get(member.pk),
        )
        for member in members
    ]
    return sorted(rows, key=lambda row: {True: 0, False: 1, None: 2}[row.place])


def earlier_guests(club_session: Session, rows: Iterable[CheckinRow]) -> list[CheckinRow]:
    """Guests of the club's latest evenings who are not among `rows`, by name; one query."""
    sessions = (
        Session.objects.filter(club=club_session.club_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .order_by("-held_on", "-id")
        .values("pk")[:GUEST_SESSIONS]
    )
    guests = Member.objects.current().filter(is_guest=True, attendances__session__in=sessions)
    listed_ids = {row.member.pk for row in rows}
    ordered = guests.distinct().order_by("sort_key", "pk")
    return [CheckinRow(member, None, None) for member in ordered if member.pk not in listed_ids]


def empty_seats(tables: Iterable[Table], rows: Sequence[CheckinRow]) -> list[tuple[Table, Seat]]:
    """The seats at tables in play whose players have left: each needs a substitute."""
    departed = {row.member.pk for row in rows if row.has_left}
    playing = [table for table in tables if table.begun and not table.done]  # type: ignore[attr-defined]
    return [
        (table, seat)
        for table in playing
        for seat in table.current_seats
        if seat.member_id in departed
    ]


@dataclass(frozen=True, slots=True)
class Move:
    """A player's table `before` and `now`: None where they were not seated or sit out."""

    member: Member
    before: int | None
    now: int | None
    partner: str


def moves_in_round(published: Round, seatless: Iterable[Member] = ()) -> list[Move]:
    """The moves of all players in this round, by name; three queries.

    `seatless` are all who are here without a seat: those who chose to sit out, or came later.
    """
    all_seats = list(_seats_until(published.session_id, published.number))
    latest: dict[int, tuple[int, int]] = {}
    round_seats: list[Seat] = []
    for seat in all_seats:
        if seat.table.round_id == published.pk:
            round_seats.append(seat)
        else:
            latest[seat.member_id] = (seat.table.round.number, seat.table.number)
    sitting_out = {*published.sits_out.all(), *seatless}
    number_namesakes([*(seat.member for seat in round_seats), *sitting_out])
    partners = _partner_names(round_seats)
    table_before = {member: table for member, (_round, table) in latest.items()}
    moves = [
        Move(
            seat.member,
            table_before.get(seat.member_id),
            seat.table.number,
            partners.get(seat.pk, ""),
        )
        for seat in round_seats
    ]
    seated = {seat.member_id for seat in round_seats}
    moves += [
        Move(member, table_before.get(member.pk), None, "")
        for member in sitting_out
        if member.pk not in seated
    ]
    return sorted(moves, key=lambda move: move.member.sort_key)


def _seats_until(session: int, number: int) -> QuerySet[Seat]:
    return (
        Seat.objects.filter(
            session=session,
            table__round__state=Round.State.PUBLISHED,
            table__round__number__lte=number,
            until_hand=None,
        )
        .select_related("member", "table__round", "table__ruleset")
        .order_by("table__round__number")
    )


def _partner_names(seats: list[Seat]) -> dict[int, str]:
    """The names of each seat's partners, by the seat's key."""
    partners = {}
    for seat in seats:
        sides = seat.table.ruleset.sides
        mates = [
            other.member.label
            for other in seats
            if other.table_id == seat.table_id
            and other != seat
            and (other.position - seat.position) % sides == 0
        ]
        if mates:
            partners[seat.pk] = as_partners(mates)
    return partners
