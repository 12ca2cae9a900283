"""The check-in list: every name that may be ticked, with where its owner is."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from league.members.models import Member
from league.members.names import name_key
from league.seating.models import Seat
from league.sessions.coming import signed_up
from league.sessions.models import Attendance, Session
from league.sessions.queries import attendances


@dataclass(frozen=True, slots=True)
class CheckinRow:
    """Somebody on the check-in list. `table` is the number of the table they sit at; `place`
    whether they have signed up and have a place (True), wait for one (False), or neither (None)."""

    member: Member
    attendance: Attendance | None
    table: int | None
    place: bool | None = None

    @property
    def expected(self) -> bool:
        """Signed up with a place, and not come yet."""
        return bool(self.place) and self.attendance is None

    @property
    def here(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is None

    @property
    def gone(self) -> bool:
        return self.attendance is not None and self.attendance.left_at is not None

    @property
    def resting(self) -> bool:
        return self.here and bool(self.attendance and self.attendance.resting)

    def matches(self, query: str) -> bool:
        """Whether every word of the query begins a word of the name."""
        words = self.member.name_key.split()
        return all(any(word.startswith(part) for word in words) for part in name_key(query).split())

    def is_called(self, name: str) -> bool:
        return self.member.name_key == name_key(name)


def checkin_rows(club_session: Session) -> list[CheckinRow]:
    """The club's members and tonight's guests, those signed up on top, by name; four queries."""
    signed = signed_up(club_session)
    came = {row.member_id: row for row in attendances(club_session)}
    members = (
        Member.objects.current()
        .filter(Q(is_guest=False) | Q(pk__in=[*came, *signed]), club=club_session.club_id)
        .order_by("name_key", "pk")
    )
    seats = Seat.objects.filter(session=club_session, seated=True)
    tables = dict(seats.values_list("member", "table__number"))
    rows = [
        CheckinRow(one, came.get(one.pk), tables.get(one.pk), signed.get(one.pk)) for one in members
    ]
    return sorted(rows, key=lambda row: {True: 0, False: 1, None: 2}[row.place])


def free_count(rows: Sequence[CheckinRow]) -> int:
    """How many of the list are here, want to play and sit at no table."""
    return sum(row.here and not row.resting and row.table is None for row in rows)
