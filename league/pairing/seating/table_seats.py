"""Which chair everybody takes at a table already made: who deals first, who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from league.pairing.rng import Rng
from league.pairing.seating.history import WHOLE, Portion

# Orders of a table that keep the partners of a table of four (0 with 2, 1 with 3).
ORDERS = {
    2: ((0, 1), (1, 0)),
    3: tuple(permutations(range(3))),
    4: tuple(order for order in permutations(range(4)) if {order[0], order[2]} in ({0, 2}, {1, 3})),
}


def seat_table(
    table: Sequence[int],
    portions: Sequence[Portion],
    chance: Rng,
    locked: dict[int, int] | None = None,
) -> list[int]:
    """The table in seat order: first those with locked seats, then the deal, then the chairs.

    The first dealer is whoever has dealt least against what was due, the chairs go to those who
    have had them least.
    """
    locked = locked or {}
    orders = list(ORDERS[len(table)])
    chance.shuffle(orders)

    def cost(order: tuple[int, ...]) -> tuple[int, Fraction, int]:
        seats = [table[place] for place in order]
        moved = sum(locked.get(one, seat) != seat for seat, one in enumerate(seats))
        deals = portions[seats[0]].deals
        deal = deals.had - deals.owed - Fraction(WHOLE, len(table))
        chairs = sum(portions[one].chairs[seat] for seat, one in enumerate(seats))
        return moved, deal, chairs if len(table) == 4 else 0

    return [table[place] for place in min(orders, key=cost)]
