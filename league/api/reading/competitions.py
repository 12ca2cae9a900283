"""Leagues of teams and tournaments: tables, fixtures, matches, cups, entries, rounds."""

from django.db.models import Prefetch
from django.http import HttpRequest
from ninja import Query, Router

from league.api.callers import OPEN, caller_of
from league.api.operations import Page, Part, page_of, read
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
from league.api.shapes.people import NameOf, namer
from league.api.shapes.tournaments import (
    TournamentDetail,
    TournamentRoundShape,
    TournamentShape,
    TournamentStandingShape,
    standing_shape,
    tournament_detail,
    tournament_fields,
)
from league.api.shapes.tournaments import (
    rounds_shape as tournament_rounds_shape,
)
from league.standings.holding import refuse_held
from league.teams.cups import bracket_of
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
    tables_of,
)
from league.tournaments.queries import stage_of, tournament_of, tournaments_of
from league.tournaments.stage_state import BRACKETS, StageState, load_stage

leagues_router = Router(tags=["Leagues of teams"])


@read(leagues_router, "/leagues", OPEN, Page[LeagueShape])
def leagues(request: HttpRequest, part: Query[Part]) -> Page[LeagueShape]:
    """The club's leagues of teams, the latest first."""
    found = leagues_of(caller_of(request).club).select_related("season")
    return page_of(request, found, part, lambda one: LeagueShape(**league_fields(one)))


@read(leagues_router, "/leagues/{league_id}", OPEN, LeagueDetail)
def team_league(request: HttpRequest, league_id: str) -> LeagueDetail:
    """A league with its teams, its table and its cups."""
    return league_as_read(request, league_id)


def league_as_read(request: HttpRequest, league_id: str) -> LeagueDetail:
    """A league, as this caller may read it."""
    league = _league(request, league_id)
    name_of = namer(caller_of(request), everybody_in(league))
    teams = _teams(league)
    return LeagueDetail(
        **league_fields(league),
        teams=[team_shape(team, name_of) for team in teams],
        table=table_shape(tables_of(league, teams, fixtures_of(league)), teams),
        cups=[CupName(id=cup.public_id, name=cup.name) for cup in league.cups.all()],
    )


@read(leagues_router, "/leagues/{league_id}/fixtures", OPEN, list[FixtureRound])
def team_fixtures(request: HttpRequest, league_id: str) -> list[FixtureRound]:
    """Every round of a league with its matches."""
    return team_fixtures_of(_league(request, league_id))


def team_fixtures_of(league: TeamLeague) -> list[FixtureRound]:
    """A league's fixtures by round."""
    return rounds_shape(fixtures_of(league), list(league.teams.all()))


@read(leagues_router, "/leagues/{league_id}/matches/{match_id}", OPEN, TeamMatchShape)
def team_match(request: HttpRequest, league_id: str, match_id: str) -> TeamMatchShape:
    """A match of two teams with its card."""
    league = _league(request, league_id)
    match = match_of(league, match_id)
    (now,) = played([match], league)
    lines = lined_up(match, league) if now.met.games else []
    name_of = namer(caller_of(request), (one for game in lines for one in (*game.home, *game.away)))
    return match_shape(now, lines, name_of)


@read(leagues_router, "/leagues/{league_id}/cups/{cup_id}", OPEN, CupShape)
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


tournaments_router = Router(tags=["Tournaments"])


@read(tournaments_router, "/tournaments", OPEN, Page[TournamentShape])
def tournaments(request: HttpRequest, part: Query[Part]) -> Page[TournamentShape]:
    """The club's tournaments, the latest first."""
    return page_of(
        request,
        tournaments_of(caller_of(request).club),
        part,
        lambda one: TournamentShape(**tournament_fields(one, one.entered)),
    )


@read(tournaments_router, "/tournaments/{tournament_id}", OPEN, TournamentDetail)
def tournament(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """One tournament: its format, what was chosen for it, and who entered."""
    return tournament_detail(*named_stage(request, tournament_id))


@read(tournaments_router, "/tournaments/{tournament_id}/rounds", OPEN, list[TournamentRoundShape])
def tournament_rounds(request: HttpRequest, tournament_id: str) -> list[TournamentRoundShape]:
    """The rounds that were published: who met whom, how it ended, and who had a bye."""
    state, name_of = named_stage(request, tournament_id)
    if state.stage.format not in BRACKETS:  # by points: its rounds add up to the standings
        refuse_held(state.stage.tournament.session, caller_of(request).rank)
    return tournament_rounds_shape(state, name_of)


@read(tournaments_router, "/tournaments/{tournament_id}/standings", OPEN, TournamentStandingShape)
def tournament_standings(request: HttpRequest, tournament_id: str) -> TournamentStandingShape:
    """How a tournament stands, with the reasons."""
    state, name_of = named_stage(request, tournament_id)
    refuse_held(state.stage.tournament.session, caller_of(request).rank)
    return standing_shape(state, name_of)


def named_stage(request: HttpRequest, tournament_id: str) -> tuple[StageState, NameOf]:
    """The tournament's stage as it stands, and how this caller may read those who entered."""
    caller = caller_of(request)
    state = load_stage(stage_of(tournament_of(caller.club, tournament_id)))
    entered = (one for entry in state.entries.values() for one in entry.people)
    return state, namer(caller, entered)
