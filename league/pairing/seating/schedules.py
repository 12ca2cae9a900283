"""Ready-made evenings, searched for beforehand or constructed, and the players' parts in them."""

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
# "rotations" hold the first rounds of a rotation and its circle, "schedules" whole evenings,
# "steady" evenings that are level after every round. The tests check every one again.

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
Lines = list[list[int]]


@lru_cache(maxsize=1)
def _load_schedules() -> dict[str, Any]:
    text = (Path(__file__).parent / "schedules.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def schedule(policy: str, players: int, rounds: int, *, steady: bool = False) -> Lines | None:
    """Return the best evening found beforehand, or None if none was searched for."""
    evenings = _load_schedules()["steady" if steady else "schedules"]
    evening = evenings.get(policy, {}).get(str(players), {}).get(str(rounds))
    return None if evening is None else [_decode_line(line) for line in evening]


def longest_schedule(shape: Shape) -> Lines:
    """Return the longest evening found beforehand for this room; empty if there is none."""
    evenings = _load_schedules()["schedules"]
    schedules: list[list[str]] = [
        lines
        for policy in _policies(shape)
        for lines in evenings.get(policy, {}).get(str(shape.nobody), {}).values()
    ]
    return [_decode_line(line) for line in max(schedules, key=len, default=[])]


def rotation(policy: str, players: int) -> Lines | None:
    """Return all rounds of the perfect rotation for so many players, or None if none is known.

    Round t is a first round with every player moved t steps round their circle; players left over
    by the circles do not move.
    """
    entry = _load_schedules()["rotations"].get(policy, {}).get(str(players))
    if entry is None:
        return None
    circle = entry["circle"]
    return [
        [_rotate_player(player, step, circle, players) for player in _decode_line(first)]
        for step in range(circle)
        for first in entry["first"]
    ]


def _rotate_player(player: int, step: int, circle: int, players: int) -> int:
    circle_number, place = divmod(player, circle)
    if (circle_number + 1) * circle > players:
        return player
    return circle_number * circle + (place + step) % circle


def arithmetic(tables: int, rounds: int) -> Lines | None:
    """Return the fixed-seat movement N 0, S -1, E +1, W +2, in which nobody meets twice.

    This holds for up to as many rounds as tables if their number is coprime to 6 and at least five:
    the paths of any two seats then differ by 1, 2 or 3 tables a round. Otherwise return None.
    """
    if tables < 5 or not tables % 2 or not tables % 3 or rounds > tables:
        return None
    lines = []
    for round_number in range(rounds):
        line = []
        for table in range(tables):
            for seat, step in enumerate((0, 1, -1, 2)):
                line.append(seat * tables + (table - step * round_number) % tables)
        lines.append(line)
    return lines


def _decode_line(line: str) -> list[int]:
    return [LETTERS.index(letter) for letter in line]


TRIES = 400  # exchanges of one round that are tried when a rotation is cut


def known_evenings(shape: Shape, rounds: int, rng: Rng) -> list[Lines]:
    """Return every ready-made evening of so many rounds for this room, with parts for players."""
    evenings = []
    for policy in _policies(shape):
        evenings += [
            schedule(policy, shape.nobody, rounds),
            schedule(policy, shape.nobody, rounds, steady=True),
        ]
        rotation_lines = rotation(policy, shape.nobody)
        if rotation_lines is not None:
            evenings.append(cut_rotation(rotation_lines, shape, rounds, rng))
    if not shape.out and set(shape.sizes) == {4}:
        evenings.append(arithmetic(len(shape.sizes), rounds))
    return [lines for lines in evenings if lines is not None]


def has_schedule(shapes: Sequence[Shape]) -> bool:
    """Whether an evening of exactly these rounds has been searched for beforehand."""
    if len(set(shapes)) != 1:
        return False
    policies = _policies(shapes[0])
    return any(schedule(policy, shapes[0].nobody, len(shapes)) for policy in policies)


def _policies(shape: Shape) -> list[str]:
    """Return the policies that give exactly these tables."""
    policies = []
    for policy in POLICIES:
        try:
            rule = composition(shape.nobody, policy)
        except PairingRefused:  # its tables are too large for so few players
            continue
        if (rule.sizes, rule.out) == (shape.sizes, shape.out):
            policies.append(policy)
    return policies


def cut_rotation(rotation_lines: Lines, shape: Shape, rounds: int, rng: Rng) -> Lines:
    """Choose so many rounds of a rotation: full turns first, then those with fewest repeats."""
    full_turns, extra = divmod(rounds, len(rotation_lines))
    if not extra:
        return rotation_lines * full_turns
    round_order = list(range(len(rotation_lines)))
    rng.shuffle(round_order)
    meetings = [_meetings(line, shape) for line in rotation_lines]
    cost = _repeat_cost([meetings[number] for number in round_order[:extra]])
    for _ in range(TRIES if 1 < extra < len(rotation_lines) - 1 else 0):
        inside, outside = rng.below(extra), extra + rng.below(len(rotation_lines) - extra)
        round_order[inside], round_order[outside] = round_order[outside], round_order[inside]
        new_cost = _repeat_cost([meetings[number] for number in round_order[:extra]])
        if new_cost <= cost:
            cost = new_cost
        else:
            round_order[inside], round_order[outside] = round_order[outside], round_order[inside]
    return rotation_lines * full_turns + [
        rotation_lines[number] for number in sorted(round_order[:extra])
    ]


Pairs = list[tuple[int, int]]


def _meetings(line: Sequence[int], shape: Shape) -> tuple[Pairs, Pairs]:
    """Return the pairs of a round: partners, opponents."""
    partners, opponents = [], []
    for place, (mate, left, right) in enumerate(shape.mates):
        if place < mate != shape.nobody:
            partners.append(_pair(line[place], line[mate]))
        for other_place in (left, right):
            if place < other_place != shape.nobody:
                opponents.append(_pair(line[place], line[other_place]))
    return partners, opponents


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _repeat_cost(rounds: Sequence[tuple[Pairs, Pairs]]) -> int:
    """Return the repeats of partners, opponents and meetings, weighed as in J."""
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


def assign_players(
    lines: Sequence[Sequence[int]],
    shape: Shape,
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: dict[int, list[int]],
    rng: Rng,
    steps: int,
) -> list[list[int]]:
    """Return the schedule with players in place of its parts, cast by simulated annealing.

    With `steps` 0 the cast is random, which is as good if there is no history and no constraint.
    """
    cast = list(range(shape.nobody))
    rng.shuffle(cast)
    if steps:
        cast = _Casting(lines, shape, pair_costs, seat_costs, cast).search(rng, steps)
    return [[cast[part] for part in line] for line in lines]


class _Casting:
    """The casting of players in the parts of a schedule, and its cost."""

    def __init__(
        self,
        lines: Sequence[Sequence[int]],
        shape: Shape,
        pair_costs: tuple[Matrix, Matrix],
        seat_costs: dict[int, list[int]],
        cast: list[int],
    ) -> None:
        n = shape.nobody
        self.cast, self.seat_costs = cast, seat_costs
        self.partner_costs, self.opponent_costs = pair_costs
        meetings: list[dict[int, list[int]]] = [{} for _ in range(n)]
        seat_counts = [dict.fromkeys((0, 2, 3, 4), 0) for _ in range(n)]
        for line in lines:
            for place, (mate, left, right) in enumerate(shape.mates):
                seat_counts[line[place]][shape.kinds[place]] += 1
                for other, role in ((mate, 0), (left, 1), (right, 1)):
                    if other != shape.nobody:
                        meetings[line[place]].setdefault(line[other], [0, 0])[role] += 1
        self.seat_counts = [list(counts.items()) for counts in seat_counts]
        self.meetings = [
            [(part, counts[0], counts[1]) for part, counts in sorted(row.items())]
            for row in meetings
        ]

    def part_cost(self, part: int, player: int, skip: int) -> int:
        """Return the cost of the player in this part, without the meetings with part `skip`."""
        partner, opponent = self.partner_costs[player], self.opponent_costs[player]
        total = sum(self.seat_costs[kind][player] * count for kind, count in self.seat_counts[part])
        for other_part, partnerships, oppositions in self.meetings[part]:
            if other_part != skip:
                other = self.cast[other_part]
                total += partnerships * partner[other] + oppositions * opponent[other]
        return total

    def search(self, rng: Rng, steps: int) -> list[int]:
        """Anneal over swaps of two players' parts; return the best cast seen."""
        n, cast, quantiles = len(self.cast), self.cast, thresholds()
        cost, best_cost, best_cast = 0, 0, cast[:]
        stages = max(1, steps // STAGE)
        for stage in range(stages):
            left = stages - stage
            temperature = 12 * SCALE * 1000 * left * left // (stages * stages)
            for _ in range(STAGE):
                a, b = rng.below(n), rng.below(n)
                x, y = cast[a], cast[b]
                change = (
                    self.part_cost(a, y, b) - self.part_cost(a, x, b)
                    + self.part_cost(b, x, a) - self.part_cost(b, y, a)
                )  # fmt: skip
                if change * 1_000_000 <= temperature * quantiles[rng.below(QUANTILES)]:
                    cast[a], cast[b] = y, x
                    cost += change
                    if cost < best_cost:
                        best_cost, best_cast = cost, cast[:]
        return best_cast
