"""The fixtures of a league: every round, the draw, a late team, and making or discarding them."""

import secrets
from collections.abc import Callable
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.pairing.fixtures import Rescheduled
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.eligibility import squad_notes
from league.teams.fixtures import (
    ReschedulePlan,
    clashes,
    double_bookings,
    draw_divisions,
    drawn_fixtures,
    fixtures_digest,
    plan_of,
    plan_reschedule,
)
from league.teams.match_forms import BlankDaysForm, FixturesForm, JoinForm
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord, all_matches_of, league_of, match_records, team_of
from league.teams.tables import late_teams, rounds_of
from league.teams.views.leagues import SEEDS, league_action, league_context, secretary_page


@require_safe
@club_page(PUBLIC)
def team_fixtures(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Every round with its day and its matches."""
    context = league_context(request, club, public_id)
    matches = all_matches_of(context["league"])
    fixtures = [fixture for fixture in matches if fixture.match.cup_id is None]
    context["rounds"] = rounds_of(fixtures, context["teams"])
    context["joined"] = late_teams(context["rounds"], context["teams"])
    if context["organiser"]:
        context |= clash_context(matches, context["teams"])
    return render(request, "teams/fixtures.html", context)


def clash_context(matches: list[MatchRecord], teams: list[Team]) -> dict[str, Any]:
    """For an organiser: days on which a venue, or a team, has more matches than it can take."""
    names = {team.pk: team.name for team in teams}
    clashing = clashes(matches, teams)
    twice = sorted((day, names[team], n) for (day, team), n in double_bookings(matches).items())
    return {
        "clashes": [(day, place, n) for (day, place), n in sorted(clashing.items())],
        "doubles": twice,
    }


@require_safe
@secretary_page
def team_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The fixtures as they would be, by another seed each time it is looked at, or by the one in
    the address; nobody else sees them before they are made."""
    context = league_context(request, club, public_id)
    form = FixturesForm(request.GET)
    form.is_valid()
    seed = form.cleaned_data.get("seed", secrets.randbelow(SEEDS))
    try:
        drawn = drawn_fixtures(context["league"], seed)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league", club.slug, public_id)
    rounds = rounds_of(match_records(drawn, context["league"]), context["teams"])
    context |= {"rounds": rounds, "seed": seed, "seen": fixtures_digest(drawn), "n": len(drawn)}
    even = draw_divisions(context["league"], seed)
    context |= {"even": even.evenness(double=context["league"].twice), "left": even.clashes}
    context |= {"notes": squad_notes(context["league"]), "form": FixturesForm()}
    context["made"] = context["league"].matches.filter(cup=None).exists()
    typed = typed_at(request, reverse("team_draw_days", args=[club.slug, public_id]))
    context["days_form"] = BlankDaysForm(typed, league=context["league"])
    return render(request, "teams/draw.html", context)


def _change_days(request: ClubRequest, league: TeamLeague) -> str:
    """Dates on which nobody plays; the draw leaves their weeks out."""
    data = valid(BlankDaysForm(request.POST, league=league))
    actions.change_blank_days(league, data["blank_days"], by=actor_of(request))
    return _("Saved. The rounds below leave these weeks out.")


team_draw_days = league_action(_change_days, page="team_draw")


WayIn = Callable[..., list[TeamMatch]]
WAYS: dict[str, WayIn] = {"add": actions.join_fixtures, "reschedule": actions.join_by_reschedule}


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_join(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """The matches a late team would get, added to the others or with all rounds to come drawn
    anew: what each costs, to be drawn again or agreed to."""
    league = league_of(club, public_id)
    one = team_of(league, team)
    if request.method == "POST":
        try:
            data = valid(JoinForm(request.POST))
            way = WAYS[data.pop("way") or "add"]
            made = way(one, by=actor_of(request), at=timezone.now(), **data)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("team_join", club.slug, public_id, team)
        text = ngettext("Added %(n)d match.", "Added %(n)d matches.", len(made))
        messages.success(request, text % {"n": len(made)})
        return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "leagues", "league": league, "team": one}
    return render(request, "teams/join.html", context | _planned(club, one))


def _planned(club: Club, team: Team) -> dict[str, Any]:
    """The plans by another seed each time they are looked at; none for a team that has matches."""
    matches = team.league.matches.filter(cup=None)
    if not matches.exists() or team.at_home.exists() or team.away.exists():
        return {"plan": None}
    seed, today = secrets.randbelow(SEEDS), local_date(club, timezone.now())
    plan = plan_of(team.league, team, seed=seed, today=today)
    rescheduled = plan_reschedule(team.league, team, seed=seed, today=today)
    last = matches.aggregate(round=Max("round"), day=Max("held_on"))
    days = [match.day for match in plan.matches]
    return {
        "plan": plan,
        "seed": seed,
        "added": len({one.number for one in plan.added}),
        "last_day": max([*days, *([last["day"]] if last["day"] else [])], default=None),
        "last_day_now": last["day"],
        "rows": [
            (match, plan.teams[int(match.home)], plan.teams[int(match.away)])
            for match in plan.matches
        ],
    } | _redrawn(team, rescheduled, last["round"])


def _redrawn(team: Team, plan: ReschedulePlan, rounds: int) -> dict[str, Any]:
    """The redrawn rounds for the page; nothing where no match may move."""
    if not plan.moving:
        return {"rescheduled": None}
    standing = [
        match.held_on for match in team.league.matches.filter(cup=None).exclude(pk__in=plan.moving)
    ]
    days = [*(match.day for match in plan.matches), *(day for day in standing if day is not None)]
    by_round = [
        (number, day, [_sides(plan, one) for one in many])
        for (number, day), many in groupby(plan.matches, lambda one: (one.number, one.day))
    ]
    added = max(0, max(match.number for match in plan.matches) - rounds)
    return {
        "rescheduled": plan,
        "rounds": by_round,
        "rescheduled_added": added,
        "rescheduled_last_day": max(days),
    }


def _sides(plan: ReschedulePlan, one: Rescheduled) -> tuple[Team, Team, str]:
    """Who meets whom, and whether that is new, moved or as it was."""
    state = "new" if not one.key else "" if plan.is_unmoved(one) else "moved"
    return plan.teams[int(one.home)], plan.teams[int(one.away)], state


@require_POST
@secretary_page
def team_fixtures_make(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The fixtures as they were looked at; where that is refused, the same draw comes back."""
    league = league_of(club, public_id)
    form = FixturesForm(request.POST)
    try:
        made = actions.make_fixtures(league, by=actor_of(request), **valid(form))
    except Refused as refused:
        messages.error(request, refused.message)
        seed = form.cleaned_data.get("seed")
        if refused.code != "squads" or seed is None:
            return redirect("team_league", club.slug, public_id)
        return redirect(f"{reverse('team_draw', args=[club.slug, public_id])}?seed={seed}")
    text = ngettext("Published %(n)d match.", "Published %(n)d matches.", len(made))
    messages.success(request, text % {"n": len(made)})
    return redirect("team_league", club.slug, public_id)


@league_action
def team_fixtures_discard(request: ClubRequest, league: TeamLeague) -> str:
    """Fixtures of which nothing is played are thrown away."""
    actions.discard_fixtures(league, by=actor_of(request))
    return _("Deleted the fixtures.")
