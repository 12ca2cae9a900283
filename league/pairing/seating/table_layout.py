"""The places of one round: partners and opponents of each place, swaps, and seat orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

from league.pairing.rng import Rng
from league.pairing.seating.history import OUT, SHORT, WHOLE, Portion, has_sides

# Constants of a swap: the second differences of the squares. 4p^2 + (p+o)^2 has second difference
# 10 for a partner; o^2 + (p+o)^2 has 4 for an opponent.
PARTNER_STEP, OPPONENT_STEP = 10, 4

# A swap of places a and b: a, b, then partner and two opponents of a and of b, the constant,
# and the table sizes of a and b. A turn within one table of four has the constant -1.
Swap = tuple[int, int, int, int, int, int, int, int, int, int, int]
TURN = -1
LIST_LIMIT = 400  # the most places for which all swaps of a round are listed


@dataclass(frozen=True)
class Shape:
    """The places of a round: table after table, then those who sit out, then `nobody`.

    `nobody` is the place used for the partner and opponents that a short table lacks, so that the
    same formula works for every table.
    """

    sizes: tuple[int, ...]
    out: int

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first place of every table."""
        return tuple(sum(self.sizes[:table]) for table in range(len(self.sizes)))

    @cached_property
    def nobody(self) -> int:
        """The place after all others, where nobody sits."""
        return sum(self.sizes) + self.out

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The size of the table at each place, OUT for those who sit out."""
        seated = tuple(size for size in self.sizes for _ in range(size))
        return seated + (OUT,) * self.out

    @cached_property
    def mates(self) -> tuple[tuple[int, int, int], ...]:
        """The partner and two opponents of each place."""
        nobody = self.nobody
        mates: list[tuple[int, int, int]] = []
        for start, size in zip(self.starts, self.sizes, strict=True):
            places = list(range(start, start + size))
            for seat in range(size):
                other_places = [places[(seat + step) % size] for step in range(1, size)]
                partner = other_places.pop(1) if size == 4 else nobody
                mates.append((partner, *[*other_places, nobody][:2]))  # type: ignore[arg-type]
        return tuple(mates) + ((nobody, nobody, nobody),) * self.out

    def swaps(self, *, level: bool = False) -> Sequence[Swap]:
        """Return every swap of two places that changes anything.

        With `level`, no player moves between full tables, short tables and sitting out.
        """
        return _swaps(self, level) if self.nobody <= LIST_LIMIT else _UnlistedSwaps(self, level)

    def tables(self, line: list[int]) -> list[list[int]]:
        """Split the line of players into tables."""
        return [
            line[start : start + size] for start, size in zip(self.starts, self.sizes, strict=True)
        ]

    def outs(self, line: list[int]) -> list[int]:
        """Return the players of a line who sit out."""
        return line[self.nobody - self.out : self.nobody]


@lru_cache(maxsize=32)
def cached_shape(sizes: tuple[int, ...], out: int) -> Shape:
    """Return the Shape of these sizes, always the same object."""
    return Shape(sizes, out)


class _UnlistedSwaps(Sequence[Swap]):
    """The swaps of a room with too many to list, each computed when needed.

    Two places of one table make no swap: a turn of that table is used instead or, at a small table,
    a swap elsewhere in the room.
    """

    def __init__(self, shape: Shape, level: bool) -> None:
        self.shape = shape
        self.table_of = [table for table, size in enumerate(shape.sizes) for _ in range(size)]
        self.table_of += [-1] * shape.out
        groups: dict[int, list[int]] = {}
        for place in range(shape.nobody):
            groups.setdefault(_kind_group(shape.kinds[place]) if level else 0, []).append(place)
        self.groups = sorted(groups.values(), key=len, reverse=True)

    def __len__(self) -> int:
        return sum(len(group) ** 2 for group in self.groups)

    def __getitem__(self, number: Any) -> Any:
        for group in self.groups:
            if number < len(group) ** 2:
                break
            number -= len(group) ** 2
        first, second = divmod(number, len(group))
        shape, a, b = self.shape, group[first], group[second]
        if self.table_of[a] == self.table_of[b]:
            if shape.kinds[a] == 4:
                start = shape.starts[self.table_of[a]]
                return _make_swap(shape, start, start + 1 + 2 * (number % 2), TURN)
            group = self.groups[0]
            half = len(group) // 2
            a, b = group[first % half], group[first % half + half]
        a, b = min(a, b), max(a, b)
        return _make_swap(shape, a, b, _swap_constant(shape, a) + _swap_constant(shape, b))


@lru_cache(maxsize=8)  # a room of LIST_LIMIT has 80,000 swaps
def _swaps(shape: Shape, level: bool) -> tuple[Swap, ...]:
    table_of = [table for table, size in enumerate(shape.sizes) for _ in range(size)]
    table_of += [-1] * shape.out
    swaps = []
    for a in range(shape.nobody):
        for b in range(a + 1, shape.nobody):
            if table_of[a] == table_of[b]:
                is_first = a == shape.starts[table_of[a]] if table_of[a] >= 0 else False
                if is_first and shape.kinds[a] == 4 and (b - a) % 2:
                    swaps.append(_make_swap(shape, a, b, TURN))
            elif not level or _kind_group(shape.kinds[a]) == _kind_group(shape.kinds[b]):
                swaps.append(
                    _make_swap(shape, a, b, _swap_constant(shape, a) + _swap_constant(shape, b))
                )
    return tuple(swaps)


def _kind_group(kind: int) -> int:
    return 2 if kind in SHORT else kind


def _swap_constant(shape: Shape, place: int) -> int:
    partner, *opponents = shape.mates[place]
    opponent_count = sum(other != shape.nobody for other in opponents)
    return PARTNER_STEP * (partner != shape.nobody) + OPPONENT_STEP * opponent_count


def _make_swap(shape: Shape, a: int, b: int, constant: int) -> Swap:
    return (a, b, *shape.mates[a], *shape.mates[b], constant, shape.kinds[a], shape.kinds[b])


# Orders of a table that keep the partners of a table of four (0 with 2, 1 with 3).
ORDERS = {
    2: ((0, 1), (1, 0)),
    3: tuple(permutations(range(3))),
    4: tuple(order for order in permutations(range(4)) if {order[0], order[2]} in ({0, 2}, {1, 3})),
}


def seat_table(
    table: Sequence[int],
    portions: Sequence[Portion],
    rng: Rng,
    locked: dict[int, int] | None = None,
) -> list[int]:
    """Return the table in seat order: locked seats first, then a fair deal, then fair seats.

    The first dealer is the player furthest behind their fair share of deals; seats go to the
    players who have had them least.
    """
    locked = locked or {}
    orders = list(_seat_orders(len(table)))
    rng.shuffle(orders)

    def cost(order: tuple[int, ...]) -> tuple[int, Fraction, int]:
        seats = [table[place] for place in order]
        moved_players = sum(locked.get(player, seat) != seat for seat, player in enumerate(seats))
        deals = portions[seats[0]].deals
        deal_surplus = deals.had - deals.owed - Fraction(WHOLE, len(table))
        numbered = enumerate(seats if len(table) == 4 else ())
        times_seated = sum(portions[player].seats[seat] for seat, player in numbered)
        return moved_players, deal_surplus, times_seated

    seated = [table[place] for place in min(orders, key=cost)]
    return seated if len(table) in ORDERS else _move_to_locked_seats(seated, locked)


def _seat_orders(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders of a table that keep its partners; large tables are only rotated."""
    if size in ORDERS:
        return ORDERS[size]
    return tuple(tuple((seat + turn) % size for seat in range(size)) for turn in range(size))


def _move_to_locked_seats(table: list[int], locked: dict[int, int]) -> list[int]:
    """Move players into their locked seats where that splits no partners."""
    for player, seat in sorted(locked.items()):
        if player in table and seat < len(table):
            current = table.index(player)
            if not has_sides(len(table)) or (current - seat) % 2 == 0:
                table[current], table[seat] = table[seat], table[current]
    return table
