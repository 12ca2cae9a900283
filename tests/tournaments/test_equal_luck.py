"""On a progressive night nobody expects a lower place for having sat at small tables more often."""

from fractions import Fraction

import pytest

from league.ranking.measures import points_made_up
from tests.tournaments.equal_luck import a_night

NOISE = 4
"""Standard errors; without the points made up the same means lie ten of them away."""


def mean_places(*, made_up: bool) -> list[tuple[float, int]]:
    """One night each of 8 to 60 equal players: the mean place of those with the fewest turns and
    of the others, as shares of the table's spread, and of how many places that is the mean."""
    fewest, more = [], []
    for players in range(8, 61):
        night = list(a_night(players, players, made_up=made_up))
        least = min(turns for turns, _place in night)
        if all(turns == least for turns, _place in night):
            continue
        spread = (players**2 / 12) ** 0.5
        for turns, place in night:
            (fewest if turns == least else more).append((place - (players + 1) / 2) / spread)
    return [(sum(group) / len(group), len(group)) for group in (fewest, more)]


def test_equal_players_expect_equal_places_however_often_they_sat_at_small_tables() -> None:
    for mean, many in mean_places(made_up=True):
        assert abs(mean) < NOISE / many**0.5


def test_without_the_points_made_up_more_turns_would_cost_places() -> None:
    (_fewest, _n), (more, many) = mean_places(made_up=False)
    assert more > NOISE / many**0.5


def test_a_round_elsewhere_counts_as_ones_own_mean_round() -> None:
    at_four = {1: [Fraction(8), Fraction(5)], 2: [Fraction(2)], 3: []}
    given = points_made_up(at_four, {1: 2, 2: 0, 3: 1})
    assert given == {1: 13, 3: 5}  # the third has none yet: the mean of 8, 5 and 2


@pytest.mark.parametrize("elsewhere", [{}, {1: 3}])
def test_where_nobody_sat_at_four_nothing_is_made_up(elsewhere: dict[int, int]) -> None:
    assert points_made_up({1: [], 2: []}, elsewhere) == {}
