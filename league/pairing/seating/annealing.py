"""Simulated annealing: costs of partnerships, oppositions and seats, and swaps that lower them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.constraints import Constraints, Pair
from league.pairing.seating.history import OUT, SIZES, Tally
from league.pairing.seating.small_table_turns import SCALE, Due, Turns, turns
from league.pairing.seating.table_layout import OPPONENT_STEP, PARTNER_STEP, TURN, Shape, Swap

HARD = 10**18  # a hard constraint: never broken for the sake of the costs below
PASSED_OVER = 10**15  # passing over a player where constraints do not require it
OUT_TURN = 10**12  # sitting out before another whose turn it is, for each rank between them
SHORT_TURN = 10**9  # the same for a small table
AGAIN_DIVISOR = 1000  # a turn twice running, before one who has had it as often: a thousandth
AVOID = 40 * SCALE  # a soft constraint: more than a repeated partner
GUESTS = 15 * SCALE  # two guests at one table
KINDS = (OUT, *SIZES)
NO_PARTNERS = (2, 3, 5, 7)  # table sizes without partners


@dataclass(frozen=True)
class PairConstraints:
    """The hard constraints as pairs of player indices; those on tables are turned into pairs."""

    partners: frozenset[tuple[int, int]]
    not_partners: frozenset[tuple[int, int]]
    one_table: frozenset[tuple[int, int]]
    two_tables: frozenset[tuple[int, int]]


def pair_constraints(constraints: Constraints, index: dict) -> PairConstraints:
    """Return every hard constraint that concerns two players."""
    table_of = constraints.bound_tables()
    together, not_together = list(constraints.together), list(constraints.never)
    for first, second in combinations(table_of, 2):
        (together if table_of[first] == table_of[second] else not_together).append((first, second))
    partners, not_partners = list(constraints.fixed), list(constraints.apart_partner)
    for first, second in combinations(constraints.locked, 2):
        (table, seat), (other_table, other_seat) = (
            constraints.locked[first],
            constraints.locked[second],
        )
        if table == other_table:
            (partners if (seat - other_seat) % 2 == 0 else not_partners).append((first, second))

    def indices(pairs: Iterable[Pair]) -> frozenset[tuple[int, int]]:
        by_index = ((index[first], index[second]) for first, second in pairs)
        return frozenset((min(pair), max(pair)) for pair in by_index)

    return PairConstraints(
        indices(partners), indices(not_partners), indices(together), indices(not_together)
    )


def pair_cost_matrices(
    count: Tally, constraints: Constraints, hard: int = HARD
) -> tuple[Matrix, Matrix]:
    """Return the costs of one more partnership and of one more opposition for every two players.

    4 p^2 + o^2 + (p + o)^2 grows by 8p + 2m + 5 for a partner and 2o + 2m + 2 for an opponent,
    where m = p + o. The counts of the history are in hundredths, as is SCALE. The last row and
    column are for `nobody`.
    """
    n = len(count.index)
    partner = [[5 * SCALE] * n + [0] for _ in range(n)] + [[0] * (n + 1)]
    opponent = [[2 * SCALE] * n + [0] for _ in range(n)] + [[0] * (n + 1)]
    for player in range(n):
        for other_player, weight in count.partners[player].items():
            partner[player][other_player] += 10 * weight
            opponent[player][other_player] += 2 * weight
        for other_player, weight in count.opponents[player].items():
            partner[player][other_player] += 2 * weight
            opponent[player][other_player] += 4 * weight
    bonds = pair_constraints(constraints, count.index)
    avoid = [(count.index[a], count.index[b]) for a, b in constraints.avoid]
    guests = list(combinations(sorted(count.index[guest] for guest in constraints.guests), 2))
    _add_to_pairs(partner, bonds.partners, -hard)
    _add_to_pairs(partner, bonds.not_partners, hard)
    for matrix in (partner, opponent):
        _add_to_pairs(matrix, bonds.one_table, -hard)
        _add_to_pairs(matrix, bonds.two_tables, hard)
        _add_to_pairs(matrix, avoid, AVOID)
        _add_to_pairs(matrix, guests, GUESTS)
    return partner, opponent


def _add_to_pairs(matrix: Matrix, pairs: Iterable[tuple[int, int]], cost: int) -> None:
    for first, second in pairs:
        matrix[first][second] += cost
        matrix[second][first] += cost


def seat_cost_rows(count: Tally, expected: Sequence[dict[int, Fraction]]) -> dict[int, list[int]]:
    """Return the cost of one more seat of each kind for each player: 8 * (2 (h - e) + 1).

    `expected` is each player's fair share of the seats still to be planned.
    """
    costs: dict[int, list[int]] = {}
    for kind in KINDS:
        row = []
        for portion, player_expected in zip(count.portions, expected, strict=True):
            share = portion.sizes[kind]
            surplus = share.had - share.owed - SCALE * player_expected.get(kind, Fraction(0))
            row.append(int(SHARE_WEIGHT * (2 * surplus + SCALE) // 1))
        costs[kind] = row
    return costs


def expected_seats(shape: Shape) -> dict[int, Fraction]:
    """Return each present player's fair share of one round's seats, by table size."""
    player_count = max(1, shape.nobody)
    return {kind: Fraction(shape.kinds.count(kind), player_count) for kind in KINDS}


def turn_cost_rows(
    count: Tally, short_turn: int = SHORT_TURN, out_turn: int = OUT_TURN
) -> dict[int, list[int]]:
    """Return the cost of giving a small table, or a sit-out, to a player out of turn."""
    short = [_turn_cost(turn, short_turn) for turn in turns(count, out=False)]
    out = [_turn_cost(turn, out_turn) for turn in turns(count, out=True)]
    full = {size: [0] * len(short) for size in SIZES}
    return full | {3: short, 2: short, OUT: out}


def _turn_cost(turn: Due, cost: int) -> int:
    return cost * turn.rank + cost // AGAIN_DIVISOR * turn.again


def constraint_costs(
    count: Tally, constraints: Constraints, hard: int = HARD
) -> dict[int, list[int]]:
    """Return what the hard constraints add to the cost of a seat of each kind.

    A locked seat must exist, a player bound to a table does not sit out, and partners need a table
    with partners. Two who belong together may sit out together: each then earns half of what
    keeping the constraint at a table earns.
    """
    costs = {kind: [0] * len(count.portions) for kind in KINDS}
    for player, (_, seat) in constraints.locked.items():
        for kind in KINDS:
            costs[kind][count.index[player]] += hard if seat >= kind else 0
    for player in constraints.stays:
        costs[OUT][count.index[player]] += hard
    bonds = pair_constraints(constraints, count.index)
    for pairs in (bonds.partners, bonds.one_table):
        for pair in pairs:
            for player in pair:
                costs[OUT][player] -= hard // 2
    for pair in bonds.partners:
        for player in pair:
            for kind in NO_PARTNERS:
                costs[kind][player] += hard // 2
    return costs


def least_constraint_cost(count: Tally, constraints: Constraints) -> int:
    """Return the hard part of the cost of a round that keeps every constraint."""
    bonds = pair_constraints(constraints, count.index)
    return -HARD * (len(bonds.partners) + len(bonds.one_table))


SHARE_WEIGHT = 8  # of J: 4 p^2 + o^2 + m^2 + 8 (h - e)^2
Matrix = list[list[int]]


class Board:
    """Rounds under search, for players 0..n-1, with `nobody` as player n.

    `partner_costs[i][j]` is the cost of one more partnership of i and j, `opponent_costs[i][j]` of
    one more opposition, `seat_costs[kind][i]` of one more seat at a table of that size, and
    `place_costs[r][kind][i]` an extra cost in round r only. All are whole numbers, SCALE times J,
    and updated with every swap.
    """

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        pair_costs: tuple[Matrix, Matrix],
        seat_costs: dict[int, list[int]],
        place_costs: Sequence[dict[int, list[int]]],
    ) -> None:
        self.shapes = list(shapes)
        self.partner_costs = [row[:] for row in pair_costs[0]]
        self.opponent_costs = [row[:] for row in pair_costs[1]]
        self.seat_costs = {kind: row[:] for kind, row in seat_costs.items()}
        self.place_costs = list(place_costs)
        self.nobody = len(self.partner_costs) - 1
        self.cost = 0
        self.turns: Turns | None = None
        self.lines = [[*line, self.nobody] for line in lines]
        for number in range(len(self.lines)):
            self._add_round(number)

    def _add_round(self, number: int) -> None:
        """Count a whole round."""
        line, shape = self.lines[number], self.shapes[number]
        for place, (mate, left, right) in enumerate(shape.mates):
            player, kind = line[place], shape.kinds[place]
            self.cost += self.seat_costs[kind][player] + self.place_costs[number][kind][player]
            self.seat_costs[kind][player] += 2 * SHARE_WEIGHT * SCALE
            if place < mate != shape.nobody:
                self.cost += self.partner_costs[player][line[mate]]
                self._add_meeting(player, line[mate], SCALE, True)
            for neighbour in (left, right):
                if place < neighbour != shape.nobody:
                    self.cost += self.opponent_costs[player][line[neighbour]]
                    self._add_meeting(player, line[neighbour], SCALE, False)

    def _add_meeting(self, first: int, second: int, step: int, partners: bool) -> None:
        """Count one more (`step` = SCALE) or one less (-SCALE) meeting of a pair."""
        if first == self.nobody or second == self.nobody:
            return
        partner_step = (PARTNER_STEP if partners else 2) * step
        opponent_step = (2 if partners else OPPONENT_STEP) * step
        self.partner_costs[first][second] += partner_step
        self.partner_costs[second][first] += partner_step
        self.opponent_costs[first][second] += opponent_step
        self.opponent_costs[second][first] += opponent_step

    def turn_change(self, number: int, swap: Swap) -> int:
        """Return the change of cost if two neighbours of a table of four swap seats."""
        line, partner, opponent = self.lines[number], self.partner_costs, self.opponent_costs
        a, b, mate_a, mate_b = swap[0], swap[1], swap[2], swap[5]
        x, y, u, v = line[a], line[b], line[mate_a], line[mate_b]
        split = opponent[x][u] - partner[x][u] + opponent[y][v] - partner[y][v]
        join = partner[x][v] - opponent[x][v] + partner[y][u] - opponent[y][u]
        return split + join + 20 * SCALE  # 8 for each pair that splits, 2 for each that joins

    def size_change(self, number: int, swap: Swap) -> int:
        """Return the part of a swap's change of cost that is due to different table sizes."""
        line, seat, place = self.lines[number], self.seat_costs, self.place_costs[number]
        x, y, from_x, from_y = line[swap[0]], line[swap[1]], swap[9], swap[10]
        this_round = place[from_y][x] - place[from_x][x] + place[from_x][y] - place[from_y][y]
        share = seat[from_y][x] - seat[from_x][x] + seat[from_x][y] - seat[from_y][y]
        change = this_round + share + 4 * SHARE_WEIGHT * SCALE
        if self.turns is not None:
            change += self.turns.cost_change(number, x, y, from_x, from_y)
        return change

    def make_swap(self, number: int, swap: Swap, change: int) -> None:
        """Make a swap, given its change of cost."""
        line = self.lines[number]
        a, b = swap[0], swap[1]
        x, y = line[a], line[b]
        is_turn = swap[8] == TURN
        for player, mates in ((x, swap[2:5]), (y, swap[5:8])):
            for neighbour, are_partners in zip(mates, (True, False, False), strict=True):
                if not (is_turn and neighbour in (a, b)):
                    self._add_meeting(player, line[neighbour], -SCALE, are_partners)
        line[a], line[b] = y, x
        for player, mates in ((y, swap[2:5]), (x, swap[5:8])):
            for neighbour, are_partners in zip(mates, (True, False, False), strict=True):
                if not (is_turn and neighbour in (a, b)):
                    self._add_meeting(player, line[neighbour], SCALE, are_partners)
        if swap[9] != swap[10]:
            if self.turns is not None:
                self.turns.swap(number, x, y, swap[9], swap[10])
            step = 2 * SHARE_WEIGHT * SCALE
            self.seat_costs[swap[9]][x] -= step
            self.seat_costs[swap[10]][x] += step
            self.seat_costs[swap[10]][y] -= step
            self.seat_costs[swap[9]][y] += step
        self.cost += change

    def current_lines(self) -> list[list[int]]:
        """Return the current rounds, without the place of `nobody`."""
        return [line[:-1] for line in self.lines]


STAGE = 250  # swaps tried at one temperature


@dataclass(frozen=True)
class Cooling:
    """The cooling schedule: first and last temperature, in units of J, and the swaps to try."""

    steps: int
    hot: int = 8
    cold_percent: int = 50  # the last temperature, in hundredths


def anneal(board: Board, rng: Rng, cooling: Cooling, *, level: bool = False) -> list[list[int]]:
    """Search from the current rounds of the board; return the best rounds seen.

    With `level`, players stay at full tables, at short tables or out, as they are.
    """
    choices = [shape.swaps(level=level) for shape in board.shapes]
    best_cost, best_lines = board.cost, board.current_lines()
    stages = max(1, cooling.steps // STAGE)
    temperature = cooling.hot * SCALE * 1000
    temperature_range = cooling.hot * SCALE * 1000 - cooling.cold_percent * SCALE * 10
    for stage in range(stages + 2):
        stages_left = max(0, stages - stage)
        # A parabola: most of the time is spent where the last improvements are found.
        temperature = (
            cooling.cold_percent * SCALE * 10
            + temperature_range * stages_left * stages_left // (stages * stages)
        )
        _run_stage(board, choices, rng, temperature if stage < stages else 0)
        if board.cost < best_cost:
            best_cost, best_lines = board.cost, board.current_lines()
    return best_lines


def _run_stage(board: Board, choices: Sequence[Sequence[Swap]], rng: Rng, temperature: int) -> None:
    """Try STAGE swaps at one temperature (in thousandths of a board unit)."""
    random, quantiles = rng.random, thresholds()
    rounds = len(choices)
    partner, opponent, lines = board.partner_costs, board.opponent_costs, board.lines
    for _ in range(STAGE):
        number = int(random() * rounds)
        swaps = choices[number]
        if not swaps:
            continue
        swap = swaps[int(random() * len(swaps))]
        a, b, mate_a, left_a, right_a, mate_b, left_b, right_b, constant, from_a, from_b = swap
        if constant == TURN:
            change = board.turn_change(number, swap)
        else:
            line = lines[number]
            x, y = line[a], line[b]
            partner_x, partner_y = partner[x], partner[y]
            opponent_x, opponent_y = opponent[x], opponent[y]
            mate_x, left_x, right_x = line[mate_a], line[left_a], line[right_a]
            mate_y, left_y, right_y = line[mate_b], line[left_b], line[right_b]
            change = (
                partner_y[mate_x] - partner_x[mate_x] + partner_x[mate_y] - partner_y[mate_y]
                + opponent_y[left_x] - opponent_x[left_x]
                + opponent_y[right_x] - opponent_x[right_x]
                + opponent_x[left_y] - opponent_y[left_y]
                + opponent_x[right_y] - opponent_y[right_y]
                + constant * SCALE
            )  # fmt: skip
            if from_a != from_b:
                change += board.size_change(number, swap)
        if change <= 0 or change * 1_000_000 <= temperature * quantiles[int(random() * QUANTILES)]:
            board.make_swap(number, swap, change)
