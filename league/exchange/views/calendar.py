"""Calendars to subscribe to: the club's dates and a player's own, at a personal link.

`SOURCES` returns the dated entries of every area; see `league.sessions.calendar.Entry`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.members.audit import actor_of
from league.members.languages import in_language
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.network import address_for_phones
from league.sessions import calendar as sessions_calendar
from league.sessions.calendar import LONGEST_PAST, Entry, calendar_of
from league.sessions.links import (
    calendar_link,
    make_calendar_link,
    revoke_calendar_link,
    role_of_calendar,
)
from league.sessions.queries import local_date
from league.sessions.views.door import by_link
from league.teams import calendar as teams_calendar
from league.teams.models import Team, TeamLeague

MOST_ENTRIES = 1000  # those nearest to today: calendar programs poll for ever
SOURCES: tuple[Callable[..., list[Entry]], ...] = (
    sessions_calendar.entries_of,
    teams_calendar.entries_of,
)


@require_safe
@club_page("member")
def calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """The reader's own calendar links, with buttons to create, replace and revoke them."""
    role = _role(request, club)
    context = {"club": club, "here": "sessions", "role": role}
    subject = _subject_of(club, request.GET)
    if subject is not None:
        kind = "team" if isinstance(subject, Team) else "league"
        context |= {"about": subject, "kind": kind}
        if role.calendar_since:
            link = f"{calendar_link(role)}?{urlencode({kind: subject.public_id})}"
            context["about_address"] = address_for_phones(request, link)
    if role.calendar_since:
        context["address"] = address_for_phones(request, calendar_link(role))
        if player_of(club, request.user):
            own = calendar_link(role, "own_calendar_feed")
            context["own_address"] = address_for_phones(request, own)
    return render(request, "sessions/calendar.html", context)


@require_POST
@club_page("member")
def calendar_make(request: HttpRequest, club: Club) -> HttpResponse:
    """Create the reader's link, or replace it."""
    make_calendar_link(_role(request, club), by=actor_of(request), at=timezone.now())
    params = {name: request.POST[name] for name in SUBJECTS if request.POST.get(name)}
    page = reverse("calendar", args=[club.slug])
    return redirect(f"{page}?{urlencode(params)}" if params else page)


@require_POST
@club_page("member")
def calendar_revoke(request: HttpRequest, club: Club) -> HttpResponse:
    """Revoke the reader's link."""
    revoke_calendar_link(_role(request, club), by=actor_of(request))
    return redirect("calendar", club.slug)


SUBJECTS = ("team", "league")


def _subject_of(club: Club, params: QueryDict) -> Team | TeamLeague | None:
    """The team or league to which the request limits the calendar; 404 if it does not exist."""
    if params.get("team"):
        teams = Team.objects.filter(league__club=club).select_related("league")
        return get_object_or_404(teams, public_id=params["team"])
    if params.get("league"):
        return get_object_or_404(club.team_leagues, public_id=params["league"])
    return None


def _role(request: HttpRequest, club: Club) -> Role:
    return get_object_or_404(club.roles.select_related("club", "user"), user=request.user)


@require_safe
@by_link(role_of_calendar, expired_page="sessions/calendar_shut.html")
def calendar_feed(request: HttpRequest, role: Role) -> HttpResponse:
    """Everything with a date since last year, or the matches of one league or team, without names
    of players."""
    subject = _subject_of(role.club, request.GET)
    with in_language(role.user.language, role.club.language):
        if subject is not None:
            since = local_date(role.club, timezone.now()) - LONGEST_PAST
            entries = teams_calendar.entries_of(role.club, since, of=subject)[-MOST_ENTRIES:]
            return _calendar_response(request, role.club, subject.name, entries)
        return _feed(request, role.club, role.club.name, None)


@require_safe
@by_link(role_of_calendar, expired_page="sessions/calendar_shut.html")
def own_calendar_feed(request: HttpRequest, role: Role) -> HttpResponse:
    """The reader's own dates: sessions they have signed up for, and their matches."""
    member = Member.objects.current().filter(club=role.club, user=role.user_id).first()
    if member is None:
        return render(request, "sessions/calendar_shut.html", status=403)
    with in_language(role.user.language, role.club.language):
        name = _("My dates: %(club)s") % {"club": role.club.name}
        return _feed(request, role.club, name, member)


@require_safe
@club_page(PUBLIC)
def session_calendar(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One session's date, for people who want no feed; only members see where it is."""
    club_session = get_object_or_404(club.sessions.select_related("club"), public_id=public_id)
    entry = sessions_calendar.entry_of(club_session)
    entries = [entry if request.rank else replace(entry, venue="")]
    return _calendar_response(request, club, club_session.name, entries)


def _feed(request: HttpRequest, club: Club, name: str, member: Member | None) -> HttpResponse:
    today = local_date(club, timezone.now())
    since = today - LONGEST_PAST
    entries = [entry for source in SOURCES for entry in source(club, since, member)]
    nearest = sorted(entries, key=lambda entry: abs(entry.day - today))[:MOST_ENTRIES]
    return _calendar_response(request, club, name, sorted(nearest, key=lambda entry: entry.day))


def _calendar_response(
    request: HttpRequest, club: Club, name: str, entries: Sequence[Entry]
) -> HttpResponse:
    content = calendar_of(club, name, entries, address_of=request.build_absolute_uri)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return response
