"""A first seating to search from: whose turn it is at the small tables, the rest filled in well."""

from __future__ import annotations

from collections.abc import Sequence

from league.pairing.rng import Rng
from league.pairing.seating.seat_board import Matrix
from league.pairing.seating.table_layout import Shape


def opening(
    shape: Shape,
    prices: tuple[Matrix, Matrix],
    turn: dict[int, list[int]],
    chance: Rng,
    here: Sequence[int] | None = None,
) -> list[int]:
    """Fill the places one by one, each with whoever is cheapest there next to those seated.

    Sit-outs and small tables are filled first, by turn; equal claims fall to chance. `here` are the
    players present, by default all.
    """
    waiting = list(range(len(prices[0]) - 1) if here is None else here)
    chance.shuffle(waiting)
    partner, opponent = prices
    nobody = len(partner) - 1
    line = [nobody] * (shape.nobody + 1)
    for place in sorted(range(shape.nobody), key=lambda here: (shape.kinds[here], here)):
        mate, left, right = shape.mates[place]
        due = turn[shape.kinds[place]]
        by_mate = partner[line[mate]]
        by_left, by_right = opponent[line[left]], opponent[line[right]]
        costs = [due[one] + by_mate[one] + by_left[one] + by_right[one] for one in waiting]
        line[place] = waiting.pop(costs.index(min(costs)))
    return line[:-1]
