"""Seasons, sessions, rounds with their seats, and ranked tables with reasons for each place."""

from datetime import date, datetime, time
from typing import Annotated, Any

from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, Field

from league.api.shapes import (
    SEED,
    ClientId,
    Day,
    Id,
    Name,
    PersonName,
    Reason,
    RequestBody,
    Seed,
    to_whole_number,
)
from league.api.shapes.figures import SessionFactsShape, facts_shape
from league.api.shapes.people import NameOf, Person, floats
from league.seasons.models import Season
from league.seating.models import Round, Seat, Table
from league.sessions.models import MOST_PLACES, Session
from league.sessions.queries import clock_at
from league.standings.cached_tables import session_facts
from league.standings.queries import Standings
from league.standings.tables import rows_of


class DivisionShape(BaseModel):
    """A division of a season, with its own standings; number 1 is the highest."""

    number: int
    name: str


class SeasonShape(BaseModel):
    """A season: a period with its own standings, and how its sessions count."""

    id: str
    name: str
    starts_on: date
    ends_on: date | None
    counts: str
    counted_number: int
    minimum_evenings: int
    guests_count: bool
    attendance_points: float
    place_points: list[float]
    closed_at: datetime | None
    champions: list[Person]
    divisions: list[DivisionShape]


class SeasonDetail(SeasonShape):
    """A season, with the days on which its standings changed, newest first."""

    days: list[date]


class SessionShape(BaseModel):
    """A session. `revision` rises with every change in it."""

    id: str
    name: str
    held_on: date = Field(description="Its date in the club's time zone, even after midnight.")
    state: str
    note: str = Field(description="What players have to know; empty if nothing.")
    cancel_reason: str = Field(description="Why it is cancelled; empty if nobody said.")
    revision: int
    season_id: str | None
    came: int
    round_minutes: int | None
    closed_at: datetime | None


class SessionDetail(SessionShape):
    """A session, with its clock and, once it is closed, its totals.

    The round's clock runs until `clock_ends_at`, or is paused with `clock_paused_seconds` left.
    """

    begins_at: time | None = Field(description="The start time, in the club's time zone.")
    clock_ends_at: datetime | None
    clock_paused_seconds: int | None
    facts: SessionFactsShape | None


class RevisionShape(BaseModel):
    """A session's revision: the number to poll."""

    revision: int


class SeatShape(BaseModel):
    """A player in a seat, from the first hand to the last; a substitute has an entry of their
    own."""

    position: int
    person: Person
    from_hand: int
    until_hand: int | None


class TableShape(BaseModel):
    """A table of a round. `live` is true while its players sit at it."""

    id: str
    number: int
    players: int
    live: bool
    first_dealer: int
    ruleset_id: str
    game_id: str | None
    seats: list[SeatShape]


class RoundShape(BaseModel):
    """A round of tables. Rounds can overlap: each table ends in its own time."""

    number: int
    seed: int
    by_tournament: bool
    published_at: datetime | None
    tables: list[TableShape]
    sits_out: list[Person]


def season_fields(season: Season, name_of: NameOf) -> dict[str, Any]:
    """The fields of a season in every response; `champions` and `divisions` are prefetched."""
    return {
        "id": season.public_id,
        "name": season.name,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "counts": season.counts,
        "counted_number": season.counted_number,
        "minimum_evenings": season.minimum_evenings,
        "guests_count": season.guests_count,
        "attendance_points": float(season.attendance_points),
        "place_points": [float(points) for points in season.place_points],
        "closed_at": season.closed_at,
        "champions": [name_of(champion.member) for champion in season.champions.all()],
        "divisions": [
            DivisionShape(number=division.number, name=division.name)
            for division in season.divisions.all()
        ],
    }


def session_shape(club_session: Session) -> SessionShape:
    return SessionShape(**_session_fields(club_session))


def session_detail(club_session: Session) -> SessionDetail:
    is_closed = club_session.state == Session.State.CLOSED
    clock = clock_at(club_session, timezone.now())
    return SessionDetail(
        **_session_fields(club_session),
        begins_at=club_session.begins_at,
        clock_ends_at=clock.ends_at if clock else None,
        clock_paused_seconds=clock.seconds if clock and not clock.running else None,
        facts=facts_shape(session_facts(club_session)) if is_closed else None,
    )


def _session_fields(club_session: Session) -> dict[str, Any]:
    """The fields of a session in every response; it is annotated with `came`."""
    season = club_session.season
    return {
        "id": club_session.public_id,
        "name": club_session.name,
        "held_on": club_session.held_on,
        "state": club_session.state,
        "note": club_session.note,
        "cancel_reason": club_session.cancel_reason,
        "revision": club_session.revision,
        "season_id": season.public_id if season else None,
        "came": club_session.came,  # type: ignore[attr-defined]
        "round_minutes": club_session.round_minutes,
        "closed_at": club_session.closed_at,
    }


def round_shape(row: Round, name_of: NameOf) -> RoundShape:
    return RoundShape(
        number=row.number,
        seed=row.seed,
        by_tournament=row.by_tournament,
        published_at=row.published_at,
        tables=[table_shape(table, name_of) for table in row.tables.all()],
        sits_out=[name_of(member) for member in row.sits_out.all()],
    )


def table_shape(table: Table, name_of: NameOf) -> TableShape:
    game = next(iter(table.games.all()), None)
    return TableShape(
        id=table.public_id,
        number=table.number,
        players=table.players,
        live=table.is_live,
        first_dealer=table.first_dealer,
        ruleset_id=table.ruleset.public_id,
        game_id=game.public_id if game else None,
        seats=[seat_shape(seat, name_of) for seat in table.seats.all()],
    )


def seat_shape(seat: Seat, name_of: NameOf) -> SeatShape:
    return SeatShape(
        position=seat.position,
        person=name_of(seat.member),
        from_hand=seat.from_hand,
        until_hand=seat.until_hand,
    )


class PlaceShape(BaseModel):
    """A place. `provisional_games` are those still being played or not confirmed yet."""

    rank: int | None = Field(
        description="Null for players with too few sessions to be ranked yet, and for those still"
        " in the knockout of their session."
    )
    shared: bool
    person: Person
    games: float
    evenings: int | None = Field(
        description="How many sessions they attended; null in a single session."
    )
    provisional_games: int
    values: dict[str, float | None]
    why: list[str] = Field(description="What separates this place from the ones next to it.")


class StandingsShape(BaseModel):
    """A ranked table. `measures` are the figures it ranks by, in order; `lot_seed` is empty if no
    random draw was needed. `co_winners_in_full`: players who won a game together each have a full
    game in `won`, so that it adds up to more than the games played."""

    measures: list[str]
    provisional: bool
    co_winners_in_full: bool
    lot_seed: str
    places: list[PlaceShape]


def standings_shape(table: Standings, name_of: NameOf, *, season: bool = False) -> StandingsShape:
    people = {pk: name_of(member) for pk, member in table.people.items()}
    rows = rows_of(table, {pk: person.name for pk, person in people.items()})
    return StandingsShape(
        measures=[measure.code for measure in table.measures],
        provisional=table.provisional,
        co_winners_in_full=table.credits_in_full,
        lot_seed=table.lot_seed,
        places=[
            PlaceShape(
                rank=None if row.missing or row.still_in else row.rank,
                shared=row.shared,
                person=people[row.who],
                games=float(row.games),
                evenings=row.evenings if season else None,
                provisional_games=row.open_games,
                values=floats(row.values),
                why=list(row.why),
            )
            for row in rows
        ],
    )


MOST_AT_ONCE = 200
MOST_TABLES = 300
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["19:30"])]
Places = Annotated[int, Field(ge=1, le=MOST_PLACES), BeforeValidator(to_whole_number)]
Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The version of the draft that you saw."),
    BeforeValidator(to_whole_number),
]
Size = Annotated[int, Field(ge=2, le=4), BeforeValidator(to_whole_number)]
TableNumber = Annotated[int, Field(ge=1, le=9999), BeforeValidator(to_whole_number)]


class SessionRequest(RequestBody):
    """A session to create. Fields left out get the same defaults as on the page."""

    client_id: ClientId
    name: Name = Field("", description="If empty, the session is named after its day.")
    held_on: Day | None = Field(None, description="If left out, today in the club's time zone.")
    begins_at: Clock | None = None
    places: Places | None = Field(None, description="The number of places; no limit if left out.")
    season_id: Id | None = None


class CancelRequest(RequestBody):
    """Why a session is cancelled: it is shown on the club's pages and in mails."""

    reason: Reason | None = None


class CheckInRequest(RequestBody):
    """The players to check in. A name that is not on the club's list becomes a guest."""

    member_ids: list[Id] = Field(default_factory=list, max_length=MOST_AT_ONCE)
    names: list[PersonName] = Field(default_factory=list, max_length=MOST_AT_ONCE)
    even_if_similar: bool = Field(
        False, description="True adds names that look like existing ones (after `similar-name`)."
    )


class PlayerRequest(RequestBody):
    """A player."""

    member_id: Id


class DraftRequest(RequestBody):
    """A round to draft, replacing any earlier draft."""

    sizes: list[Size] | None = Field(
        None, max_length=MOST_TABLES, description="The table sizes; by the club's rule if left out."
    )
    tables: list[TableNumber] | None = Field(
        None,
        max_length=MOST_TABLES,
        description="The tables whose players are seated again, with those who are waiting; all "
        "finished tables if left out.",
    )
    seed: Seed | None = Field(None, description=SEED)


class PublishRequest(RequestBody):
    """A draft to publish."""

    version: Version


class DraftShape(RoundShape):
    """A draft of a round, for organisers only. `version` rises with every change to it."""

    version: int
