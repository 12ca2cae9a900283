"""Calendars to subscribe to (iCalendar, RFC 5545): the club's dates and a player's own, at a
personal link, and a public club's for everyone; and the sessions and matches as their entries.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, club_page
from league.members.audit import actor_of
from league.members.languages import in_language
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.network import address_for_phones
from league.sessions.links import (
    by_link,
    calendar_link,
    make_calendar_link,
    revoke_calendar_link,
    role_of_calendar,
)
from league.sessions.models import Session
from league.sessions.queries import current_sign_ups, end_of, local_date, start_of
from league.teams.fixtures import starts_at
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import all_matches_of
from league.tournaments.models import Tournament
from league.tournaments.queries import tournament_names

MOST_ENTRIES = 1000  # those nearest to today: calendar programs poll for ever
LONGEST_PAST = timedelta(days=400)
SUBJECTS = ("team", "league")
ESCAPED = re.compile(r"[\\;,]")
CONFIRMED, TENTATIVE, CANCELLED = "CONFIRMED", "TENTATIVE", "CANCELLED"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a calendar.

    `uid` stays the same when the event is renamed, moved or cancelled; `sequence` rises with every
    change, so that calendars update the entry. Without `begins` and `ends` the entry lasts the
    whole day. `path` is the address of its page, without the host.
    """

    uid: str
    name: str
    day: date
    path: str
    made_at: datetime
    sequence: int = 0
    begins: datetime | None = None
    ends: datetime | None = None
    venue: str = ""
    note: str = ""
    status: str = CONFIRMED


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
            entries = match_entries(role.club, since, of=subject)[-MOST_ENTRIES:]
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
def session_calendar(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One session's date, for people who want no feed, and for visitors."""
    club_session = get_object_or_404(club.sessions.select_related("club"), public_id=public_id)
    entry = _session_entry(club_session, tournament_names([club_session]).get(club_session.pk))
    return _calendar_response(request, club, club_session.name, [entry])


@require_safe
@club_page(PUBLIC)
def club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """What `calendar_feed` has, at an address that visitors of a public club may subscribe to."""
    return _feed(request, club, club.name, None)


def _feed(request: HttpRequest, club: Club, name: str, member: Member | None) -> HttpResponse:
    today = local_date(club, timezone.now())
    since = today - LONGEST_PAST
    entries = [*session_entries(club, since, member), *match_entries(club, since, member)]
    nearest = sorted(entries, key=lambda entry: abs(entry.day - today))[:MOST_ENTRIES]
    return _calendar_response(request, club, name, sorted(nearest, key=lambda entry: entry.day))


def _calendar_response(
    request: HttpRequest, club: Club, name: str, entries: Sequence[Entry]
) -> HttpResponse:
    content = calendar_of(club, name, entries, address_of=request.build_absolute_uri)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return response


def session_entries(club: Club, since: date, member: Member | None = None) -> list[Entry]:
    """The club's sessions, or those a member is signed up for, the earliest first. One query.

    Sessions of team matches are left out: they are listed with the fixtures of their leagues.
    """
    sessions = club.sessions.select_related("club").filter(held_on__gte=since, of_team_match=False)
    cups = Tournament.objects.filter(session=OuterRef("pk")).order_by("pk")
    cups = cups.exclude(state=Tournament.State.CANCELLED).exclude(name=OuterRef("name"))
    sessions = sessions.annotate(tournament=Subquery(cups.values("name")[:1]))
    if member is not None:
        rows = current_sign_ups().filter(member=member, session=OuterRef("pk"))
        placed = Exists(rows.exclude(placed_at=None))
        sessions = sessions.filter(Exists(rows)).annotate(placed=placed)
    return [_session_entry(s, s.tournament) for s in sessions.order_by("held_on", "pk")]


def _session_entry(session: Session, tournament: str | None = None) -> Entry:
    """A session as a calendar entry, with the name of its tournament: tentative for a member on its
    waiting list."""
    status = CONFIRMED if getattr(session, "placed", True) else TENTATIVE
    start = start_of(session) if session.begins_at else None
    return Entry(
        uid=f"{session.public_id}@right-bower",
        name=session.name,
        day=session.held_on,
        path=reverse("session", args=[session.club.slug, session.public_id]),
        made_at=session.made_at,
        sequence=session.revision,
        begins=start,
        ends=end_of(session),
        venue="" if session.of_team_match else session.club.venue,
        note=" · ".join(filter(None, (session.note, session.cancel_reason, tournament))),
        status=CANCELLED if session.state == Session.State.CANCELLED else status,
    )


def match_entries(
    club: Club,
    since: date,
    member: Member | None = None,
    *,
    of: TeamLeague | Team | None = None,
) -> list[Entry]:
    """Calendar entries of the club's dated matches from `since` on, by day; one query, and more for
    each league that a team has left.

    `member` limits them to the member's teams, `of` to one league or team.
    """
    matches = TeamMatch.objects.filter(league__club=club, held_on__gte=since)
    if isinstance(of, TeamLeague):
        matches = matches.filter(league=of)
    elif of is not None:
        matches = matches.filter(Q(home=of) | Q(away=of))
    if member is not None:
        teams = member.team_places.values("team")
        matches = matches.filter(Q(home__in=teams) | Q(away__in=teams))
    matches = matches.select_related("league", "home", "away").order_by("held_on", "pk")
    left = {match.league for match in matches if _has_left(match)}
    void = {one.match.pk for league in left for one in all_matches_of(league) if one.void}
    return [_match_entry(club, match, is_void=match.pk in void) for match in matches]


def _has_left(match: TeamMatch) -> bool:
    return bool(match.home.withdrawn_at or match.away.withdrawn_at)


def _match_entry(club: Club, match: TeamMatch, *, is_void: bool) -> Entry:
    withdrawn = _has_left(match)
    is_called_off = is_void or match.league.state == TeamLeague.State.CANCELLED
    is_unplayed = match.is_untouched and (withdrawn or match.league.is_closed)
    assert match.held_on is not None
    start_time = match.begins_at or starts_at(match.league)
    begins = datetime.combine(match.held_on, start_time, club.zone) if start_time else None
    return Entry(
        uid=f"{match.public_id}@right-bower",
        name=str(match),
        day=match.held_on,
        path=reverse("team_match", args=[club.slug, match.league.public_id, match.public_id]),
        made_at=match.made_at,
        sequence=match.revision,
        begins=begins,
        ends=begins and begins.astimezone(UTC) + timedelta(minutes=club.session_minutes),
        venue=match.venue or match.home.venue,
        status=CANCELLED if is_called_off or is_unplayed else CONFIRMED,
    )


def calendar_of(
    club: Club, name: str, entries: Iterable[Entry], *, address_of: Callable[[str], str]
) -> bytes:
    """The feed named `name` as bytes; `address_of` turns a path into a full address."""
    from icalendar import Calendar  # slow to import, and needed by few requests

    calendar = Calendar()
    calendar.add("prodid", "-//Right Bower//Sessions//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    for entry in entries:
        calendar.add_component(_event(club, entry, address_of(entry.path)))
    return bytes(calendar.to_ical())


def _event(club: Club, entry: Entry, address: str) -> Any:
    from icalendar import Event, vText

    class Text(vText):
        """Text that keeps a literal \\N, which the package would turn into a line break."""

        def to_ical(self) -> bytes:
            return ESCAPED.sub(r"\\\g<0>", str(self)).encode()

    event = Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", entry.made_at.astimezone(UTC))
    event.add("sequence", entry.sequence)
    event.add("summary", Text(f"{entry.name} ({club.name})"))
    if entry.venue:
        event.add("location", Text(entry.venue))
    if entry.note:
        event.add("description", Text(entry.note))
    if entry.begins is None or entry.ends is None:
        event.add("dtstart", entry.day)
        event.add("dtend", entry.day + timedelta(days=1))
    else:
        event.add("dtstart", entry.begins.astimezone(UTC))
        event.add("dtend", entry.ends.astimezone(UTC))
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    event.add("status", entry.status)
    return event
