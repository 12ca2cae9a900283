"""The costs of partnerships, oppositions and seats, from the history and the constraints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.seating.annealing import SCALE, SHARE_WEIGHT, Matrix
from league.pairing.seating.constraints import Constraints, Pair
from league.pairing.seating.history import OUT, SIZES, Tally
from league.pairing.seating.small_table_turns import Due, turns
from league.pairing.seating.table_layout import Shape

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
