"""Simulated annealing over swaps of two seats, on a board that knows what each would cost."""

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

    `partner[i][j]` is the price of one more partnership of i and j, `opponent[i][j]` of one more
    opposition, `seat[kind][i]` of one more seat at a table of that size, `place[r][kind][i]` an
    extra price in round r only. All are SCALE times J, whole numbers, kept up to date with every
    swap.
    """

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        prices: tuple[Matrix, Matrix],
        seat: dict[int, list[int]],
        place: Sequence[dict[int, list[int]]],
    ) -> None:
        self.shapes = list(shapes)
        self.partner = [row[:] for row in prices[0]]
        self.opponent = [row[:] for row in prices[1]]
        self.seat = {kind: row[:] for kind, row in seat.items()}
        self.place = list(place)
        self.nobody = len(self.partner) - 1
        self.cost = 0
        self.turns: Turns | None = None
        self.lines = [[*line, self.nobody] for line in lines]
        for number in range(len(self.lines)):
            self._enter(number)

    def _enter(self, number: int) -> None:
        """Count a whole round that has just been laid out."""
        line, shape = self.lines[number], self.shapes[number]
        for here, (mate, left, right) in enumerate(shape.mates):
            one, kind = line[here], shape.kinds[here]
            self.cost += self.seat[kind][one] + self.place[number][kind][one]
            self.seat[kind][one] += 2 * SHARE_WEIGHT * SCALE
            if here < mate != shape.nobody:
                self.cost += self.partner[one][line[mate]]
                self._meet(one, line[mate], SCALE, True)
            for other in (left, right):
                if here < other != shape.nobody:
                    self.cost += self.opponent[one][line[other]]
                    self._meet(one, line[other], SCALE, False)

    def _meet(self, one: int, other: int, step: int, partners: bool) -> None:
        """One meeting more (`step` = SCALE) or less (-SCALE) of a pair."""
        if one == self.nobody or other == self.nobody:
            return
        more_partner = (PARTNER_STEP if partners else 2) * step
        more_opponent = (2 if partners else OPPONENT_STEP) * step
        self.partner[one][other] += more_partner
        self.partner[other][one] += more_partner
        self.opponent[one][other] += more_opponent
        self.opponent[other][one] += more_opponent

    def price_of_turn(self, number: int, swap: Swap) -> int:
        """The change of cost when two neighbours of a table of four change seats."""
        line = self.lines[number]
        a, b, mate_a, mate_b = swap[0], swap[1], swap[2], swap[5]
        x, y, u, v = line[a], line[b], line[mate_a], line[mate_b]
        part = self.opponent[x][u] - self.partner[x][u] + self.opponent[y][v] - self.partner[y][v]
        join = self.partner[x][v] - self.opponent[x][v] + self.partner[y][u] - self.opponent[y][u]
        return part + join + 20 * SCALE  # 8 for each pair that parts, 2 for each that joins

    def price_of_change(self, number: int, swap: Swap) -> int:
        """The part of a swap's price that comes from tables of different size."""
        line, place = self.lines[number], self.place[number]
        x, y, from_x, from_y = line[swap[0]], line[swap[1]], swap[9], swap[10]
        tonight = place[from_y][x] - place[from_x][x] + place[from_x][y] - place[from_y][y]
        seat = self.seat
        share = seat[from_y][x] - seat[from_x][x] + seat[from_x][y] - seat[from_y][y]
        price = tonight + share + 4 * SHARE_WEIGHT * SCALE
        if self.turns is not None:
            price += self.turns.price(number, x, y, from_x, from_y)
        return price

    def do(self, number: int, swap: Swap, price: int) -> None:
        """Make a swap whose price is known."""
        line = self.lines[number]
        a, b = swap[0], swap[1]
        x, y = line[a], line[b]
        turn = swap[8] == TURN
        for one, mates in ((x, swap[2:5]), (y, swap[5:8])):
            for place, partners in zip(mates, (True, False, False), strict=True):
                if not (turn and place in (a, b)):
                    self._meet(one, line[place], -SCALE, partners)
        line[a], line[b] = y, x
        for one, mates in ((y, swap[2:5]), (x, swap[5:8])):
            for place, partners in zip(mates, (True, False, False), strict=True):
                if not (turn and place in (a, b)):
                    self._meet(one, line[place], SCALE, partners)
        if swap[9] != swap[10]:
            if self.turns is not None:
                self.turns.do(number, x, y, swap[9], swap[10])
            step = 2 * SHARE_WEIGHT * SCALE
            self.seat[swap[9]][x] -= step
            self.seat[swap[10]][x] += step
            self.seat[swap[10]][y] -= step
            self.seat[swap[9]][y] += step
        self.cost += price

    def laid_out(self) -> list[list[int]]:
        """The rounds as they stand, without nobody's place."""
        return [line[:-1] for line in self.lines]


STAGE = 250  # swaps tried at one temperature


@dataclass(frozen=True)
class Cooling:
    """From which temperature to which, in units of J, and how many swaps to try on the way."""

    steps: int
    hot: int = 8
    cold_percent: int = 50  # the last temperature, in hundredths of a unit


def anneal(board: Board, rng: Rng, cooling: Cooling, *, level: bool = False) -> list[list[int]]:
    """Search from the board as it stands; returns the best rounds seen.

    `level` keeps everybody among full tables, short tables or out, as they are.
    """
    choices = [shape.swaps(level=level) for shape in board.shapes]
    best, lines = board.cost, board.laid_out()
    stages = max(1, cooling.steps // STAGE)
    temperature = cooling.hot * SCALE * 1000
    fall = cooling.hot * SCALE * 1000 - cooling.cold_percent * SCALE * 10
    for stage in range(stages + 2):
        left = max(0, stages - stage)
        # Falls as a parabola: most of the time is spent where the last improvements are found.
        temperature = cooling.cold_percent * SCALE * 10 + fall * left * left // (stages * stages)
        _stage(board, choices, rng, temperature if stage < stages else 0)
        if board.cost < best:
            best, lines = board.cost, board.laid_out()
    return lines


def _stage(board: Board, choices: Sequence[Sequence[Swap]], rng: Rng, temperature: int) -> None:
    """Try STAGE swaps at one temperature (in thousandths of a board unit)."""
    random, limits = rng.random, thresholds()
    rounds = len(choices)
    partner, opponent, lines = board.partner, board.opponent, board.lines
    for _ in range(STAGE):
        number = int(random() * rounds)
        swaps = choices[number]
        if not swaps:
            continue
        swap = swaps[int(random() * len(swaps))]
        a, b, mate_a, left_a, right_a, mate_b, left_b, right_b, constant, from_a, from_b = swap
        if constant == TURN:
            price = board.price_of_turn(number, swap)
        else:
            line = lines[number]
            x, y = line[a], line[b]
            partner_x, partner_y = partner[x], partner[y]
            opponent_x, opponent_y = opponent[x], opponent[y]
            one, two, three = line[mate_a], line[left_a], line[right_a]
            four, five, six = line[mate_b], line[left_b], line[right_b]
            price = (
                partner_y[one] - partner_x[one] + partner_x[four] - partner_y[four]
                + opponent_y[two] - opponent_x[two] + opponent_y[three] - opponent_x[three]
                + opponent_x[five] - opponent_y[five] + opponent_x[six] - opponent_y[six]
                + constant * SCALE
            )  # fmt: skip
            if from_a != from_b:
                price += board.price_of_change(number, swap)
        if price <= 0 or price * 1_000_000 <= temperature * limits[int(random() * QUANTILES)]:
            board.do(number, swap, price)
