"""Links that need no account: the code at the door, the wall screen's address, the calendar's.

Each is signed (HMAC-SHA256) over the session (the calendars: the club, the member) and a version;
raising the version revokes it. They reach one page; those of a session die when it closes.
"""

from django.core.signing import BadSignature, Signer
from django.db.models import F
from django.urls import reverse

from league.members.models import Club, Member
from league.sessions.models import Session

_door = Signer(salt="league.sessions.door")
_wall = Signer(salt="league.sessions.wall")
_calendar = Signer(salt="league.sessions.calendar")
_own_calendar = Signer(salt="league.sessions.own_calendar")


def door_link(club_session: Session) -> str:
    """The address behind the code at the door, without the host."""
    return reverse(
        "door", args=[_door.sign(f"{club_session.public_id}.{club_session.door_version}")]
    )


def wall_link(club_session: Session) -> str:
    """The address of the wall screen that needs no account, without the host."""
    code = _wall.sign(f"{club_session.public_id}.{club_session.wall_version}")
    return reverse("wall_shown", args=[code])


def session_at_door(code: str) -> Session | None:
    """The open session this door code is for; None for a forged, revoked or late one."""
    return _session(_door, code, "door_version")


def session_on_wall(code: str) -> Session | None:
    """The session this wall link is for; None for a forged or revoked one, or a closed session."""
    return _session(_wall, code, "wall_version")


def calendar_link(club: Club) -> str:
    """The address of the club's calendar, without the host."""
    code = _calendar.sign(f"{club.slug}.{club.calendar_version}")
    return reverse("calendar_feed", args=[code])


def club_of_calendar(code: str) -> Club | None:
    """The club whose calendar this code opens; None for a forged or revoked one."""
    try:
        slug, _dot, version = _calendar.unsign(code).rpartition(".")
    except BadSignature:
        return None
    return Club.objects.filter(slug=slug, calendar_version=int(version)).first()


def own_calendar_link(member: Member) -> str:
    """The address of a member's own calendar, without the host."""
    code = _own_calendar.sign(f"{member.public_id}.{member.calendar_version}")
    return reverse("own_calendar_feed", args=[code])


def member_of_calendar(code: str) -> Member | None:
    """The member whose own calendar this code opens; None for a forged or revoked one, and for
    somebody whose account has no role in the club any more."""
    try:
        public_id, _dot, version = _own_calendar.unsign(code).rpartition(".")
    except BadSignature:
        return None
    current = Member.objects.current().select_related("club")
    own = current.filter(user__roles__club=F("club"), user__is_active=True)
    return own.filter(public_id=public_id, calendar_version=int(version)).first()


def _session(signer: Signer, code: str, version_field: str) -> Session | None:
    try:
        public_id, _dot, version = signer.unsign(code).rpartition(".")
    except BadSignature:
        return None
    return (
        Session.objects.select_related("club")
        .filter(
            public_id=public_id,
            state=Session.State.OPEN,
            **{version_field: int(version)},
        )
        .first()
    )
