"""Tournaments: their entries, the published rounds, and the standings."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from league.api.shapes import SEED, ClientId, Count, Id, Name, RequestBody, Seed
from league.api.shapes.people import NameOf, Person, floats
from league.members.models import Member
from league.tournaments.draws.groups import group_states
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.prizes import prizes
from league.tournaments.queries import is_played_out
from league.tournaments.round_sheets import MatchSheet, RoundSheet, SideSheet, round_sheet
from league.tournaments.stage_state import StageState
from league.tournaments.standing import Standing, standing_of
from league.tournaments.tables import Row, rows_of


class TournamentShape(BaseModel):
    """A tournament, played at a session's tables."""

    id: str
    name: str
    state: str
    session_id: str
    made_at: datetime
    finished_at: datetime | None
    entered: int


class EntryShape(BaseModel):
    """An entry: one player, or two fixed partners. `id` identifies it within the tournament."""

    id: int
    people: list[Person]
    number: int | None = Field(description="The number in the draw, once play has begun.")
    seed: int | None
    late: bool
    withdrawn: bool


class TournamentDetail(TournamentShape):
    """A tournament, with its format, its settings and its entries."""

    format: str
    parameters: dict[str, Any]
    rounds_published: int
    entries: list[EntryShape]


class MatchSideShape(BaseModel):
    """One side of a match: its entries, its players (with substitutes), its points."""

    entries: list[int]
    names: list[str]
    points: int | None = Field(description="The points in the last game, if the match has several.")
    won: bool


class MatchShape(BaseModel):
    """A match. `state`: ready, playing, tied, again (one more game), done, walkover, undone."""

    number: int
    label: str
    state: str
    table_id: str | None
    sides: list[MatchSideShape]


class TournamentRoundShape(BaseModel):
    """A published round: its matches, and who had a bye."""

    number: int
    label: str
    forced: bool
    matches: list[MatchShape]
    byes: list[str]


class TournamentPlaceShape(BaseModel):
    """A place in a tournament's standings."""

    rank: int | None = Field(description="Null for entries still in a knockout.")
    shared: bool
    entry: int
    name: str
    withdrawn: bool
    values: dict[str, float | None]
    why: list[str]


class RankedTableShape(BaseModel):
    """A ranked table. `measures` are the figures it ranks by, in order."""

    measures: list[str]
    places: list[TournamentPlaceShape]


class PrizeShape(BaseModel):
    """A prize, its winners, and the figure that earned it, in words."""

    title: str
    names: list[str]
    figure: str


class TournamentStandingShape(RankedTableShape):
    """A tournament's standings, with a table for each group if there are groups and, once all
    matches are played, the prizes."""

    groups: list[RankedTableShape]
    prizes: list[PrizeShape]


def tournament_fields(tournament: Tournament, entered: int) -> dict[str, Any]:
    return {
        "id": tournament.public_id,
        "name": tournament.name,
        "state": tournament.state,
        "session_id": tournament.session.public_id,
        "made_at": tournament.made_at,
        "finished_at": tournament.finished_at,
        "entered": entered,
    }


def tournament_detail(state: StageState, name_of: NameOf) -> TournamentDetail:
    stage = state.stage
    return TournamentDetail(
        **tournament_fields(stage.tournament, len(state.entries)),
        format=stage.format,
        parameters=dict(stage.parameters),
        rounds_published=len(state.published),
        entries=[_entry_shape(entry, name_of) for entry in state.entries.values()],
    )


def _entry_shape(entry: Entry, name_of: NameOf) -> EntryShape:
    return EntryShape(
        id=entry.pk,
        people=[name_of(member) for member in entry.people],
        number=entry.number,
        seed=entry.seed,
        late=entry.late,
        withdrawn=entry.withdrawn_at is not None,
    )


def rounds_shape(state: StageState, name_of: NameOf) -> list[TournamentRoundShape]:
    """All published rounds; three queries per round."""
    return [
        _round_shape(round_sheet(state, facts, _plain_names(name_of))) for facts in state.published
    ]


def _round_shape(sheet: RoundSheet) -> TournamentRoundShape:
    return TournamentRoundShape(
        number=sheet.facts.number,
        label=sheet.facts.row.label,
        forced=sheet.facts.is_forced,
        matches=[_match_shape(match) for match in sheet.matches],
        byes=list(sheet.byes),
    )


def _match_shape(match: MatchSheet) -> MatchShape:
    return MatchShape(
        number=match.facts.number,
        label=match.facts.place or str(match.facts.group or ""),
        state=match.state,
        table_id=match.table.public_id if match.table else None,
        sides=[_side_shape(match, side) for side in match.sides],
    )


def _side_shape(match: MatchSheet, side: SideSheet) -> MatchSideShape:
    count = len(match.sides)
    positions = match.facts.sides.items()
    entries: Iterable[int] = (
        entry for position, entry in sorted(positions) if position % count == side.position % count
    )
    return MatchSideShape(
        entries=list(entries), names=list(side.names), points=side.points, won=side.won
    )


def standing_shape(state: StageState, name_of: NameOf) -> TournamentStandingShape:
    """The full standings, with the groups' tables and, once it is played out, the prizes."""
    standing = standing_of(state)
    groups = group_states(state) if _has_groups(state) else ()
    won_prizes = prizes(state, standing, _plain_names(name_of)) if is_played_out(state) else ()
    return TournamentStandingShape(
        **_ranked(state, standing, name_of),
        groups=[
            RankedTableShape(**_ranked(group, standing_of(group), name_of)) for group in groups
        ],
        prizes=[
            PrizeShape(title=prize.title, names=list(prize.names), figure=prize.figure)
            for prize in won_prizes
        ],
    )


def _has_groups(state: StageState) -> bool:
    return state.stage.format == Stage.Format.GROUPS and bool(state.published)


def _ranked(state: StageState, standing: Standing, name_of: NameOf) -> dict[str, Any]:
    values = {line.who: line.values for line in standing.lines}
    rows = rows_of(state, standing, _plain_names(name_of))
    return {
        "measures": [measure.code for measure in standing.measures],
        "places": [_place_shape(row, floats(values[row.who])) for row in rows],
    }


def _plain_names(name_of: NameOf) -> Callable[[Member], str]:
    return lambda member: name_of(member).name


def _place_shape(row: Row, values: dict[str, float | None]) -> TournamentPlaceShape:
    return TournamentPlaceShape(
        rank=row.rank or None,
        shared=row.shared,
        entry=row.who,
        name=row.name,
        withdrawn=row.withdrawn,
        values=values,
        why=list(row.why),
    )


class TournamentChoices(RequestBody):
    """The settings of a format. Settings left out get the same defaults as on the page; settings
    that the format does not have are refused."""

    movement: str | None = Field(None, max_length=20)
    rounds: Count | None = None
    unit: Literal["hands", "bell", "target"] | None = None
    hands: Count | None = None
    bell_points: Count | None = None
    tie: Literal["extra_hand", "cut"] | None = None
    short_apart: bool | None = None
    games: Count | None = Field(None, description="A match is the best of this many games.")
    laps: bool | None = Field(
        None, description="Points above the target carry over to the next game of the match."
    )
    slam: bool | None = Field(
        None, description="A game won with the other side at 0 counts as two games of the match."
    )
    groups: Count | None = None
    through: Count | None = None
    twice: bool | None = None
    third_place: bool | None = None
    consolation: bool | None = None
    unplayed: Literal["own_score", "virtual", "left_out"] | None = Field(
        None, description="What a bye or an unplayed match counts as in Buchholz scores."
    )
    given_points: int | None = Field(
        None, ge=0, le=50, description="A walkover counts as a win by this many points to 0."
    )


class TournamentRequest(RequestBody):
    """A tournament to create in a session."""

    client_id: ClientId
    session_id: Id
    format: Literal[
        "progressive", "rotation", "round_robin", "swiss", "knockout", "double", "groups"
    ]
    name: Name = Field("", description="If empty, the tournament is named after its format.")
    choices: TournamentChoices | None = None


class EntryRequest(RequestBody):
    """A player to enter, alone or with a partner."""

    member_id: Id
    partner_id: Id | None = None


class DrawRequest(RequestBody):
    """A draw, from a given or a random seed."""

    seed: Seed | None = Field(None, description=SEED)
