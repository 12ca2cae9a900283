"""What no plan can beat: the least repeats, unevenness and overlap that counting alone forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, product

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
def met_again(sizes: tuple[int, ...]) -> int:
    """What two rounds at the same two tables have in common at least: 8 for a pair who are partners
    in both, 2 for opponents in both, 2 for a pair who meet in both.

    Each alone can be kept low, but not all three at once: those who sit at one table twice are on
    one side or on two. All ways to send the sides of the one round to those of the other are gone
    through.
    """
    first, second = map(_sides, sizes)
    tables = list(zip(sizes, _halves(len(first)), strict=True))
    return min(
        sum(
            _price_of_block(size, other, tuple(row[columns] for row in way[rows]))
            for (size, rows), (other, columns) in product(tables, repeat=2)
        )
        for way in _ways((*first, *second), (*first, *second))
    )


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
    """What those who share a table of each size add to J, counted by their sides."""
    here = sum(pairs(sum(row)) for row in block) if has_sides(size) else 0
    there = sum(pairs(sum(column)) for column in zip(*block, strict=True))
    there = there if has_sides(other) else 0
    both = has_sides(size) and has_sides(other)
    partners = sum(pairs(many) for row in block for many in row) if both else 0
    meetings = pairs(sum(map(sum, block)))
    return 8 * partners + 2 * (meetings - here - there + partners) + 2 * meetings


SIXTHS = (6, 9, 11)  # how much of the price of pairs who meet again is set against what is forced
TURNS = (0, 2)  # what one who sits at a table of some size twice counts beside pairs who meet


@lru_cache(maxsize=64)
def steady_bound(sizes: tuple[int, ...], rounds: int) -> Fraction:
    """The least J of so many rounds in which the same people sit at tables of these sizes.

    As x^2 = x + x(x-1), J is a constant and, for every two rounds, 8 for each pair who are partners
    in both, 2 for opponents in both, 2 for a pair who meet in both and 16 for a person at the same
    size in both. Any two rounds have at least so much in common: 2 for a pair who meet, a turn of
    each size for a person there twice (`_least_cost`). A part of J, in sixths, is set against that;
    the rest against sizes shared and pairs counted as evenly as whole numbers allow
    (`_level_pairs`). Every such division is a bound, and the best is taken: J above the constant is
    even. At two tables `met_again` is another.
    """
    people, couples = sum(sizes), pairs(rounds)
    kinds = sorted(set(sizes))
    seats = [size * sizes.count(size) for size in kinds]
    again = [level_fill(rounds * many, {rounds: people}) for many in seats]
    partners = sum(2 * pairs(size // 2) for size in sizes if has_sides(size)) * rounds
    meetings = sum(map(pairs, sizes)) * rounds
    once = 3 * partners + 2 * meetings  # 4 p + o + m
    even = rounds * people - Fraction(sum((rounds * many) ** 2 for many in seats), people)
    level = {
        sixths: _level_pairs(pairs(people), partners, meetings - partners, rounds, sixths)
        for sixths in SIXTHS
    }
    least = 0
    for turns in product(TURNS, repeat=len(kinds)):
        forced = couples * _least_in_common(sizes, dict(zip(kinds, turns, strict=True)))
        for sixths, of_pairs in level.items():
            left = sum((96 - sixths * turn) * many for turn, many in zip(turns, again, strict=True))
            least = max(least, sixths * forced + left + of_pairs)
    if len(sizes) == 2:
        least = max(least, 6 * couples * met_again(sizes) + 96 * sum(again))
    return once + 8 * even + 2 * -(-least // 12)


def _least_in_common(sizes: tuple[int, ...], turns: Mapping[int, int]) -> int:
    def cost(size: int, other: int, many: int) -> int:
        return 2 * pairs(many) + (turns[size] * many if size == other else 0)

    return _least_cost(sizes, sizes, sum(sizes), cost)


def _level_pairs(couples: int, partners: int, opponents: int, rounds: int, sixths: int) -> int:
    """The least that so many partners and opponents cost, spread over all couples, in sixths; of
    the price of meetings again only what `sixths` leaves.

    A linear price of partners and opponents that is nowhere above the true one gives a bound. The
    best goes through the true prices of three couples.
    """
    price = {
        (p, o): 48 * pairs(p) + 12 * pairs(o) + (12 - 2 * sixths) * pairs(p + o)
        for p in range(rounds + 1)
        for o in range(rounds + 1 - p)
    }
    best: int | None = None
    near = [(p, o) for p, o in price if p <= partners // couples + 2 and o < 5]
    for one, two, three in combinations(near, 3):
        a, b, c, d = two[0] - one[0], two[1] - one[1], three[0] - one[0], three[1] - one[1]
        across = a * d - b * c
        if across:
            sign = 1 if across > 0 else -1
            first, second = price[two] - price[one], price[three] - price[one]
            each, more = sign * (first * d - second * b), sign * (second * a - first * c)
            free = min(abs(across) * q - each * p - more * o for (p, o), q in price.items())
            total = couples * free + each * partners + more * opponents
            bound = -(-total // abs(across))
            best = bound if best is None else max(best, bound)
    assert best is not None
    return best


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
