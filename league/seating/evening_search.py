"""The search for an evening: ready-made, dealt out in turn, and free; the best is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from league.seating.annealing import Heat, Stop, anneal
from league.seating.attendance import Attendance
from league.seating.board import SCALE, Board, Matrix
from league.seating.bounds import best_rounding, level_fill, overlap
from league.seating.chance import Chance
from league.seating.history import OUT, SHORT, PlayedRound, Tally, add_round, tally
from league.seating.keeping import Turns, Waiting, bits_of
from league.seating.ordering import best_order
from league.seating.prices import (
    OUT_TURN,
    expected_seats,
    pair_prices,
    seat_prices,
    wish_places,
)
from league.seating.relabel import fit
from league.seating.rotations import looked_for, ready_made
from league.seating.runs import Watch
from league.seating.settling import settle
from league.seating.wishes import Wishes

Lines = list[list[int]]
Found = tuple[str, int, Lines]  # the way, the price, the rounds
# How many swaps are tried in one search, and how many evenings are dealt out to start from.
# "glance" is for a single round planned with the next one in mind.
STEPS = {"glance": 24_000, "quick": 120_000, "thorough": 3_000_000}
STARTS = {"glance": 1, "quick": 3, "thorough": 16}
ROUND_STEPS = 3_000
CAST_STEPS = {"quick": 2_000, "thorough": 60_000}


@dataclass(frozen=True)
class Problem:
    """Everything a search for an evening needs to know."""

    plan_of: Attendance
    past: Sequence[PlayedRound]
    count: Tally
    wishes: Wishes
    chance: Chance
    effort: str
    level_always: bool
    stop: Stop | None

    @property
    def plain(self) -> bool:
        """Whether nothing tells the players apart: no history, no wishes."""
        return not self.wishes and not self.past

    @property
    def settled_beforehand(self) -> bool:
        """Whether a long search has been made for this very evening, and nothing more is asked."""
        usual = self.plain and self.plan_of.steady and not self.level_always
        return usual and looked_for(self.plan_of.shapes)

    def stopped(self) -> bool:
        """Whether the caller wants no more."""
        return self.stop is not None and self.stop()


def best_evening(problem: Problem) -> Found:
    """The best evening of all ways tried: (way, cost, lines)."""
    prices = pair_prices(problem.count, problem.wishes)
    seat = seat_prices(problem.count, problem.plan_of.expected())
    judge = _Judge(problem, prices, seat)
    best: Found | None = None
    for way, lines in _ways(problem, prices, seat):
        found = judge.found(way, lines(best))
        if best is None or found[1] < best[1]:
            best = found
        if problem.stopped() or judge.perfect(best):
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
    if problem.effort == "quick" and problem.settled_beforehand:
        return
    steps, starts = STEPS[problem.effort], STARTS[problem.effort]
    uneven = any(shape.out or min(shape.sizes) < 4 for shape in problem.plan_of.shapes)

    def dealt(_best: Found | None) -> Lines:
        start = _dealt(problem)
        heat = Heat(steps // starts)
        waiting = turn_comes_first(problem)
        if waiting is None:
            return _anneal(problem, start, prices, seat, heat, level=True)
        board = _board(problem, start, prices, seat)
        board.turns = Turns(problem.plan_of.shapes, start, *waiting)
        anneal(board, problem.chance, heat, stop=problem.stop)
        board.cost += board.turns.tighten()
        cool = Heat(heat.steps // 4, hot=3)
        return anneal(board, problem.chance, cool, stop=problem.stop)

    def free(best: Found | None) -> Lines:
        start, hot = (best[2], 4) if best is not None else (_dealt(problem), 8)
        return _anneal(problem, start, prices, seat, Heat(steps, hot))

    for _ in range(starts if uneven else 0):
        yield "turns", dealt
    searches = 1 if uneven else 2
    for _ in range(0 if glance else searches):
        yield "search", free


class _Judge:
    """Tells how good an evening is: hard wishes, then turns at the small tables, then J."""

    def __init__(
        self, problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
    ) -> None:
        self.problem, self.prices, self.seat = problem, prices, seat

    def found(self, way: str, lines: Lines) -> Found:
        """The evening in its best order, with its price."""
        problem = self.problem
        short, out = _watches(problem)
        if problem.plan_of.steady and len(set(problem.plan_of.shapes)) == 1:
            lines = best_order(lines, problem.plan_of.shapes[0], short, out)
        board = _board(problem, lines, self.prices, self.seat)
        for line, shape, here in zip(
            lines, problem.plan_of.shapes, problem.plan_of.present, strict=True
        ):
            short.see((o for o, k in zip(line, shape.kinds, strict=True) if k in SHORT), here)
            out.see(shape.outs(line), here)
        cost = board.cost + OUT_TURN * (short.unfair + out.unfair)
        if problem.level_always:
            cost += OUT_TURN * max(0, short.spread - 1) + OUT_TURN * max(0, out.spread - 1)
        return way, cost, lines

    def perfect(self, found: Found) -> bool:
        """Whether counting shows that nothing can be better. Only told for a plain evening."""
        problem = self.problem
        if not problem.plain or not problem.plan_of.steady:
            return False
        return found[1] <= self._least() + SCALE // 2

    def _least(self) -> Fraction:
        """The lower bound of a plain evening's cost, on the scale of the board."""
        shape, rounds = self.problem.plan_of.shapes[0], len(self.problem.plan_of.shapes)
        people = shape.nobody
        fours = shape.sizes.count(4)
        partners = 2 * fours * rounds
        opponents = (4 * fours + 3 * shape.sizes.count(3) + shape.sizes.count(2)) * rounds
        cells = [rounds] * (people * (people - 1) // 2)
        couples = rounds * (rounds - 1) // 2
        both = people - 2 * shape.out
        least = 4 * (2 * level_fill(partners, cells) + partners)
        for total, opposing in ((opponents, True), (partners + opponents, False)):
            forced = couples * overlap(shape.sizes, shape.sizes, both, opposing)
            least += 2 * max(level_fill(total, cells), forced) + total
        bound = Fraction(least)
        for kind, share in expected_seats(shape).items():
            due = [share * rounds] * people
            bound += 8 * (
                best_rounding(due, shape.kinds.count(kind) * rounds) - sum(d * d for d in due)
            )
        return bound * SCALE


def _watches(problem: Problem) -> tuple[Watch, Watch]:
    """Who has had how much tonight, to go on from; spreads count those here from the start.

    Fixed pairs need a table of four, and cannot sit out one at a time.
    """
    everybody = range(len(problem.plan_of.people))
    portions = problem.count.portions
    bound = frozenset(problem.count.index[one] for pair in problem.wishes.fixed for one in pair)
    most = max(portion.rounds_tonight for portion in portions)
    always = {one for one in everybody if portions[one].rounds_tonight == most}
    short = Watch(
        always - bound,
        {one: portions[one].short_tonight.had for one in everybody},
        {one for one in everybody if portions[one].last in SHORT},
        exempt=bound,
    )
    single = max(shape.out for shape in problem.plan_of.shapes) < 2
    out = Watch(
        always - bound if single else set(always),
        {one: portions[one].out_tonight.had for one in everybody},
        {one for one in everybody if portions[one].last == OUT},
        exempt=bound if single else frozenset(),
    )
    return short, out


def _as_it_is(ready: Lines, _best: Found | None) -> Lines:
    return ready


def turn_comes_first(problem: Problem) -> tuple[Waiting, Waiting] | None:
    """At small tables and at sitting out: everybody, and those whose turn comes first.

    None when people come or go or do not start level: then turns are a matter of attendance.
    """
    most = max(portion.rounds_tonight for portion in problem.count.portions)
    here_throughout = all(one.rounds_tonight == most for one in problem.count.portions)
    if not problem.plan_of.steady or not here_throughout:
        return None
    found = []
    for watch in _watches(problem):
        everybody = sorted(watch.always)
        least = min((watch.times[one] for one in everybody), default=0)
        if any(watch.times[one] > least + 1 for one in everybody):
            return None
        waiting = [one for one in everybody if watch.times[one] == least]
        found.append((bits_of(everybody), bits_of(waiting)))
    return found[0], found[1]


def _from_schedules(
    problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> list[Lines]:
    plan_of = problem.plan_of
    if not plan_of.steady or len(set(plan_of.shapes)) != 1:
        return []
    shape = plan_of.shapes[0]
    steps = 0 if problem.plain else CAST_STEPS[problem.effort]
    return [
        fit(lines, shape, prices, seat, problem.chance, steps, problem.stop)
        for lines in ready_made(shape, len(plan_of.shapes), problem.chance)
    ]


def _dealt(problem: Problem) -> Lines:
    """Round after round, the small tables and sit-outs by turn: a good evening to start from."""
    plan_of = problem.plan_of
    count = tally(plan_of.people, problem.past)
    lines = []
    for number, (here, shape) in enumerate(zip(plan_of.present, plan_of.shapes, strict=True)):
        wishes = problem.wishes.of(plan_of.names(number))
        steps = ROUND_STEPS + 20 * len(here)
        line = settle(shape, here, count, wishes, problem.chance, steps, problem.stop).line
        lines.append(line)
        add_round(
            count,
            PlayedRound(
                tuple(tuple(plan_of.people[one] for one in table) for table in shape.tables(line)),
                tuple(plan_of.people[one] for one in shape.outs(line)),
            ),
        )
    return lines


def _board(
    problem: Problem, lines: Lines, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> Board:
    place = wish_places(problem.count, problem.wishes)
    return Board(problem.plan_of.shapes, lines, prices, seat, [place] * len(lines))


def _anneal(
    problem: Problem,
    start: Lines,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    heat: Heat,
    *,
    level: bool = False,
) -> Lines:
    board = _board(problem, start, prices, seat)
    return anneal(board, problem.chance, heat, level=level, stop=problem.stop)
