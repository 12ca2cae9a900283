"""Pairings of a round, partners chosen after a seeding round, and draws that keep entries apart."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.rng import Rng

EntryId = int | str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet in a round; `second` is None for a bye.

    The first is at home, if the format has homes. `label` identifies the match where the format
    needs it: the key of a match of a bracket, the number of a group.
    """

    first: EntryId
    second: EntryId | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match: the hand points of each side, and the winner; None for a draw.

    A `walkover` counts as a win, but the two have not met.
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
    """Players pick their partners, in the order of the seeding round.

    If their number is odd, the last one has no partner: `alone`, once the picking is `over`.
    """

    unpaired: tuple[EntryId, ...]
    pairs: Partners = ()

    @property
    def over(self) -> bool:
        return len(self.unpaired) < 2

    @property
    def picker(self) -> EntryId | None:
        """The player whose turn it is; None when the picking is over."""
        return None if self.over else self.unpaired[0]

    @property
    def choices(self) -> tuple[EntryId, ...]:
        """The players that can be picked."""
        return () if self.over else self.unpaired[1:]

    @property
    def alone(self) -> EntryId | None:
        return self.unpaired[0] if len(self.unpaired) == 1 else None

    def with_pick(self, partner: EntryId) -> "Picking":
        """Return the picking after the player whose turn it is has picked this partner."""
        if partner not in self.choices:
            sentence = gettext_noop("Pick a player without a partner.")
            raise PairingRefused("not-to-be-picked", sentence)
        captain, *candidates = self.unpaired
        still_unpaired = tuple(player for player in candidates if player != partner)
        return replace(self, unpaired=still_unpaired, pairs=(*self.pairs, (captain, partner)))

    def without(self, player: EntryId) -> "Picking":
        """Return the picking after a player not yet paired has left."""
        return replace(self, unpaired=tuple(other for other in self.unpaired if other != player))


def drawn_partners(ranked: Sequence[EntryId], *, seed: int) -> Picking:
    """Draw partners from the lower half for the upper half; the last player has none if odd."""
    half = len(ranked) // 2
    lower = list(ranked[half : 2 * half])
    Rng(seed).shuffle(lower)
    return Picking(tuple(ranked[2 * half :]), tuple(zip(ranked, lower, strict=False)))


def folded_partners(ranked: Sequence[EntryId]) -> Picking:
    """Pair the first with the last, the second with the last but one, and so on.

    If their number is odd, the player in the middle has no partner.
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
    """Return the order changed so that as few clashes as possible are left.

    A clash is two entries to be kept `apart` in one of the groups `together`, which are places in
    the order, from 0. The first `fixed` entries keep their places; of the others two are swapped as
    long as that helps, the best swap first.
    """
    entries = list(order)
    pairs = [pair for group in together for pair in combinations(sorted(group), 2)]
    while clashes := _clashes(entries, pairs, apart):
        swaps = [
            (_clashes_after(entries, swap, pairs, apart), swap)
            for swap in _useful_swaps(entries, clashes, fixed)
        ]
        clash_count, best_swap = min(swaps, default=(len(clashes), (0, 0)))
        if clash_count >= len(clashes):
            break
        _swap(entries, best_swap)
    return entries


def _clashes(
    order: Sequence[EntryId],
    pairs: Collection[tuple[int, int]],
    apart: Collection[frozenset[EntryId]],
) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if frozenset((order[a], order[b])) in apart]


def _useful_swaps(
    order: Sequence[EntryId], clashes: Collection[tuple[int, int]], fixed: int
) -> Iterator[tuple[int, int]]:
    """Yield pairs of places that may be swapped, at least one of them in a clash."""
    clashing_places = {place for clash in clashes for place in clash}
    for places in combinations(range(fixed, len(order)), 2):
        if not clashing_places.isdisjoint(places):
            yield places


def _clashes_after(
    order: list[EntryId],
    swap: tuple[int, int],
    pairs: Collection[tuple[int, int]],
    apart: Collection[frozenset[EntryId]],
) -> int:
    """Return how many clashes are left after a swap."""
    changed = list(order)
    _swap(changed, swap)
    return len(_clashes(changed, pairs, apart))


def _swap(order: list[EntryId], places: tuple[int, int]) -> None:
    first, second = places
    order[first], order[second] = order[second], order[first]
