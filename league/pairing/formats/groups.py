"""Groups, then a knock-out: who is in which group, and how those who get through are seeded."""

from collections.abc import Collection, Iterator, Sequence

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.formats.bracket_matches import seeding
from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.formats.round_robins import Rounds

__all__ = [
    "Groups",
    "add_to_group",
    "knockout_seeds",
    "side_by_side",
    "snake",
    "with_late",
]

Groups = tuple[tuple[EntryId, ...], ...]


def snake(entries: Sequence[EntryId], groups: int) -> Groups:
    """Groups of even strength: entries in order of seeding go to the groups there and back.

    Eight in two groups: 1-4-5-8 and 2-3-6-7. Sizes differ by at most one.
    """
    if groups < 1 or len(entries) < 2 * groups:
        sentence = gettext_noop("Every group needs at least two entries.")
        raise PairingRefused("groups-too-small", sentence)
    made: list[list[EntryId]] = [[] for _ in range(groups)]
    for number, entry in enumerate(entries):
        lap, place = divmod(number, groups)
        made[groups - 1 - place if lap % 2 else place].append(entry)
    return tuple(tuple(one) for one in made)


def with_late(groups: Groups, late: Sequence[EntryId], *, full: Collection[int] = ()) -> Groups:
    """The groups with those who came late, one by one in the smallest group of an odd number (the
    first of these): there each takes the place of the bye, and nobody else's matches change. The
    groups that are `full`, by number, have no such place whatever their size."""
    made = groups
    for entry in late:
        odd = [n for n, group in enumerate(made, 1) if len(group) % 2 and n not in full]
        if not odd:
            sentence = gettext_noop("The groups are full: none has a bye left.")
            raise PairingRefused("groups-full", sentence)
        made = add_to_group(made, entry, min(odd, key=lambda n: len(made[n - 1])))
    return made


def add_to_group(groups: Groups, entry: EntryId, number: int) -> Groups:
    """The groups with an entry more in that of this number."""
    return tuple((*group, entry) if n == number else group for n, group in enumerate(groups, 1))


def side_by_side(each: Sequence[Rounds]) -> Rounds:
    """The rounds of all groups together, each pairing with the number of its group as its label.

    A smaller group is done earlier.
    """
    return tuple(
        tuple(
            Pairing(one.first, one.second, str(number))
            for number, rounds in enumerate(each, 1)
            if turn < len(rounds)
            for one in rounds[turn]
        )
        for turn in range(max(map(len, each), default=0))
    )


def knockout_seeds(ranked: Groups, through: int) -> tuple[EntryId, ...]:
    """The seeding of the knock-out: group winners first, then the seconds, and so on.

    `ranked` holds each group, best first; the best `through` of each play on. Within the seconds,
    thirds and so on the order is chosen so that two of one group meet as late as they can: with
    two groups the winner of each meets the second of the other, and they can only meet their own
    second again in the final.
    """
    if through < 1 or any(len(group) < through for group in ranked):
        sentence = gettext_noop("A group has fewer entries than should go through.")
        raise PairingRefused("too-many-through", sentence)
    places = seeding(1 << (len(ranked) * through - 1).bit_length())
    where = {seed: place for place, seed in enumerate(places)}
    seeds = list(range(1, len(ranked) + 1))
    taken = {group: [where[seed]] for group, seed in enumerate(seeds)}
    order = [ranked[group][0] for group in taken]
    for rank in range(1, through):
        free = [where[seed] for seed in range(rank * len(ranked) + 1, (rank + 1) * len(ranked) + 1)]
        seats = _crossed(taken, free)
        for group, place in seats.items():
            taken[group].append(place)
        group_at = {place: group for group, place in seats.items()}
        order += [ranked[group_at[place]][rank] for place in free]
    return tuple(order)


def _crossed(taken: dict[int, list[int]], free: Sequence[int]) -> dict[int, int]:
    """A free place for each group, so that its own are as far from one another as can be."""
    import networkx

    for level in _levels(taken, free):
        # Places are whole numbers, groups whole numbers below zero: what is chosen among equals
        # must not depend on how a process hashes strings.
        graph = networkx.Graph(
            (~group, place)
            for group, own in taken.items()
            for place in free
            if min(_meeting(place, one) for one in own) >= level
        )
        groups = [~group for group in taken if ~group in graph]
        seats = networkx.bipartite.hopcroft_karp_matching(graph, groups)
        if all(~group in seats for group in taken):
            return {group: seats[~group] for group in taken}
    raise AssertionError("any place will do at the last level")


def _levels(taken: dict[int, list[int]], free: Sequence[int]) -> Iterator[int]:
    """Demands, the strictest first: in which round two of one group may meet at the earliest."""
    places = [*free, *(place for places in taken.values() for place in places)]
    yield from range((max(places) + 1).bit_length(), -1, -1)


def _meeting(place: int, other: int) -> int:
    """The round in which two places of a bracket would meet."""
    return (place ^ other).bit_length()
