"""The search where some table seats more than four: several partners, and opponents by the side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.annealing import SCALE, SHARE_WEIGHT, Cooling, Matrix
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.cost_matrix import (
    constraint_costs,
    expected_seats,
    pair_cost_matrices,
    seat_cost_rows,
    turn_cost_rows,
)
from league.pairing.seating.evening_problem import Problem, best_order, watches
from league.pairing.seating.history import Tally, are_partners
from league.pairing.seating.schedules import assign_players, longest_schedule
from league.pairing.seating.table_layout import OPPONENT_STEP, PARTNER_STEP, Shape

USUAL = 4  # the largest table that the other search knows
STAGE = 250  # swaps tried at one temperature
ATTEMPTS = 2  # at one round; of an evening one long search is better
HOT, MANY = 16, 24  # fewer people than so many are searched hotter, as most of them meet again
COOL = 1  # for an evening that is good already
LARGE = 120  # players beyond which there is one attempt only
PARTED, JOINED = (
    8,
    2,
)  # what partners who become opponents cost beside their prices, and the reverse
STEPS = {"glance": 15_000, "first": 15_000, "quick": 40_000, "thorough": 400_000}
Places = dict[int, list[int]]


def is_large(shapes: Sequence[Shape]) -> bool:
    """Whether any of these rounds has a table of five or more."""
    return any(size > USUAL for shape in shapes for size in shape.sizes)


@dataclass(frozen=True)
class Mates:
    """By place: the places of partners, those of opponents, and the table (-1 sits out)."""

    partners: tuple[tuple[int, ...], ...]
    opponents: tuple[tuple[int, ...], ...]
    table: tuple[int, ...]


def mates_of(shape: Shape) -> Mates:
    partners: list[tuple[int, ...]] = []
    opponents: list[tuple[int, ...]] = []
    tables: list[int] = []
    for number, (start, size) in enumerate(zip(shape.starts, shape.sizes, strict=True)):
        for seat in range(size):
            others = [other for other in range(size) if other != seat]
            with_me = {other for other in others if are_partners(size, seat, other)}
            partners.append(tuple(start + other for other in sorted(with_me)))
            opponents.append(tuple(start + other for other in others if other not in with_me))
            tables.append(number)
    none: tuple[tuple[int, ...], ...] = ((),) * shape.out
    return Mates((*partners, *none), (*opponents, *none), (*tables, *[-1] * shape.out))


class LargeBoard:
    """Rounds under search; prices as those of `seat_board.Board`, with any number of mates."""

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        prices: tuple[Matrix, Matrix],
        seat: Places,
        place: Sequence[Places],
    ) -> None:
        self.shapes, self.mates = list(shapes), [mates_of(shape) for shape in shapes]
        self.partner = [row[:] for row in prices[0]]
        self.opponent = [row[:] for row in prices[1]]
        self.seat = {kind: row[:] for kind, row in seat.items()}
        self.place, self.cost = list(place), 0
        self.lines = [list(line) for line in lines]
        for number, line in enumerate(self.lines):
            mates = self.mates[number]
            for here, one in enumerate(line):
                kind = self.shapes[number].kinds[here]
                self.cost += self.seat[kind][one] + self.place[number][kind][one]
                self.seat[kind][one] += 2 * SHARE_WEIGHT * SCALE
                for other in (line[mate] for mate in mates.partners[here] if mate > here):
                    self.cost += self.partner[one][other]
                    self._meet(one, other, SCALE, True)
                for other in (line[mate] for mate in mates.opponents[here] if mate > here):
                    self.cost += self.opponent[one][other]
                    self._meet(one, other, SCALE, False)

    def _meet(self, one: int, other: int, step: int, partners: bool) -> None:
        more_partner = (PARTNER_STEP if partners else 2) * step
        more_opponent = (2 if partners else OPPONENT_STEP) * step
        self.partner[one][other] += more_partner
        self.partner[other][one] += more_partner
        self.opponent[one][other] += more_opponent
        self.opponent[other][one] += more_opponent

    def price(self, number: int, a: int, b: int) -> int | None:
        """The change of cost when two places swap their people; None where nothing changes."""
        mates, line = self.mates[number], self.lines[number]
        if mates.table[a] == mates.table[b]:
            return self._price_within(number, a, b)
        x, y = line[a], line[b]
        price = self._price_of_leaving(number, a, x, y) + self._price_of_leaving(number, b, y, x)
        kinds = self.shapes[number].kinds
        from_a, from_b = kinds[a], kinds[b]
        if from_a != from_b:
            place, seat = self.place[number], self.seat
            price += place[from_b][x] - place[from_a][x] + place[from_a][y] - place[from_b][y]
            price += seat[from_b][x] - seat[from_a][x] + seat[from_a][y] - seat[from_b][y]
            price += 4 * SHARE_WEIGHT * SCALE
        return price

    def _price_of_leaving(self, number: int, a: int, x: int, y: int) -> int:
        """What it changes at a table that x leaves and y joins in the same place."""
        mates, line = self.mates[number], self.lines[number]
        with_x, with_y = self.partner[x], self.partner[y]
        price = (
            PARTNER_STEP * len(mates.partners[a]) + OPPONENT_STEP * len(mates.opponents[a])
        ) * SCALE
        for mate in mates.partners[a]:
            price += with_y[line[mate]] - with_x[line[mate]]
        against_x, against_y = self.opponent[x], self.opponent[y]
        for mate in mates.opponents[a]:
            price += against_y[line[mate]] - against_x[line[mate]]
        return price

    def _price_within(self, number: int, a: int, b: int) -> int | None:
        mates, line = self.mates[number], self.lines[number]
        if not mates.partners[a] or b in mates.partners[a]:
            return None
        x, y = line[a], line[b]
        price = 0
        for one, other, place in ((x, y, a), (y, x, b)):
            for mate in mates.partners[place]:
                who = line[mate]
                price += self.opponent[one][who] - self.partner[one][who] + PARTED * SCALE
                price += self.partner[other][who] - self.opponent[other][who] + JOINED * SCALE
        return price

    def do(self, number: int, a: int, b: int, price: int) -> None:
        """Make a swap whose price is known."""
        line, kinds = self.lines[number], self.shapes[number].kinds
        x, y = line[a], line[b]
        self._meet_all(number, a, b, -SCALE)
        line[a], line[b] = y, x
        self._meet_all(number, a, b, SCALE)
        if kinds[a] != kinds[b]:
            step = 2 * SHARE_WEIGHT * SCALE
            self.seat[kinds[a]][x] -= step
            self.seat[kinds[b]][x] += step
            self.seat[kinds[b]][y] -= step
            self.seat[kinds[a]][y] += step
        self.cost += price

    def _meet_all(self, number: int, a: int, b: int, step: int) -> None:
        """Everybody whom the people in two places meet; their own meeting does not change."""
        mates, line = self.mates[number], self.lines[number]
        for place, beside in ((a, b), (b, a)):
            for mate in mates.partners[place]:
                self._meet(line[place], line[mate], step, True)
            for mate in mates.opponents[place]:
                if mate != beside:
                    self._meet(line[place], line[mate], step, False)


def anneal(board: LargeBoard, rng: Rng, cooling: Cooling) -> list[list[int]]:
    """The best rounds seen from the board as it stands."""
    best, lines = board.cost, [line[:] for line in board.lines]
    stages = max(1, cooling.steps // STAGE)
    coldest = cooling.cold_percent * SCALE * 10
    fall = cooling.hot * SCALE * 1000 - coldest
    for stage in range(stages + 2):
        left = max(0, stages - stage)
        temperature = coldest + fall * left * left // (stages * stages)
        _stage(board, rng, temperature if stage < stages else 0)
        if board.cost < best:
            best, lines = board.cost, [line[:] for line in board.lines]
    return lines


def _stage(board: LargeBoard, rng: Rng, temperature: int) -> None:
    random, limits = rng.random, thresholds()
    rounds = len(board.lines)
    for _ in range(STAGE):
        number = int(random() * rounds)
        places = len(board.lines[number])
        a, b = int(random() * places), int(random() * places)
        price = None if a == b else board.price(number, a, b)
        if price is not None and (
            price <= 0 or price * 1_000_000 <= temperature * limits[int(random() * QUANTILES)]
        ):
            board.do(number, a, b, price)


def search_large_round(
    shape: Shape,
    here: Sequence[int],
    count: Tally,
    constraints: Constraints,
    rng: Rng,
) -> tuple[list[int], int]:
    """The line of one round and its price; turns at small tables and sit-outs come first."""
    places = _sum(constraint_costs(count, constraints), turn_cost_rows(count))
    seat = seat_cost_rows(count, [expected_seats(shape)] * len(count.portions))
    prices = pair_cost_matrices(count, constraints)
    lines, cost = _best([shape], [here], prices, seat, [places], rng, STEPS["quick"])
    return lines[0], cost


def search_large_evening(problem: Problem) -> tuple[str, int, list[list[int]]]:
    """Several rounds together: where they come from, their price, the lines.

    Where nothing tells people apart, an evening searched for beforehand is taken as it is, as no
    search here lasts as long; a shorter one starts from its first rounds.
    """
    count, constraints, attendance = problem.count, problem.constraints, problem.attendance
    shapes, rounds = attendance.shapes, len(attendance.shapes)
    prices, seat = (
        pair_cost_matrices(count, constraints),
        seat_cost_rows(count, attendance.expected()),
    )
    places = [constraint_costs(count, constraints)] * rounds
    steps = 2 * STEPS[problem.effort] * rounds
    alike = attendance.is_steady and len(set(shapes)) == 1
    known = longest_schedule(shapes[0]) if alike and problem.is_plain else []
    way = "schedule" if len(known) == rounds else "search"
    if len(known) < rounds:
        lines, cost = _best(shapes, attendance.present, prices, seat, places, problem.rng, steps)
    else:
        lines = assign_players(known[:rounds], shapes[0], prices, seat, problem.rng, 0)
        board = LargeBoard(shapes, lines, prices, seat, places)
        if way == "search":
            lines = anneal(board, problem.rng, Cooling(steps, COOL))
        cost = LargeBoard(shapes, lines, prices, seat, places).cost
    if alike:
        lines = best_order(lines, shapes[0], *watches(problem))
    return way, cost, lines


def _best(
    shapes: Sequence[Shape],
    present: Sequence[Sequence[int]],
    prices: tuple[Matrix, Matrix],
    seat: Places,
    places: Sequence[Places],
    rng: Rng,
    steps: int,
) -> tuple[list[list[int]], int]:
    """The cheapest of a few searches, each from a seating by chance."""
    hot = HOT if len(prices[0]) <= MANY else Cooling(0).hot
    attempts = ATTEMPTS if len(shapes) == 1 and len(prices[0]) <= LARGE else 1
    best: tuple[list[list[int]], int] | None = None
    for _attempt in range(attempts):
        lines = []
        for here in present:
            line = list(here)
            rng.shuffle(line)
            lines.append(line)
        board = LargeBoard(shapes, lines, prices, seat, places)
        lines = anneal(board, rng, Cooling(steps // attempts, hot))
        cost = LargeBoard(shapes, lines, prices, seat, places).cost
        if best is None or cost < best[1]:
            best = lines, cost
    assert best is not None
    return best


def _sum(some: Places, more: Places) -> Places:
    return {
        kind: [one + other for one, other in zip(some[kind], more[kind], strict=True)]
        for kind in some
    }
