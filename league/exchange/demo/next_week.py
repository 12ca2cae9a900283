"""The demo club's next evening: fewer places than people who want to come."""

from datetime import datetime, time, timedelta

from league.exchange.demo.people import Cast
from league.members.models import Member
from league.sessions.actions import sign_up, start_session
from league.sessions.models import Session

PLACES, WANTED = 24, 26
LAST = "Ted Marsh"
"""The member with an account: on the waiting list, to be seen moving up."""


def next_evening(cast: Cast, *, now: datetime) -> Session:
    """An evening a week ahead, with everybody signed up who wants to come."""
    night = start_session(
        cast.club,
        by=cast.by,
        at=now,
        held_on=(cast.club.local(now) + timedelta(weeks=1)).date(),
        season=cast.season,
        begins_at=time(19, 30),
        places=PLACES,
    )
    members = Member.objects.filter(club=cast.club, is_guest=False).exclude(name=LAST)
    wanted = cast.chance.sample(list(members.order_by("pk")), WANTED - 1)
    for member in [*wanted, Member.objects.get(club=cast.club, name=LAST)]:
        sign_up(night, member, by=cast.by, at=now)
    return night
