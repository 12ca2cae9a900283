"""A club's people as lines of a sheet, and what such a line says."""

from collections.abc import Iterator

from league.members.models import Club
from league.members.queries import people_of

YES, NO = "yes", "no"
MEMBER, GUEST = "member", "guest"


def people_rows(club: Club) -> Iterator[list[object]]:
    """A line for everybody who has a row of their own, retired people too."""
    for member in people_of(club):
        yield [
            member.public_id,
            member.name,
            GUEST if member.is_guest else MEMBER,
            member.email,
            YES if member.is_minor else NO,
            member.shown,
            club.local(member.joined_at).date().isoformat(),
            club.local(member.retired_at).date().isoformat() if member.retired_at else "",
        ]
