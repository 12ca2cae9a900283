"""The room: live tables, who sits and who waits, the check-in list, published rounds and moves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from league.labels import as_partners
from league.members.models import Member
from league.members.names import name_key, sort_key
from league.seating.models import Round, Seat, Table
from league.sessions.actions import elsewhere
from league.sessions.models import Attendance, Session
from league.sessions.queries import attendances, ready, signed_up


class TableGames(Protocol):
    """What seating asks of the games at its tables and does to them. They lie to its right, so
    `league.play` says how, and `league.apps` puts it here."""

    entered: Q
    """Tables where something counts: a hand, a total, a ruling, or the game was ended."""
    over: Q
    to_decide: Q
    """Tables about whose game an organiser has to decide."""

    def ever_written(self, table: Table) -> bool:
        """Whether a hand was ever written at this table, be it undone."""

    def next_hand(self, table: Table) -> int:
        """The number of the hand now being played: one after the last that counts."""

    def deal_first(self, table: Table, position: int) -> None:
        """The seat that deals first in a game that has not begun."""

    def forget_unbegun(self, table: Table) -> None:
        """Drop a game that a phone opened before anything was entered."""


games = cast("TableGames", None)


def seated() -> Prefetch:
    """Who sits on the seats now, as `table.current_seats`, in order round the table."""
    now = Seat.objects.filter(until_hand=None).select_related("member").order_by("position")
    return Prefetch("seats", queryset=now, to_attr="current_seats")


def with_progress(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Tables that know whether play has `begun` there, whether it is `done`, and whether an
    organiser has to decide about its game (`disputed`)."""
    same = Table.objects.filter(pk=OuterRef("pk"))
    return tables.annotate(
        begun=Exists(same.filter(games.entered)),
        done=Exists(same.filter(games.over)),
        disputed=Exists(same.filter(games.to_decide)),
    )


def live_tables(club_session: Session) -> QuerySet[Table]:
    """The tables with people at them, by number, with `current_seats`, `begun` and `done`."""
    live = club_session.tables.filter(is_live=True).select_related("round", "ruleset")
    return with_progress(live).prefetch_related(seated()).order_by("number")


def ready_tables(club_session: Session) -> QuerySet[Table]:
    """The live tables whose game is over and not in dispute: their players may move on."""
    return live_tables(club_session).filter(done=True, disputed=False)  # type: ignore[misc]


def has_begun(table: Table) -> bool:
    """Whether anything that counts was entered at this table."""
    return Table.objects.filter(games.entered, pk=table.pk).exists()


def waiting(club_session: Session) -> QuerySet[Member]:
    """Who is here, wants to play, and sits at no table, by name."""
    at_tables = Seat.objects.filter(session=club_session, seated=True).values("member")
    return ready(club_session).exclude(pk__in=at_tables)


def draft_of(club_session: Session) -> Round | None:
    """The session's draft, if there is one."""
    return club_session.rounds.filter(state=Round.State.DRAFT).first()


def latest_published(club_session: Session) -> Round | None:
    """The round published last."""
    return (
        club_session.rounds.filter(state=Round.State.PUBLISHED)
        .order_by("-published_at", "-number")
        .first()
    )


def published_rounds(club_session: Session) -> QuerySet[Round]:
    """The rounds published tonight, in order."""
    return club_session.rounds.filter(state=Round.State.PUBLISHED).order_by("number")


def can_take_back(published: Round) -> bool:
    """Whether a published round may still be undone: nothing entered, nobody moved on."""
    return not published.tables.filter(games.entered | Q(is_live=False)).exists()


def seating_of(round_: Round) -> QuerySet[Table]:
    """A round's tables with their `current_seats`."""
    return round_.tables.select_related("ruleset").prefetch_related(seated()).order_by("number")


GUESTS_OF = 8
"""Guests of so many evenings before are offered at check-in; a search finds all."""


@dataclass(frozen=True, slots=True)
class CheckinRow:
    """Somebody on the check-in list. `table` is the number of the table they sit at; `place`
    whether they have signed up and have a place (True), wait for one (False), or neither (None);
    `elsewhere` is another open session of that day that they are still checked in to."""

    member: Member
    attendance: Attendance | None
    table: int | None
    place: bool | None = None
    elsewhere: Session | None = None

    @property
    def expected(self) -> bool:
        """Signed up with a place, and neither here yet nor at another session."""
        return bool(self.place) and self.attendance is None and self.elsewhere is None

    @property
    def here(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is None

    @property
    def gone(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is not None

    @property
    def resting(self) -> bool:
        return self.here and bool(self.attendance and self.attendance.resting)

    @property
    def is_waiting(self) -> bool:
        """Here, wants to play, and sits at no table."""
        return self.here and not self.resting and self.table is None

    def matches(self, query: str) -> bool:
        """Whether every word of the query begins a word of the name."""
        words = self.member.sort_key.split()
        return all(any(word.startswith(part) for word in words) for part in sort_key(query).split())

    def is_called(self, name: str) -> bool:
        return self.member.name_key == name_key(name)


def checkin_rows(club_session: Session, *, every_guest: bool = False) -> list[CheckinRow]:
    """The club's members and tonight's guests, those signed up on top, by name; five queries.

    With `every_guest` also the guests of other sessions: a search finds them.
    """
    signed = signed_up(club_session)
    came = {row.member_id: row for row in attendances(club_session)}
    members = Member.objects.current().filter(club=club_session.club_id)
    if not every_guest:
        members = members.filter(Q(is_guest=False) | Q(pk__in=[*came, *signed]))
    members = members.order_by("sort_key", "pk")
    seats = Seat.objects.filter(session=club_session, seated=True)
    tables = dict(seats.values_list("member", "table__number"))
    others = elsewhere(club_session)
    rows = [
        CheckinRow(
            member,
            came.get(member.pk),
            tables.get(member.pk),
            signed.get(member.pk),
            others.get(member.pk),
        )
        for member in members
    ]
    return sorted(rows, key=lambda row: {True: 0, False: 1, None: 2}[row.place])


def earlier_guests(club_session: Session, rows: Iterable[CheckinRow]) -> list[CheckinRow]:
    """Guests of the club's latest evenings who are not among `rows`, by name; one query."""
    evenings = (
        Session.objects.filter(club=club_session.club_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .order_by("-held_on", "-id")
        .values("pk")[:GUESTS_OF]
    )
    guests = Member.objects.current().filter(is_guest=True, attendances__session__in=evenings)
    listed = {row.member.pk for row in rows}
    ordered = guests.distinct().order_by("sort_key", "pk")
    return [CheckinRow(one, None, None) for one in ordered if one.pk not in listed]


def empty_seats(tables: Iterable[Table], rows: Sequence[CheckinRow]) -> list[tuple[Table, Seat]]:
    """The seats at live `tables` still in play whose players have left: each needs a substitute."""
    gone = {row.member.pk for row in rows if row.gone}
    playing = [table for table in tables if table.begun and not table.done]  # type: ignore[attr-defined]
    return [(one, seat) for one in playing for seat in one.current_seats if seat.member_id in gone]


@dataclass(frozen=True, slots=True)
class Move:
    """One person's way: None for the bench or for somebody new."""

    member: Member
    before: int | None
    now: int | None
    partner: str


def moves_to(published: Round) -> list[Move]:
    """Everybody this round seated or left out, by name; three queries."""
    seats = list(_seats(published.session_id, published.number))
    latest: dict[int, tuple[int, int]] = {}
    here: list[Seat] = []
    for seat in seats:
        if seat.table.round_id == published.pk:
            here.append(seat)
        else:
            latest[seat.member_id] = (seat.table.round.number, seat.table.number)
    partners = _partners(here)
    before = {member: table for member, (_round, table) in latest.items()}
    moves = [
        Move(seat.member, before.get(seat.member_id), seat.table.number, partners.get(seat.pk, ""))
        for seat in here
    ]
    moves += [Move(one, before.get(one.pk), None, "") for one in published.sits_out.all()]
    return sorted(moves, key=lambda move: move.member.sort_key)


def changes_since_taken_back(drawn: Round) -> list[Move]:
    """Who sits at another table than when this round was last published, then taken back.

    By name; empty when it was never taken back. One query.
    """
    seats = (
        Seat.objects.filter(session=drawn.session_id, until_hand=None)
        .filter(
            Q(table__round=drawn)
            | Q(table__round__state=Round.State.WITHDRAWN, table__round__number=drawn.number)
        )
        .select_related("member", "table")
        .order_by("table__round")
    )
    by_round: dict[int, dict[Member, int]] = {}
    for seat in seats:
        by_round.setdefault(seat.table.round_id, {})[seat.member] = seat.table.number
    now = by_round.pop(drawn.pk, {})
    if not by_round:
        return []
    before = by_round[max(by_round)]
    moves = [Move(one, before.get(one), now.get(one), "") for one in before.keys() | now.keys()]
    moved = [move for move in moves if move.before != move.now]
    return sorted(moved, key=lambda move: move.member.sort_key)


def _seats(session: int, number: int) -> QuerySet[Seat]:
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


def _partners(seats: list[Seat]) -> dict[int, str]:
    """By seat, who plays on the same side."""
    partners = {}
    for seat in seats:
        sides = seat.table.ruleset.sides
        mates = [
            other.member.name
            for other in seats
            if other.table_id == seat.table_id
            and other != seat
            and (other.position - seat.position) % sides == 0
        ]
        if mates:
            partners[seat.pk] = as_partners(mates)
    return partners
