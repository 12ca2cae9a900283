"""Can I still win? The pages with the places within reach in a session and in a season."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.members.models import Club, Role
from league.members.queries import player_of
from league.seasons.models import Season
from league.seasons.views import season_of
from league.sessions.models import Session
from league.sessions.queries import released_session
from league.standings import outlook, season_queries
from league.standings.queries import names


@require_safe
@club_page(PUBLIC)
def session_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The places that each player can still reach by the end of a session."""
    club_session = released_session(club, public_id, request.rank)
    reachable = outlook.session_outlook(club_session, at=timezone.now())
    missing = None if club_session.rounds_planned else club_session
    return _outlook_page(request, club, reachable, missing, club_session=club_session)


@require_safe
@club_page(PUBLIC)
def season_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The best place that each player can still reach in a season."""
    season = season_of(club, public_id)
    reachable = outlook.season_outlook(season, at=timezone.now())
    missing = outlook.next_without_rounds(season)
    open_session = season_queries.open_session_of(season)
    return _outlook_page(request, club, reachable, missing, open_session, season=season)


def _outlook_page(
    request: ClubRequest,
    club: Club,
    reachable: outlook.Outlook,
    missing: Session | None,
    open_session: Session | None = None,
    **scope_context: Session | Season,
) -> HttpResponse:
    """The page of an outlook: the reader's own line, or else those who can still win, above the
    other players. Without an outlook, organisers see the session that is `missing` its number
    of rounds, or a link to plan another session."""
    names_by_member = names(reachable.people, club, request.rank)
    own_player = player_of(club, request.user)
    own_id = own_player.pk if own_player else None
    first = reachable.shown_first(own_id)
    shown: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for member_id, best, worst in reachable.rows:
        row = {"name": names_by_member[member_id], "best": best, "worst": worst}
        row |= {"mine": member_id == own_id}
        (shown if member_id in first else others).append(row)
    context: dict[str, Any] = {
        "club": club,
        "shown": shown,
        "others": others,
        "why": reachable.why,
        "own": reachable.own_sentences(own_id),
        "who_can_win": reachable.who_can_win(),
        "open_session": None if shown else open_session,
        "here": "standings",
        **scope_context,
    }
    if not shown and reaches(request.rank, Role.Rank.ORGANISER):
        context |= {"missing": missing, "may_plan": open_session is None}
    return render(request, "standings/outlook.html", context)
