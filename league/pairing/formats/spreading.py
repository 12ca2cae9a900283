"""The order of a draw in which those who should not meet at once do not, where that can be."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from league.pairing.formats.bracket_matches import main_rounds
from league.pairing.formats.pairings import EntryId


def first_meetings(count: int) -> tuple[tuple[int, ...], ...]:
    """Who meets in the first round of a bracket, as places in the order of the draw, from 0."""
    sides = ((one.first.entry, one.second.entry) for one in main_rounds(range(count))[0])
    return tuple((int(a), int(b)) for a, b in sides if a is not None and b is not None)


def spread(
    order: Sequence[EntryId],
    together: Collection[Collection[int]],
    apart: Collection[frozenset[EntryId]],
    *,
    fixed: int,
) -> list[EntryId]:
    """The order with as few as it finds of those kept `apart` in one of the groups `together`.

    These are places in the order, from 0. The first `fixed` stay where they are; of the others two
    change places as long as that helps, the best two first.
    """
    found = list(order)
    pairs = [pair for group in together for pair in combinations(sorted(group), 2)]
    while clashes := _clashes(found, pairs, apart):
        swaps = [(_after(found, two, pairs, apart), two) for two in _swaps(found, clashes, fixed)]
        left, two = min(swaps, default=(len(clashes), (0, 0)))
        if left >= len(clashes):
            break
        _swap(found, two)
    return found


def _clashes(
    order: Sequence[EntryId],
    pairs: Collection[tuple[int, int]],
    apart: Collection[frozenset[EntryId]],
) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if frozenset((order[a], order[b])) in apart]


def _swaps(
    order: Sequence[EntryId], clashes: Collection[tuple[int, int]], fixed: int
) -> Iterator[tuple[int, int]]:
    """The places that may be swapped, one of them in a clash."""
    here = {place for both in clashes for place in both}
    for two in combinations(range(fixed, len(order)), 2):
        if not here.isdisjoint(two):
            yield two


def _after(
    order: list[EntryId],
    two: tuple[int, int],
    pairs: Collection[tuple[int, int]],
    apart: Collection[frozenset[EntryId]],
) -> int:
    """How many clashes are left when two have changed places."""
    changed = list(order)
    _swap(changed, two)
    return len(_clashes(changed, pairs, apart))


def _swap(order: list[EntryId], two: tuple[int, int]) -> None:
    one, other = two
    order[one], order[other] = order[other], order[one]
