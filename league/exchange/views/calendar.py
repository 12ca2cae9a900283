"""Calendars to subscribe to, the club's and one's own: their feeds, behind signed addresses.

`SOURCES` lists for every area what of it has a date; see `league.sessions.calendar.Entry`.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.members.queries import player_of
from league.sessions import calendar as sessions_calendar
from league.sessions.actions.calendar import revoke_calendar, revoke_own_calendar
from league.sessions.calendar import LONGEST_PAST, Entry, calendar_of
from league.sessions.links import (
    calendar_link,
    club_of_calendar,
    member_of_calendar,
    own_calendar_link,
)
from league.sessions.queries import local_date
from league.sessions.views.by_link import by_link
from league.teams import calendar as teams_calendar

SOURCES: tuple[Callable[..., list[Entry]], ...] = (
    sessions_calendar.entries_of,
    teams_calendar.entries_of,
)


@require_safe
@club_page("member")
def calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """The addresses to give to a calendar program, and how."""
    player = player_of(club, request.user)
    context = {"club": club, "here": "sessions", "player": player}
    context["address"] = request.build_absolute_uri(calendar_link(club))
    if player:
        context["own_address"] = request.build_absolute_uri(own_calendar_link(player))
    return render(request, "sessions/calendar.html", context)


@require_POST
@club_page("organiser")
def calendar_revoke(request: HttpRequest, club: Club) -> HttpResponse:
    """Make the club's address void and show a new one."""
    revoke_calendar(club, by=actor_of(request))
    return redirect("calendar", club.slug)


@require_POST
@club_page("member")
def own_calendar_revoke(request: HttpRequest, club: Club) -> HttpResponse:
    """Make one's own address void and show a new one."""
    if player := player_of(club, request.user):
        revoke_own_calendar(player, by=actor_of(request))
    return redirect("calendar", club.slug)


@require_safe
@by_link(club_of_calendar, shut="sessions/calendar_shut.html")
def calendar_feed(request: HttpRequest, club: Club) -> HttpResponse:
    """Everything with a date of the last year and to come; nobody's name."""
    return _feed(request, club, club.name, None)


@require_safe
@by_link(member_of_calendar, shut="sessions/calendar_shut.html")
def own_calendar_feed(request: HttpRequest, member: Member) -> HttpResponse:
    """What one member has signed up for, and whatever else is theirs."""
    name = _("My dates: %(club)s") % {"club": member.club.name}
    return _feed(request, member.club, name, member)


def _feed(request: HttpRequest, club: Club, name: str, member: Member | None) -> HttpResponse:
    since = local_date(club, timezone.now()) - LONGEST_PAST
    entries = [entry for source in SOURCES for entry in source(club, since, member)]
    content = calendar_of(club, name, entries, address_of=request.build_absolute_uri)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return response
