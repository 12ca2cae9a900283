"""The code at the door: printing it, and the page behind it where people tick themselves off."""

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club, Member
from league.members.public import names_apart
from league.sessions import actions
from league.sessions.links import door_link, session_at_door
from league.sessions.models import Session
from league.sessions.queries import door_names, present, session_of
from league.sessions.throttle import address_of, count, refuse_over
from league.sessions.views.by_link import by_link

MOST_PER_PHONE = 12
"""Ticks from one address in ten minutes: a family, not a flood."""
MOST_AT_DOOR = 120


@require_GET
@club_page("organiser")
def door_code(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The code to print and hang at the door."""
    club_session = session_of(club, public_id)
    address = request.build_absolute_uri(door_link(club_session))
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
    """Whoever scanned the code ticks off their own name, or types it."""
    if request.method == "POST":
        return _come_in(request, club_session)
    return _door_page(request, club_session)


def _come_in(request: HttpRequest, club_session: Session) -> HttpResponse:
    try:
        _throttle(request, club_session)
        member = _whoever(request, club_session)
    except Refused as refused:
        return _door_page(request, club_session, refused=refused)
    context = {"club": club_session.club, "club_session": club_session, "member": member}
    return render(request, "sessions/door_in.html", context)


def _whoever(request: HttpRequest, club_session: Session) -> Member:
    by, now = Actor(_("the door"), source=address_of(request)), timezone.now()
    if request.POST.get("member"):
        named = door_names(club_session).filter(public_id=request.POST["member"]).first()
        if named is None:
            raise Refused("unknown_member", _("Type your name instead."), status=404)
        return actions.arrive(club_session, named, by=by, at=now).member
    names = [request.POST.get("name", "")]
    if not names[0].strip():
        message = _("Tap your name or type it.")
        raise Refused("name_empty", message, fields={"name": [message]})
    return actions.arrive_names(club_session, names, by=by, at=now)[0].member


def _door_page(
    request: HttpRequest, club_session: Session, *, refused: Refused | None = None
) -> HttpResponse:
    here = set(present(club_session).values_list("pk", flat=True))
    listed = list(door_names(club_session))
    apart = names_apart(listed, club_session.club, None)
    names = [(one.public_id, apart[one.pk]) for one in listed if one.pk not in here]
    context = {"club": club_session.club, "club_session": club_session, "names": names}
    status = refused.status if refused else 200
    return render(request, "sessions/door.html", {**context, "refused": refused}, status=status)


def _throttle(request: HttpRequest, club_session: Session) -> None:
    """Stop one phone, or one night's door, from filling the club with names."""
    door = f"door:{club_session.pk}"
    message = _("That was many names from here. Ask the organiser to tick you off.")
    for key, most in ((f"{door}:{address_of(request)}", MOST_PER_PHONE), (door, MOST_AT_DOOR)):
        refuse_over(key, most, message)
        count(key)
