"""What no plan can beat: the least repeats, unevenness and overlap that counting alone forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product

from league.pairing.seating.history import has_sides


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


def level_seats(times: int) -> int:
    """The least repeats of one player's seats after `times` seats at tables of four."""
    each, more = divmod(times, 4)
    return more * pairs(each + 1) + (4 - more) * pairs(each)


@lru_cache(maxsize=4096)
def overlap(sizes: tuple[int, ...], others: tuple[int, ...], common: int, opponents: bool) -> int:
    """The least coinciding meetings (or oppositions) of two rounds with these table sizes.

    `common` players sit in both. How many of each table of the one go to each table of the other is
    a flow of least cost: each more of them costs no less than the one before.
    """
    if common <= 0 or _spreads(sizes, others):
        return 0
    return _least_cost(sizes, others, common, _shared_opponents if opponents else _shared)


def _least_cost(
    sizes: tuple[int, ...],
    others: tuple[int, ...],
    common: int,
    shared: Callable[[int, int, int], int],
) -> int:
    import networkx

    flow = networkx.MultiDiGraph()
    flow.add_node("start", demand=-common)
    flow.add_node("end", demand=common)
    for i, size in enumerate(sizes):
        flow.add_edge("start", ("from", i), capacity=size, weight=0)
        for j, other in enumerate(others):
            costs = [shared(size, other, many) for many in range(min(size, other) + 1)]
            for before, after in pairwise(costs):
                flow.add_edge(("from", i), ("to", j), capacity=1, weight=after - before)
    for j, other in enumerate(others):
        flow.add_edge(("to", j), "end", capacity=other, weight=0)
    cost, _flow = networkx.network_simplex(flow)
    return int(cost)


def _shared(_size: int, _other: int, many: int) -> int:
    """The meetings of so many who share a table twice."""
    return pairs(many)


def overlap_of_partners(sizes: tuple[int, ...], others: tuple[int, ...], common: int) -> int:
    """The least coinciding partnerships of two rounds; none unless a table of six or more."""
    if common <= 0 or max(sizes) <= 4 or max(others) <= 4 or _spreads(sizes, others):
        return 0
    return _least_cost(sizes, others, common, _shared_partners)


@cache
def _shared_partners(size: int, other: int, many: int) -> int:
    """The least partnerships that coincide when so many share a table of each size."""
    if not has_sides(size) or not has_sides(other):
        return 0
    return min(
        pairs(a) + pairs(b) + pairs(c) + pairs(many - a - b - c)
        for a, b, c in _splits(size, other, many)
    )


def _splits(size: int, other: int, many: int) -> Iterator[tuple[int, int, int]]:
    """How so many can be spread over the sides here and there: on one side of both, and so on."""
    here, there = size // 2, other // 2
    for a, b, c in product(range(many + 1), repeat=3):
        if a + b + c <= many and a + b <= here >= many - a - b and a + c <= there >= many - a - c:
            yield a, b, c


Block = tuple[tuple[int, ...], ...]  # by side of a table here: how many go to each side there


@lru_cache(maxsize=64)
def met_again(sizes: tuple[int, int], others: tuple[int, int]) -> int:
    """The least that two rounds of the same people at two tables each add to J by what coincides.

    J counts the sum of x^2 = x + x(x-1), and x(x-1)/2 is the number of round pairs in which a pair
    of people had the same. So every two rounds add 8 for a pair who are partners in both, 2 for
    opponents in both and 2 for a pair who meet in both, whatever the other rounds are. Each alone
    can be kept low, but not all three at once: those who sit at one table twice are on one side or
    on two. All ways to send the sides of the one round to those of the other are gone through.
    """
    return min(
        sum(_price_of_block(size, other, block) for size, other, block in blocks)
        for blocks in _exchanges(sizes, others)
    )


def _exchanges(
    sizes: tuple[int, int], others: tuple[int, int]
) -> Iterator[list[tuple[int, int, Block]]]:
    """Every way to send the sides of two tables to the sides of two others, by pair of tables."""
    here, there = _sides(sizes[0]), _sides(others[0])
    for way in _ways((*here, *_sides(sizes[1])), (*there, *_sides(others[1]))):
        yield [
            (size, other, tuple(row[columns] for row in way[rows]))
            for size, rows in zip(sizes, _halves(len(here)), strict=True)
            for other, columns in zip(others, _halves(len(there)), strict=True)
        ]


def _halves(first: int) -> tuple[slice, slice]:
    return slice(first), slice(first, None)


def _sides(size: int) -> tuple[int, ...]:
    """How many play on each side; one side of all where everybody is against everybody."""
    return (size // 2, size // 2) if has_sides(size) else (size,)


def _ways(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[Block]:
    """All tables of whole numbers with these sums of rows and of columns."""
    if len(rows) == 1:
        yield (columns,)
        return
    for sent in product(*(range(min(rows[0], room) + 1) for room in columns)):
        if sum(sent) == rows[0]:
            left = tuple(room - gone for room, gone in zip(columns, sent, strict=True))
            for others in _ways(rows[1:], left):
                yield (sent, *others)


@cache
def _price_of_block(size: int, other: int, block: Block) -> int:
    """What those who share a table of each size add to J, told apart by their sides."""
    here = sum(pairs(sum(row)) for row in block) if has_sides(size) else 0
    there = sum(pairs(sum(column)) for column in zip(*block, strict=True))
    there = there if has_sides(other) else 0
    both = has_sides(size) and has_sides(other)
    partners = sum(pairs(many) for row in block for many in row) if both else 0
    meetings = pairs(sum(map(sum, block)))
    return 8 * partners + 2 * (meetings - here - there + partners) + 2 * meetings


@cache
def _shared_opponents(size: int, other: int, many: int) -> int:
    """The least opponent pairs that coincide when so many share a table of each size.

    Partners hide some of the pairs: people are told apart by their side here and there, and only
    those who differ in both are opponents twice. Where there are no sides everybody differs.
    """
    here, there = (one // 2 if has_sides(one) else 0 for one in (size, other))
    if not here and not there:
        return pairs(many)
    if not here or not there:
        half = here or there
        return min(one * (many - one) for one in range(many + 1) if one <= half >= many - one)
    return min(a * (many - a - b - c) + b * c for a, b, c in _splits(size, other, many))


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
