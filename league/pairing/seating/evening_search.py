"""The search for an evening: ready-made, dealt out in turn, and free; the best is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from league.pairing.seating.annealing import Cooling, Matrix, anneal
from league.pairing.seating.cost_matrix import pair_prices, seat_prices
from league.pairing.seating.evening_problem import (
    Found,
    Judge,
    Lines,
    Problem,
    board_of,
    turn_comes_first,
)
from league.pairing.seating.history import PlayedRound, add_round, tally
from league.pairing.seating.round_search import RoundSearch, search_round
from league.pairing.seating.schedules import fit, ready_made
from league.pairing.seating.small_table_turns import Turns, Waiting

# How many swaps are tried in one search, and how many evenings are dealt out to start from.
# "glance" is for a single round planned with the next one in mind.
STEPS = {"glance": 24_000, "quick": 120_000, "thorough": 2_000_000}
STARTS = {"glance": 1, "quick": 3, "thorough": 16}
ROUND_STEPS = 3_000
CAST_STEPS = {"quick": 2_000, "thorough": 60_000}


def best_evening(problem: Problem) -> Found:
    """The best evening of all ways tried: (way, cost, lines)."""
    prices = pair_prices(problem.count, problem.constraints)
    seat = seat_prices(problem.count, problem.plan_of.expected())
    judge = Judge(problem, prices, seat)
    best: Found | None = None
    for way, lines in _ways(problem, prices, seat):
        found = judge.found(way, lines(best))
        if best is None or found[1] < best[1]:
            best = found
        if judge.perfect(best):
            break
    assert best is not None
    return best


Way = tuple[str, Callable[[Found | None], Lines]]


def _ways(
    problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> Iterator[Way]:
    """Every way to make an evening, cheapest first; each may start from the best so far.

    Where nothing tells people apart, a schedule found beforehand has been searched for longer than
    a quick search ever would.
    """
    glance = problem.effort == "glance"
    for ready in [] if glance else _from_schedules(problem, prices, seat):
        yield "schedule", partial(_as_it_is, ready)
    if problem.effort == "quick" and problem.schedule_is_known:
        return
    steps, starts = STEPS[problem.effort], STARTS[problem.effort]
    uneven = any(shape.out or min(shape.sizes) < 4 for shape in problem.plan_of.shapes)

    def dealt(_best: Found | None) -> Lines:
        start, cooling = _dealt(problem), Cooling(steps // starts)
        waiting = turn_comes_first(problem)
        if waiting is not None:
            found = _in_turn(problem, start, prices, seat, cooling, waiting)
            if found is not None:
                return found
        return _anneal(problem, start, prices, seat, cooling, level=True)

    def free(best: Found | None) -> Lines:
        start, hot = (best[2], 4) if best is not None else (_dealt(problem), 8)
        return _anneal(problem, start, prices, seat, Cooling(steps, hot))

    for _ in range(starts if uneven else 0):
        yield "turns", dealt
    searches = 1 if uneven else 2
    for _ in range(0 if glance else searches):
        yield "search", free
    if problem.constraints and not glance:
        yield "search", partial(_mended, problem, prices, seat, Cooling(steps, 4))


def _as_it_is(ready: Lines, _best: Found | None) -> Lines:
    return ready


def _from_schedules(
    problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> list[Lines]:
    plan_of = problem.plan_of
    if not plan_of.steady or len(set(plan_of.shapes)) != 1:
        return []
    shape = plan_of.shapes[0]
    steps = 0 if problem.plain else CAST_STEPS[problem.effort]
    return [
        fit(lines, shape, prices, seat, problem.rng, steps)
        for lines in ready_made(shape, len(plan_of.shapes), problem.rng)
    ]


def _dealt(problem: Problem) -> Lines:
    """Round after round, the small tables and sit-outs by turn: a good evening to start from."""
    plan_of = problem.plan_of
    count = tally(plan_of.people, problem.past)
    lines = []
    for number, (here, shape) in enumerate(zip(plan_of.present, plan_of.shapes, strict=True)):
        constraints = problem.constraints.of(plan_of.names(number))
        steps = ROUND_STEPS + 20 * len(here)
        line = search_round(shape, here, count, constraints, problem.rng, steps).line
        lines.append(line)
        add_round(count, _played(problem, number, line))
    return lines


def _mended(
    problem: Problem,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    cooling: Cooling,
    best: Found | None,
) -> Lines:
    """The best so far, with each round that breaks a hard constraint redrawn beside the others.

    Swaps of two do not always lead out of a broken constraint: on the way they would break another.
    A round by itself is gone through in every way there is (`search_round`).
    """
    assert best is not None
    lines = list(best[2])
    count = tally(problem.plan_of.people, problem.past)
    drawn = False
    for number, shape in enumerate(problem.plan_of.shapes):
        here = problem.plan_of.present[number]
        room = RoundSearch(shape, count, problem.constraints.of(problem.plan_of.names(number)))
        if room.weigh(lines[number]).broken:
            others = tally(problem.plan_of.people, problem.past)
            for other, line in enumerate(lines):
                if other != number:
                    add_round(others, _played(problem, other, line))
            constraints = problem.constraints.of(problem.plan_of.names(number))
            steps = ROUND_STEPS + 20 * len(here)
            lines[number] = search_round(shape, here, others, constraints, problem.rng, steps).line
            drawn = True
    return _anneal(problem, lines, prices, seat, cooling) if drawn else lines


def _played(problem: Problem, number: int, line: list[int]) -> PlayedRound:
    """A round of the evening as it would have been played."""
    people, shape = problem.plan_of.people, problem.plan_of.shapes[number]
    return PlayedRound(
        tuple(tuple(people[one] for one in table) for table in shape.tables(line)),
        tuple(people[one] for one in shape.outs(line)),
    )


def _in_turn(
    problem: Problem,
    start: Lines,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    cooling: Cooling,
    waiting: tuple[Waiting, Waiting],
) -> Lines | None:
    """Search with turns at the small tables dear, at the end very dear; None if some are broken."""
    board = board_of(problem, start, prices, seat)
    board.turns = Turns(problem.plan_of.shapes, start, *waiting)
    anneal(board, problem.rng, cooling)
    board.cost += board.turns.tighten()
    cool = Cooling(cooling.steps // 4, hot=3)
    lines = anneal(board, problem.rng, cool)
    broken = sum(Turns(problem.plan_of.shapes, lines, *waiting).breaches)
    return None if broken else lines


def _anneal(
    problem: Problem,
    start: Lines,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    cooling: Cooling,
    *,
    level: bool = False,
) -> Lines:
    board = board_of(problem, start, prices, seat)
    return anneal(board, problem.rng, cooling, level=level)
