"""Lower bounds that no plan can beat, on repeats, unevenness and overlap, from counting alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, product

from league.pairing.seating.history import has_sides


def pairs(times: int) -> int:
    """Return the number of repeats in a count: times * (times - 1) / 2."""
    return times * (times - 1) // 2


def level_fill(total: int, capacities: Iterable[int] | Mapping[int, int]) -> int:
    """Return the least sum of `pairs(x)` if `total` meetings fall on cells of these capacities.

    A mapping gives the number of cells of each capacity. All cells get a first meeting before any
    gets a second, as far as their capacities allow (water-filling).
    """
    cells = Counter(capacities)
    repeats, left = 0, total
    for level in range(max(cells, default=0)):
        placed = min(left, sum(count for capacity, count in cells.items() if capacity > level))
        repeats += level * placed
        left -= placed
    if left:
        raise ValueError("more meetings than the pairs could have had")
    return repeats


def best_rounding(shares: Sequence[Fraction], total: int) -> Fraction:
    """Return the least sum of (h - share)^2 over whole numbers h that add up to `total`.

    The shares also add up to the total, so it is best to round the largest remainders up.
    """
    remainders = sorted((share - share.__floor__() for share in shares), reverse=True)
    raise_count = total - sum(share.__floor__() for share in shares)
    if not 0 <= raise_count <= len(remainders):
        raise ValueError("shares and total do not agree")
    raised_sum = sum(((1 - remainder) ** 2 for remainder in remainders[:raise_count]), Fraction(0))
    return raised_sum + sum((remainder**2 for remainder in remainders[raise_count:]), Fraction(0))


def level_seats(times: int) -> int:
    """Return the fewest repeats of one player's seats after `times` seats at tables of four."""
    quotient, remainder = divmod(times, 4)
    return remainder * pairs(quotient + 1) + (4 - remainder) * pairs(quotient)


@lru_cache(maxsize=4096)
def overlap(
    sizes: tuple[int, ...], other_sizes: tuple[int, ...], common: int, opponents: bool
) -> int:
    """Return the fewest meetings (or oppositions) that two rounds of these sizes have in common.

    `common` players sit in both rounds. How many of them go from each table of the first to each
    table of the second is a minimum-cost flow, because the cost is convex: each further player adds
    no less than the one before.
    """
    if common <= 0 or _can_spread(sizes, other_sizes):
        return 0
    cost_of = _shared_opponents if opponents else _shared_meetings
    return _min_flow_cost(sizes, other_sizes, common, cost_of)


def _min_flow_cost(
    sizes: tuple[int, ...],
    other_sizes: tuple[int, ...],
    common: int,
    cost_of: Callable[[int, int, int], int],
) -> int:
    import networkx

    flow = networkx.MultiDiGraph()
    flow.add_node("start", demand=-common)
    flow.add_node("end", demand=common)
    for i, size in enumerate(sizes):
        flow.add_edge("start", ("from", i), capacity=size, weight=0)
        for j, other_size in enumerate(other_sizes):
            costs = [cost_of(size, other_size, count) for count in range(min(size, other_size) + 1)]
            for cost, next_cost in pairwise(costs):
                flow.add_edge(("from", i), ("to", j), capacity=1, weight=next_cost - cost)
    for j, other_size in enumerate(other_sizes):
        flow.add_edge(("to", j), "end", capacity=other_size, weight=0)
    total, _flow = networkx.network_simplex(flow)
    return int(total)


def _shared_meetings(_size: int, _other: int, count: int) -> int:
    """Return the meetings of so many players who share a table in both rounds."""
    return pairs(count)


def overlap_of_partners(sizes: tuple[int, ...], other_sizes: tuple[int, ...], common: int) -> int:
    """Return the fewest partnerships that two rounds have in common; 0 without larger tables."""
    if common <= 0 or max(sizes) <= 4 or max(other_sizes) <= 4 or _can_spread(sizes, other_sizes):
        return 0
    return _min_flow_cost(sizes, other_sizes, common, _shared_partners)


@cache
def _shared_partners(size: int, other_size: int, count: int) -> int:
    """Return the fewest partnerships in common if so many share a table of each size."""
    if not has_sides(size) or not has_sides(other_size):
        return 0
    return min(
        pairs(a) + pairs(b) + pairs(c) + pairs(count - a - b - c)
        for a, b, c in _splits(size, other_size, count)
    )


def _splits(size: int, other_size: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Yield the ways to spread players over the sides of the two tables they share.

    a are on the first side at both tables, b on the first side at the first table only, c at the
    second table only; the others are on the second side at both.
    """
    side, other_side = size // 2, other_size // 2
    for a, b, c in product(range(count + 1), repeat=3):
        fits = a + b <= side >= count - a - b and a + c <= other_side >= count - a - c
        if a + b + c <= count and fits:
            yield a, b, c


Block = tuple[tuple[int, ...], ...]  # by side of a table: how many go to each side of the next


@lru_cache(maxsize=64)
def least_in_common(sizes: tuple[int, ...]) -> int:
    """Return the least that two rounds at the same two tables have in common.

    That is 8 for a pair who are partners in both, 2 for opponents in both, and 2 for a pair who
    meet in both. Each can be kept low on its own, but not all three at once: players who share a
    table twice are on the same side or on two. All ways to move the sides of the first round to
    those of the second are tried.
    """
    first, second = map(_side_sizes, sizes)
    tables = list(zip(sizes, (slice(len(first)), slice(len(first), None)), strict=True))
    return min(
        sum(
            _block_cost(size, other_size, tuple(row[columns] for row in matrix[rows]))
            for (size, rows), (other_size, columns) in product(tables, repeat=2)
        )
        for matrix in _matrices((*first, *second), (*first, *second))
    )


def _side_sizes(size: int) -> tuple[int, ...]:
    """Return how many play on each side of a table; a table without sides counts as one side."""
    return (size // 2, size // 2) if has_sides(size) else (size,)


def _matrices(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[Block]:
    """Yield all matrices of whole numbers with these row and column sums."""
    if len(rows) == 1:
        yield (columns,)
        return
    for row in product(*(range(min(rows[0], room) + 1) for room in columns)):
        if sum(row) == rows[0]:
            room_left = tuple(room - used for room, used in zip(columns, row, strict=True))
            for remaining_rows in _matrices(rows[1:], room_left):
                yield (row, *remaining_rows)


@cache
def _block_cost(size: int, other_size: int, block: Block) -> int:
    """Return what players who share a table of each size add to J, given the sides they are on."""
    row_pairs = sum(pairs(sum(row)) for row in block) if has_sides(size) else 0
    column_pairs = sum(pairs(sum(column)) for column in zip(*block, strict=True))
    column_pairs = column_pairs if has_sides(other_size) else 0
    have_sides = has_sides(size) and has_sides(other_size)
    partners = sum(pairs(count) for row in block for count in row) if have_sides else 0
    meetings = pairs(sum(map(sum, block)))
    return 8 * partners + 2 * (meetings - row_pairs - column_pairs + partners) + 2 * meetings


SIXTHS = (6, 9, 11)  # how much of the cost of repeated meetings is bounded by the overlap
SIZE_WEIGHTS = (0, 2)  # the weight in the overlap of a player at the same size twice


@lru_cache(maxsize=64)
def steady_bound(sizes: tuple[int, ...], rounds: int) -> Fraction:
    """Return a lower bound on J if the same players sit at tables of these sizes in all rounds.

    As x^2 = x + x(x-1), J is a constant plus, for every two rounds, 8 for each pair who are
    partners in both, 2 for opponents in both, 2 for a pair who meet in both, and 16 for a player at
    the same size in both. One part of J, in sixths, is bounded by what any two rounds must have in
    common: 2 for a pair who meet, and a weight for each player at the same size
    (`_least_weighted_overlap`). The rest is bounded by sharing sizes and pairs as evenly as whole
    numbers allow (`_spread_pair_cost`). Every such split gives a bound, and the best is taken,
    rounded up, as J above the constant is even. For two tables `least_in_common` gives another.
    """
    players, round_pairs = sum(sizes), pairs(rounds)
    kinds = sorted(set(sizes))
    seats = [size * sizes.count(size) for size in kinds]
    size_repeats = [level_fill(rounds * count, {rounds: players}) for count in seats]
    partners = sum(2 * pairs(size // 2) for size in sizes if has_sides(size)) * rounds
    meetings = sum(map(pairs, sizes)) * rounds
    constant = 3 * partners + 2 * meetings  # 4 p + o + m
    evenness = rounds * players - Fraction(sum((rounds * count) ** 2 for count in seats), players)
    pair_bounds = {
        sixths: _spread_pair_cost(pairs(players), partners, meetings - partners, rounds, sixths)
        for sixths in SIXTHS
    }
    least = 0
    for size_weights in product(SIZE_WEIGHTS, repeat=len(kinds)):
        weight_of = dict(zip(kinds, size_weights, strict=True))
        forced = round_pairs * _least_weighted_overlap(sizes, weight_of)
        for sixths, pair_bound in pair_bounds.items():
            weighted = zip(size_weights, size_repeats, strict=True)
            rest = sum((96 - sixths * weight) * count for weight, count in weighted)
            least = max(least, sixths * forced + rest + pair_bound)
    if len(sizes) == 2:
        least = max(least, 6 * round_pairs * least_in_common(sizes) + 96 * sum(size_repeats))
    return constant + 8 * evenness + 2 * -(-least // 12)


def _least_weighted_overlap(sizes: tuple[int, ...], size_weights: Mapping[int, int]) -> int:
    def cost(size: int, other_size: int, count: int) -> int:
        return 2 * pairs(count) + (size_weights[size] * count if size == other_size else 0)

    return _min_flow_cost(sizes, sizes, sum(sizes), cost)


def _spread_pair_cost(
    pair_count: int, partners: int, opponents: int, rounds: int, sixths: int
) -> int:
    """Return the least cost, in sixths, of so many partners and opponents spread over all pairs.

    Of the cost of repeated meetings it counts only what `sixths` leaves. Any linear function of
    partners and opponents that is nowhere above the true cost gives a bound; the best one goes
    through the true costs of three points.
    """
    cost = {
        (p, o): 48 * pairs(p) + 12 * pairs(o) + (12 - 2 * sixths) * pairs(p + o)
        for p in range(rounds + 1)
        for o in range(rounds + 1 - p)
    }
    best: int | None = None
    points = [(p, o) for p, o in cost if p <= partners // pair_count + 2 and o < 5]
    for first, second, third in combinations(points, 3):
        a, b = second[0] - first[0], second[1] - first[1]
        c, d = third[0] - first[0], third[1] - first[1]
        determinant = a * d - b * c
        if determinant:
            sign = 1 if determinant > 0 else -1
            second_rise, third_rise = cost[second] - cost[first], cost[third] - cost[first]
            p_slope = sign * (second_rise * d - third_rise * b)
            o_slope = sign * (third_rise * a - second_rise * c)
            scale = abs(determinant)
            intercept = min(scale * q - p_slope * p - o_slope * o for (p, o), q in cost.items())
            total = pair_count * intercept + p_slope * partners + o_slope * opponents
            bound = -(-total // scale)
            best = bound if best is None else max(best, bound)
    assert best is not None
    return best


@cache
def _shared_opponents(size: int, other_size: int, count: int) -> int:
    """Return the fewest pairs of opponents in common if so many share a table of each size.

    Only players on different sides in both rounds are opponents twice; at a table without sides all
    are opponents.
    """
    side, other_side = (n // 2 if has_sides(n) else 0 for n in (size, other_size))
    if not side and not other_side:
        return pairs(count)
    if not side or not other_side:
        half = side or other_side
        return min(n * (count - n) for n in range(count + 1) if n <= half >= count - n)
    return min(a * (count - a - b - c) + b * c for a, b, c in _splits(size, other_size, count))


def _can_spread(sizes: tuple[int, ...], other_sizes: tuple[int, ...]) -> bool:
    """Whether every table can send its players to different tables, one to each.

    This is the Gale-Ryser condition for a 0/1 matrix with these margins.
    """
    if sum(sizes) != sum(other_sizes):
        return max(sizes) <= len(other_sizes) and max(other_sizes) <= len(sizes)
    rows, columns = sorted(sizes, reverse=True), other_sizes
    return all(
        sum(rows[:count]) <= sum(min(size, count) for size in columns)
        for count in range(1, len(rows) + 1)
    )
