"""Groups, then a knock-out: who is in which group, and how those who go through are seeded."""

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
    """Return groups of even strength: seeds go to the groups in order, then back, and so on.

    Eight entries in two groups: 1-4-5-8 and 2-3-6-7. Sizes differ by at most one.
    """
    if groups < 1 or len(entries) < 2 * groups:
        sentence = gettext_noop("Every group needs at least two entries.")
        raise PairingRefused("groups-too-small", sentence)
    filled: list[list[EntryId]] = [[] for _ in range(groups)]
    for number, entry in enumerate(entries):
        lap, place = divmod(number, groups)
        filled[groups - 1 - place if lap % 2 else place].append(entry)
    return tuple(tuple(group) for group in filled)


def with_late(groups: Groups, late: Sequence[EntryId], *, full: Collection[int] = ()) -> Groups:
    """Return the groups with late entries added.

    Each goes into the smallest group of odd size (the first of these), where it takes the place of
    the bye, so that nobody else's matches change. Groups in `full`, by number, take no late entry
    whatever their size.
    """
    for entry in late:
        odd = [n for n, group in enumerate(groups, 1) if len(group) % 2 and n not in full]
        if not odd:
            sentence = gettext_noop("The groups are full: none has a bye left.")
            raise PairingRefused("groups-full", sentence)
        sizes = {n: len(group) for n, group in enumerate(groups, 1)}
        groups = add_to_group(groups, entry, min(odd, key=sizes.__getitem__))
    return groups


def add_to_group(groups: Groups, entry: EntryId, number: int) -> Groups:
    """Return the groups with an entry added to the group of this number, from 1."""
    return tuple((*group, entry) if n == number else group for n, group in enumerate(groups, 1))


def side_by_side(group_rounds: Sequence[Rounds]) -> Rounds:
    """Merge the rounds of all groups; the label of each pairing is the number of its group.

    Smaller groups finish earlier.
    """
    return tuple(
        tuple(
            Pairing(pairing.first, pairing.second, str(number))
            for number, rounds in enumerate(group_rounds, 1)
            if turn < len(rounds)
            for pairing in rounds[turn]
        )
        for turn in range(max(map(len, group_rounds), default=0))
    )


def knockout_seeds(ranked: Groups, through: int) -> tuple[EntryId, ...]:
    """Return the seeding of the knock-out: group winners first, then the seconds, and so on.

    `ranked` holds each group, best first; the best `through` of each go through. The seconds,
    thirds and so on are ordered so that two of one group meet as late as possible: with two groups
    the winner of each meets the second of the other, and can meet the second of its own group
    again only in the final.
    """
    if through < 1 or any(len(group) < through for group in ranked):
        sentence = gettext_noop("A group has fewer entries than should go through.")
        raise PairingRefused("too-many-through", sentence)
    places = seeding(1 << (len(ranked) * through - 1).bit_length())
    place_of = {seed: place for place, seed in enumerate(places)}
    seeds = list(range(1, len(ranked) + 1))
    group_places = {group: [place_of[seed]] for group, seed in enumerate(seeds)}
    order = [ranked[group][0] for group in group_places]
    for rank in range(1, through):
        first_seed = rank * len(ranked) + 1
        free_places = [place_of[seed] for seed in range(first_seed, first_seed + len(ranked))]
        assigned = _assign_places(group_places, free_places)
        for group, place in assigned.items():
            group_places[group].append(place)
        group_at = {place: group for group, place in assigned.items()}
        order += [ranked[group_at[place]][rank] for place in free_places]
    return tuple(order)


def _assign_places(
    group_places: dict[int, list[int]], free_places: Sequence[int]
) -> dict[int, int]:
    """Return a free place for each group, as far as possible from the places it already has."""
    import networkx

    for earliest_round in _earliest_rounds(group_places, free_places):
        # Places are whole numbers and groups negative ones: the choice between equals must not
        # depend on how a process hashes strings.
        graph = networkx.Graph(
            (~group, place)
            for group, own_places in group_places.items()
            for place in free_places
            if min(_meeting_round(place, own) for own in own_places) >= earliest_round
        )
        groups = [~group for group in group_places if ~group in graph]
        matching = networkx.bipartite.hopcroft_karp_matching(graph, groups)
        if all(~group in matching for group in group_places):
            return {group: matching[~group] for group in group_places}
    raise AssertionError("any place will do at the last level")


def _earliest_rounds(
    group_places: dict[int, list[int]], free_places: Sequence[int]
) -> Iterator[int]:
    """Yield the earliest round in which two of a group may meet, the strictest demand first."""
    places = [*free_places, *(place for places in group_places.values() for place in places)]
    yield from range((max(places) + 1).bit_length(), -1, -1)


def _meeting_round(place: int, other: int) -> int:
    """Return the round in which two places of a bracket would meet."""
    return (place ^ other).bit_length()
