"""Links that need no account: the code at the door, the wall screen's address, the calendar's.

Each is signed (HMAC-SHA256) over the session and a version, the calendar's over the reader's role
and the moment it was made; raising or changing that revokes it. They reach one page. The door's
dies when its session closes. The wall's dies a few days later, so that the hall sees who has won,
and so does a phone's page of its holder's seat; a calendar's dies with the role. Whose calendar it
is makes and revokes it.
"""

from datetime import datetime, timedelta

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from league.members.actions.people import lock_club
from league.members.audit import Actor, log_action
from league.members.models import Role
from league.sessions.models import Session

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none is taken for another
LENGTH = 8  # wrong ones are limited: nobody tries 850 thousand million
WALL_AFTER = timedelta(days=3)
"""For so long after its session has closed the wall shows how it ended."""
_calendar = Signer(salt="league.sessions.calendar_of_role")


def door_link(club_session: Session) -> str:
    """The address behind the code at the door, without the host: short enough to type."""
    return reverse("door", args=[_code("door", club_session)])


def wall_link(club_session: Session) -> str:
    """The address of the wall screen that needs no account, without the host."""
    return reverse("wall_shown", args=[_code("wall", club_session)])


def _code(page: str, club_session: Session) -> str:
    """A few letters that follow from the session and its version for this page, and its number."""
    text = f"{club_session.pk}.{getattr(club_session, f'{page}_version')}"
    digest = salted_hmac(f"league.sessions.{page}", text, algorithm="sha256").digest()
    number, letters = int.from_bytes(digest), []
    for _place in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return f"{''.join(letters)}{club_session.pk}"


def session_at_door(code: str) -> Session | None:
    """The open session this door code is for; None for a forged, revoked or late one."""
    return _session("door", code, Q(state=Session.State.OPEN))


def session_of_seat(code: str) -> Session | None:
    """The same, or closed a few days ago at most: the page of somebody's seat says so then, and
    goes on when the session is opened again."""
    return _session("door", code, _still_shown())


def session_on_wall(code: str) -> Session | None:
    """The session this wall link is for, open or closed a few days ago at most; None for a forged
    or revoked one."""
    return _session("wall", code, _still_shown())


def _still_shown() -> Q:
    lately = Q(state=Session.State.CLOSED, closed_at__gt=timezone.now() - WALL_AFTER)
    return Q(state=Session.State.OPEN) | lately


def _session(page: str, code: str, still: Q) -> Session | None:
    number = code[LENGTH:]
    if not (number.isascii() and number.isdecimal() and len(number) < 16):
        return None
    club_session = Session.objects.select_related("club").filter(still, pk=int(number)).first()
    if club_session is None or not constant_time_compare(code.upper(), _code(page, club_session)):
        return None
    return club_session


def calendar_link(role: Role, name: str = "calendar_feed") -> str:
    """The address of the club's calendar, or (`own_calendar_feed`) of the dates of one's own, for
    the account of this role alone. Without the host."""
    return reverse(name, args=[_calendar.sign(f"{role.pk}.{_stamp(role)}")])


def role_of_calendar(code: str) -> Role | None:
    """The role whose calendar this code opens; None for a forged, revoked or replaced one, and once
    the role is taken or the account switched off. Ids of roles are never given twice."""
    try:
        pk, _dot, stamp = _calendar.unsign(code).rpartition(".")
    except BadSignature:
        return None
    roles = Role.objects.select_related("club", "user").exclude(calendar_since=None)
    role = roles.filter(pk=int(pk), user__is_active=True).first()
    return role if role is not None and _stamp(role) == stamp else None


def _stamp(role: Role) -> str:
    """The moment the link was made, to the microsecond."""
    return f"{role.calendar_since:%Y%m%d%H%M%S%f}"


@transaction.atomic
def make_calendar_link(role: Role, *, by: Actor, at: datetime) -> Role:
    """A link for the account of this role. One made before stops working."""
    return _set_calendar(role, at, "make calendar link", by)


@transaction.atomic
def revoke_calendar_link(role: Role, *, by: Actor) -> Role:
    """Let the link of this role open nothing any more."""
    return _set_calendar(role, None, "revoke calendar link", by)


def _set_calendar(role: Role, since: datetime | None, action: str, by: Actor) -> Role:
    lock_club(role.club)
    role.refresh_from_db()
    role.calendar_since = since
    role.save(update_fields=["calendar_since"])
    log_action(role.club, by, action, role.user)
    return role
