"""A team that comes when the fixtures stand: the matches it would get, and adding them."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.forms import SeenForm
from league.teams.joining import plan_of
from league.teams.models import Team
from league.teams.queries import league_of, team_of
from league.teams.views.forms_of_orders import valid
from league.teams.views.leagues import SEEDS


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def team_join(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """The matches a late team would get, to be drawn again or added."""
    league = league_of(club, public_id)
    one = team_of(league, team)
    if request.method == "POST":
        try:
            told = valid(SeenForm(request.POST))
            made = actions.join_fixtures(one, by=actor_of(request), at=timezone.now(), **told)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("team_join", club.slug, public_id, team)
        text = ngettext("%(n)d match is added.", "%(n)d matches are added.", len(made))
        messages.success(request, text % {"n": len(made)})
        return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "tournaments", "league": league, "team": one}
    return render(request, "teams/join.html", context | _planned(club, one))


def _planned(club: Club, team: Team) -> dict[str, Any]:
    """The plan by another seed each time it is looked at; none for a team that has matches."""
    matches = team.league.matches.filter(cup=None)
    if not matches.exists() or team.at_home.exists() or team.away.exists():
        return {"plan": None}
    seed = secrets.randbelow(SEEDS)
    plan = plan_of(team.league, team, seed=seed, today=local_date(club, timezone.now()))
    return {
        "plan": plan,
        "seed": seed,
        "added": len({one.number for one in plan.added}),
        "rows": [
            (one, plan.teams[int(one.home)], plan.teams[int(one.away)]) for one in plan.matches
        ],
    }
