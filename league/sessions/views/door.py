"""Pages behind a signed link: the code at the door, consent to mail, and how a link lets one in."""

import secrets
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import segno
from django.conf import settings
from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from league.access import club_page
from league.errors import Refused, add_retry_after
from league.limits import Limit, network_of, refuse_over
from league.members.audit import Actor, actor_of, club_language
from league.members.languages import in_clubs_language, speak_clubs_language
from league.members.models import Club, Member, Role
from league.members.public import names_apart
from league.network import address_for_phones
from league.sessions import actions
from league.sessions.links import door_link, session_at_door
from league.sessions.mail import address_of, agree_to_mail, member_of_consent, stop_mail
from league.sessions.models import Session
from league.sessions.queries import (
    door_names,
    present,
    session_of,
)

WRONG_LINKS = Limit(most=30, within=600)
"""Dead or forged codes from one address. Right ones always open: they are too long to guess."""

Opened = TypeVar("Opened", Session, Role, Member)


def by_link(
    read: Callable[[str], Opened | None], *, shut: str
) -> Callable[[Callable[[HttpRequest, Opened], HttpResponse]], Callable[..., HttpResponse]]:
    """Give a view what its link's code opens; the page `shut` (403) for a dead code."""

    def decorate(
        view: Callable[[HttpRequest, Opened], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, code: str) -> HttpResponse:
            opened = read(code)
            if opened is None:
                refuse_over(f"wrong-link:{network_of(request)}", WRONG_LINKS)
                return render(request, shut, status=403)
            speak_clubs_language(request, opened.club)
            with timezone.override(opened.club.zone):
                response = view(request, opened)
            response.headers.setdefault("Cache-Control", "private, no-store")
            # The origin alone, so that the code in the address goes nowhere. Not "no-referrer":
            # that makes browsers post `Origin: null`, which the CSRF check rightly refuses.
            response.headers.setdefault("Referrer-Policy", "strict-origin")
            response.headers.setdefault("X-Robots-Tag", "noindex")
            return response

        return guarded

    return decorate


# What is protected is the club's list, from a flood of names. One phone may check in a busload, a
# hall is one address, and the door is the session's own, from wherever it is reached.
PER_PHONE = Limit(most=100, within=600)
PER_ADDRESS = Limit(most=1200, within=600)
PER_DOOR = Limit(most=1500, within=600)
PHONE = "phone"
"""A cookie for the door's pages alone, by which the phones behind one address are told apart."""
_phone = Signer(salt="league.sessions.phone")
WHO = "checked-in"
_who = Signer(salt="league.sessions.checked_in")


@require_GET
@club_page("organiser")
@in_clubs_language
def door_code(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The code to print and hang at the door."""
    club_session = session_of(club, public_id)
    address = address_for_phones(request, door_link(club_session))
    qr = segno.make(address, error="m").svg_inline(scale=6, border=2, omitsize=True)
    context = {"club": club, "here": "sessions", "club_session": club_session}
    context |= {"qr": mark_safe(qr), "address": address}  # noqa: S308 - segno's own SVG
    return render(request, "sessions/door_code.html", context)


@require_POST
@club_page("organiser")
def door_revoke(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the code at the door void and show a new one."""
    actions.revoke_door(session_of(club, public_id), by=actor_of(request))
    return redirect("door_code", club.slug, public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@by_link(session_at_door, shut="sessions/door_shut.html")
def door(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Anyone who scanned the code checks themselves in, or types it."""
    if request.method == "POST":
        return _come_in(request, club_session)
    page = _door_page(request, club_session)
    if not _phone_of(request):
        value, path = _phone.sign(secrets.token_urlsafe(12)), request.path
        secure = settings.SESSION_COOKIE_SECURE
        page.set_cookie(PHONE, value, path=path, secure=secure, httponly=True, samesite="Lax")
    return page


def _come_in(request: HttpRequest, club_session: Session) -> HttpResponse:
    try:
        with transaction.atomic():  # a name that is refused was not counted
            _count(request, club_session)
            member = _member_at_door(request, club_session)
    except Refused as refused:
        return _door_page(request, club_session, refused=refused)
    context = {"club": club_session.club, "club_session": club_session, "member": member}
    page = render(request, "sessions/door_in.html", {**context, "code": code_of(request)})
    remember(page, request, member)
    return page


def code_of(request: HttpRequest) -> str:
    """The door's code in the address of any of its pages."""
    return request.path.split("/")[2]


def remember(page: HttpResponse, request: HttpRequest, member: Member) -> None:
    """Let this phone see the seat of the player it checked in last, on this door's pages alone."""
    page.set_cookie(
        WHO,
        _who.sign(member.public_id),
        path=reverse("door", args=[code_of(request)]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remembered(request: HttpRequest, club_session: Session) -> Member | None:
    """Whom this phone has checked in here; None for nobody, or who has left since."""
    try:
        public_id = _who.unsign(request.COOKIES.get(WHO, ""))
    except BadSignature:
        return None
    return present(club_session).filter(public_id=public_id).first()


def _member_at_door(request: HttpRequest, club_session: Session) -> Member:
    source = str(request.META.get("REMOTE_ADDR") or "")
    with club_language(club_session.club):
        by, now = Actor(_("the door"), source=source), timezone.now()
    if request.POST.get("member"):
        named = door_names(club_session).filter(public_id=request.POST["member"]).first()
        if named is None:
            raise Refused("unknown-member", _("Type your name instead."), status=404)
        here_now = "even_if_elsewhere" in request.POST
        return actions.arrive(club_session, named, by=by, at=now, even_if_elsewhere=here_now).member
    names = [request.POST.get("name", "")]
    if not names[0].strip():
        message = _("Tap your name or type it.")
        raise Refused("name-empty", message, fields={"name": [message]})
    anyway = "even_if_similar" in request.POST
    try:
        came = actions.arrive_names(club_session, names, by=by, at=now, even_if_similar=anyway)
    except Refused as refused:
        if refused.code == "similar-name":  # whose name it is like is not for everybody to read
            refused.message = _("The club already has a name like this. Is it in the list? Tap it.")
        raise
    return came[0].member


def _door_page(
    request: HttpRequest, club_session: Session, *, refused: Refused | None = None
) -> HttpResponse:
    here = set(present(club_session).values_list("pk", flat=True))
    listed = list(door_names(club_session))
    apart = names_apart(listed, club_session.club, None)
    names = [(one.public_id, apart[one.pk]) for one in listed if one.pk not in here]
    context = {"club": club_session.club, "club_session": club_session, "names": names}
    status = refused.status if refused else 200
    page = render(request, "sessions/door.html", {**context, "refused": refused}, status=status)
    return add_retry_after(page, refused) if refused else page


def _count(request: HttpRequest, club_session: Session) -> None:
    """Stop one phone, one address, or one session's door from filling the club with names.

    Anyone who taps a name adds none. Phones without our cookie are one phone of their address.
    """
    if request.POST.get("member"):
        return
    door, phone = f"door:{club_session.pk}", _phone_of(request) or network_of(request)
    message = _("Too many names came from here. Ask the organiser to check you in.")
    refuse_over(f"{door}:phone:{phone}", PER_PHONE, message)
    refuse_over(f"{door}:{network_of(request)}", PER_ADDRESS, message)
    refuse_over(door, PER_DOOR, message)


def _phone_of(request: HttpRequest) -> str:
    try:
        return _phone.unsign(request.COOKIES.get(PHONE, ""))
    except BadSignature:
        return ""


SHUT = "sessions/mail_shut.html"


@require_safe
@by_link(member_of_consent, shut=SHUT)
def mail_choice(request: HttpRequest, member: Member) -> HttpResponse:
    """What the club may do now, and the buttons to agree and to stop."""
    agreed = bool(address_of(member)) and member.reminders != Member.Reminders.NEVER
    context = {"member": member, "agreed": agreed, "code": _code(request)}
    return render(request, "sessions/mail_choice.html", context)


@require_POST
@by_link(member_of_consent, shut=SHUT)
def mail_agree(request: HttpRequest, member: Member) -> HttpResponse:
    email = member.link_email  # type: ignore[attr-defined]
    agree_to_mail(member, email=email, by=_by_mail(request, member.club))
    messages.success(request, _("Saved. You'll get mail about this club's sessions."))
    return redirect("mail_choice", _code(request))


@require_POST
@by_link(member_of_consent, shut=SHUT)
def mail_stop(request: HttpRequest, member: Member) -> HttpResponse:
    stop_mail(member, by=_by_mail(request, member.club))
    messages.success(request, _("Saved. This club sends you no more mail."))
    return redirect("mail_choice", _code(request))


def _by_mail(request: HttpRequest, club: Club) -> Actor:
    with club_language(club):
        return actor_of(request, _("link in a mail"))


def _code(request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["code"])
