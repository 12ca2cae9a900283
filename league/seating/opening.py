"""A first seating to search from: whose turn it is at the small tables, the rest filled in well."""

from __future__ import annotations

from league.seating.board import Matrix
from league.seating.chance import Chance
from league.seating.shapes import Shape


def opening(
    shape: Shape,
    prices: tuple[Matrix, Matrix],
    turn: dict[int, list[int]],
    chance: Chance,
) -> list[int]:
    """Fill the places one by one, each with whoever is cheapest there next to those seated.

    Sit-outs and small tables are filled first, by turn; equal claims fall to chance.
    """
    waiting = list(range(len(prices[0]) - 1))
    chance.shuffle(waiting)
    partner, opponent = prices
    line = [shape.nobody] * (shape.nobody + 1)
    nobody = len(waiting)
    for place in range(shape.nobody):
        line[place] = nobody
    line[shape.nobody] = nobody
    for place in sorted(range(shape.nobody), key=lambda here: (shape.kinds[here], here)):
        mate, left, right = shape.mates[place]
        due = turn[shape.kinds[place]]
        near = (partner[line[mate]], opponent[line[left]], opponent[line[right]])

        def price(one: int, due: list[int] = due, near: tuple = near) -> int:
            return int(due[one] + near[0][one] + near[1][one] + near[2][one])

        chosen = min(waiting, key=price)
        waiting.remove(chosen)
        line[place] = chosen
    return line[:-1]
