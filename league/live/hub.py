"""The session's own page: what to do next, and the way to everything of the night."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page, reaches
from league.live.place import place_of
from league.live.room import Room, room
from league.members.models import Club, Role
from league.members.queries import player_of
from league.seating.models import Round
from league.seating.queries import draft_of, latest_published
from league.sessions.coming import sign_ups_of
from league.sessions.models import Session
from league.sessions.queries import present, session_of, takes_sign_ups
from league.tournaments.models import Tournament
from league.tournaments.queries import running_in


@dataclass(frozen=True, slots=True)
class Step:
    """What an organiser does next: a sentence, a button, where it leads."""

    title: str
    text: str
    label: str
    url: str


@require_safe
@club_page("member")
def session(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The session's page, for organisers and members."""
    club_session = session_of(club, public_id)
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    now = room(club_session, at=timezone.now())
    before = takes_sign_ups(club_session, timezone.now()) and not now.tiles
    player = player_of(club, request.user)
    people = present(club_session).count()
    draft = draft_of(club_session)
    tournament = running_in(club_session)
    step = next_step(club_session, now, people, draft) if organiser else None
    closed = club_session.state == Session.State.CLOSED
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "organiser": organiser,
        "room": now,
        "people": people,
        "published": latest_published(club_session),
        "tournament": tournament,
        "step": of_tournament(tournament) if step and tournament and not closed else step,
        "you": place_of(now, player, whole_round=tournament is not None),
        "sign_ups": before and sign_ups_of(club_session, at=timezone.now(), player=player),
    }
    part = request.headers.get("HX-Request")
    return render(request, "live/_session.html" if part else "live/session.html", context)


def next_step(club_session: Session, now: Room, people: int, draft: Round | None) -> Step | None:
    """The one thing to do next; None for a session that was cancelled."""

    def to(name: str) -> str:
        return reverse(name, args=[club_session.club.slug, club_session.public_id])

    if club_session.state == Session.State.PLANNED:
        return Step(
            _("Planned"), _("Open it when the night begins."), _("Open"), to("session_edit")
        )
    if club_session.state == Session.State.CLOSED:
        unsettled = sum(tile.state not in ("ready", "done") for tile in now.tiles)
        return _afterwards(unsettled, to("disputes"), to("session_standings"))
    if club_session.state != Session.State.OPEN:
        return None
    if draft is not None:
        text = _("Nobody sees it yet. Look it over, change what you like, publish.")
        return Step(_("A seating is drafted"), text, _("Go to the draft"), to("seating"))
    if not now.tiles:
        return _before_play(people, to("checkin"))
    if now.may_release:
        count = len(now.over)
        title = ngettext("%(n)d table is done", "%(n)d tables are done", count) % {"n": count}
        text = _("Seat their people anew; the others play on.")
        return Step(title, text, _("Seat them anew"), to("board"))
    text = _("The board shows every table; what needs you stands first.")
    return Step(_("Play is on"), text, _("Go to the board"), to("board"))


def _afterwards(unsettled: int, disputes: str, standings: str) -> Step:
    if not unsettled:
        text = _("The standings are final: print them, share them, take them away as a file.")
        return Step(_("This session is closed"), text, _("Final standings"), standings)
    title = ngettext(
        "Closed with %(n)d game unsettled", "Closed with %(n)d games unsettled", unsettled
    )
    text = _("Decide how each of them counts, or open the session again and play on.")
    return Step(title % {"n": unsettled}, text, _("What is unsettled"), disputes)


def of_tournament(tournament: Tournament) -> Step:
    """While a tournament is on, its own page knows what comes next."""
    where = reverse("tournament", args=[tournament.club.slug, tournament.public_id])
    text = _("The tournament's page draws the rounds and says what comes next.")
    return Step(tournament.name, text, _("Go to the tournament"), where)


def _before_play(people: int, checkin: str) -> Step:
    if not people:
        text = _("Tick off who has come, by name or by the code at the door.")
        return Step(_("Who is here?"), text, _("Check-in"), checkin)
    title = ngettext("%(n)d person is here", "%(n)d people are here", people) % {"n": people}
    return Step(title, _("Tick off the rest, then seat them."), _("Check-in"), checkin)
