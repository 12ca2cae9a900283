"""A cup: its draw looked at and made, and its page."""

import secrets
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.teams import actions
from league.teams.cup_forms import CupForm, CupRoundForm, CupSeenForm
from league.teams.cups import bracket_of, cup_shown, drawn_cup
from league.teams.models import TeamLeague
from league.teams.queries import all_matches_of, cup_matches_of, cup_of, league_of
from league.teams.views.fixtures import trouble_with
from league.teams.views.leagues import SEEDS, league_action, opened, secretary_page


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_cup_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A cup as it would be, by another seed each time it is looked at, to be made as it is seen;
    nobody else sees it before."""
    if request.method == "POST":
        return _made(request, club, public_id)
    context = opened(request, club, public_id)
    form = CupForm(request.GET or None)
    context |= {"form": form, "seed": secrets.randbelow(SEEDS)}
    if not form.is_valid():
        return render(request, "teams/cup_draw.html", context, status=422 if form.errors else 200)
    data = {name: form.cleaned_data[name] for name in ("third_place", "held_on", "best")}
    try:
        draw = drawn_cup(context["league"], seed=context["seed"], **data)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league", club.slug, public_id)
    places = enumerate(draw.teams, 1)
    names = {team.pk: f"{number} · {team.name}" for number, team in places}
    context |= {"draw": draw, "bracket": cup_shown(draw.bracket, (), names)}
    return render(request, "teams/cup_draw.html", context)


def _made(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the cup as it was looked at; where that cannot be, back to another look."""
    league = league_of(club, public_id)
    try:
        data = valid(CupSeenForm(request.POST))
        made = actions.make_cup(league, by=actor_of(request), **data)
    except Refused as refused:
        messages.error(request, refused.message)
        params = {name: request.POST.get(name, "")[:80] for name in CupForm.base_fields}
        page = reverse("team_cup_draw", args=[club.slug, public_id])
        return redirect(f"{page}?{urlencode(params, errors='replace')}")
    messages.success(request, _("Added %(cup)s.") % {"cup": made.name})
    return redirect("team_cup", club.slug, public_id, made.public_id)


@require_safe
@club_page(PUBLIC)
def team_cup(request: ClubRequest, club: Club, public_id: str, cup: str) -> HttpResponse:
    """A cup: its bracket, and its matches by round."""
    context = opened(request, club, public_id)
    one = cup_of(context["league"], cup)
    matches = cup_matches_of(one)
    now = bracket_of(one, matches)
    names = {team.pk: team.name for team in context["teams"]}
    context |= {"cup": one, "bracket": cup_shown(now, matches, names), "over": now.over}
    context |= {"champion": names.get(int(now.champion or 0)), "form": CupRoundForm()}
    if context["organiser"]:
        days = {m.match.held_on for m in matches if m.is_to_come}
        others = [m for m in all_matches_of(one.league) if m.match.held_on in days]
        context |= trouble_with(others, context["teams"])
    context["begun"] = any(m.match.session_id or m.match.given_to_id for m in matches)
    return render(request, "teams/cup.html", context)


@league_action
def team_cup_round(request: ClubRequest, league: TeamLeague, cup: str) -> str:
    """The next matches of a cup, as its results allow."""
    data = valid(CupRoundForm(request.POST))
    made = actions.draw_cup_matches(cup_of(league, cup), by=actor_of(request), **data)
    text = ngettext("Set the day of %(n)d match.", "Set the day of %(n)d matches.", len(made))
    return text % {"n": len(made)}


@league_action
def team_cup_drop(request: ClubRequest, league: TeamLeague, cup: str) -> str:
    """A cup of which nothing is played is thrown away."""
    actions.drop_cup(cup_of(league, cup), by=actor_of(request))
    return _("Deleted the cup.")
