"""Buttons of a season's page: closing and reopening it, and which sessions it counts."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.seasons.actions import reopen_season
from league.seasons.views import season_of
from league.sessions.of_seasons import sessions_outside, take_into_season, take_out_of_season
from league.standings.season_closing import end_season
from league.standings.views.tables import season_page


@require_POST
@club_page("organiser")
def season_close(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Close the season with its champions. Its page says what stands against it, or asks first."""
    season, anyway = season_of(club, public_id), "anyway" in request.POST
    try:
        end_season(season, anyway=anyway, by=actor_of(request), at=timezone.now())
    except Refused as refused:
        return season_page(request, season, refused)
    messages.success(request, _("Closed the season."))
    return redirect("season_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_take_in(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add the sessions within the season's dates that belong to no season."""
    added = take_into_season(season_of(club, public_id), by=actor_of(request))
    text = ngettext("Added %(n)d session.", "Added %(n)d sessions.", added)
    messages.success(request, text % {"n": added})
    return redirect("season_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_take_out(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Take out the sessions that are not within the season's dates."""
    season = season_of(club, public_id)
    count = take_out_of_season(season, sessions_outside(season), by=actor_of(request))
    text = ngettext("Took out %(n)d session.", "Took out %(n)d sessions.", count)
    messages.success(request, text % {"n": count})
    return redirect("season_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_reopen(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Reopen a closed season."""
    reopen_season(season_of(club, public_id), by=actor_of(request))
    messages.success(request, _("Reopened the season."))
    return redirect("season_standings", club.slug, public_id)
