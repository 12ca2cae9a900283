"""Ranked tables, with the reasons for every place."""

from pydantic import BaseModel, Field

from league.api.shapes.people import NameOf, Person, floats
from league.standings.queries import Standings
from league.standings.tables import rows_of


class PlaceShape(BaseModel):
    """One line. `provisional_games`: games still being played or not yet confirmed."""

    rank: int | None = Field(description="Null for whoever has too few evenings for a place yet.")
    shared: bool
    person: Person
    games: float
    evenings: int | None = Field(description="How many were attended; null for one session.")
    provisional_games: int
    values: dict[str, float]
    why: list[str] = Field(description="What parted this place from the ones beside it.")


class StandingsShape(BaseModel):
    """A ranked table. `measures` are what it ranks by, in order; `lot_seed` is empty where no lot
    had to be drawn."""

    measures: list[str]
    provisional: bool
    lot_seed: str
    places: list[PlaceShape]


def standings_shape(table: Standings, name_of: NameOf, *, season: bool = False) -> StandingsShape:
    people = {pk: name_of(member) for pk, member in table.people.items()}
    rows = rows_of(table, {pk: person.name for pk, person in people.items()})
    return StandingsShape(
        measures=[measure.code for measure in table.measures],
        provisional=table.provisional,
        lot_seed=table.lot_seed,
        places=[
            PlaceShape(
                rank=None if row.missing else row.rank,
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
