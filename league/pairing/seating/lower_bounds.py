"""What no plan can beat: the least repeats, unevenness and overlap that counting alone forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

# Least number of opponent pairs that coincide when x players share a table of one size in one round
# and a table of another size in another: partners of a four can hide some of the x(x-1)/2 pairs.
_SHARED_OPPONENTS = {
    (4, 4): (0, 0, 0, 1, 2), (3, 4): (0, 0, 0, 2), (3, 3): (0, 0, 1, 3),
    (2, 4): (0, 0, 0), (2, 3): (0, 0, 1), (2, 2): (0, 0, 1),
}  # fmt: skip


def pairs(times: int) -> int:
    """How many repeats a count holds: times * (times - 1) / 2."""
    return times * (times - 1) // 2


def level_fill(total: int, capacities: Iterable[int] | Mapping[int, int]) -> int:
    """The least sum of `pairs(x)` when `total` meetings fall on cells of these capacities (or so
    many of each).

    Every cell gets its first before any gets a second, as far as its capacity goes.
    """
    cells = Counter(capacities)
    repeats, left = 0, total
    for level in range(max(cells, default=0)):
        given = min(left, sum(many for capacity, many in cells.items() if capacity > level))
        repeats += level * given
        left -= given
    if left:
        raise ValueError("more meetings than the pairs could have had")
    return repeats


def best_rounding(shares: Sequence[Fraction], total: int) -> Fraction:
    """The least sum of (h - share)^2 over whole numbers h that add up to `total`.

    The shares add up to the total too, so rounding the largest remainders up is best.
    """
    remainders = sorted((share - share.__floor__() for share in shares), reverse=True)
    up = total - sum(share.__floor__() for share in shares)
    if not 0 <= up <= len(remainders):
        raise ValueError("shares and total do not agree")
    raised = sum(((1 - rest) ** 2 for rest in remainders[:up]), Fraction(0))
    return raised + sum((rest**2 for rest in remainders[up:]), Fraction(0))


def level_chairs(times: int) -> int:
    """The least repeats of one player's chairs after `times` seats at tables of four."""
    each, more = divmod(times, 4)
    return more * pairs(each + 1) + (4 - more) * pairs(each)


@lru_cache(maxsize=4096)
def overlap(sizes: tuple[int, ...], others: tuple[int, ...], common: int, opponents: bool) -> int:
    """The least coinciding meetings (or oppositions) of two rounds with these table sizes.

    `common` players sit in both. It is a transport problem with convex costs: how many of each
    table of the one go to each table of the other. Solved exactly by cancelling cheaper cycles.
    """
    if common <= 0 or _spreads(sizes, others):
        return 0
    flow = _first_flow(sizes, others, common)
    costs = _Costs(sizes, others, opponents)
    while (cycle := _cheaper_cycle(flow, costs)) is not None:
        for row, column, step in cycle:
            flow[row][column] += step
    return sum(costs.of(i, j, flow[i][j]) for i in range(len(sizes)) for j in range(len(others)))


def _spreads(sizes: tuple[int, ...], others: tuple[int, ...]) -> bool:
    """Whether every table can send its players to different tables, one to each.

    Gale and Ryser's condition for a 0/1 matrix with these margins.
    """
    if sum(sizes) != sum(others):
        return max(sizes) <= len(others) and max(others) <= len(sizes)
    rows, columns = sorted(sizes, reverse=True), others
    return all(
        sum(rows[:many]) <= sum(min(size, many) for size in columns)
        for many in range(1, len(rows) + 1)
    )


def _first_flow(sizes: tuple[int, ...], others: tuple[int, ...], common: int) -> list[list[int]]:
    """Any feasible flow; the last row and column take those who sit in one round only."""
    rows = [*sizes, sum(others) - common]
    columns = [*others, sum(sizes) - common]
    flow = [[0] * len(columns) for _ in rows]
    for i in range(len(sizes)):  # those who leave go first, so that the corner stays empty
        away = min(rows[i], columns[-1])
        flow[i][-1] = away
        rows[i] -= away
        columns[-1] -= away
    for i in range(len(rows)):
        for j in range(len(others)):
            step = min(rows[i], columns[j])
            flow[i][j] += step
            rows[i] -= step
            columns[j] -= step
    return flow


class _Costs:
    """The cost of x players going from one table to another; nothing for those who came or left."""

    def __init__(self, sizes: tuple[int, ...], others: tuple[int, ...], opponents: bool) -> None:
        self.sizes, self.others, self.opponents = sizes, others, opponents

    def of(self, row: int, column: int, many: int) -> int:
        if row == len(self.sizes) or column == len(self.others):
            return 0
        if not self.opponents:
            return pairs(many)
        a, b = sorted((self.sizes[row], self.others[column]))
        return _SHARED_OPPONENTS[a, b][many]

    def most(self, row: int, column: int) -> int:
        if row == len(self.sizes) and column == len(self.others):
            return 0
        if row == len(self.sizes):
            return self.others[column]
        if column == len(self.others):
            return self.sizes[row]
        return min(self.sizes[row], self.others[column])


Edge = tuple[int, int, int, int, int, int]  # from node, to node, price, row, column, step


def _cheaper_cycle(flow: list[list[int]], costs: _Costs) -> list[tuple[int, int, int]] | None:
    """A cycle of changes that lowers the cost, found by Bellman and Ford; None at the optimum."""
    edges = _edges(flow, costs)
    nodes = len(flow) + len(flow[0])
    reach, came = [0] * nodes, [-1] * nodes
    changed = -1
    for _ in range(nodes):
        changed = -1
        for number, (start, end, price, *_rest) in enumerate(edges):
            if reach[start] + price < reach[end]:
                reach[end], came[end], changed = reach[start] + price, number, end
        if changed < 0:
            return None
    for _ in range(nodes):  # walk back until surely on the cycle
        changed = edges[came[changed]][0]
    cycle, node = [], changed
    while True:
        start, _end, _price, row, column, step = edges[came[node]]
        cycle.append((row, column, step))
        node = start
        if node == changed:
            return cycle


def _edges(flow: list[list[int]], costs: _Costs) -> list[Edge]:
    rows = len(flow)
    edges: list[Edge] = []
    for i, row in enumerate(flow):
        for j, many in enumerate(row):
            now = costs.of(i, j, many)
            if many < costs.most(i, j):
                edges.append((i, rows + j, costs.of(i, j, many + 1) - now, i, j, 1))
            if many > 0:
                edges.append((rows + j, i, costs.of(i, j, many - 1) - now, i, j, -1))
    return edges
