"""API of team leagues: reading and making leagues, teams and fixtures."""

from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest
from ninja import Query, Router

from league.api.callers import OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import (
    POST,
    Page,
    Pagination,
    create_once,
    operation,
    page_of,
    read,
    seed_or_random,
    validated,
)
from league.api.shapes import provided_values
from league.api.shapes.leagues import (
    CupName,
    CupShape,
    FixtureRound,
    LeagueDetail,
    LeagueRequest,
    LeagueShape,
    TeamMatchShape,
    TeamRequest,
    league_fields,
    match_shape,
    rounds_shape,
    table_shape,
    team_shape,
)
from league.api.shapes.people import namer
from league.api.shapes.tournaments import DrawRequest
from league.teams import actions as teams
from league.teams.card import game_line_ups
from league.teams.cups import bracket_of
from league.teams.forms import LeagueForm, TeamForm
from league.teams.models import Team, TeamLeague, TeamPlayer
from league.teams.queries import (
    cup_matches_of,
    cup_of,
    fixtures_of,
    league_members,
    league_of,
    leagues_of,
    match_of,
    match_records,
    tables_of,
)

router = Router(tags=["Team leagues"])


@read(router, "/leagues", OPEN, Page[LeagueShape])
def leagues(request: HttpRequest, pagination: Query[Pagination]) -> Page[LeagueShape]:
    """The club's team leagues, newest first."""
    all_leagues = leagues_of(caller_of(request).club).select_related("season")
    return page_of(
        request, all_leagues, pagination, lambda league: LeagueShape(**league_fields(league))
    )


@read(router, "/leagues/{league_id}", OPEN, LeagueDetail)
def team_league(request: HttpRequest, league_id: str) -> LeagueDetail:
    """A league, with its teams, its table and its cups."""
    return league_as_read(request, league_id)


def league_as_read(request: HttpRequest, league_id: str) -> LeagueDetail:
    """A league, as this caller may read it."""
    league = _league(request, league_id)
    name_of = namer(caller_of(request), league_members(league))
    teams = _teams(league)
    return LeagueDetail(
        **league_fields(league),
        teams=[team_shape(team, name_of) for team in teams],
        table=table_shape(tables_of(league, teams, fixtures_of(league)), teams),
        cups=[CupName(id=cup.public_id, name=cup.name) for cup in league.cups.all()],
    )


@read(router, "/leagues/{league_id}/fixtures", OPEN, list[FixtureRound])
def team_fixtures(request: HttpRequest, league_id: str) -> list[FixtureRound]:
    """All rounds of a league, with their matches."""
    return team_fixtures_of(_league(request, league_id))


def team_fixtures_of(league: TeamLeague) -> list[FixtureRound]:
    """A league's fixtures by round."""
    return rounds_shape(fixtures_of(league), list(league.teams.all()))


@read(router, "/leagues/{league_id}/matches/{match_id}", OPEN, TeamMatchShape)
def team_match(request: HttpRequest, league_id: str, match_id: str) -> TeamMatchShape:
    """A match between two teams, with its card."""
    league = _league(request, league_id)
    match = match_of(league, match_id)
    (record,) = match_records([match], league)
    lines = game_line_ups(match, league) if record.met.games else []
    name_of = namer(
        caller_of(request), (member for game in lines for member in (*game.home, *game.away))
    )
    return match_shape(record, lines, name_of)


@read(router, "/leagues/{league_id}/cups/{cup_id}", OPEN, CupShape)
def team_cup(request: HttpRequest, league_id: str, cup_id: str) -> CupShape:
    """A cup of a league: the matches drawn so far, and the winner."""
    league = _league(request, league_id)
    cup = cup_of(league, cup_id)
    matches, teams = cup_matches_of(cup), list(league.teams.all())
    champion = bracket_of(cup, matches).champion
    ids = {team.pk: team.public_id for team in teams}
    rounds = [r.model_copy(update={"free": []}) for r in rounds_shape(matches, teams)]
    return CupShape(
        id=cup.public_id,
        name=cup.name,
        rounds=rounds,
        champion_id=ids.get(int(champion or 0)),
    )


def _league(request: HttpRequest, league_id: str) -> TeamLeague:
    """The league with this id in the caller's club; 404 if there is none."""
    return league_of(caller_of(request).club, league_id)


def _teams(league: TeamLeague) -> list[Team]:
    people = TeamPlayer.objects.select_related("member")
    teams = league.teams.select_related("captain")
    return list(teams.prefetch_related(Prefetch("players", queryset=people)))


@operation(router, POST, "/leagues", ORGANISERS, LeagueDetail)
def make_league(request: HttpRequest, body: LeagueRequest) -> LeagueDetail:
    """Create a team league, exactly once.

    Next, add the teams and make the fixtures. Sending the same `client_id` again returns the league
    created before.
    """
    caller = caller_of(request)
    league_key = create_once(caller, "league", body.client_id, lambda: _create_league(caller, body))
    return league_as_read(request, league_key)


def _create_league(caller: Caller, body: LeagueRequest) -> TeamLeague:
    club = caller.club
    form = LeagueForm(club=club)
    data: dict[str, Any] = {name: field.initial for name, field in form.fields.items()}
    data |= provided_values(body)
    rulesets = club.rulesets.filter(players=4, retired=False)
    ruleset_filter = {"public_id": body.ruleset_id} if body.ruleset_id else {"is_default": True}
    data["ruleset"] = rulesets.filter(**ruleset_filter).values_list("pk", flat=True).first()
    if body.season_id:
        season = club.seasons.filter(public_id=body.season_id).first()
        data["season"] = season.pk if season else body.season_id
    form = LeagueForm(data, club=club)
    validated(form, {"ruleset": "ruleset_id", "season": "season_id"})
    seed = seed_or_random(None)
    return teams.make_league(club, seed=seed, by=caller.by, **form.cleaned_data)


@operation(router, POST, "/leagues/{league_id}/teams", ORGANISERS, LeagueDetail)
def make_team(request: HttpRequest, league_id: str, body: TeamRequest) -> LeagueDetail:
    """Add a team, exactly once.

    409 `team-name-like` if the name looks like another team's, 409 `name-like` if a new player's
    name looks like an existing one.
    """
    caller = caller_of(request)
    league = league_of(caller.club, league_id)
    create_once(caller, "team", body.client_id, lambda: _create_team(caller, league, body))
    return league_as_read(request, league_id)


def _create_team(caller: Caller, league: TeamLeague, body: TeamRequest) -> Team:
    data = body.model_dump(exclude={"client_id", "names", "even_if_similar"})
    data |= {"names": "\n".join(body.names), "same_name": body.even_if_similar}
    form = TeamForm(data)
    validated(form)
    return teams.save_team(league, None, by=caller.by, **form.cleaned_data)


@operation(router, POST, "/leagues/{league_id}/fixtures", ORGANISERS, list[FixtureRound])
def make_fixtures(request: HttpRequest, league_id: str, body: DrawRequest) -> list[FixtureRound]:
    """Make the fixtures and start the league."""
    caller = caller_of(request)
    league = league_of(caller.club, league_id)
    teams.make_fixtures(league, seed=seed_or_random(body.seed), by=caller.by)
    return team_fixtures_of(league)
