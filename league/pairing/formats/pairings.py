"""Pairings of a round: Swiss, partners after a seeding round, and draws that keep entries apart."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.rng import Rng, in_order

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


WIN, DRAW = 2, 1
"""Match points are counted in halves so that all costs are whole numbers."""


def swiss_round(
    entries: Collection[EntryId],
    played: Iterable[PlayedMatch],
    *,
    byes: Mapping[EntryId, int] | None = None,
    withdrawn: Collection[EntryId] = (),
    missed: Collection[EntryId] = (),
    apart: Collection[frozenset[EntryId]] = (),
    places: Mapping[EntryId, int] | None = None,
    seed: int,
) -> tuple[Pairing, ...]:
    """Return the pairings of the next round, the best placed first and a bye last.

    `byes` is the number of byes each entry has had; a bye counts as a win. `missed` are the entries
    that were not in an earlier round, such as late entries: one of them gets the bye only if all
    candidates are among them. `places` are the places in the standings, shared if level; without
    them match points decide, then the points difference. Of all possible rounds, this is one that,
    in this order: gives the bye to an entry with the fewest byes; has the fewest meetings of two to
    be kept `apart`; has the fewest rematches; gives the bye to the lowest placed; has the smallest
    sum of squared differences in match points. Ties are broken by the `seed`. The order of entries
    and matches is ignored.
    """
    field = _make_field(entries, list(played), byes or {}, withdrawn, places, seed)
    field = replace(field, missed=frozenset(missed), apart=frozenset(apart))
    opponents = _match_opponents(field)
    pairings = []
    for entry in field.ranked:
        opponent = opponents.get(entry)
        if opponent is not None and field.place[entry] < field.place[opponent]:
            pairings.append(Pairing(entry, opponent))
    bye = [Pairing(entry, None) for entry in field.ranked if entry not in opponents]
    return (*pairings, *bye)


@dataclass(frozen=True)
class _Field:
    """The entries to be paired and their record.

    `drawn` is in random order, `ranked` best placed first; `scores` are in halves of a match point.
    """

    drawn: Sequence[EntryId]
    ranked: Sequence[EntryId]
    place: Mapping[EntryId, int]
    scores: Mapping[EntryId, int]
    meetings: Mapping[frozenset[EntryId], int]
    byes: Mapping[EntryId, int]
    missed: frozenset[EntryId] = frozenset()
    apart: frozenset[frozenset[EntryId]] = frozenset()


def _make_field(
    entries: Collection[EntryId],
    played: Sequence[PlayedMatch],
    byes: Mapping[EntryId, int],
    withdrawn: Collection[EntryId],
    places: Mapping[EntryId, int] | None,
    seed: int,
) -> _Field:
    drawn = [entry for entry in in_order(entries) if entry not in withdrawn]
    Rng(seed).shuffle(drawn)
    scores = match_points(played, byes)
    difference: Counter[EntryId] = Counter()
    for match in played:
        difference[match.first] += match.first_points - match.second_points
        difference[match.second] += match.second_points - match.first_points
    if places is None:
        ranked = sorted(drawn, key=lambda entry: (-scores[entry], -difference[entry]))
    else:
        ranked = sorted(drawn, key=places.__getitem__)
    meetings = Counter(frozenset((m.first, m.second)) for m in played if not m.walkover)
    place = {entry: number for number, entry in enumerate(ranked)}
    return _Field(drawn, ranked, place, scores, meetings, byes)


def match_points(played: Iterable[PlayedMatch], byes: Mapping[EntryId, int]) -> Counter[EntryId]:
    """Return match points in halves: two for a win or a bye, one for a draw."""
    scores: Counter[EntryId] = Counter({entry: WIN * count for entry, count in byes.items()})
    for match in played:
        if match.winner is None:
            scores[match.first] += DRAW
            scores[match.second] += DRAW
        else:
            scores[match.winner] += WIN
    return scores


def _match_opponents(field: _Field) -> dict[EntryId, EntryId]:
    """Return the opponent of each entry; the entry with the bye is left out.

    The round is a minimum-cost matching in the graph of all possible meetings. Costs of one kind
    never add up to a cost of the next kind, so the kinds rank as `swiss_round` documents.
    """
    import networkx

    count = len(field.drawn)
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    largest_gap = max(field.scores.values(), default=0) ** 2
    place_cost = count * largest_gap + 1
    rematch_cost = count * place_cost
    most_rematches = max(field.meetings.values(), default=0) ** 2
    apart_cost = count * (most_rematches + 1) * rematch_cost
    for i, first in enumerate(field.drawn):
        for j, second in enumerate(field.drawn[:i]):
            pair = frozenset((first, second))
            cost = (field.scores[first] - field.scores[second]) ** 2
            cost += field.meetings.get(pair, 0) ** 2 * rematch_cost
            cost += apart_cost if pair in field.apart else 0
            graph.add_edge(j, i, weight=-cost)
    if count % 2:
        for i in _bye_candidates(field):
            places_above_last = count - 1 - field.place[field.drawn[i]]
            graph.add_edge(i, count, weight=-places_above_last * place_cost)
    opponents: dict[EntryId, EntryId] = {}
    for i, j in networkx.max_weight_matching(graph, maxcardinality=True):
        if max(i, j) < count:
            first, second = field.drawn[i], field.drawn[j]
            opponents[first], opponents[second] = second, first
    return opponents


def _bye_candidates(field: _Field) -> list[int]:
    """Return the entries with the fewest byes, by their number in the draw. Those that missed a
    round are left out if others remain."""
    fewest = min(field.byes.get(entry, 0) for entry in field.drawn)
    candidates = [n for n, entry in enumerate(field.drawn) if field.byes.get(entry, 0) == fewest]
    return [n for n in candidates if field.drawn[n] not in field.missed] or candidates
