"""Swiss pairing: each round, entries close in score meet, and nobody meets twice if avoidable."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.pairing.formats.pairings import EntryId, Pairing, PlayedMatch
from league.pairing.rng import Rng, in_order

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
    sum of squared differences in match points; and where two with different match points meet, has
    the smallest sum of differences in place, so that not the leader but the lowest of the winners
    meets a loser. Ties are broken by the `seed`. The order of entries and matches is ignored.
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
    gap_cost = count * count
    largest_gap = max(field.scores.values(), default=0) ** 2
    place_cost = count * (largest_gap + 1) * gap_cost
    rematch_cost = count * place_cost
    most_rematches = max(field.meetings.values(), default=0) ** 2
    apart_cost = count * (most_rematches + 1) * rematch_cost
    for i, first in enumerate(field.drawn):
        for j, second in enumerate(field.drawn[:i]):
            pair = frozenset((first, second))
            cost = (field.scores[first] - field.scores[second]) ** 2 * gap_cost
            if cost:
                cost += abs(field.place[first] - field.place[second])
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
