"""The club's seasons: the list, and making or changing one."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from league.access import club_page, reaches
from league.members.audit import actor_of
from league.members.models import Club, Role
from league.seasons.actions import save_season
from league.seasons.forms import SeasonForm
from league.seasons.queries import seasons_of


@require_http_methods(["GET", "HEAD"])
@club_page("member")
def seasons(request: HttpRequest, club: Club) -> HttpResponse:
    """Every season, latest first: how many sessions it has, and who won it."""
    context = {
        "club": club,
        "here": "sessions",
        "seasons": seasons_of(club),
        "organiser": reaches(request.rank, Role.Rank.ORGANISER),  # type: ignore[attr-defined]
    }
    return render(request, "seasons/seasons.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def season_edit(request: HttpRequest, club: Club, public_id: str = "") -> HttpResponse:
    """A new season, or an old one changed."""
    season = get_object_or_404(club.seasons, public_id=public_id) if public_id else None
    form = SeasonForm(request.POST or None, instance=season)
    if form.is_valid():
        saved = save_season(club, by=actor_of(request), season=season, **form.cleaned_data)
        return redirect("season_standings", club.slug, saved.public_id)
    context = {"club": club, "here": "sessions", "season": season, "form": form}
    return render(request, "seasons/season_edit.html", context, status=422 if form.errors else 200)
