"""The individual rotation: a card printed ahead on which everybody meets as evenly as can be."""

from __future__ import annotations

from league.pairing.movements.definition import Order, Preset, Seated
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.evening import plan_evening


def card(order: Order) -> tuple[Seated, ...]:
    """The best evening the planner knows or finds for these players and rounds."""
    plan = plan_evening(
        order.players, order.rounds, seed=order.seed, constraints=Constraints(fixed=order.pairs)
    )
    return tuple(Seated(one.tables, one.out) for one in plan.rounds)


PRESET = Preset(
    code="rotation",
    name="Individual rotation",
    explanation=(
        "Your card says where you sit each round. Partners, opponents and small tables are "
        "shared as evenly as possible, and you get a partner twice only if it can't be avoided."
    ),
    odd=(
        "Small tables are shared: no one plays at one twice before everyone has played at one once."
    ),
    card=card,
)
