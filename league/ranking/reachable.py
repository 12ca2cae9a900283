"""Which places players can still reach: exact under the model that each function states.

reach_by_wins              wins and the rounds left -> the places in reach (`PlaceReach`)
best_places, most_points   the same of a season: the best place, the most points
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from league.ranking.measures import RankingError

__all__ = ["PlaceReach", "best_places", "most_points", "reach_by_wins"]


@dataclass(frozen=True, slots=True)
class PlaceReach:
    """The best and the worst place somebody can still have at the end, from 1."""

    best: int
    worst: int


def reach_by_wins(
    won: Mapping[int, Fraction],
    playing: Collection[int],
    *,
    rounds: int,
    winners: int,
    most_winners: int = 0,
) -> dict[int, PlaceReach]:
    """The places within reach of everybody in `won`, ranked by games won alone.

    So many `rounds` are left, and in each of them `winners` of those `playing`, or up to
    `most_winners` where games may be won together, win a game each: any of them, no matter who they
    sit with. Who ends level with others may come before or after
    them. Raises `RankingError` where there are more winners than half of those playing.
    """
    if 2 * winners > len(playing):
        raise RankingError("More winners than tables of two and more can have.")
    most = {who: rounds if who in playing else 0 for who in won}
    return {
        who: PlaceReach(
            _best(who, won, most, rounds * winners),
            _worst(who, won, most, rounds * max(winners, most_winners)),
        )
        for who in won
    }


def _best(who: int, won: Mapping[int, Fraction], most: Mapping[int, int], wins: int) -> int:
    """They win all they can; the wins left over go where they lift fewest people past them."""
    final = won[who] + most[who]
    others = [other for other in won if other != who]
    past = [other for other in others if won[other] > final]
    room = sum(most[other] for other in past)
    gains = []
    for other in others:
        if won[other] <= final:
            harmless = min(most[other], floor(final - won[other]))
            room += harmless
            gains.append(most[other] - harmless)
    short, place = wins - most[who] - room, 1 + len(past)
    for gain in sorted(gains, reverse=True):
        if short <= 0:
            break
        short, place = short - gain, place + 1
    return place


def _worst(who: int, won: Mapping[int, Fraction], most: Mapping[int, int], wins: int) -> int:
    """They win nothing more; the wins go where fewest are needed to catch up with them."""
    needs = [max(0, ceil(won[who] - won[other])) for other in won if other != who]
    limits = [most[other] for other in won if other != who]
    place = 1
    for need, _limit in sorted(
        pair for pair in zip(needs, limits, strict=True) if pair[0] <= pair[1]
    ):
        if need > wins:
            break
        wins, place = wins - need, place + 1
    return place


def best_places(now: Mapping[int, Fraction], most: Mapping[int, Fraction]) -> dict[int, int]:
    """The best place everybody in `most` can still have in a season, where anybody may stay away.

    `now` is what those who have a place stand at, and cannot fall below; `most` what somebody ends
    with who takes all there is. All others may stay away, so that strangers take the rest. Who
    ends level may come first.
    """
    return {
        who: 1 + sum(other != who and value > end for other, value in now.items())
        for who, end in most.items()
    }


def most_points(
    taken: Sequence[Fraction], evenings: int, *, first: Fraction, counting: int | None
) -> Fraction:
    """The most points for places with so many `evenings` to come, all of them won: of those
    `taken` and those the best `counting` count, or all."""
    every = sorted([*taken, *[first] * evenings], reverse=True)
    return sum(every[:counting], Fraction(0))
