"""Leagues of teams: table, fixtures, matches, cups."""

from django.db.models import Prefetch
from django.http import HttpRequest
from ninja import Query, Router

from league.api.callers import OPEN, caller_of
from league.api.operations import read
from league.api.paging import Page, Part, page_of
from league.api.shapes.leagues import (
    CupName,
    CupShape,
    FixtureRound,
    LeagueDetail,
    LeagueShape,
    TeamMatchShape,
    league_fields,
    match_shape,
    rounds_shape,
    table_shape,
    team_shape,
)
from league.api.shapes.people import namer
from league.teams.brackets import bracket_of
from league.teams.models import Team, TeamLeague, TeamPlayer
from league.teams.queries import (
    cup_matches_of,
    cup_of,
    everybody_in,
    fixtures_of,
    league_of,
    leagues_of,
    lined_up,
    match_of,
    played,
    table_of,
)

router = Router(tags=["Leagues of teams"])


@read(router, "/leagues", OPEN, Page[LeagueShape])
def leagues(request: HttpRequest, part: Query[Part]) -> Page[LeagueShape]:
    """The club's leagues of teams, the latest first."""
    found = leagues_of(caller_of(request).club).select_related("season")
    return page_of(request, found, part, lambda one: LeagueShape(**league_fields(one)))


@read(router, "/leagues/{league_id}", OPEN, LeagueDetail)
def team_league(request: HttpRequest, league_id: str) -> LeagueDetail:
    """A league with its teams, its table and its cups."""
    league = _league(request, league_id)
    name_of = namer(caller_of(request), everybody_in(league))
    teams = _teams(league)
    return LeagueDetail(
        **league_fields(league),
        teams=[team_shape(team, name_of) for team in teams],
        table=table_shape(table_of(league, teams, fixtures_of(league)), teams),
        cups=[CupName(id=cup.public_id, name=cup.name) for cup in league.cups.all()],
    )


@read(router, "/leagues/{league_id}/fixtures", OPEN, list[FixtureRound])
def team_fixtures(request: HttpRequest, league_id: str) -> list[FixtureRound]:
    """Every round of a league with its matches."""
    league = _league(request, league_id)
    return rounds_shape(fixtures_of(league), list(league.teams.all()))


@read(router, "/leagues/{league_id}/matches/{match_id}", OPEN, TeamMatchShape)
def team_match(request: HttpRequest, league_id: str, match_id: str) -> TeamMatchShape:
    """A match of two teams with its card."""
    league = _league(request, league_id)
    match = match_of(league, match_id)
    (now,) = played([match], league)
    lines = lined_up(match, league) if now.met.games else []
    name_of = namer(caller_of(request), (one for game in lines for one in (*game.home, *game.away)))
    return match_shape(now, lines, name_of)


@read(router, "/leagues/{league_id}/cups/{cup_id}", OPEN, CupShape)
def team_cup(request: HttpRequest, league_id: str, cup_id: str) -> CupShape:
    """A cup of a league: the matches drawn so far, and who has won it."""
    league = _league(request, league_id)
    cup = cup_of(league, cup_id)
    matches, teams = cup_matches_of(cup), list(league.teams.all())
    champion = bracket_of(cup, matches).champion
    ids = {team.pk: team.public_id for team in teams}
    rounds = [one.model_copy(update={"free": []}) for one in rounds_shape(matches, teams)]
    return CupShape(
        id=cup.public_id,
        name=cup.name,
        rounds=rounds,
        champion_id=ids.get(int(champion or 0)),
    )


def _league(request: HttpRequest, league_id: str) -> TeamLeague:
    """The club's league of this id."""
    return league_of(caller_of(request).club, league_id)


def _teams(league: TeamLeague) -> list[Team]:
    people = TeamPlayer.objects.select_related("member")
    teams = league.teams.select_related("captain")
    return list(teams.prefetch_related(Prefetch("players", queryset=people)))
