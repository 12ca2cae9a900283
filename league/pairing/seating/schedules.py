"""Evenings found beforehand or by construction, and who takes which part in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from league.pairing.errors import PairingRefused
from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.annealing import SCALE, Matrix
from league.pairing.seating.lower_bounds import pairs
from league.pairing.seating.table_layout import Shape
from league.pairing.seating.table_sizes import POLICIES, composition

# `schedules.json` holds, by policy, number of players and rounds, one string a round: the players
# as letters of LETTERS, table after table in the order of the composition, those who sit out last.
# "rotations" hold the first rounds of a rotation and its step, "schedules" whole evenings, "steady"
# evenings that are level at every moment. Every one is checked again by the tests.

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
Lines = list[list[int]]


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    text = (Path(__file__).parent / "schedules.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def schedule(policy: str, players: int, rounds: int, *, steady: bool = False) -> Lines | None:
    """The best evening found beforehand, if one was looked for."""
    evenings = _file()["steady" if steady else "schedules"]
    evening = evenings.get(policy, {}).get(str(players), {}).get(str(rounds))
    return None if evening is None else [_read(line) for line in evening]


def longest(shape: Shape) -> Lines:
    """The longest evening found beforehand for this room; no rounds where there is none."""
    evenings = _file()["schedules"]
    schedules: list[list[str]] = [
        lines
        for policy in _policies(shape)
        for lines in evenings.get(policy, {}).get(str(shape.nobody), {}).values()
    ]
    return [_read(line) for line in max(schedules, key=len, default=[])]


def rotation(policy: str, players: int) -> Lines | None:
    """All rounds of the perfect rotation for so many players, if one is known.

    Round t is a first round with every player moved t steps round their circle; players that
    fill no circle stand still.
    """
    lines = _file()["rotations"].get(policy, {}).get(str(players))
    if lines is None:
        return None
    circle = lines["circle"]
    return [
        [_moved(one, step, circle, players) for one in _read(first)]
        for step in range(circle)
        for first in lines["first"]
    ]


def _moved(one: int, step: int, circle: int, players: int) -> int:
    home, place = divmod(one, circle)
    if (home + 1) * circle > players:
        return one
    return home * circle + (place + step) % circle


def arithmetic(tables: int, rounds: int) -> Lines | None:
    """The fixed-seat movement N 0, S -1, E +1, W +2, where nobody meets twice.

    True for up to as many rounds as tables when their number is coprime to 6 and at least five:
    the paths of any two seats then differ by 1, 2 or 3 tables a round.
    """
    if tables < 5 or not tables % 2 or not tables % 3 or rounds > tables:
        return None
    lines = []
    for turn in range(rounds):
        line = []
        for table in range(tables):
            for seat, step in enumerate((0, 1, -1, 2)):
                line.append(seat * tables + (table - step * turn) % tables)
        lines.append(line)
    return lines


def _read(line: str) -> list[int]:
    return [LETTERS.index(letter) for letter in line]


TRIES = 400  # exchanges of one round tried when a rotation is cut


def ready_made(shape: Shape, rounds: int, rng: Rng) -> list[Lines]:
    """Every evening of so many rounds for this room that is at hand, with parts for players."""
    evenings = []
    for policy in _policies(shape):
        evenings += [
            schedule(policy, shape.nobody, rounds),
            schedule(policy, shape.nobody, rounds, steady=True),
        ]
        turning = rotation(policy, shape.nobody)
        if turning is not None:
            evenings.append(cut(turning, shape, rounds, rng))
    if not shape.out and set(shape.sizes) == {4}:
        evenings.append(arithmetic(len(shape.sizes), rounds))
    return [lines for lines in evenings if lines is not None]


def looked_for(shapes: Sequence[Shape]) -> bool:
    """Whether an evening of these very rounds has been searched for beforehand."""
    if len(set(shapes)) != 1:
        return False
    policies = _policies(shapes[0])
    return any(schedule(policy, shapes[0].nobody, len(shapes)) for policy in policies)


def _policies(shape: Shape) -> list[str]:
    """The policies under which so many players have these very tables."""
    policies = []
    for policy in POLICIES:
        try:
            rule = composition(shape.nobody, policy)
        except PairingRefused:  # its tables are too large for so few
            continue
        if (rule.sizes, rule.out) == (shape.sizes, shape.out):
            policies.append(policy)
    return policies


def cut(turning: Lines, shape: Shape, rounds: int, rng: Rng) -> Lines:
    """Choose so many rounds of a rotation: whole turns first, then those that repeat least."""
    turns, more = divmod(rounds, len(turning))
    if not more:
        return turning * turns
    chosen = list(range(len(turning)))
    rng.shuffle(chosen)
    meetings = [_meetings(line, shape) for line in turning]
    cost = _repeats([meetings[number] for number in chosen[:more]])
    for _ in range(TRIES if 1 < more < len(turning) - 1 else 0):
        inside, outside = rng.below(more), more + rng.below(len(turning) - more)
        chosen[inside], chosen[outside] = chosen[outside], chosen[inside]
        now = _repeats([meetings[number] for number in chosen[:more]])
        if now <= cost:
            cost = now
        else:
            chosen[inside], chosen[outside] = chosen[outside], chosen[inside]
    return turning * turns + [turning[number] for number in sorted(chosen[:more])]


Pairs = list[tuple[int, int]]


def _meetings(line: Sequence[int], shape: Shape) -> tuple[Pairs, Pairs]:
    """The pairs of a round: partners, opponents."""
    partners, opponents = [], []
    for place, (mate, left, right) in enumerate(shape.mates):
        if place < mate != shape.nobody:
            partners.append(_two(line[place], line[mate]))
        for other in (left, right):
            if place < other != shape.nobody:
                opponents.append(_two(line[place], line[other]))
    return partners, opponents


def _two(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _repeats(rounds: Sequence[tuple[Pairs, Pairs]]) -> int:
    """Repeats weighed as in J, of partners, opponents and meetings."""
    total = 0
    for weight, kinds in ((4, (0,)), (1, (1,)), (1, (0, 1))):
        times: dict[tuple[int, int], int] = {}
        for meetings in rounds:
            for kind in kinds:
                for pair in meetings[kind]:
                    times[pair] = times.get(pair, 0) + 1
        total += weight * sum(map(pairs, times.values()))
    return total


STAGE = 100


def fit(
    lines: Sequence[Sequence[int]],
    shape: Shape,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    rng: Rng,
    steps: int,
) -> list[list[int]]:
    """The schedule with real players in place of its parts, cast by annealing over exchanges.

    With `steps` 0 the cast is drawn at random, which is as good when nothing tells people apart.
    """
    cast = list(range(shape.nobody))
    rng.shuffle(cast)
    if steps:
        cast = _Casting(lines, shape, prices, seat, cast).search(rng, steps)
    return [[cast[part] for part in line] for line in lines]


class _Casting:
    """How often any two parts partner and oppose each other, and what a cast costs."""

    def __init__(
        self,
        lines: Sequence[Sequence[int]],
        shape: Shape,
        prices: tuple[Matrix, Matrix],
        seat: dict[int, list[int]],
        cast: list[int],
    ) -> None:
        n = shape.nobody
        self.cast, self.partner, self.opponent, self.seat = cast, *prices, seat
        self.seats = [[(kind, 0) for kind in (0, 2, 3, 4)] for _ in range(n)]
        meetings: list[dict[int, list[int]]] = [{} for _ in range(n)]
        had = [dict.fromkeys((0, 2, 3, 4), 0) for _ in range(n)]
        for line in lines:
            for place, (mate, left, right) in enumerate(shape.mates):
                had[line[place]][shape.kinds[place]] += 1
                for other, which in ((mate, 0), (left, 1), (right, 1)):
                    if other != shape.nobody:
                        meetings[line[place]].setdefault(line[other], [0, 0])[which] += 1
        self.seats = [list(seats.items()) for seats in had]
        self.meetings = [
            [(other, many[0], many[1]) for other, many in sorted(row.items())] for row in meetings
        ]

    def price(self, part: int, one: int, skip: int) -> int:
        """What it costs that `one` takes this part; the meeting with the part `skip` left out."""
        partner, opponent, cast = self.partner[one], self.opponent[one], self.cast
        total = sum(self.seat[kind][one] * many for kind, many in self.seats[part])
        for other, partners, opponents in self.meetings[part]:
            if other != skip:
                who = cast[other]
                total += partners * partner[who] + opponents * opponent[who]
        return total

    def search(self, rng: Rng, steps: int) -> list[int]:
        """Anneal over exchanges of two players' parts; the best cast seen."""
        n, cast, limits = len(self.cast), self.cast, thresholds()
        cost, best, best_cast = 0, 0, cast[:]
        stages = max(1, steps // STAGE)
        for stage in range(stages):
            left = stages - stage
            temperature = 12 * SCALE * 1000 * left * left // (stages * stages)
            for _ in range(STAGE):
                a, b = rng.below(n), rng.below(n)
                one, other = cast[a], cast[b]
                change = (
                    self.price(a, other, b) - self.price(a, one, b)
                    + self.price(b, one, a) - self.price(b, other, a)
                )  # fmt: skip
                if change * 1_000_000 <= temperature * limits[rng.below(QUANTILES)]:
                    cast[a], cast[b] = other, one
                    cost += change
                    if cost < best:
                        best, best_cast = cost, cast[:]
        return best_cast
