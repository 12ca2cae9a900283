"""The front door of the seating planner.

    composition, alternatives, large_alternatives
                                  how many tables of which size -> Composition
    PlayedRound, Constraints      what has been played, what players request
    plan_round -> Plan            one round of the room, or of the tables that have finished
    plan_evening -> EveningPlan   several rounds ahead, for a printed movement card
    certificate -> Certificate    how fair the rounds were, with bounds that no plan can beat
    Swaps.cost -> SwapCost        what a swap of two players in a draft would change
    violations -> Violation       the hard constraints that some tables break

Two of its modules are front doors too: `dealers` draws the first dealer of a table by one of its
CUSTOMS, and `json_io` plans an evening from JSON to JSON.

Everything is pure and repeatable: the same players, history, constraints and seed give the same
plan on every machine, in the same VERSION.
docs/seating.md explains how it decides.
"""

from league.pairing.seating import dealers, json_io
from league.pairing.seating.constraints import Constraints, Violation, violations
from league.pairing.seating.fairness import Certificate, certificate
from league.pairing.seating.history import PlayedRound
from league.pairing.seating.planner import VERSION, EveningPlan, Plan, plan_evening, plan_round
from league.pairing.seating.swap_cost import SwapCost, Swaps
from league.pairing.seating.table_sizes import (
    Composition,
    alternatives,
    composition,
    large_alternatives,
)

__all__ = [
    "VERSION",
    "Certificate",
    "Composition",
    "Constraints",
    "EveningPlan",
    "Plan",
    "PlayedRound",
    "SwapCost",
    "Swaps",
    "Violation",
    "alternatives",
    "certificate",
    "composition",
    "dealers",
    "json_io",
    "large_alternatives",
    "plan_evening",
    "plan_round",
    "violations",
]
