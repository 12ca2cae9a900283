"""The search for one round: a first seating, annealing, and an exact search if need be."""

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
    pair_cost_matrices,
    seat_cost_rows,
    turn_cost_rows,
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
    pair_costs: tuple[Matrix, Matrix],
    turn_costs: dict[int, list[int]],
    rng: Rng,
    present: Sequence[int] | None = None,
) -> list[int]:
    """Fill the places one by one, each with the player who costs least there.

    Sit-outs and small tables are filled first, by turn; ties are broken at random. Without
    `present`, all players are seated.
    """
    unseated = list(range(len(pair_costs[0]) - 1) if present is None else present)
    rng.shuffle(unseated)
    partner, opponent = pair_costs
    nobody = len(partner) - 1
    line = [nobody] * (shape.nobody + 1)
    for place in sorted(range(shape.nobody), key=lambda place: (shape.kinds[place], place)):
        mate, left, right = shape.mates[place]
        by_place = turn_costs[shape.kinds[place]]
        by_mate = partner[line[mate]]
        by_left, by_right = opponent[line[left]], opponent[line[right]]
        costs = [by_place[p] + by_mate[p] + by_left[p] + by_right[p] for p in unseated]
        line[place] = unseated.pop(costs.index(min(costs)))
    return line[:-1]


RELAXED = 40 * SCALE  # the cost of a hard constraint while the search may pass through it
RELAXED_TURN = 5 * SCALE  # the same for a turn out of order
ATTEMPTS = 4
LARGE = 240  # with more players there is only one attempt: the others would take half a minute
Places = dict[int, list[int]]


@dataclass(frozen=True)
class FoundRound:
    """A round found: its line, its cost, and how many hard constraints it breaks.

    `turn_cost` is the part of the cost for sit-outs and small tables out of turn; `ranks` counts
    the better claims passed over, for sit-outs and for small tables. `is_in_turn` is True if no
    fairer round keeps the constraints.
    """

    line: list[int]
    cost: int
    broken: int
    turn_cost: int
    ranks: tuple[int, int]
    is_in_turn: bool = False


def search_round(
    shape: Shape,
    present: Sequence[int],
    count: Tally,
    constraints: Constraints,
    rng: Rng,
    steps: int,
) -> FoundRound:
    """Return the fairest round found for the players present, with hard constraints if possible.

    From the second attempt on, the constraints are relaxed first, so that the search can pass
    through seatings that break them. If a constraint is still broken, or a player passed over, an
    exact search tries every placement of the players with constraints, and the search continues
    from the fairest.
    """
    search = RoundSearch(shape, count, constraints)
    best: FoundRound | None = None
    for attempt in range(ATTEMPTS if len(present) <= LARGE else 1):
        line = search.initial_seating(present, rng)
        if attempt:
            line = search.relaxed_line(line, rng, steps)
        found = search.improve(line, rng, steps)
        if best is None or found.cost < best.cost:
            best = found
        if not best.broken:
            break
    assert best is not None
    hard = HardConstraints(count, constraints)
    least_cost = ExactSearch(shape, present, hard, search.turn_costs, WorkLimit(0)).least
    if (best.broken, best.turn_cost) <= (0, least_cost):
        return replace(best, is_in_turn=True)
    fairest = FairTurnSearch(shape, present, count, hard).fairest(rng)
    if fairest.seating.line is None:
        return best
    fair_search = RoundSearch(shape, count, constraints, fairest.turn_costs)
    found = fair_search.improve(fairest.seating.line, rng, steps)
    line = min(found, fair_search.evaluate(best.line), key=lambda candidate: candidate.cost).line
    return search.evaluate(line)


class RoundSearch:
    """The costs of one round, and the searches that use them."""

    def __init__(
        self, shape: Shape, count: Tally, constraints: Constraints, turn_costs: Turn | None = None
    ) -> None:
        self.shape, self.count, self.constraints = shape, count, constraints
        self.seat_costs = seat_cost_rows(count, [expected_seats(shape)] * len(count.portions))
        self.turn_costs = turn_costs or turn_cost_rows(count)
        self.place_costs = _add_costs(constraint_costs(count, constraints), self.turn_costs)
        self.pair_costs = pair_cost_matrices(count, constraints)

    def initial_seating(self, present: Sequence[int], rng: Rng) -> list[int]:
        """Return a line to search from."""
        costs = {kind: [max(cost, 0) for cost in row] for kind, row in self.place_costs.items()}
        return initial_seating(self.shape, self.pair_costs, costs, rng, present)

    def relaxed_line(self, line: list[int], rng: Rng, steps: int) -> list[int]:
        """Return another line to search from, found with relaxed constraints and turns."""
        turns = turn_cost_rows(self.count, RELAXED_TURN, RELAXED_TURN)
        place_costs = _add_costs(constraint_costs(self.count, self.constraints, RELAXED), turns)
        pair_costs = pair_cost_matrices(self.count, self.constraints, RELAXED)
        board = Board([self.shape], [line], pair_costs, self.seat_costs, [place_costs])
        return anneal(board, rng, Cooling(4 * steps, hot=30))[0]

    def improve(self, line: list[int], rng: Rng, steps: int) -> FoundRound:
        """Return the best round found from a line, at the full cost of constraints and turns."""
        return self.evaluate(anneal(self._board(line), rng, Cooling(steps))[0])

    def evaluate(self, line: list[int]) -> FoundRound:
        """Return the round of a line with its costs."""
        cost = self._board(line).cost
        placed = list(zip(self.shape.kinds, line, strict=True))
        ranks = [
            sum(player_turns[player].rank for kind, player in placed if kind in kinds)
            for kinds, player_turns in (
                ((OUT,), turns(self.count, out=True)),
                (SHORT, turns(self.count, out=False)),
            )
        ]
        return FoundRound(
            line,
            cost,
            broken=round((cost - least_constraint_cost(self.count, self.constraints)) / HARD),
            turn_cost=sum(self.turn_costs[kind][player] for kind, player in placed),
            ranks=(ranks[0], ranks[1]),
        )

    def _board(self, line: list[int]) -> Board:
        return Board([self.shape], [line], self.pair_costs, self.seat_costs, [self.place_costs])


def _add_costs(first: Places, second: Places) -> Places:
    return {kind: [a + b for a, b in zip(first[kind], second[kind], strict=True)] for kind in first}
