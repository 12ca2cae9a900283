"""A player's statistics, ratings, a session's totals; prizes and pots in whole cents."""

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import BaseModel, Field

from league.api.shapes.people import NameOf, Person
from league.members.models import Club, Member
from league.ranking.rating import Rating
from league.ranking.statistics import Calls, Career, Company, Rate
from league.standings.cached_tables import Facts
from league.standings.models import cents_of
from league.standings.pot_sheet import PotRow, PotSheet, Sheets


class RateShape(BaseModel):
    """A count, out of a total (`of`)."""

    count: float
    of: int


class CallsShape(BaseModel):
    """Calls from one place at the table (eldest, partner, right, dealer, other) or in one round of
    bidding. `hands` is the number of hands; `made` is how many calls were made, of all calls."""

    kind: str
    hands: int
    made: RateShape


class OtherPlayerShape(BaseModel):
    """Games won together with another player, and against them."""

    person: Person
    together: RateShape
    against: RateShape


class StreaksShape(BaseModel):
    """The longest winning and losing streaks; `now` is the current one, negative if losing."""

    won: int
    lost: int
    now: int


class EveningShape(BaseModel):
    """One session. `above` is the running total of wins above average, from the first session."""

    held_on: date
    won: RateShape
    above: float
    difference_a_hand: RateShape


class StatisticsShape(BaseModel):
    """A player's statistics, from recorded hands and finished games."""

    won: RateShape
    habits: dict[str, RateShape] = Field(
        description="Hands called, calls made, calls euchred, marches and so on."
    )
    by_place: list[CallsShape]
    by_round: list[CallsShape]
    company: list[OtherPlayerShape]
    runs: StreaksShape
    evenings: list[EveningShape]


class RatingShape(BaseModel):
    """A rating; the true value is within `uncertainty` of it in 19 of 20 cases."""

    person: Person
    value: float
    uncertainty: float
    games: int
    won: float


class SessionFactsShape(BaseModel):
    """Totals of a session, from its finished games."""

    games: int
    hands: int
    people: int
    longest: int = Field(description="The number of hands in the longest game.")
    euchres: int
    lone_marches: int


def statistics_shape(
    career: Career, people: Mapping[int, Member], name_of: NameOf
) -> StatisticsShape:
    """A player's statistics; `people` are the members named in them, by key."""
    return StatisticsShape(
        won=_rate(career.won),
        habits={name: _rate(rate) for name, rate in career.habits.items()},
        by_place=_calls(career.by_place),
        by_round=_calls(career.by_round),
        company=[_company(company, name_of(people[company.who])) for company in career.company],
        runs=StreaksShape(won=career.runs.won, lost=career.runs.lost, now=career.runs.now),
        evenings=[
            EveningShape(
                held_on=step.held_on,
                won=_rate(step.won),
                above=_number(step.above),
                difference_a_hand=_rate(step.a_hand),
            )
            for step in career.trend
        ],
    )


def rating_shape(rating: Rating, person: Person) -> RatingShape:
    return RatingShape(
        person=person,
        value=_number(rating.value),
        uncertainty=_number(rating.uncertainty),
        games=rating.games,
        won=_number(rating.won),
    )


def facts_shape(facts: Facts) -> SessionFactsShape:
    return SessionFactsShape(
        games=facts.games,
        hands=facts.hands,
        people=facts.people,
        longest=facts.longest,
        euchres=facts.euchres,
        lone_marches=facts.lone_marches,
    )


def _calls(calls: Sequence[Calls]) -> list[CallsShape]:
    return [CallsShape(kind=call.kind, hands=call.hands, made=_rate(call.made)) for call in calls]


def _company(company: Company, person: Person) -> OtherPlayerShape:
    return OtherPlayerShape(
        person=person, together=_rate(company.together), against=_rate(company.against)
    )


def _rate(rate: Rate) -> RateShape:
    return RateShape(count=_number(rate.count), of=rate.of)


def _number(exact: object) -> float:
    return round(float(exact), 6)  # type: ignore[arg-type]


class PotLineShape(BaseModel):
    """A player's share of a pot: what they owe and have won so far, have paid, and have been paid
    (`got`), both less what was given back."""

    person: Person
    owes: int
    paid: int
    won: int
    got: int


class PotShape(BaseModel):
    """A pot: the source of its money, how it is paid out, what it holds, what is left of it, and
    how much of that was booked to the club."""

    id: str
    name: str
    source: str
    amount: int
    payout: str
    shares: list[float] = Field(
        description="Percentages for first place, second place and so on; cents if the payout is"
        " “amounts”."
    )
    counts_from: date | None = Field(description="Of a season: earlier sessions don't count.")
    holds: int
    left: int
    to_club: int
    lines: list[PotLineShape]


class PotsShape(BaseModel):
    """The pots of a session or a season; provisional as long as a game is unfinished."""

    currency: str
    provisional: bool
    pots: list[PotShape]


def pots_shape(sheets: Sheets, club: Club, name_of: NameOf) -> PotsShape:
    return PotsShape(
        currency=club.currency,
        provisional=sheets.provisional,
        pots=[_pot(sheet, name_of) for sheet in sheets.sheets],
    )


def _pot(sheet: PotSheet, name_of: NameOf) -> PotShape:
    pot = sheet.pot
    return PotShape(
        id=pot.public_id,
        name=pot.name,
        source=pot.source,
        amount=cents_of(pot.amount),
        payout=pot.current_payout,
        shares=list(map(float, sheet.amounts or pot.shares)),
        counts_from=pot.counts_from,
        holds=sheet.ledger.holds,
        left=sheet.ledger.left,
        to_club=sheet.booked,
        lines=[_line(row, name_of) for row in sheet.rows],
    )


def _line(row: PotRow, name_of: NameOf) -> PotLineShape:
    balance = row.balance
    return PotLineShape(
        person=name_of(row.member),
        owes=balance.owes,
        paid=balance.paid,
        won=balance.won,
        got=balance.got,
    )
