"""Prizes and pots, worked out of the recorded hands; all money in whole cents."""

from pydantic import BaseModel, Field

from league.api.shapes.people import NameOf, Person
from league.members.models import Club
from league.standings.pot_queries import PotRow, PotSheet, Sheets, cents_of


class PotLineShape(BaseModel):
    """Somebody's part of a pot: what they owe and have won by today's record, and what was paid."""

    person: Person
    owes: int
    paid: int
    won: int
    got: int


class PotShape(BaseModel):
    """A pot: where its money comes from, who takes it, what it holds and what is left of that."""

    id: str
    name: str
    source: str
    amount: int
    payout: str
    shares: list[float] = Field(description="Percents of the first, second, … place.")
    holds: int
    left: int
    lines: list[PotLineShape]


class PotsShape(BaseModel):
    """The pots of a session or a season; provisional while a game of it is open."""

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
        payout=pot.payout,
        shares=[float(share) for share in pot.shares],
        holds=sheet.ledger.holds,
        left=sheet.ledger.left,
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
