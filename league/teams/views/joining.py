"""A team that comes when the fixtures stand: the matches it would get, in one of two ways."""

import secrets
from collections.abc import Callable
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.pairing.formats.reschedule import Anew
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.forms import JoinForm
from league.teams.joining import PlanAnew, plan_anew, plan_of
from league.teams.models import Team, TeamMatch
from league.teams.queries import league_of, team_of
from league.teams.views.forms_of_orders import valid
from league.teams.views.leagues import SEEDS

Order = Callable[..., list[TeamMatch]]
WAYS: dict[str, Order] = {"add": actions.join_fixtures, "anew": actions.join_drawn_anew}


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def team_join(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """The matches a late team would get, added to the others or with all rounds to come drawn
    anew: what each costs, to be drawn again or agreed to."""
    league = league_of(club, public_id)
    one = team_of(league, team)
    if request.method == "POST":
        try:
            told = valid(JoinForm(request.POST))
            way = WAYS[told.pop("way") or "add"]
            made = way(one, by=actor_of(request), at=timezone.now(), **told)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("team_join", club.slug, public_id, team)
        text = ngettext("%(n)d match is added.", "%(n)d matches are added.", len(made))
        messages.success(request, text % {"n": len(made)})
        return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "tournaments", "league": league, "team": one}
    return render(request, "teams/join.html", context | _planned(club, one))


def _planned(club: Club, team: Team) -> dict[str, Any]:
    """The plans by another seed each time they are looked at; none for a team that has matches."""
    matches = team.league.matches.filter(cup=None)
    if not matches.exists() or team.at_home.exists() or team.away.exists():
        return {"plan": None}
    seed, today = secrets.randbelow(SEEDS), local_date(club, timezone.now())
    plan = plan_of(team.league, team, seed=seed, today=today)
    anew = plan_anew(team.league, team, seed=seed, today=today)
    last = matches.aggregate(round=Max("round"), day=Max("held_on"))
    days = [one.day for one in plan.matches]
    return {
        "plan": plan,
        "seed": seed,
        "added": len({one.number for one in plan.added}),
        "last_day": max([*days, *([last["day"]] if last["day"] else [])], default=None),
        "last_day_now": last["day"],
        "rows": [
            (one, plan.teams[int(one.home)], plan.teams[int(one.away)]) for one in plan.matches
        ],
    } | _shown_anew(team, anew, last["round"])


def _shown_anew(team: Team, plan: PlanAnew, rounds: int) -> dict[str, Any]:
    """The rounds drawn anew as the page shows them; nothing where no match may move."""
    if not plan.moving:
        return {"anew": None}
    standing = [
        one.held_on for one in team.league.matches.filter(cup=None).exclude(pk__in=plan.moving)
    ]
    days = [*(one.day for one in plan.matches), *(day for day in standing if day is not None)]
    shown = [
        (number, day, [_sides(plan, one) for one in many])
        for (number, day), many in groupby(plan.matches, lambda one: (one.number, one.day))
    ]
    added = max(0, max(one.number for one in plan.matches) - rounds)
    return {"anew": plan, "rounds": shown, "anew_added": added, "anew_last_day": max(days)}


def _sides(plan: PlanAnew, one: Anew) -> tuple[Team, Team, str]:
    """Who meets whom, and whether that is new, moved or as it was."""
    state = "new" if not one.key else "" if plan.stays(one) else "moved"
    return plan.teams[int(one.home)], plan.teams[int(one.away)], state
