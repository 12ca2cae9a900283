"""The club's leagues, making one, and its own page: what to do next, the table, the fixtures."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Role
from league.members.public import namer
from league.standings.labels import rule
from league.teams import actions
from league.teams.drawing import drawn_fixtures, mark_of
from league.teams.forms import CupForm, LeagueForm
from league.teams.joining import waiting
from league.teams.models import Team, TeamLeague
from league.teams.queries import (
    Played,
    all_matches_of,
    everybody_in,
    fixtures_of,
    league_of,
    leagues_of,
    played,
    scheme_of,
    table_of,
)
from league.teams.tables import joined_of, rounds_of, rows_of, state_of
from league.teams.venues import clashes, doubles

SEEDS = 2**31
State = TeamLeague.State


@require_safe
@club_page(PUBLIC)
def team_leagues(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's leagues of teams."""
    context = {"club": club, "here": "tournaments", "leagues": leagues_of(club)[:100]}
    context["organiser"] = reaches(request.rank, Role.Rank.ORGANISER)
    return render(request, "teams/leagues.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def team_league_new(request: HttpRequest, club: Club) -> HttpResponse:
    """What a new league plays, and when."""
    form = LeagueForm(request.POST or None, club=club)
    if form.is_valid():
        seed, by = secrets.randbelow(SEEDS), actor_of(request)
        try:
            made = actions.make_league(club, seed=seed, by=by, **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            return redirect("team_league", club.slug, made.public_id)
    context = {"club": club, "here": "tournaments", "form": form}
    return render(request, "teams/setup.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def team_league_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change what was chosen; close the league or call it off."""
    league = league_of(club, public_id)
    form = LeagueForm(request.POST or None, club=club, league=league)
    if form.is_valid():
        try:
            actions.change_league(league, by=actor_of(request), **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Saved."))
            return redirect("team_league", club.slug, public_id)
    context = {"club": club, "here": "tournaments", "league": league, "form": form}
    return render(request, "teams/setup.html", context, status=422 if form.errors else 200)


@dataclass(frozen=True, slots=True)
class Next:
    """The first thing to do: a sentence, and a button that posts `order` or leads to `page`, of a
    `team` where it is about one."""

    title: str
    text: str
    label: str = ""
    order: str = ""
    page: str = ""
    team: str = ""


def opened(request: ClubRequest, club: Club, public_id: str) -> dict[str, Any]:
    """A league as every page of it needs it."""
    league = league_of(club, public_id)
    people = () if request.rank else everybody_in(league)  # short names are told apart
    return {
        "club": club,
        "here": "tournaments",
        "league": league,
        "teams": list(league.teams.select_related("captain")),
        "organiser": reaches(request.rank, Role.Rank.ORGANISER),
        "name_of": namer(people, club, request.rank),
    }


@require_safe
@club_page(PUBLIC)
def team_league(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What happens now: the next thing to do, the table, the round that is on."""
    context = opened(request, club, public_id)
    league, teams = context["league"], context["teams"]
    fixtures = fixtures_of(league)
    table = table_of(league, teams, fixtures)
    rounds = rounds_of(fixtures, teams)
    now = next((r for r in rounds if any(m.state in OPEN for m in r.matches)), None)
    put_off = [m for r in rounds for m in r.matches if m.state == "postponed" and r is not now]
    context |= {
        "rows": rows_of(table, teams),
        "rule": rule(scheme_of(league).measures),
        "rounds": rounds,
        "now": now,
        "put_off": put_off,
        "cups": list(league.cups.all()),
        "mine": my_team(request, league),
    }
    if context["organiser"]:
        context |= {"next": next_thing(league, teams, fixtures), "cup_form": CupForm()}
    return render(request, "teams/league.html", context)


OPEN = ("to_play", "waits", "disputed")


@require_safe
@club_page(PUBLIC)
def team_fixtures(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Every round with its day and its matches."""
    context = opened(request, club, public_id)
    matches = all_matches_of(context["league"])
    fixtures = [one for one in matches if one.match.cup_id is None]
    context["rounds"] = rounds_of(fixtures, context["teams"])
    context["joined"] = joined_of(context["rounds"], context["teams"])
    if context["organiser"]:
        context |= trouble_with(matches, context["teams"])
    return render(request, "teams/fixtures.html", context)


@require_safe
@club_page("organiser")
def team_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The fixtures as they would be, by another seed each time it is looked at; nobody else sees
    them before they are made."""
    context = opened(request, club, public_id)
    seed = secrets.randbelow(SEEDS)
    try:
        drawn = drawn_fixtures(context["league"], seed)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("team_league", club.slug, public_id)
    rounds = rounds_of(played(drawn, context["league"]), context["teams"])
    context |= {"rounds": rounds, "seed": seed, "seen": mark_of(drawn), "n": len(drawn)}
    context["made"] = context["league"].matches.filter(cup=None).exists()
    return render(request, "teams/draw.html", context)


def trouble_with(matches: list[Played], teams: list[Team]) -> dict[str, Any]:
    """For an organiser: days on which a venue, or a team, has more matches than it can take."""
    names = {team.pk: team.name for team in teams}
    found = clashes(matches, teams)
    twice = sorted((day, names[team], n) for (day, team), n in doubles(matches).items())
    return {
        "clashes": [(day, place, n) for (day, place), n in sorted(found.items())],
        "doubles": twice,
    }


def my_team(request: ClubRequest, league: TeamLeague) -> Team | None:
    """The team of who is looking, where they have an account."""
    if not request.user.is_authenticated:
        return None
    return league.teams.filter(players__member__user=request.user).first()


def next_thing(league: TeamLeague, teams: list[Team], fixtures: list[Played]) -> Next | None:
    """What the organiser does next; None when the league is closed."""
    if league.state in (State.FINISHED, State.CANCELLED):
        return None
    count = len(teams)
    title = ngettext("%(n)d team", "%(n)d teams", count) % {"n": count}
    if count < 2:
        text = _("Enter the teams: each with its venue and its people.")
        return Next(title, text, _("Enter a team"), page="team_new")
    if not fixtures:
        text = _("When every team is entered, draw the fixtures, and make them when you like them.")
        return Next(title, text, _("Draw the fixtures"), page="team_draw")
    states = [state_of(one) for one in fixtures]
    if "disputed" in states:
        return Next(_("A card is disputed"), _("Look at it and put it right: your word counts."))
    for team in waiting(teams, fixtures):
        title = _("%(team)s has no matches yet") % {"team": team.name}
        text = _("It came when the fixtures stood. See which matches it would get, and add them.")
        return Next(title, text, _("Plan its matches"), page="team_join", team=team.public_id)
    if not any(state in (*OPEN, "postponed") for state in states):
        text = _("Look at the table, give the prizes, and close it.")
        return Next(_("Every match is played"), text, _("Close the league"), order="finish")
    return None
