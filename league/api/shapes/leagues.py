"""Team leagues: the table, the fixtures, a match with its games, a cup."""

from collections.abc import Sequence
from datetime import date, time
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from league.api.shapes import (
    ClientId,
    Count,
    Day,
    Id,
    Name,
    PersonName,
    RequestBody,
    to_whole_number,
)
from league.api.shapes.people import NameOf, Person
from league.members.names import sort_key
from league.teams.card import GameLineUp
from league.teams.fixtures import starts_at
from league.teams.forms import MOST_NAMES
from league.teams.models import Team, TeamLeague
from league.teams.queries import MatchRecord, Tables
from league.teams.tables import GameShown, Row, all_rows, game_shown, rounds_of, state_of


class LeagueShape(BaseModel):
    """A team league. A team has `pairs` pairs, and a match has `pairs` times `turns` games."""

    id: str
    name: str
    state: str
    season_id: str | None
    pairs: int
    turns: int
    starts_on: date
    starts_at: time | None = Field(
        description="The usual start time of its matches, in the club's time zone."
    )


class TeamShape(BaseModel):
    """A team: its home venue, its captain, its players."""

    id: str
    name: str
    venue: str
    withdrawn: bool
    captain: Person | None
    people: list[Person]


class TeamPlaceShape(BaseModel):
    """A team in the table. `rank` is null for a team whose matches no longer count."""

    division: str = Field(description="The division's name; empty in a league without divisions.")
    rank: int | None
    shared: bool
    team_id: str
    points: float | None
    played: int
    won: int
    drawn: int
    lost: int
    games_won: float
    games_lost: float
    difference: int
    deducted: float
    provisional: int = Field(description="The number of matches that are not confirmed yet.")
    why: list[str]


class CupName(BaseModel):
    """A knockout cup of the league's teams."""

    id: str
    name: str


class LeagueDetail(LeagueShape):
    """A league, with its teams, its table and its cups."""

    teams: list[TeamShape]
    table: list[TeamPlaceShape]
    cups: list[CupName]


class FixtureShape(BaseModel):
    """A match between two teams. `state`: to_play, postponed, waits (for confirmation), disputed,
    done, given (awarded), off (not played: a team left or the league was closed), void (a team
    left, so the result no longer counts)."""

    id: str
    state: str
    home_id: str
    away_id: str
    held_on: date | None
    begins_at: time | None = Field(
        description="Its own start time, in the club's time zone; null: the league's usual one."
    )
    venue: str
    score: list[float] = Field(
        description="Games won, home team first; empty until the card is filled in."
    )
    winner_id: str | None
    session_id: str | None


class FixtureRound(BaseModel):
    """A round of the fixtures. `free` are the teams without a match in it."""

    number: int
    held_on: date | None
    matches: list[FixtureShape]
    free: list[str]


class TeamGameShape(BaseModel):
    """A game of a match: the two pairs, their players, their points."""

    turn: int
    home_pair: int
    away_pair: int
    home: str
    away: str
    played: bool
    game_id: str | None
    points: list[int]


class TeamMatchShape(FixtureShape):
    """A match, with its card."""

    games: list[TeamGameShape]


class CupShape(CupName):
    """A cup: the matches drawn so far, by round, and the winner."""

    rounds: list[FixtureRound]
    champion_id: str | None


def league_fields(league: TeamLeague) -> dict[str, Any]:
    return {
        "id": league.public_id,
        "name": league.name,
        "state": league.state,
        "season_id": league.season.public_id if league.season else None,
        "pairs": league.pairs,
        "turns": league.turns,
        "starts_on": league.starts_on,
        "starts_at": starts_at(league),
    }


def team_shape(team: Team, name_of: NameOf) -> TeamShape:
    """A team; its `players` should be prefetched."""
    people = [name_of(place.member) for place in team.players.all()]
    return TeamShape(
        id=team.public_id,
        name=team.name,
        venue=team.venue,
        withdrawn=team.withdrawn_at is not None,
        captain=name_of(team.captain) if team.captain else None,
        people=sorted(people, key=lambda person: sort_key(person.name)),
    )


def table_shape(tables: Tables, teams: Sequence[Team]) -> list[TeamPlaceShape]:
    """All teams, best first; teams whose matches were struck out come last."""
    return [_table_row(row) for row in all_rows(tables, teams)]


def _table_row(row: Row) -> TeamPlaceShape:
    record = row.record
    return TeamPlaceShape(
        division=str(row.team.division or ""),
        rank=row.rank or None,
        shared=row.shared,
        team_id=row.team.public_id,
        points=None if row.struck else float(record.points),
        played=record.played,
        won=record.wins,
        drawn=record.draws,
        lost=record.losses,
        games_won=float(record.won),
        games_lost=float(record.lost),
        difference=record.own - record.theirs,
        deducted=float(record.deducted),
        provisional=record.provisional,
        why=list(row.why),
    )


def rounds_shape(fixtures: Sequence[MatchRecord], teams: Sequence[Team]) -> list[FixtureRound]:
    """The fixtures, grouped by round."""
    by_match = {fixture.match.pk: fixture for fixture in fixtures}
    return [
        FixtureRound(
            number=shown.number,
            held_on=shown.held_on,
            matches=[FixtureShape(**_fixture_fields(by_match[m.match.pk])) for m in shown.matches],
            free=[team.public_id for team in shown.free],
        )
        for shown in rounds_of(fixtures, teams)
    ]


def match_shape(
    record: MatchRecord, lines: Sequence[GameLineUp], name_of: NameOf
) -> TeamMatchShape:
    """A match with the games of its card."""
    games = [game_shown(line, lambda member: name_of(member).name) for line in lines]
    return TeamMatchShape(**_fixture_fields(record), games=[_game_shape(game) for game in games])


def _fixture_fields(record: MatchRecord) -> dict[str, Any]:
    match, met = record.match, record.met
    ids = {team.pk: team.public_id for team in (match.home, match.away)}
    return {
        "id": match.public_id,
        "state": state_of(record),
        "home_id": match.home.public_id,
        "away_id": match.away.public_id,
        "held_on": match.held_on,
        "begins_at": match.begins_at,
        "venue": match.venue or match.home.venue,
        "score": [float(won) for won in met.won] if met.games else [],
        "winner_id": None if met.winner is None else ids[met.winner],
        "session_id": match.session.public_id if match.session else None,
    }


def _game_shape(game: GameShown) -> TeamGameShape:
    return TeamGameShape(
        turn=game.turn,
        home_pair=game.home_pair,
        away_pair=game.away_pair,
        home=game.home_names,
        away=game.away_names,
        played=game.played,
        game_id=game.public_id or None,
        points=list(game.points),
    )


class LeagueRequest(RequestBody):
    """A team league to create. Fields left out get the same defaults as on the page."""

    client_id: ClientId
    name: PersonName
    starts_on: Day
    ruleset_id: Id | None = Field(
        None, description="If left out, the club's default for four players."
    )
    target: Annotated[int, Field(ge=1, le=200), BeforeValidator(to_whole_number)] | None = None
    pairs: Count | None = None
    turns: Count | None = None
    laps: bool | None = Field(
        None, description="Points above the target carry over to the next game."
    )
    slam: bool | None = Field(
        None, description="A game won with the other side at 0 counts as two."
    )
    points_win: Count | None = None
    points_draw: Count | None = None
    points_loss: Count | None = None
    points_game: Count | None = None
    ranking: str | None = Field(None, max_length=20)
    borrowed: Count | None = None
    twice: bool | None = None
    days_between: Count | None = None
    season_id: Id | None = None


class TeamRequest(RequestBody):
    """A team to add. A name that is not on the club's list becomes a new player."""

    client_id: ClientId
    name: Annotated[str, Field(min_length=1, max_length=40)]
    names: list[PersonName] = Field(max_length=MOST_NAMES)
    venue: Annotated[str, Field(max_length=60)] = ""
    captain: Name = Field("", description="The captain: one of `names`.")
    roomy: bool = Field(
        False, description="True if the venue has room for several matches at once."
    )
    even_if_similar: bool = Field(
        False,
        description="True accepts names that look like existing ones (after `team-name-like` or "
        "`name-like`).",
    )
