"""How good an evening is, and in which order to play its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.seating.balance import Watch
from league.pairing.seating.cost_matrix import OUT_TURN, expected_seats
from league.pairing.seating.evening_problem import Lines, Problem, board_of, watches
from league.pairing.seating.history import SHORT
from league.pairing.seating.lower_bounds import best_rounding, level_fill, overlap
from league.pairing.seating.seat_board import SCALE, Matrix
from league.pairing.seating.table_layout import Shape

WIDTH = 40  # how many beginnings are followed at a time


@dataclass
class _Beginning:
    order: tuple[int, ...]
    short: Watch
    out: Watch
    again: int

    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        unfair = self.short.unfair + self.out.unfair
        return unfair, self.short.spread + self.out.spread, self.again, self.order


def best_order(
    lines: Sequence[list[int]], shape: Shape, short: Watch, out: Watch
) -> list[list[int]]:
    """The same rounds in the order that is fairest if the evening stops after any of them.

    First nobody is to have a small table (or sit out) twice running before another who has had it
    less; then the spread is to be least; then as few pairs as possible meet in neighbouring rounds.
    `short` and `out` say what went before. The same people must be present throughout.
    """
    here = set(lines[0]) if lines else set()
    having = [_having(line, shape) for line in lines]
    met = [_met(line, shape) for line in lines]
    beginnings = [_Beginning((), short.copy(), out.copy(), 0)]
    for _ in lines:
        longer = []
        for start in beginnings:
            for number in range(len(lines)):
                if number not in start.order:
                    longer.append(_play(start, number, having, met, here))
        longer.sort(key=_Beginning.rank)
        beginnings = longer[:WIDTH]
    return [lines[number] for number in beginnings[0].order]


def _play(
    start: _Beginning,
    number: int,
    having: list[tuple[set[int], set[int]]],
    met: list[set[tuple[int, int]]],
    here: set[int],
) -> _Beginning:
    short, out = start.short.copy(), start.out.copy()
    if having[number][0]:
        short.see(having[number][0], here)
    if having[number][1]:
        out.see(having[number][1], here)
    again = len(met[start.order[-1]] & met[number]) if start.order else 0
    return _Beginning((*start.order, number), short, out, start.again + again)


def _having(line: list[int], shape: Shape) -> tuple[set[int], set[int]]:
    short = {one for one, kind in zip(line, shape.kinds, strict=True) if kind in SHORT}
    return short, set(shape.outs(line))


def _met(line: list[int], shape: Shape) -> set[tuple[int, int]]:
    return {
        (min(pair), max(pair)) for table in shape.tables(line) for pair in combinations(table, 2)
    }


Found = tuple[str, int, Lines]  # the way, the price, the rounds


class Judge:
    """Tells how good an evening is: hard constraints, then turns at the small tables, then J."""

    def __init__(
        self, problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
    ) -> None:
        self.problem, self.prices, self.seat = problem, prices, seat

    def found(self, way: str, lines: Lines) -> Found:
        """The evening in its best order, with its price."""
        problem = self.problem
        short, out = watches(problem)
        if problem.plan_of.steady and len(set(problem.plan_of.shapes)) == 1:
            lines = best_order(lines, problem.plan_of.shapes[0], short, out)
        board = board_of(problem, lines, self.prices, self.seat)
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
