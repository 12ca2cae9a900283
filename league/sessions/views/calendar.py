"""The club's calendar: the page with its address, and the feed behind it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.members.audit import actor_of
from league.members.models import Club
from league.sessions.actions.calendar import revoke_calendar
from league.sessions.calendar import LONGEST_PAST, calendar_of
from league.sessions.links import calendar_link, club_of_calendar
from league.sessions.models import Session
from league.sessions.queries import local_date
from league.sessions.views.by_link import by_link


@require_safe
@club_page("member")
def calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """The address to give to a calendar program, and how."""
    address = request.build_absolute_uri(calendar_link(club))
    context = {"club": club, "here": "sessions", "address": address}
    return render(request, "sessions/calendar.html", context)


@require_POST
@club_page("organiser")
def calendar_revoke(request: HttpRequest, club: Club) -> HttpResponse:
    """Make the address void and show a new one."""
    revoke_calendar(club, by=actor_of(request))
    return redirect("calendar", club.slug)


@require_safe
@by_link(club_of_calendar, shut="sessions/calendar_shut.html")
def calendar_feed(request: HttpRequest, club: Club) -> HttpResponse:
    """The sessions of the last year and all to come."""
    since = local_date(club, timezone.now()) - LONGEST_PAST
    sessions = (
        club.sessions.select_related("club").filter(held_on__gte=since).order_by("held_on", "pk")
    )

    def address_of(club_session: Session) -> str:
        return request.build_absolute_uri(
            reverse("session", args=[club.slug, club_session.public_id])
        )

    content = calendar_of(club, sessions, address_of=address_of)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return response
