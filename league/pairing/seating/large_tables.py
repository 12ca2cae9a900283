"""The search for rooms with tables of more than four, where players have several partners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.annealing import (
    SCALE,
    SHARE_WEIGHT,
    Cooling,
    Matrix,
    constraint_costs,
    expected_seats,
    pair_cost_matrices,
    seat_cost_rows,
    turn_cost_rows,
)
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.evening_problem import Problem, best_order, watches
from league.pairing.seating.history import Tally, are_partners
from league.pairing.seating.schedules import assign_players, longest_schedule
from league.pairing.seating.table_layout import OPPONENT_STEP, PARTNER_STEP, Shape

USUAL_LARGEST = 4  # the largest table that the usual search handles
STAGE = 250  # swaps tried at one temperature
ATTEMPTS = 2  # for one round; for an evening one long search is better
HOT, HOT_LIMIT = 16, 24  # up to so many rows in the matrices start hotter: most players meet again
COOL = 1  # the first temperature for an evening that is already good
LARGE = 120  # with more players there is only one attempt
# What it costs, besides the costs of the pairs, if partners become opponents, and the reverse.
PARTED, JOINED = 8, 2
STEPS = {"glance": 15_000, "first": 15_000, "quick": 40_000, "thorough": 400_000}
Places = dict[int, list[int]]


def is_large(shapes: Sequence[Shape]) -> bool:
    """Whether any of these rounds has a table of five or more."""
    return any(size > USUAL_LARGEST for shape in shapes for size in shape.sizes)


@dataclass(frozen=True)
class Mates:
    """By place: the places of the partners and of the opponents, and the table (-1: out)."""

    partners: tuple[tuple[int, ...], ...]
    opponents: tuple[tuple[int, ...], ...]
    table: tuple[int, ...]


def table_mates(shape: Shape) -> Mates:
    partners: list[tuple[int, ...]] = []
    opponents: list[tuple[int, ...]] = []
    tables: list[int] = []
    for number, (start, size) in enumerate(zip(shape.starts, shape.sizes, strict=True)):
        for seat in range(size):
            other_seats = [other for other in range(size) if other != seat]
            partner_seats = {other for other in other_seats if are_partners(size, seat, other)}
            partners.append(tuple(start + other for other in sorted(partner_seats)))
            opponent_seats = [other for other in other_seats if other not in partner_seats]
            opponents.append(tuple(start + other for other in opponent_seats))
            tables.append(number)
    none: tuple[tuple[int, ...], ...] = ((),) * shape.out
    return Mates((*partners, *none), (*opponents, *none), (*tables, *[-1] * shape.out))


class LargeBoard:
    """Rounds under search; costs as in `annealing.Board`, but with any number of partners."""

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        pair_costs: tuple[Matrix, Matrix],
        seat_costs: Places,
        place_costs: Sequence[Places],
    ) -> None:
        self.shapes, self.mates = list(shapes), [table_mates(shape) for shape in shapes]
        self.partner_costs = [row[:] for row in pair_costs[0]]
        self.opponent_costs = [row[:] for row in pair_costs[1]]
        self.seat_costs = {kind: row[:] for kind, row in seat_costs.items()}
        self.place_costs, self.cost = list(place_costs), 0
        self.lines = [list(line) for line in lines]
        for number, line in enumerate(self.lines):
            mates = self.mates[number]
            for place, player in enumerate(line):
                kind = self.shapes[number].kinds[place]
                self.cost += self.seat_costs[kind][player] + self.place_costs[number][kind][player]
                self.seat_costs[kind][player] += 2 * SHARE_WEIGHT * SCALE
                for partner in (line[mate] for mate in mates.partners[place] if mate > place):
                    self.cost += self.partner_costs[player][partner]
                    self._add_meeting(player, partner, SCALE, True)
                for opponent in (line[mate] for mate in mates.opponents[place] if mate > place):
                    self.cost += self.opponent_costs[player][opponent]
                    self._add_meeting(player, opponent, SCALE, False)

    def _add_meeting(self, first: int, second: int, step: int, partners: bool) -> None:
        partner_step = (PARTNER_STEP if partners else 2) * step
        opponent_step = (2 if partners else OPPONENT_STEP) * step
        self.partner_costs[first][second] += partner_step
        self.partner_costs[second][first] += partner_step
        self.opponent_costs[first][second] += opponent_step
        self.opponent_costs[second][first] += opponent_step

    def swap_change(self, number: int, a: int, b: int) -> int | None:
        """Return the change of cost if two places swap players; None if nothing would change."""
        mates, line = self.mates[number], self.lines[number]
        if mates.table[a] == mates.table[b]:
            return self._same_table_change(number, a, b)
        x, y = line[a], line[b]
        change = self._replacement_change(number, a, x, y)
        change += self._replacement_change(number, b, y, x)
        kinds = self.shapes[number].kinds
        from_a, from_b = kinds[a], kinds[b]
        if from_a != from_b:
            place, seat = self.place_costs[number], self.seat_costs
            change += place[from_b][x] - place[from_a][x] + place[from_a][y] - place[from_b][y]
            change += seat[from_b][x] - seat[from_a][x] + seat[from_a][y] - seat[from_b][y]
            change += 4 * SHARE_WEIGHT * SCALE
        return change

    def _replacement_change(self, number: int, a: int, x: int, y: int) -> int:
        """Return the change of cost at a table if y takes the place of x."""
        mates, line = self.mates[number], self.lines[number]
        partner_x, partner_y = self.partner_costs[x], self.partner_costs[y]
        change = (
            PARTNER_STEP * len(mates.partners[a]) + OPPONENT_STEP * len(mates.opponents[a])
        ) * SCALE
        for mate in mates.partners[a]:
            change += partner_y[line[mate]] - partner_x[line[mate]]
        opponent_x, opponent_y = self.opponent_costs[x], self.opponent_costs[y]
        for mate in mates.opponents[a]:
            change += opponent_y[line[mate]] - opponent_x[line[mate]]
        return change

    def _same_table_change(self, number: int, a: int, b: int) -> int | None:
        mates, line = self.mates[number], self.lines[number]
        if not mates.partners[a] or b in mates.partners[a]:
            return None
        x, y = line[a], line[b]
        partner, opponent = self.partner_costs, self.opponent_costs
        change = 0
        for leaving, joining, place in ((x, y, a), (y, x, b)):
            for mate in mates.partners[place]:
                other = line[mate]
                change += opponent[leaving][other] - partner[leaving][other] + PARTED * SCALE
                change += partner[joining][other] - opponent[joining][other] + JOINED * SCALE
        return change

    def make_swap(self, number: int, a: int, b: int, change: int) -> None:
        """Make a swap, given its change of cost."""
        line, kinds = self.lines[number], self.shapes[number].kinds
        x, y = line[a], line[b]
        self._add_meetings(number, a, b, -SCALE)
        line[a], line[b] = y, x
        self._add_meetings(number, a, b, SCALE)
        if kinds[a] != kinds[b]:
            step = 2 * SHARE_WEIGHT * SCALE
            self.seat_costs[kinds[a]][x] -= step
            self.seat_costs[kinds[b]][x] += step
            self.seat_costs[kinds[b]][y] -= step
            self.seat_costs[kinds[a]][y] += step
        self.cost += change

    def _add_meetings(self, number: int, a: int, b: int, step: int) -> None:
        """Add `step` for all meetings of the players in two places, except with each other."""
        mates, line = self.mates[number], self.lines[number]
        for place, other_place in ((a, b), (b, a)):
            for mate in mates.partners[place]:
                self._add_meeting(line[place], line[mate], step, True)
            for mate in mates.opponents[place]:
                if mate != other_place:
                    self._add_meeting(line[place], line[mate], step, False)


def anneal(board: LargeBoard, rng: Rng, cooling: Cooling) -> list[list[int]]:
    """Search from the current rounds of the board; return the best rounds seen."""
    best_cost, best_lines = board.cost, [line[:] for line in board.lines]
    stages = max(1, cooling.steps // STAGE)
    coldest = cooling.cold_percent * SCALE * 10
    temperature_range = cooling.hot * SCALE * 1000 - coldest
    for stage in range(stages + 2):
        stages_left = max(0, stages - stage)
        temperature = coldest + temperature_range * stages_left * stages_left // (stages * stages)
        _run_stage(board, rng, temperature if stage < stages else 0)
        if board.cost < best_cost:
            best_cost, best_lines = board.cost, [line[:] for line in board.lines]
    return best_lines


def _run_stage(board: LargeBoard, rng: Rng, temperature: int) -> None:
    random, quantiles = rng.random, thresholds()
    rounds = len(board.lines)
    for _ in range(STAGE):
        number = int(random() * rounds)
        places = len(board.lines[number])
        a, b = int(random() * places), int(random() * places)
        change = None if a == b else board.swap_change(number, a, b)
        if change is not None and (
            change <= 0 or change * 1_000_000 <= temperature * quantiles[int(random() * QUANTILES)]
        ):
            board.make_swap(number, a, b, change)


def search_large_round(
    shape: Shape,
    present: Sequence[int],
    count: Tally,
    constraints: Constraints,
    rng: Rng,
) -> tuple[list[int], int]:
    """Return the line of one round and its cost; turns at small tables and sit-outs come first."""
    place_costs = _add_costs(constraint_costs(count, constraints), turn_cost_rows(count))
    seat_costs = seat_cost_rows(count, [expected_seats(shape)] * len(count.portions))
    pair_costs = pair_cost_matrices(count, constraints)
    lines, cost = _best_search(
        [shape], [present], pair_costs, seat_costs, [place_costs], rng, STEPS["quick"]
    )
    return lines[0], cost


def search_large_evening(problem: Problem) -> tuple[str, int, list[list[int]]]:
    """Return several rounds: where they come from, their cost, and the lines.

    If all players are alike, an evening found beforehand is used unchanged, as it was searched for
    longer; a shorter evening starts from its first rounds.
    """
    count, constraints, attendance = problem.count, problem.constraints, problem.attendance
    shapes, rounds = attendance.shapes, len(attendance.shapes)
    pair_costs = pair_cost_matrices(count, constraints)
    seat_costs = seat_cost_rows(count, attendance.expected())
    place_costs = [constraint_costs(count, constraints)] * rounds
    steps = 2 * STEPS[problem.effort] * rounds
    is_uniform = attendance.is_steady and len(set(shapes)) == 1
    known_lines = longest_schedule(shapes[0]) if is_uniform and problem.is_plain else []
    way = "schedule" if len(known_lines) == rounds else "search"
    if len(known_lines) < rounds:
        lines, cost = _best_search(
            shapes, attendance.present, pair_costs, seat_costs, place_costs, problem.rng, steps
        )
    else:
        known_lines = known_lines[:rounds]
        lines = assign_players(known_lines, shapes[0], pair_costs, seat_costs, problem.rng, 0)
        board = LargeBoard(shapes, lines, pair_costs, seat_costs, place_costs)
        if way == "search":
            lines = anneal(board, problem.rng, Cooling(steps, COOL))
        cost = LargeBoard(shapes, lines, pair_costs, seat_costs, place_costs).cost
    if is_uniform:
        lines = best_order(lines, shapes[0], *watches(problem))
    return way, cost, lines


def _best_search(
    shapes: Sequence[Shape],
    present_by_round: Sequence[Sequence[int]],
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: Places,
    place_costs: Sequence[Places],
    rng: Rng,
    steps: int,
) -> tuple[list[list[int]], int]:
    """Return the cheapest result of a few searches, each from a random seating."""
    temperature = HOT if len(pair_costs[0]) <= HOT_LIMIT else Cooling(0).hot
    attempts = ATTEMPTS if len(shapes) == 1 and len(pair_costs[0]) <= LARGE else 1
    best: tuple[list[list[int]], int] | None = None
    for _attempt in range(attempts):
        lines = []
        for present in present_by_round:
            line = list(present)
            rng.shuffle(line)
            lines.append(line)
        board = LargeBoard(shapes, lines, pair_costs, seat_costs, place_costs)
        lines = anneal(board, rng, Cooling(steps // attempts, temperature))
        cost = LargeBoard(shapes, lines, pair_costs, seat_costs, place_costs).cost
        if best is None or cost < best[1]:
            best = lines, cost
    assert best is not None
    return best


def _add_costs(first: Places, second: Places) -> Places:
    return {kind: [a + b for a, b in zip(first[kind], second[kind], strict=True)] for kind in first}
