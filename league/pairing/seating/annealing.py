"""Simulated annealing over swaps of two seats, on a board that keeps the cost of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.small_table_turns import SCALE, Turns
from league.pairing.seating.table_layout import OPPONENT_STEP, PARTNER_STEP, TURN, Shape, Swap

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
