"""Pages that answer "Can I still win?" for a session and for a season."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.members.models import Club
from league.members.queries import player_of
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings import outlook
from league.standings.holding import released_session
from league.standings.queries import names
from league.standings.views.tables import season_of


@require_safe
@club_page(PUBLIC)
def session_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Which places everybody can still have at the end of a session."""
    club_session = released_session(club, public_id, request.rank)
    found = outlook.session_outlook(club_session, at=timezone.now())
    return _page(request, club, found, club_session=club_session)


@require_safe
@club_page(PUBLIC)
def season_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The best place everybody can still have in a season."""
    season = season_of(club, public_id)
    found = outlook.season_outlook(season, at=timezone.now())
    return _page(request, club, found, season=season)


def _page(
    request: ClubRequest, club: Club, found: outlook.Outlook, **of: Session | Season
) -> HttpResponse:
    named = names(found.people, club, request.rank)
    me = player_of(club, request.user)
    rows = [
        {"name": named[who], "best": best, "worst": worst, "mine": bool(me and me.pk == who)}
        for who, best, worst in found.rows
    ]
    context = {"club": club, "rows": rows, "why": found.why, "here": "standings", **of}
    return render(request, "standings/outlook.html", context)
