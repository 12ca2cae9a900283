"""The fixtures of a league: their page, drawing, making and discarding them, late teams."""

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
    """Context for an organiser: days on which a venue or a team has too many matches."""
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
    """Show a draw of the fixtures, with a new seed each time or the seed in the URL.

    Only the organiser sees the draw before the fixtures are made.
    """
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
    division_draw = draw_divisions(context["league"], seed)
    context |= {
        "even": division_draw.evenness(double=context["league"].twice),
        "left": division_draw.clashes,
    }
    context |= {"notes": squad_notes(context["league"]), "form": FixturesForm()}
    context["made"] = context["league"].matches.filter(cup=None).exists()
    typed = typed_at(request, reverse("team_draw_days", args=[club.slug, public_id]))
    context["days_form"] = BlankDaysForm(typed, league=context["league"])
    return render(request, "teams/draw.html", context)


def _change_days(request: ClubRequest, league: TeamLeague) -> str:
    """Set the days on whose weeks no round falls."""
    data = valid(BlankDaysForm(request.POST, league=league))
    actions.change_blank_days(league, data["blank_days"], by=actor_of(request))
    return _("Saved. The rounds below leave these weeks out.")


team_draw_days = league_action(_change_days, page="team_draw")


JoinAction = Callable[..., list[TeamMatch]]
JOIN_ACTIONS: dict[str, JoinAction] = {
    "add": actions.join_fixtures,
    "reschedule": actions.join_by_reschedule,
}


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_join(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Show the matches that a late team would get, both when they are added and when the remaining
    rounds are redrawn; a POST carries out one of the two plans."""
    league = league_of(club, public_id)
    late_team = team_of(league, team)
    if request.method == "POST":
        try:
            data = valid(JoinForm(request.POST))
            join = JOIN_ACTIONS[data.pop("way") or "add"]
            matches = join(late_team, by=actor_of(request), at=timezone.now(), **data)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("team_join", club.slug, public_id, team)
        text = ngettext("Added %(n)d match.", "Added %(n)d matches.", len(matches))
        messages.success(request, text % {"n": len(matches)})
        return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "leagues", "league": league, "team": late_team}
    return render(request, "teams/join.html", context | _join_context(club, late_team))


def _join_context(club: Club, team: Team) -> dict[str, Any]:
    """Both plans, with a new seed each time; none for a team that has matches."""
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
        "added": len({match.number for match in plan.added}),
        "last_day": max([*days, *([last["day"]] if last["day"] else [])], default=None),
        "last_day_now": last["day"],
        "rows": [
            (match, plan.teams[int(match.home)], plan.teams[int(match.away)])
            for match in plan.matches
        ],
    } | _reschedule_context(team, rescheduled, last["round"])


def _reschedule_context(team: Team, plan: ReschedulePlan, rounds: int) -> dict[str, Any]:
    """The plan with redrawn rounds; None if no match may move."""
    if not plan.moving:
        return {"rescheduled": None}
    unmoved_days = [
        match.held_on for match in team.league.matches.filter(cup=None).exclude(pk__in=plan.moving)
    ]
    days = [
        *(match.day for match in plan.matches),
        *(day for day in unmoved_days if day is not None),
    ]
    by_round = [
        (number, day, [_match_row(plan, match) for match in group])
        for (number, day), group in groupby(plan.matches, lambda match: (match.number, match.day))
    ]
    added = max(0, max(match.number for match in plan.matches) - rounds)
    return {
        "rescheduled": plan,
        "rounds": by_round,
        "rescheduled_added": added,
        "rescheduled_last_day": max(days),
    }


def _match_row(plan: ReschedulePlan, match: Rescheduled) -> tuple[Team, Team, str]:
    """The two teams of a match, and whether it is "new", "moved" or unchanged ("")."""
    state = "new" if not match.key else "" if plan.is_unmoved(match) else "moved"
    return plan.teams[int(match.home)], plan.teams[int(match.away)], state


@require_POST
@secretary_page
def team_fixtures_make(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the fixtures as they were shown; if squads break the rules, show the same draw again."""
    league = league_of(club, public_id)
    form = FixturesForm(request.POST)
    try:
        matches = actions.make_fixtures(league, by=actor_of(request), **valid(form))
    except Refused as refused:
        messages.error(request, refused.message)
        seed = form.cleaned_data.get("seed")
        if refused.code != "squads" or seed is None:
            return redirect("team_league", club.slug, public_id)
        return redirect(f"{reverse('team_draw', args=[club.slug, public_id])}?seed={seed}")
    text = ngettext("Published %(n)d match.", "Published %(n)d matches.", len(matches))
    messages.success(request, text % {"n": len(matches)})
    return redirect("team_league", club.slug, public_id)


@league_action
def team_fixtures_discard(request: ClubRequest, league: TeamLeague) -> str:
    """Delete fixtures of which nothing has been played."""
    actions.discard_fixtures(league, by=actor_of(request))
    return _("Deleted the fixtures.")
