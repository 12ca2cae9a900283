"""The search for an evening: ready-made, by turn and free searches; the best result is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from league.pairing.seating.annealing import Cooling, Matrix, anneal
from league.pairing.seating.cost_matrix import pair_cost_matrices, seat_cost_rows
from league.pairing.seating.evening_problem import (
    Evaluator,
    Found,
    Lines,
    Problem,
    make_board,
    turn_comes_first,
)
from league.pairing.seating.history import PlayedRound, add_round, tally
from league.pairing.seating.round_search import RoundSearch, search_round
from league.pairing.seating.schedules import assign_players, known_evenings
from league.pairing.seating.small_table_turns import Turns, Waiting

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
