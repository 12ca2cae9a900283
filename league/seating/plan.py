"""The front of the seating planner: everything the rest of the site asks of it.

    composition, alternatives     how many tables of which size
    PlayedRound, Wishes           what has been played, what people ask for
    plan_round -> Plan            who sits where now (the room, or the finished tables)
    plan_evening -> EveningPlan   several rounds ahead, for a printed movement card
    certificate -> Certificate    how fair it was, beside what no plan can beat
    swap_price -> Price           what swapping two people in a draft would cost
    Swaps                         the same for many swaps of one draft
    SeatingRefused                the person's trouble, with a code and a sentence

Everything is pure and repeatable: the same people, history, wishes and seed give the same plan on
every machine, in the same VERSION. Players are whole numbers or strings. docs/seating.md explains
how it decides.
"""

from league.seating.annealing import Stop
from league.seating.certificate import Certificate, Measure, PlayerLine, certificate
from league.seating.composition import (
    NINE_AS_THREES,
    POLICIES,
    SIX_AS_THREES,
    Composition,
    alternatives,
    composition,
)
from league.seating.evening import EveningPlan, plan_evening
from league.seating.history import PlayedRound
from league.seating.price import Parts, Price, Swaps, swap_price
from league.seating.refusal import PlayerId, SeatingRefused
from league.seating.rounds import VERSION, Plan, plan_round
from league.seating.wishes import Broken, Wishes

__all__ = [
    "NINE_AS_THREES",
    "POLICIES",
    "SIX_AS_THREES",
    "VERSION",
    "Broken",
    "Certificate",
    "Composition",
    "EveningPlan",
    "Measure",
    "Parts",
    "Plan",
    "PlayedRound",
    "PlayerId",
    "PlayerLine",
    "Price",
    "SeatingRefused",
    "Stop",
    "Swaps",
    "Wishes",
    "alternatives",
    "certificate",
    "composition",
    "plan_evening",
    "plan_round",
    "swap_price",
]
