"""Simulated annealing over swaps of two seats: bounded by steps, repeatable, never a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.seat_board import SCALE, Board
from league.pairing.seating.table_layout import TURN, Swap

STAGE = 250  # swaps tried at one temperature, and between two looks at `stop`
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Cooling:
    """From which temperature to which, in units of J, and how many swaps to try on the way."""

    steps: int
    hot: int = 8
    cold_percent: int = 50  # the last temperature, in hundredths of a unit


def anneal(
    board: Board, rng: Rng, cooling: Cooling, *, level: bool = False, stop: Stop | None = None
) -> list[list[int]]:
    """Search from the board as it stands; returns the best rounds seen.

    `level` keeps everybody among full tables, short tables or out, as they are. `stop` is asked now
    and then; when it says yes the best so far is returned.
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
        if stop is not None and stop():
            break
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
