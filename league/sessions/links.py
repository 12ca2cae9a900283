"""Links that need no account: to self check-in, the wall screen and the calendar feed; and the
pages of consent to mail.

Each link opens one page. Door and wall links are signed (HMAC-SHA256) over the session and a
version, calendar links over the user's role and the time when the link was made; changing the
version or the time revokes the link. A door link expires when its session closes. A wall link, and
a phone's own seat and standings, expire a few days later, so that everyone can see who won. A
calendar link expires with the role; its user makes and revokes it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import TypeVar

from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_POST,
    require_safe,
)

from league.limits import Limit, network_of, refuse_over
from league.members.actions.people import lock_club
from league.members.audit import Actor, actor_of, club_language, log_action
from league.members.languages import activate_club_language
from league.members.models import Club, Member, Role
from league.sessions.mail import address_of, agree_to_mail, member_of_consent, stop_mail
from league.sessions.models import Session

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without letters that look alike
CODE_LENGTH = 8  # failed attempts are limited: nobody can try 850 billion codes
SHOWN_AFTER_CLOSING = timedelta(days=3)
"""The wall and the phones show the result of their session for this long after it has closed."""
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

    A player's seat and the standings show that it has closed, and continue if it is reopened.
    """
    return _session_by_code("door", code, _is_open_or_recent())


def session_on_wall(code: str) -> Session | None:
    """The session of a wall link, if it is planned, open or was closed in the last few days.

    None for a forged or revoked link.
    """
    is_planned = Q(state=Session.State.PLANNED)
    return _session_by_code("wall", code, is_planned | _is_open_or_recent())


def has_wall(club_session: Session) -> bool:
    """Whether the session's wall link works, as `session_on_wall` decides."""
    is_to_come = club_session.state in (Session.State.PLANNED, Session.State.OPEN)
    return is_to_come or shows_result(club_session)


def shows_result(club_session: Session) -> bool:
    """Whether the session closed in the last few days, and its links still show how it ended."""
    closed_at = club_session.closed_at if club_session.state == Session.State.CLOSED else None
    return closed_at is not None and closed_at > timezone.now() - SHOWN_AFTER_CLOSING


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


WRONG_LINKS = Limit(most=30, within=600)
"""Expired or forged codes from one address. Valid ones always work: they are hard to guess."""

LinkTarget = TypeVar("LinkTarget", Session, Role, Member)


def by_link(
    find: Callable[[str], LinkTarget | None], *, expired_page: str
) -> Callable[[Callable[[HttpRequest, LinkTarget], HttpResponse]], Callable[..., HttpResponse]]:
    """Pass the object that a link's code opens to a view; show `expired_page` (403) without one."""

    def decorate(
        view: Callable[[HttpRequest, LinkTarget], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapper(request: HttpRequest, code: str) -> HttpResponse:
            target = find(code)
            if target is None:
                refuse_over(f"wrong-link:{network_of(request)}", WRONG_LINKS)
                return render(request, expired_page, status=403)
            activate_club_language(request, target.club)
            with timezone.override(target.club.zone):
                response = view(request, target)
            response.headers.setdefault("Cache-Control", "private, no-store")
            # Only the origin, so that the code in the address isn't sent on. Not "no-referrer":
            # that makes browsers post `Origin: null`, which the CSRF check rightly refuses.
            response.headers.setdefault("Referrer-Policy", "strict-origin")
            response.headers.setdefault("X-Robots-Tag", "noindex")
            return response

        return wrapper

    return decorate


EXPIRED = "sessions/mail_shut.html"


@require_safe
@by_link(member_of_consent, expired_page=EXPIRED)
def mail_choice(request: HttpRequest, member: Member) -> HttpResponse:
    """Whether the member has agreed to mail from the club, with buttons to agree and to stop."""
    has_agreed = bool(address_of(member)) and member.reminders != Member.Reminders.NEVER
    context = {"member": member, "agreed": has_agreed, "code": _mail_code(request)}
    return render(request, "sessions/mail_choice.html", context)


@require_POST
@by_link(member_of_consent, expired_page=EXPIRED)
def mail_agree(request: HttpRequest, member: Member) -> HttpResponse:
    email = member.link_email  # type: ignore[attr-defined]
    agree_to_mail(member, email=email, by=_actor_by_mail(request, member.club))
    messages.success(request, _("Saved. You'll get mail about this club's sessions."))
    return redirect("mail_choice", _mail_code(request))


@require_POST
@by_link(member_of_consent, expired_page=EXPIRED)
def mail_stop(request: HttpRequest, member: Member) -> HttpResponse:
    stop_mail(member, by=_actor_by_mail(request, member.club))
    messages.success(request, _("Saved. This club sends you no more mail."))
    return redirect("mail_choice", _mail_code(request))


def _actor_by_mail(request: HttpRequest, club: Club) -> Actor:
    with club_language(club):
        return actor_of(request, _("link in an e-mail"))


def _mail_code(request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["code"])
