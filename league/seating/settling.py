"""One round searched for: the line of players, and how many hard wishes it still breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.seating.annealing import Heat, Stop, anneal
from league.seating.board import SCALE, Board
from league.seating.chance import Chance
from league.seating.history import Tally
from league.seating.opening import opening
from league.seating.prices import (
    HARD,
    expected_seats,
    kept_at_best,
    pair_prices,
    seat_prices,
    turn_prices,
    wish_places,
)
from league.seating.shapes import Shape
from league.seating.wishes import Wishes

MILD = 40 * SCALE  # a hard wish while the search looks for any way at all to keep them
MILD_TURN = 5 * SCALE  # and a turn out of order meanwhile
ATTEMPTS = 4
Places = dict[int, list[int]]


@dataclass(frozen=True)
class Settled:
    """A round found: the line, its price, and how many hard wishes it breaks."""

    line: list[int]
    cost: int
    broken: int


def settle(
    shape: Shape,
    here: Sequence[int],
    count: Tally,
    wishes: Wishes,
    chance: Chance,
    steps: int,
    stop: Stop | None = None,
) -> Settled:
    """The fairest round found for the players `here`, the hard wishes kept if any attempt keeps
    them.

    From the second attempt on the wishes are first made mild, so that the search can pass through
    seatings that break them.
    """
    best: Settled | None = None
    for attempt in range(ATTEMPTS):
        found = _attempt(shape, here, count, wishes, chance, steps, stop, mild=attempt > 0)
        if best is None or found.cost < best.cost:
            best = found
        if not best.broken or (stop is not None and stop()):
            break
    assert best is not None
    return best


def _attempt(
    shape: Shape,
    here: Sequence[int],
    count: Tally,
    wishes: Wishes,
    chance: Chance,
    steps: int,
    stop: Stop | None,
    *,
    mild: bool,
) -> Settled:
    share = seat_prices(count, [expected_seats(shape)] * len(count.portions))
    firm_places = _sum(wish_places(count, wishes), turn_prices(count))
    mild_places = _sum(wish_places(count, wishes, MILD), turn_prices(count, MILD_TURN, MILD_TURN))

    def board(line: list[int], places: Places, hard: int) -> Board:
        return Board([shape], [line], pair_prices(count, wishes, hard), share, [places])

    first = {kind: [max(price, 0) for price in row] for kind, row in firm_places.items()}
    line = opening(shape, pair_prices(count, wishes), first, chance, here)
    if mild:
        warm = board(line, mild_places, MILD)
        line = anneal(warm, chance, Heat(4 * steps, hot=30), stop=stop)[0]
    firm = board(line, firm_places, HARD)
    line = anneal(firm, chance, Heat(steps), stop=stop)[0]
    cost = board(line, firm_places, HARD).cost
    return Settled(line, cost, round((cost - kept_at_best(count, wishes)) / HARD))


def _sum(some: Places, more: Places) -> Places:
    return {
        kind: [one + other for one, other in zip(some[kind], more[kind], strict=True)]
        for kind in some
    }
