"""The bodies by which an organiser's program makes sessions, rounds, tournaments and leagues."""

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from league.api.shapes.games import ClientId, Order, whole
from league.api.shapes.sessions import RoundShape
from league.sessions.models import MOST_PLACES
from league.teams.forms import MOST_NAMES

DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
MOST_AT_ONCE = 200
MOST_TABLES = 300


def _day(value: object) -> object:
    """A day as 2026-11-19, and no other way."""
    if isinstance(value, str):
        if not DAY.fullmatch(value):
            raise ValueError("a day is written as 2026-11-19")
        return date.fromisoformat(value)
    return value


Id = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=80)]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]
Day = Annotated[date, BeforeValidator(_day)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["19:30"])]
Count = Annotated[int, Field(ge=0, le=999), BeforeValidator(whole)]
Places = Annotated[int, Field(ge=1, le=MOST_PLACES), BeforeValidator(whole)]
Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="That of the draft you have seen."),
    BeforeValidator(whole),
]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(whole)]
Size = Annotated[int, Field(ge=2, le=4), BeforeValidator(whole)]
TableNumber = Annotated[int, Field(ge=1, le=9999), BeforeValidator(whole)]
SEED = "The same seed draws the same; left out, one is drawn."


class SessionOrder(Order):
    """A session to make; what is left out is as the page fills it in."""

    client_id: ClientId
    name: Name = Field("", description="Empty: named after its day.")
    held_on: Day | None = Field(None, description="Left out: today, in the club's time zone.")
    begins_at: Clock | None = None
    places: Places | None = Field(None, description="How many may sign up; left out: no limit.")
    season_id: Id | None = None


class CheckInOrder(Order):
    """Who is here. A name that nobody of the club has becomes a guest's."""

    member_ids: list[Id] = Field(default_factory=list, max_length=MOST_AT_ONCE)
    names: list[PersonName] = Field(default_factory=list, max_length=MOST_AT_ONCE)
    even_if_similar: bool = Field(
        False, description="True adds names that look like players' (after `similar-name`)."
    )


class WhoOrder(Order):
    """One player."""

    member_id: Id


class DraftOrder(Order):
    """A round to draft, replacing the draft there was."""

    sizes: list[Size] | None = Field(
        None, max_length=MOST_TABLES, description="Of the tables; left out: by the club's rule."
    )
    tables: list[TableNumber] | None = Field(
        None,
        max_length=MOST_TABLES,
        description="Whose players are seated again, with whoever waits; left out: every "
        "table that is done.",
    )
    seed: Seed | None = Field(None, description=SEED)


class PublishOrder(Order):
    """A draft to publish."""

    version: Version


class DraftShape(RoundShape):
    """A drafted round, which organisers alone see. `version` rises with every change of it."""

    version: int


class ChoicesOrder(Order):
    """What a format asks. What is left out is as the page offers it; what the format does not ask
    is refused."""

    movement: str | None = Field(None, max_length=20)
    rounds: Count | None = None
    unit: Literal["hands", "bell", "target"] | None = None
    hands: Count | None = None
    bell_points: Count | None = None
    tie: Literal["extra_hand", "cut"] | None = None
    short_apart: bool | None = None
    games: Count | None = Field(None, description="A match is the best of so many.")
    groups: Count | None = None
    through: Count | None = None
    twice: bool | None = None
    third_place: bool | None = None
    consolation: bool | None = None
    unplayed: Literal["own_score", "virtual", "left_out"] | None = Field(
        None, description="What a bye or a match not played counts in Buchholz."
    )
    given_points: int | None = Field(
        None, ge=0, le=50, description="Points to none that a match given to a pair counts as."
    )


class TournamentOrder(Order):
    """A tournament to make on a session."""

    client_id: ClientId
    session_id: Id
    format: Literal[
        "progressive", "rotation", "round_robin", "swiss", "knockout", "double", "groups"
    ]
    name: Name = Field("", description="Empty: named after its format.")
    choices: ChoicesOrder | None = None


class EntryOrder(Order):
    """Who enters, alone or with a partner."""

    member_id: Id
    partner_id: Id | None = None


class DrawOrder(Order):
    """A draw, from a seed or from one that is drawn."""

    seed: Seed | None = Field(None, description=SEED)


class LeagueOrder(Order):
    """A league of teams to make; what is left out is as the page offers it."""

    client_id: ClientId
    name: PersonName
    starts_on: Day
    ruleset_id: Id | None = Field(None, description="Left out: what the club plays at four.")
    target: Annotated[int, Field(ge=1, le=200), BeforeValidator(whole)] | None = None
    pairs: Count | None = None
    turns: Count | None = None
    points_win: Count | None = None
    points_draw: Count | None = None
    points_loss: Count | None = None
    points_game: Count | None = None
    ranking: str | None = Field(None, max_length=20)
    borrowed: Count | None = None
    twice: bool | None = None
    days_between: Count | None = None
    season_id: Id | None = None


class TeamOrder(Order):
    """A team to enter. A name that the club does not know becomes a member's."""

    client_id: ClientId
    name: Annotated[str, Field(min_length=1, max_length=40)]
    names: list[PersonName] = Field(max_length=MOST_NAMES)
    venue: Annotated[str, Field(max_length=60)] = ""
    captain: Name = Field("", description="One of the names.")
    roomy: bool = Field(False, description="Several matches at once fit in its venue.")
    even_if_similar: bool = Field(
        False, description="True says that a name like another's is a different one."
    )


def given(order: Order | None) -> dict[str, Any]:
    """What the body says, without what it leaves out."""
    values = order.model_dump() if order else {}
    return {name: value for name, value in values.items() if value is not None}
