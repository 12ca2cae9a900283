"""The searches for a round and for an evening: a first seating, annealing, the best result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from league.pairing.rng import Rng
from league.pairing.seating.annealing import (
    HARD,
    SCALE,
    Board,
    Cooling,
    Matrix,
    anneal,
    constraint_costs,
    expected_seats,
    least_constraint_cost,
    pair_cost_matrices,
    seat_cost_rows,
    turn_cost_rows,
)
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.evening_problem import (
    Evaluator,
    Found,
    Lines,
    Problem,
    make_board,
    turn_comes_first,
)
from league.pairing.seating.exact_search import (
    ExactSearch,
    FairTurnSearch,
    HardConstraints,
    Turn,
    WorkLimit,
)
from league.pairing.seating.history import OUT, SHORT, PlayedRound, Tally, add_round, tally
from league.pairing.seating.schedules import assign_players, known_evenings
from league.pairing.seating.small_table_turns import Turns, Waiting, turns
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


# How many swaps are tried in one search, and how many start evenings are dealt.
# "glance" is for a single round that is planned together with the next one.
STEPS = {"glance": 24_000, "quick": 120_000, "thorough": 2_000_000}
STARTS = {"glance": 1, "quick": 3, "thorough": 16}
ROUND_STEPS = 3_000
CAST_STEPS = {"quick": 2_000, "thorough": 60_000}


def best_evening(problem: Problem) -> Found:
    """Return the best evening of all candidates: (way, cost, lines)."""
    pair_costs = pair_cost_matrices(problem.count, problem.constraints)
    seat_costs = seat_cost_rows(problem.count, problem.attendance.expected())
    evaluator = Evaluator(problem, pair_costs, seat_costs)
    best: Found | None = None
    for way, make_lines in _candidates(problem, pair_costs, seat_costs):
        found = evaluator.evaluate(way, make_lines(best))
        if best is None or found[1] < best[1]:
            best = found
        if evaluator.is_optimal(best):
            break
    assert best is not None
    return best


Way = tuple[str, Callable[[Found | None], Lines]]


def _candidates(
    problem: Problem, pair_costs: tuple[Matrix, Matrix], seat_costs: dict[int, list[int]]
) -> Iterator[Way]:
    """Yield every way to make an evening, the fastest first; each may start from the best so far.

    If all players are alike, a schedule found beforehand ends a quick search: it was searched for
    longer than this search would be.
    """
    is_glance = problem.effort == "glance"
    for schedule in [] if is_glance else _schedule_evenings(problem, pair_costs, seat_costs):
        yield "schedule", partial(_unchanged, schedule)
    if problem.effort == "quick" and problem.has_known_schedule:
        return
    steps, starts = STEPS[problem.effort], STARTS[problem.effort]
    shapes = problem.attendance.shapes
    has_turns = any(shape.out or min(shape.sizes) < 4 for shape in shapes)

    def search_in_turn(_best: Found | None) -> Lines:
        start, cooling = _deal_evening(problem), Cooling(steps // starts)
        waiting = turn_comes_first(problem)
        if waiting is not None:
            lines = _anneal_in_turn(problem, start, pair_costs, seat_costs, cooling, waiting)
            if lines is not None:
                return lines
        return _anneal(problem, start, pair_costs, seat_costs, cooling, level=True)

    def search_freely(best: Found | None) -> Lines:
        start, hot = (best[2], 4) if best is not None else (_deal_evening(problem), 8)
        return _anneal(problem, start, pair_costs, seat_costs, Cooling(steps, hot))

    for _ in range(starts if has_turns else 0):
        yield "turns", search_in_turn
    searches = 1 if has_turns else 2
    for _ in range(0 if is_glance else searches):
        yield "search", search_freely
    if problem.constraints and not is_glance:
        cooling = Cooling(steps, 4)
        yield "search", partial(_redraw_broken_rounds, problem, pair_costs, seat_costs, cooling)


def _unchanged(schedule: Lines, _best: Found | None) -> Lines:
    return schedule


def _schedule_evenings(
    problem: Problem, pair_costs: tuple[Matrix, Matrix], seat_costs: dict[int, list[int]]
) -> list[Lines]:
    attendance = problem.attendance
    if not attendance.is_steady or len(set(attendance.shapes)) != 1:
        return []
    shape = attendance.shapes[0]
    steps = 0 if problem.is_plain else CAST_STEPS[problem.effort]
    return [
        assign_players(lines, shape, pair_costs, seat_costs, problem.rng, steps)
        for lines in known_evenings(shape, len(attendance.shapes), problem.rng)
    ]


def _deal_evening(problem: Problem) -> Lines:
    """Seat round after round, small tables and sit-outs by turn, as a good start for a search."""
    attendance = problem.attendance
    count = tally(attendance.people, problem.past)
    lines = []
    for number, shape in enumerate(attendance.shapes):
        present = attendance.present[number]
        constraints = problem.constraints.of(attendance.names(number))
        steps = ROUND_STEPS + 20 * len(present)
        line = search_round(shape, present, count, constraints, problem.rng, steps).line
        lines.append(line)
        add_round(count, _as_played(problem, number, line))
    return lines


def _redraw_broken_rounds(
    problem: Problem,
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: dict[int, list[int]],
    cooling: Cooling,
    best: Found | None,
) -> Lines:
    """Redraw each round of the best evening that breaks a hard constraint, then anneal.

    Swaps of two players cannot always repair a broken constraint, as they may have to break another
    on the way. For a single round `search_round` tries all placements.
    """
    assert best is not None
    lines = list(best[2])
    count = tally(problem.attendance.people, problem.past)
    has_changed = False
    for number, shape in enumerate(problem.attendance.shapes):
        present = problem.attendance.present[number]
        constraints = problem.constraints.of(problem.attendance.names(number))
        if RoundSearch(shape, count, constraints).evaluate(lines[number]).broken:
            other_rounds = tally(problem.attendance.people, problem.past)
            for other_number, line in enumerate(lines):
                if other_number != number:
                    add_round(other_rounds, _as_played(problem, other_number, line))
            steps = ROUND_STEPS + 20 * len(present)
            found = search_round(shape, present, other_rounds, constraints, problem.rng, steps)
            lines[number] = found.line
            has_changed = True
    return _anneal(problem, lines, pair_costs, seat_costs, cooling) if has_changed else lines


def _as_played(problem: Problem, number: int, line: list[int]) -> PlayedRound:
    """Return a round of the evening as if it had been played."""
    people, shape = problem.attendance.people, problem.attendance.shapes[number]
    return PlayedRound(
        tuple(tuple(people[player] for player in table) for table in shape.tables(line)),
        tuple(people[player] for player in shape.outs(line)),
    )


def _anneal_in_turn(
    problem: Problem,
    start: Lines,
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: dict[int, list[int]],
    cooling: Cooling,
    waiting: tuple[Waiting, Waiting],
) -> Lines | None:
    """Anneal with a cost on turns out of order, at the end a high one; None if some are left."""
    board = make_board(problem, start, pair_costs, seat_costs)
    board.turns = Turns(problem.attendance.shapes, start, *waiting)
    anneal(board, problem.rng, cooling)
    board.cost += board.turns.tighten()
    final_cooling = Cooling(cooling.steps // 4, hot=3)
    lines = anneal(board, problem.rng, final_cooling)
    breaches = sum(Turns(problem.attendance.shapes, lines, *waiting).breaches)
    return None if breaches else lines


def _anneal(
    problem: Problem,
    start: Lines,
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: dict[int, list[int]],
    cooling: Cooling,
    *,
    level: bool = False,
) -> Lines:
    board = make_board(problem, start, pair_costs, seat_costs)
    return anneal(board, problem.rng, cooling, level=level)
