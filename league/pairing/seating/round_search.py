"""One round searched for: a first seating, then the line of players and the requests it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from league.pairing.rng import Rng
from league.pairing.seating.annealing import SCALE, Board, Cooling, Matrix, anneal
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.cost_matrix import (
    HARD,
    constraint_costs,
    expected_seats,
    least_constraint_cost,
    pair_prices,
    seat_prices,
    turn_prices,
)
from league.pairing.seating.exact_search import (
    ExactSearch,
    FairTurnSearch,
    HardConstraints,
    Turn,
    WorkLimit,
)
from league.pairing.seating.history import OUT, SHORT, Tally
from league.pairing.seating.small_table_turns import turns
from league.pairing.seating.table_layout import Shape


def initial_seating(
    shape: Shape,
    prices: tuple[Matrix, Matrix],
    turn: dict[int, list[int]],
    rng: Rng,
    here: Sequence[int] | None = None,
) -> list[int]:
    """Fill the places one by one, each with the player who is cheapest there next to those seated.

    Sit-outs and small tables are filled first, by turn; equal claims fall to chance. `here` are the
    players present, by default all.
    """
    waiting = list(range(len(prices[0]) - 1) if here is None else here)
    rng.shuffle(waiting)
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


MILD = 40 * SCALE  # a hard constraint while the search looks for any way at all to keep them
MILD_TURN = 5 * SCALE  # and a turn out of order meanwhile
ATTEMPTS = 4
LARGE = 240  # players beyond which there is one attempt only: the others would take half a minute
Places = dict[int, list[int]]


@dataclass(frozen=True)
class FoundRound:
    """A round found: the line, its price and how many hard constraints it breaks.

    `turns` is the part of the price for sitting out or small before others' turn, `ranks` the
    better claims passed over so, sit-outs first; `in_turn` says that constraints let nothing be
    fairer.
    """

    line: list[int]
    cost: int
    broken: int
    turns: int
    ranks: tuple[int, int]
    in_turn: bool = False


def search_round(
    shape: Shape,
    here: Sequence[int],
    count: Tally,
    constraints: Constraints,
    rng: Rng,
    steps: int,
) -> FoundRound:
    """The fairest round found for the players `here`, the hard constraints kept if that can be.

    From the second attempt on the constraints are first made mild, so that the search can pass
    through seatings that break them. If a constraint is broken after all, or somebody has been
    passed over, every way of placing those with constraints is gone through, and the fairest is
    searched from.
    """
    room = RoundSearch(shape, count, constraints)
    best: FoundRound | None = None
    for attempt in range(ATTEMPTS if len(here) <= LARGE else 1):
        line = room.initial_seating(here, rng)
        if attempt:
            line = room.passing_through(line, rng, steps)
        found = room.improved(line, rng, steps)
        if best is None or found.cost < best.cost:
            best = found
        if not best.broken:
            break
    assert best is not None
    hard = HardConstraints(count, constraints)
    least = ExactSearch(shape, here, hard, room.turn, WorkLimit(0)).least
    if (best.broken, best.turns) <= (0, least):
        return replace(best, in_turn=True)
    spared = FairTurnSearch(shape, here, count, hard).fairest(rng)
    if spared.fit.line is None:
        return best
    fair = RoundSearch(shape, count, constraints, spared.turn)
    found = fair.improved(spared.fit.line, rng, steps)
    line = min(found, fair.weigh(best.line), key=lambda one: one.cost).line
    return room.weigh(line)


class RoundSearch:
    """The prices of one round, and the searches made with them."""

    def __init__(
        self, shape: Shape, count: Tally, constraints: Constraints, turn: Turn | None = None
    ) -> None:
        self.shape, self.count, self.constraints = shape, count, constraints
        self.share = seat_prices(count, [expected_seats(shape)] * len(count.portions))
        self.turn = turn or turn_prices(count)
        self.places = _sum(constraint_costs(count, constraints), self.turn)
        self.pairs = pair_prices(count, constraints)

    def initial_seating(self, here: Sequence[int], rng: Rng) -> list[int]:
        """A line to search from."""
        first = {kind: [max(price, 0) for price in row] for kind, row in self.places.items()}
        return initial_seating(self.shape, self.pairs, first, rng, here)

    def passing_through(self, line: list[int], rng: Rng, steps: int) -> list[int]:
        """Another line to search from, found with constraints and turns made mild."""
        turn = turn_prices(self.count, MILD_TURN, MILD_TURN)
        places = _sum(constraint_costs(self.count, self.constraints, MILD), turn)
        pairs = pair_prices(self.count, self.constraints, MILD)
        warm = Board([self.shape], [line], pairs, self.share, [places])
        return anneal(warm, rng, Cooling(4 * steps, hot=30))[0]

    def improved(self, line: list[int], rng: Rng, steps: int) -> FoundRound:
        """The best round found from a line; constraints and turns are firm."""
        return self.weigh(anneal(self._board(line), rng, Cooling(steps))[0])

    def weigh(self, line: list[int]) -> FoundRound:
        """What a line is worth as a round."""
        cost = self._board(line).cost
        placed = list(zip(self.shape.kinds, line, strict=True))
        ranks = [
            sum(due[one].rank for kind, one in placed if kind in kinds)
            for kinds, due in (
                ((OUT,), turns(self.count, out=True)),
                (SHORT, turns(self.count, out=False)),
            )
        ]
        return FoundRound(
            line,
            cost,
            broken=round((cost - least_constraint_cost(self.count, self.constraints)) / HARD),
            turns=sum(self.turn[kind][one] for kind, one in placed),
            ranks=(ranks[0], ranks[1]),
        )

    def _board(self, line: list[int]) -> Board:
        return Board([self.shape], [line], self.pairs, self.share, [self.places])


def _sum(some: Places, more: Places) -> Places:
    return {
        kind: [one + other for one, other in zip(some[kind], more[kind], strict=True)]
        for kind in some
    }
