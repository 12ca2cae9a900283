"""A pairs cup beside a league: drawn, its page, its rounds and results."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.members.views.answers import typed_at
from league.teams import actions
from league.teams.cup_forms import PairsCupForm, PairsDayForm, PairsResultForm
from league.teams.models import PairsCup, PairsMatch, TeamLeague
from league.teams.pairs import (
    bracket_shown,
    clashes,
    pair_name,
    pairs_bracket,
    read_pairs,
    squads_in_pairs,
)
from league.teams.queries import league_of
from league.teams.views.leagues import SEEDS, league_action, opened, secretary_page


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_pairs_new(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Draw a cup of pairs from the squads."""
    league = league_of(club, public_id)
    form = PairsCupForm(request.POST or None, initial={"pairs": squads_in_pairs(league)})
    if form.is_valid():
        try:
            pairs = read_pairs(league, form.cleaned_data["pairs"])
            seed, by, name = secrets.randbelow(SEEDS), actor_of(request), form.cleaned_data["name"]
            made = actions.make_pairs_cup(league, name=name, pairs=pairs, seed=seed, by=by)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Added %(cup)s.") % {"cup": made.name})
            return redirect("team_pairs", club.slug, public_id, made.public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    return render(request, "teams/pairs_new.html", context, status=422 if form.errors else 200)


@require_safe
@club_page(PUBLIC)
def team_pairs(request: ClubRequest, club: Club, public_id: str, pairs: str) -> HttpResponse:
    """A pairs cup: its bracket, and for who runs the league the days and results."""
    context = opened(request, club, public_id)
    cup = _cup_of(context["league"], pairs)
    drawn = list(cup.pairs.select_related("team", "first", "second"))
    matches = list(cup.matches.all())
    now, name_of = pairs_bracket(drawn, matches), context["name_of"]
    names = {one.pk: pair_name(one, name_of) for one in drawn}
    context |= {
        "cup": cup,
        "bracket": bracket_shown(now, drawn, matches, name_of),
        "champion": names.get(int(now.champion or 0)),
        "over": now.over,
        "begun": any(one.winner_id is not None for one in matches),
    }
    if context["organiser"]:
        here = [club.slug, public_id, pairs]
        context["form"] = PairsDayForm(typed_at(request, reverse("team_pairs_round", args=here)))
        context["results"] = [_result(request, one, names, here) for one in matches]
        team = {one.pk: one.team_id for one in drawn}
        open_ones = [one for one in matches if one.winner_id is None]
        teams = {team[side] for one in open_ones for side in one.sides}
        days = {one.held_on for one in open_ones}
        context["clashes"] = clashes(context["league"], teams, days)
    return render(request, "teams/pairs.html", context)


def _result(
    request: ClubRequest, match: PairsMatch, names: dict[int, str], here: list[str]
) -> dict[str, Any]:
    address = reverse("team_pairs_result", args=[*here, match.place])
    sides = [names[side] for side in match.sides]
    form = PairsResultForm(typed_at(request, address), match=match, names=sides)
    return {"match": match, "form": form, "address": address, "sides": sides}


def _cup_of(league: TeamLeague, public_id: str) -> PairsCup:
    found = get_object_or_404(league.pairs_cups, public_id=public_id)
    found.league = league
    return found


@league_action
def team_pairs_round(request: ClubRequest, league: TeamLeague, pairs: str) -> str:
    """The day of the next round."""
    data = valid(PairsDayForm(request.POST))
    made = actions.set_pairs_day(_cup_of(league, pairs), by=actor_of(request), **data)
    text = ngettext("Set the day of %(n)d match.", "Set the day of %(n)d matches.", len(made))
    return text % {"n": len(made)}


@league_action
def team_pairs_result(request: ClubRequest, league: TeamLeague, pairs: str, place: str) -> str:
    """The final score of a match, or who goes through."""
    match = get_object_or_404(_cup_of(league, pairs).matches.select_related("cup"), place=place)
    match.cup.league = league
    data = valid(PairsResultForm(request.POST, match=match, names=["", ""]))
    actions.record_pairs_result(match, by=actor_of(request), **data)
    return _("Saved.")


@league_action
def team_pairs_drop(request: ClubRequest, league: TeamLeague, pairs: str) -> str:
    """A pairs cup of which nothing is played is thrown away."""
    actions.drop_pairs_cup(_cup_of(league, pairs), by=actor_of(request))
    return _("Deleted the cup.")
