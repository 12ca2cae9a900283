"""What every meeting, partnership and seat would cost, from the history and the constraints."""

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

HARD = 10**18  # a hard constraint: never worth breaking for anything below
PASSED = 10**15  # passing over somebody where no more than constraints stand in the way
OUT_TURN = 10**12  # sitting out before one whose turn it is, for each rank between
SHORT_TURN = 10**9  # the same for a small table
AGAIN = 1000  # twice running before one who has had it as often costs the thousandth part
AVOID = 40 * SCALE  # a soft constraint: more than a repeated partner, less than a hard one
GUESTS = 15 * SCALE  # two guests at one table
KINDS = (OUT, *SIZES)
NO_PARTNERS = (2, 3, 5, 7)  # sizes at which nobody has a partner


@dataclass(frozen=True)
class PairConstraints:
    """The hard constraints as relations of players' indices, tables kept turned into pairs."""

    partners: frozenset[tuple[int, int]]
    not_partners: frozenset[tuple[int, int]]
    one_table: frozenset[tuple[int, int]]
    two_tables: frozenset[tuple[int, int]]


def pair_constraints(constraints: Constraints, index: dict) -> PairConstraints:
    """Every hard constraint that is a matter of two people."""
    table_of = constraints.bound_tables()
    together, never = list(constraints.together), list(constraints.never)
    for first, second in combinations(table_of, 2):
        (together if table_of[first] == table_of[second] else never).append((first, second))
    partners, apart = list(constraints.fixed), list(constraints.apart_partner)
    for first, second in combinations(constraints.locked, 2):
        (table, seat), (other_table, other_seat) = (
            constraints.locked[first],
            constraints.locked[second],
        )
        if table == other_table:
            (partners if (seat - other_seat) % 2 == 0 else apart).append((first, second))

    def indices(pairs: Iterable[Pair]) -> frozenset[tuple[int, int]]:
        by_index = ((index[first], index[second]) for first, second in pairs)
        return frozenset((min(pair), max(pair)) for pair in by_index)

    return PairConstraints(indices(partners), indices(apart), indices(together), indices(never))


def pair_prices(count: Tally, constraints: Constraints, hard: int = HARD) -> tuple[Matrix, Matrix]:
    """The price of a first partnership and of a first opposition for every two players.

    4 p^2 + o^2 + (p + o)^2 grows by 8p + 2m + 5 for a partner and 2o + 2m + 2 for an opponent;
    what the history counts is in hundredths, as is SCALE. Nobody is the last row and column.
    """
    n = len(count.index)
    partner = [[5 * SCALE] * n + [0] for _ in range(n)] + [[0] * (n + 1)]
    opponent = [[2 * SCALE] * n + [0] for _ in range(n)] + [[0] * (n + 1)]
    for one in range(n):
        for other, weight in count.partners[one].items():
            partner[one][other] += 10 * weight
            opponent[one][other] += 2 * weight
        for other, weight in count.opponents[one].items():
            partner[one][other] += 2 * weight
            opponent[one][other] += 4 * weight
    bonds = pair_constraints(constraints, count.index)
    avoid = [(count.index[a], count.index[b]) for a, b in constraints.avoid]
    guests = list(combinations(sorted(count.index[guest] for guest in constraints.guests), 2))
    _add(partner, bonds.partners, -hard)
    _add(partner, bonds.not_partners, hard)
    for matrix in (partner, opponent):
        _add(matrix, bonds.one_table, -hard)
        _add(matrix, bonds.two_tables, hard)
        _add(matrix, avoid, AVOID)
        _add(matrix, guests, GUESTS)
    return partner, opponent


def _add(matrix: Matrix, pairs: Iterable[tuple[int, int]], price: int) -> None:
    for one, other in pairs:
        matrix[one][other] += price
        matrix[other][one] += price


def seat_prices(count: Tally, expected: Sequence[dict[int, Fraction]]) -> dict[int, list[int]]:
    """The price of one more seat of each kind for each player: 8 * (2 (h - e) + 1).

    `expected` is each player's fair portion of the seats still to be planned.
    """
    prices: dict[int, list[int]] = {}
    for kind in KINDS:
        row = []
        for portion, due in zip(count.portions, expected, strict=True):
            share = portion.sizes[kind]
            ahead = share.had - share.owed - SCALE * due.get(kind, Fraction(0))
            row.append(int(SHARE_WEIGHT * (2 * ahead + SCALE) // 1))
        prices[kind] = row
    return prices


def expected_seats(shape: Shape) -> dict[int, Fraction]:
    """Each present player's fair portion of one round's seats, by size of table."""
    everybody = max(1, shape.nobody)
    return {kind: Fraction(shape.kinds.count(kind), everybody) for kind in KINDS}


def turn_prices(
    count: Tally, short_turn: int = SHORT_TURN, out_turn: int = OUT_TURN
) -> dict[int, list[int]]:
    """What it costs to give a small table, or a sit-out, to one whose turn it is not."""
    short = [_turn(due, short_turn) for due in turns(count, out=False)]
    out = [_turn(due, out_turn) for due in turns(count, out=True)]
    full = {size: [0] * len(short) for size in SIZES}
    return full | {3: short, 2: short, OUT: out}


def _turn(due: Due, price: int) -> int:
    return price * due.rank + price // AGAIN * due.again


def constraint_costs(
    count: Tally, constraints: Constraints, hard: int = HARD
) -> dict[int, list[int]]:
    """What the hard constraints add to the price of a seat of each kind.

    A locked seat must exist, who keeps a table does not sit out, partners need a table of four. Two
    who belong together may sit out together: each then brings half of what keeping the constraint
    at a table brings.
    """
    prices = {kind: [0] * len(count.portions) for kind in KINDS}
    for one, (_, seat) in constraints.locked.items():
        for kind in KINDS:
            prices[kind][count.index[one]] += hard if seat >= kind else 0
    for one in constraints.stays:
        prices[OUT][count.index[one]] += hard
    bonds = pair_constraints(constraints, count.index)
    for pairs in (bonds.partners, bonds.one_table):
        for pair in pairs:
            for player in pair:
                prices[OUT][player] -= hard // 2
    for pair in bonds.partners:
        for player in pair:
            for kind in NO_PARTNERS:
                prices[kind][player] += hard // 2
    return prices


def least_constraint_cost(count: Tally, constraints: Constraints) -> int:
    """The hard part of the price of a round that keeps every constraint."""
    bonds = pair_constraints(constraints, count.index)
    return -HARD * (len(bonds.partners) + len(bonds.one_table))
