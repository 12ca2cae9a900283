"""Progressive nights with tables of two and three: what a round there counts for. Pure, exact."""

from collections.abc import Mapping, Sequence
from fractions import Fraction


def points_made_up(
    at_four: Mapping[int, Sequence[Fraction]], elsewhere: Mapping[int, int]
) -> dict[int, Fraction]:
    """The points that everybody is given for rounds not played at a table of four.

    `at_four` are the points of each one's rounds at tables of four, `elsewhere` how many rounds
    they spent at a smaller table or sitting out. Each of these counts as their own mean round, and
    for somebody with none yet as the mean of everybody's: so nobody expects less for having been
    there more often. Empty where nobody has played at a table of four.
    """
    every = [points for own in at_four.values() for points in own]
    if not every:
        return {}
    return {
        who: _mean(at_four.get(who) or every) * rounds
        for who, rounds in elsewhere.items()
        if rounds
    }


def _mean(points: Sequence[Fraction]) -> Fraction:
    return sum(points, Fraction(0)) / len(points)
