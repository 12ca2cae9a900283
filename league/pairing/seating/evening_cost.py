"""How good an evening is: hard wishes, then turns at the small tables, then repeats."""

from __future__ import annotations

from fractions import Fraction

from league.pairing.seating.cost_matrix import OUT_TURN, expected_seats
from league.pairing.seating.evening_problem import Lines, Problem, board_of, watches
from league.pairing.seating.history import SHORT
from league.pairing.seating.lower_bounds import best_rounding, level_fill, overlap
from league.pairing.seating.round_order import best_order
from league.pairing.seating.seat_board import SCALE, Matrix

Found = tuple[str, int, Lines]  # the way, the price, the rounds


class Judge:
    """Tells how good an evening is: hard wishes, then turns at the small tables, then J."""

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
