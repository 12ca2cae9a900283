"""The check-in list: every name that may be ticked, with where its owner is."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from league.members.models import Member
from league.members.names import name_key
from league.seating.models import Seat
from league.sessions.models import Attendance, Session
from league.sessions.queries import attendances


@dataclass(frozen=True, slots=True)
class CheckinRow:
    """Somebody on the check-in list. `table` is the number of the table they sit at."""

    member: Member
    attendance: Attendance | None
    table: int | None

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
    """The club's members and tonight's guests, by name; three queries."""
    came = {row.member_id: row for row in attendances(club_session)}
    members = (
        Member.objects.current()
        .filter(Q(is_guest=False) | Q(pk__in=came), club=club_session.club_id)
        .order_by("name_key", "pk")
    )
    seats = Seat.objects.filter(session=club_session, seated=True)
    tables = dict(seats.values_list("member", "table__number"))
    return [CheckinRow(one, came.get(one.pk), tables.get(one.pk)) for one in members]


def free_count(rows: Sequence[CheckinRow]) -> int:
    """How many of the list are here, want to play and sit at no table."""
    return sum(row.here and not row.resting and row.table is None for row in rows)
