"""The front of the seating planner: everything the rest of the site asks of it.

    composition, alternatives     how many tables of which size
    PlayedRound, Wishes           what has been played, what people ask for
    plan_round -> Plan            who sits where now (the room, or the finished tables)
    plan_evening -> EveningPlan   several rounds ahead, for a printed movement card
    certificate -> Certificate    how fair it was, beside what no plan can beat
    swap_price -> Price           what swapping two people in a draft would cost
    Swaps                         the same for many swaps of one draft
    PairingRefused                the person's trouble, with a code and a sentence

Everything is pure and repeatable: the same people, history, wishes and seed give the same plan on
every machine, in the same VERSION. Players are whole numbers or strings. docs/seating.md explains
how it decides.
"""

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.seating.annealing import Stop
from league.pairing.seating.certificate import Certificate, Measure, PlayerLine, certificate
from league.pairing.seating.composition import (
    NINE_AS_THREES,
    POLICIES,
    SIX_AS_THREES,
    Composition,
    alternatives,
    composition,
)
from league.pairing.seating.constraints import Broken, Wishes
from league.pairing.seating.evening import EveningPlan, plan_evening
from league.pairing.seating.history import PlayedRound
from league.pairing.seating.rounds import VERSION, Plan, plan_round
from league.pairing.seating.swap_cost import Parts, Price, Swaps, swap_price

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
    "PairingRefused",
    "Parts",
    "Plan",
    "PlayedRound",
    "PlayerId",
    "PlayerLine",
    "Price",
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
