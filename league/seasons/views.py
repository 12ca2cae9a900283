"""Pages of seasons: their rules, their divisions and the next season."""

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.seasons import actions
from league.seasons.actions import save_season
from league.seasons.forms import (
    DivisionsForm,
    NextSeasonForm,
    PeopleForm,
    SeasonForm,
    division_choices,
)
from league.seasons.models import Placement, Season


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def season_edit(request: HttpRequest, club: Club, public_id: str = "") -> HttpResponse:
    """Create or change a season."""
    season = get_object_or_404(club.seasons, public_id=public_id) if public_id else None
    initial = {} if season else {"starts_on": club.local(timezone.now()).date()}
    form = SeasonForm(request.POST or None, instance=season, initial=initial, club=club)
    if form.is_valid():
        saved = save_season(club, by=actor_of(request), season=season, **form.cleaned_data)
        text = _("Added %(name)s. New sessions in its dates count in it.")
        text = _("Saved.") if season else text
        messages.success(request, text % {"name": saved.name})
        return redirect("season_standings", club.slug, saved.public_id)
    context = {"club": club, "here": "sessions", "season": season, "form": form}
    return render(request, "seasons/season_edit.html", context, status=422 if form.errors else 200)


GET_POST = ["GET", "HEAD", "POST"]
OUTCOMES = [choice for choice in Placement.Outcome.choices if choice[0]]


def season_of(club: Club, public_id: str) -> Season:
    """The club's season with this id; 404 if the club has none."""
    return get_object_or_404(club.seasons.select_related("club", "follows"), public_id=public_id)


@require_http_methods(GET_POST)
@club_page("organiser")
def season_divisions(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The season's divisions and how many players move; below, the players of each."""
    season = season_of(club, public_id)
    initial = {"names": "\n".join(season.divisions.values_list("name", flat=True))}
    form = DivisionsForm(request.POST or None, initial=initial | {"moving": season.moving})
    if form.is_valid():
        try:
            actions.set_divisions(season, by=actor_of(request), **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Saved."))
            return redirect("season_divisions", club.slug, public_id)
    context = {"club": club, "here": "sessions", "season": season, "form": form}
    context["people"] = _people_form(season)
    status = 422 if form.errors else 200
    return render(request, "seasons/divisions.html", context, status=status)


@require_POST
@club_page("organiser")
def season_place(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Place members in divisions, all at once."""
    season = season_of(club, public_id)
    form = _people_form(season, request.POST)
    if not form.is_valid():
        raise Refused("unknown-division", _("There is no such division."))
    divisions = {str(division.number): division for division in season.divisions.all()}
    division_by_member = {
        member: divisions.get(number) for member, number in form.chosen_values.items()
    }
    actions.place_members(season, division_by_member, by=actor_of(request))
    messages.success(request, _("Saved."))
    return redirect("season_divisions", club.slug, public_id)


@require_http_methods(GET_POST)
@club_page("organiser")
def season_next(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The moves after a closed season, and the form that starts the next season with them."""
    season = season_of(club, public_id)
    placements = sorted(season.placed(), key=_movers_first_key)
    choices = _outcome_form(placements, request.POST or None)
    initial = {"starts_on": _day_after(season)}
    form = NextSeasonForm(request.POST or None, initial=initial, club=club)
    if form.is_valid() and choices.is_valid():
        try:
            actions.choose_outcomes(season, choices.chosen_values, by=actor_of(request))
            next_season = actions.start_next_season(
                season, by=actor_of(request), **form.cleaned_data
            )
        except Refused as refused:
            refused.show_in(form)
        else:
            return redirect("season_standings", club.slug, next_season.public_id)
    context: dict[str, Any] = {"club": club, "here": "sessions", "season": season, "form": form}
    context["rows"] = [(placement, choices[placement.member.public_id]) for placement in placements]
    context["followed"] = season.followed_by.first()
    status = 422 if form.is_bound else 200
    return render(request, "seasons/next.html", context, status=status)


@require_POST
@club_page("organiser")
def season_outcomes(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change who goes up, stays, goes down or leaves."""
    season = season_of(club, public_id)
    form = _outcome_form(list(season.placed()), request.POST)
    if not form.is_valid():
        raise Refused(
            "unknown-outcome", _("Choose whether the player goes up, stays, goes down or leaves.")
        )
    actions.choose_outcomes(season, form.chosen_values, by=actor_of(request))
    messages.success(request, _("Saved."))
    return redirect("season_next", club.slug, public_id)


def _day_after(season: Season) -> date:
    """The default first day of the next season: today, or the day after this one ends."""
    today = season.club.local(timezone.now()).date()
    return max(today, season.ends_on + timedelta(days=1)) if season.ends_on else today


def _movers_first_key(placement: Placement) -> tuple[int, int]:
    """The sort key of a placement: by division, then up, down, leaving and staying."""
    order = [Placement.Outcome.UP, Placement.Outcome.DOWN, Placement.Outcome.OUT]
    place = (
        order.index(Placement.Outcome(placement.outcome))
        if placement.outcome in order
        else len(order)
    )
    return placement.division.number, place


def _people_form(season: Season, data: Any = None) -> PeopleForm:
    return PeopleForm(season.people_to_place(), division_choices(season.divisions.all()), data)


def _outcome_form(placements: list[Placement], data: Any = None) -> PeopleForm:
    return PeopleForm(
        [(placement.member, placement.outcome) for placement in placements], OUTCOMES, data
    )
