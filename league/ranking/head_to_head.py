"""Who beat whom: head-to-head figures inside a group of people who are level, circles found."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations


@dataclass(frozen=True, slots=True)
class Finish:
    """Somebody at the end of a finished game: the side they sat on and their share of the win."""

    who: int
    side: int
    won: Fraction


# Games won by the first against the second; a pair is there both ways round once they have met.
Meetings = Mapping[tuple[int, int], Fraction]


def meetings(games: Iterable[Sequence[Finish]]) -> dict[tuple[int, int], Fraction]:
    """What each two opponents took off each other over all games."""
    won: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for chairs in games:
        for one, other in permutations(chairs, 2):
            if one.side != other.side:
                won[one.who, other.who] += one.won
    return dict(won)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games won and lost against the others of a level group; `circle` if they went round."""

    figures: dict[int, Fraction]
    sums: dict[int, tuple[Fraction, Fraction]]
    circle: tuple[int, ...] = ()
    not_met: tuple[int, ...] = ()


def head_to_head(group: Sequence[int], met: Meetings) -> HeadToHead:
    """Games won minus games lost against the others of `group`.

    Says nothing (all figures 0, `not_met` naming a pair) unless every two of them have met.
    """
    missing = next((pair for pair in combinations(sorted(group), 2) if pair not in met), ())
    if missing:
        return HeadToHead(dict.fromkeys(group, Fraction(0)), {}, not_met=missing)
    sums = {who: _won_and_lost(who, group, met) for who in group}
    figures = {who: won - lost for who, (won, lost) in sums.items()}
    return HeadToHead(figures, sums, circle=_circle(sorted(group), met))


def _won_and_lost(who: int, group: Sequence[int], met: Meetings) -> tuple[Fraction, Fraction]:
    others = [other for other in group if other != who]
    won = sum((met[who, other] for other in others), Fraction(0))
    return won, sum((met[other, who] for other in others), Fraction(0))


def _circle(group: Sequence[int], met: Meetings) -> tuple[int, ...]:
    """The first, shortest ring in which each beat the next; empty when nobody is in one."""
    beaten = {who: [o for o in group if o != who and met[who, o] > met[o, who]] for who in group}
    rings = (_ring_from(start, beaten) for start in group)
    return min((ring for ring in rings if ring), key=len, default=())


def _ring_from(start: int, beaten: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Breadth first from `start` along who beat whom, back to `start`."""
    paths: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    while paths:
        longer: list[tuple[int, ...]] = []
        for path in paths:
            for loser in beaten[path[-1]]:
                if loser == start:
                    return path
                if loser not in seen:
                    seen.add(loser)
                    longer.append((*path, loser))
        paths = longer
    return ()
