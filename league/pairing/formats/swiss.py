"""Swiss: each round the nearest in score meet, never twice while that can be avoided."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.pairing.formats.pairings import EntryId, Pairing, PlayedMatch
from league.pairing.rng import Rng, in_order

WIN, DRAW = 2, 1
"""Match points are counted in halves, so that all costs are whole numbers."""


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
    """The next round, the best placed first and a bye last.

    `byes` says how many byes each has had; a bye counts as a win. `missed` are those who were not
    in an earlier round, as late entries; one of them has the bye only if all who could have it are
    among them. `places` are those of the standings, shared by those level; without them match
    points decide, then the difference in points of the games. Of all rounds that can be drawn this
    is one that, in this order: gives the bye to somebody with as few byes as anybody; has fewest
    meetings of two to be kept `apart`; repeats fewest meetings; gives the bye to the lowest placed;
    has the smallest sum of squared differences in match points. Among equals the `seed` decides.
    The order in which entries and matches are given does not matter.
    """
    field = _field(entries, list(played), byes or {}, withdrawn, places, seed)
    field = replace(field, missed=frozenset(missed), apart=frozenset(apart))
    partner_of = _matched(field)
    pairings = []
    for one in field.ranked:
        other = partner_of.get(one)
        if other is not None and field.place[one] < field.place[other]:
            pairings.append(Pairing(one, other))
    alone = [Pairing(one, None) for one in field.ranked if one not in partner_of]
    return (*pairings, *alone)


@dataclass(frozen=True)
class _Field:
    """Who is to be paired: at random, and best placed first; scores in halves of a match point."""

    drawn: Sequence[EntryId]
    ranked: Sequence[EntryId]
    place: Mapping[EntryId, int]
    scores: Mapping[EntryId, int]
    met: Mapping[frozenset[EntryId], int]
    byes: Mapping[EntryId, int]
    missed: frozenset[EntryId] = frozenset()
    apart: frozenset[frozenset[EntryId]] = frozenset()


def _field(
    entries: Collection[EntryId],
    played: Sequence[PlayedMatch],
    byes: Mapping[EntryId, int],
    withdrawn: Collection[EntryId],
    places: Mapping[EntryId, int] | None,
    seed: int,
) -> _Field:
    drawn = [one for one in in_order(entries) if one not in withdrawn]
    Rng(seed).shuffle(drawn)
    scores = match_points(played, byes)
    ahead: Counter[EntryId] = Counter()
    for match in played:
        ahead[match.first] += match.first_points - match.second_points
        ahead[match.second] += match.second_points - match.first_points
    if places is None:
        ranked = sorted(drawn, key=lambda one: (-scores[one], -ahead[one]))
    else:
        ranked = sorted(drawn, key=places.__getitem__)
    met = Counter(frozenset((m.first, m.second)) for m in played if not m.walkover)
    place = {one: number for number, one in enumerate(ranked)}
    return _Field(drawn, ranked, place, scores, met, byes)


def match_points(played: Iterable[PlayedMatch], byes: Mapping[EntryId, int]) -> Counter[EntryId]:
    """Everybody's halves of match points: two for a win or a bye, one for a draw."""
    scores: Counter[EntryId] = Counter({one: WIN * many for one, many in byes.items()})
    for match in played:
        if match.winner is None:
            scores[match.first] += DRAW
            scores[match.second] += DRAW
        else:
            scores[match.winner] += WIN
    return scores


def _matched(field: _Field) -> dict[EntryId, EntryId]:
    """Everybody's opponent; anyone who has the bye is left out.

    The round is a matching of least cost in the graph of all meetings. The costs of one kind
    never add up to one of the next, so the kinds rank as `swiss_round` promises.
    """
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(field.drawn)))
    worst_gap = max(field.scores.values(), default=0) ** 2
    of_a_place = len(field.drawn) * worst_gap + 1
    of_a_rematch = len(field.drawn) * of_a_place
    most_again = max(field.met.values(), default=0) ** 2
    of_two_apart = len(field.drawn) * (most_again + 1) * of_a_rematch
    for here, one in enumerate(field.drawn):
        for there, other in enumerate(field.drawn[:here]):
            gap = (field.scores[one] - field.scores[other]) ** 2
            both = frozenset((one, other))
            again = field.met.get(both, 0) ** 2 * of_a_rematch
            apart = of_two_apart if both in field.apart else 0
            graph.add_edge(there, here, weight=-(apart + again + gap))
    if len(field.drawn) % 2:
        nobody = len(field.drawn)
        for here in _may_have_bye(field):
            places = nobody - 1 - field.place[field.drawn[here]]
            graph.add_edge(here, nobody, weight=-places * of_a_place)
    opponents: dict[EntryId, EntryId] = {}
    for here, there in networkx.max_weight_matching(graph, maxcardinality=True):
        if max(here, there) < len(field.drawn):
            one, other = field.drawn[here], field.drawn[there]
            opponents[one], opponents[other] = other, one
    return opponents


def _may_have_bye(field: _Field) -> list[int]:
    """Those with the fewest byes, by their number in the draw; those who missed a round only if
    all of them did."""
    fewest = min(field.byes.get(one, 0) for one in field.drawn)
    candidates = [n for n, one in enumerate(field.drawn) if field.byes.get(one, 0) == fewest]
    return [n for n in candidates if field.drawn[n] not in field.missed] or candidates
