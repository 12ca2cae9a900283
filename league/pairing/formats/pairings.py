"""Entries paired: who meets whom in a round, partners found after a seeding round, and a draw in
which those who should not meet at once do not, where that can be."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.rng import Rng

EntryId = int | str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet in a round; `second` is None for a bye.

    The first is at home, where a format knows homes. `label` names the match where the format
    needs to find it again: the key of a match of a bracket, the number of a group.
    """

    first: EntryId
    second: EntryId | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that is over: the hand points each side took, and who won; None for a draw.

    A `walkover` counts as won, but the two have not met.
    """

    first: EntryId
    second: EntryId
    first_points: int
    second_points: int
    winner: EntryId | None
    walkover: bool = False


Partners = tuple[tuple[EntryId, EntryId], ...]


@dataclass(frozen=True, slots=True)
class Picking:
    """People in the order of the seeding round pick their partners, the best placed first.

    With an odd number the last one left stays without a partner: `alone`, once it is `over`.
    """

    left: tuple[EntryId, ...]
    pairs: Partners = ()

    @property
    def over(self) -> bool:
        return len(self.left) < 2

    @property
    def picks(self) -> EntryId | None:
        """Whose turn it is; None when it is over."""
        return None if self.over else self.left[0]

    @property
    def choices(self) -> tuple[EntryId, ...]:
        """Who can be picked."""
        return () if self.over else self.left[1:]

    @property
    def alone(self) -> EntryId | None:
        return self.left[0] if len(self.left) == 1 else None

    def with_pick(self, partner: EntryId) -> "Picking":
        """After the one whose turn it is has picked this partner."""
        if partner not in self.choices:
            sentence = gettext_noop("Pick a player without a partner.")
            raise PairingRefused("not-to-be-picked", sentence)
        captain, *others = self.left
        left = tuple(one for one in others if one != partner)
        return replace(self, left=left, pairs=(*self.pairs, (captain, partner)))

    def without(self, person: EntryId) -> "Picking":
        """After somebody not yet paired has left."""
        return replace(self, left=tuple(one for one in self.left if one != person))


def drawn_partners(ranked: Sequence[EntryId], *, seed: int) -> Picking:
    """Each of the upper half draws a partner out of the lower half; the last stays if odd."""
    half = len(ranked) // 2
    lower = list(ranked[half : 2 * half])
    Rng(seed).shuffle(lower)
    return Picking(tuple(ranked[2 * half :]), tuple(zip(ranked, lower, strict=False)))


def folded_partners(ranked: Sequence[EntryId]) -> Picking:
    """The first with the last, the second with the last but one; with an odd number the one in the
    middle stays without a partner.
    """
    half = len(ranked) // 2
    lower = list(reversed(ranked))[:half]
    middle = tuple(ranked[half : len(ranked) - half])
    return Picking(middle, tuple(zip(ranked, lower, strict=False)))


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
    placed = list(order)
    pairs = [pair for group in together for pair in combinations(sorted(group), 2)]
    while clashes := _clashes(placed, pairs, apart):
        swaps = [(_after(placed, two, pairs, apart), two) for two in _swaps(placed, clashes, fixed)]
        left, two = min(swaps, default=(len(clashes), (0, 0)))
        if left >= len(clashes):
            break
        _swap(placed, two)
    return placed


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
