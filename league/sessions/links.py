"""Links that need no account: the self check-in code, the wall screen and the calendar feed.

Each link opens one page. Door and wall links are signed (HMAC-SHA256) over the session and a
version, calendar links over the user's role and the time when the link was made; changing the
version or the time revokes the link. A door link expires when its session closes. A wall link, and
the page of a phone's own seat, expire a few days later, so that everyone can see who won. A
calendar link expires with the role; its user makes and revokes it.
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

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without letters that look alike
CODE_LENGTH = 8  # failed attempts are limited: nobody can try 850 billion codes
SHOWN_AFTER_CLOSING = timedelta(days=3)
"""The wall shows the result of its session for this long after it has closed."""
_calendar = Signer(salt="league.sessions.calendar_of_role")


def door_link(club_session: Session) -> str:
    """The path behind the self check-in code, short enough to type."""
    return reverse("door", args=[_make_code("door", club_session)])


def wall_link(club_session: Session) -> str:
    """The path of the wall screen for viewers without an account."""
    return reverse("wall_shown", args=[_make_code("wall", club_session)])


def _make_code(page: str, club_session: Session) -> str:
    """Letters derived from the session and its version for this page, then the session's key."""
    text = f"{club_session.pk}.{getattr(club_session, f'{page}_version')}"
    digest = salted_hmac(f"league.sessions.{page}", text, algorithm="sha256").digest()
    number, letters = int.from_bytes(digest), []
    for _place in range(CODE_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return f"{''.join(letters)}{club_session.pk}"


def session_at_door(code: str) -> Session | None:
    """The open session of a door code; None for a forged, revoked or expired code."""
    return _session_by_code("door", code, Q(state=Session.State.OPEN))


def session_of_seat(code: str) -> Session | None:
    """The session of a door code, if it is open or was closed in the last few days.

    The page of a player's seat shows that it has closed, and continues if it is reopened.
    """
    return _session_by_code("door", code, _is_open_or_recent())


def session_on_wall(code: str) -> Session | None:
    """The session of a wall link, if it is open or was closed in the last few days.

    None for a forged or revoked link.
    """
    return _session_by_code("wall", code, _is_open_or_recent())


def _is_open_or_recent() -> Q:
    is_recent = Q(state=Session.State.CLOSED, closed_at__gt=timezone.now() - SHOWN_AFTER_CLOSING)
    return Q(state=Session.State.OPEN) | is_recent


def _session_by_code(page: str, code: str, condition: Q) -> Session | None:
    number = code[CODE_LENGTH:]
    if not (number.isascii() and number.isdecimal() and len(number) < 16):
        return None
    club_session = Session.objects.select_related("club").filter(condition, pk=int(number)).first()
    if club_session is None or not constant_time_compare(
        code.upper(), _make_code(page, club_session)
    ):
        return None
    return club_session


def calendar_link(role: Role, name: str = "calendar_feed") -> str:
    """The path of the club's calendar feed, or of the user's own (`own_calendar_feed`)."""
    return reverse(name, args=[_calendar.sign(f"{role.pk}.{_timestamp(role)}")])


def role_of_calendar(code: str) -> Role | None:
    """The role whose calendar this code opens.

    None for a forged, revoked or replaced code, and once the role is removed or the account
    deactivated. Keys of roles are never reused.
    """
    try:
        pk, _dot, stamp = _calendar.unsign(code).rpartition(".")
    except BadSignature:
        return None
    roles = Role.objects.select_related("club", "user").exclude(calendar_since=None)
    role = roles.filter(pk=int(pk), user__is_active=True).first()
    return role if role is not None and _timestamp(role) == stamp else None


def _timestamp(role: Role) -> str:
    """The time when the link was made, to the microsecond."""
    return f"{role.calendar_since:%Y%m%d%H%M%S%f}"


@transaction.atomic
def make_calendar_link(role: Role, *, by: Actor, at: datetime) -> Role:
    """Make a calendar link for this role; an earlier link expires."""
    return _set_calendar(role, at, "make calendar link", by)


@transaction.atomic
def revoke_calendar_link(role: Role, *, by: Actor) -> Role:
    """Make the calendar link of this role expire."""
    return _set_calendar(role, None, "revoke calendar link", by)


def _set_calendar(role: Role, made_at: datetime | None, action: str, by: Actor) -> Role:
    lock_club(role.club)
    role.refresh_from_db()
    role.calendar_since = made_at
    role.save(update_fields=["calendar_since"])
    log_action(role.club, by, action, role.user)
    return role
