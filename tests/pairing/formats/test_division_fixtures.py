"""Fixtures of several divisions that share venues, and how even they are beside the bounds."""

import pytest

from league.pairing.errors import PairingRefused
from league.pairing.formats import (
    Team,
    division_fixtures,
    fixtures,
    homes_and_aways,
    venue_clashes,
)


def divisions(count, size, shared):
    """Teams by number; a venue is shared by two of different divisions."""
    venues = {}
    for number in range(shared):
        venues[number] = venues[(number + size * (1 + number % (count - 1))) % (count * size)] = (
            f"Venue {number}"
        )
    keys = list(range(count * size))
    return [
        [Team(key, venues.get(key)) for key in keys[n * size : (n + 1) * size]]
        for n in range(count)
    ]


def clashes(teams, rounds):
    venues = {one.key: one.venue for division in teams for one in division}
    return venue_clashes(rounds, venues)


@pytest.mark.parametrize(("count", "size", "shared"), [(2, 4, 4), (2, 12, 12), (8, 12, 12)])
def test_two_teams_of_a_venue_in_different_divisions_are_never_at_home_together(
    count, size, shared
):
    teams = divisions(count, size, shared)
    rounds = division_fixtures(teams, seed=1)
    assert clashes(teams, rounds) == {}
    assert [len(one) for one in rounds] == [2 * (size - 1)] * count


def test_one_division_is_drawn_as_it_always_was():
    teams = [Team(key, f"Venue {key // 2}") for key in range(8)]
    assert division_fixtures([teams], seed=7) == [fixtures(teams, seed=7)]


def test_three_teams_of_a_venue_are_refused_wherever_they_play():
    teams = [[Team(1, "Crown"), Team(2)], [Team(3, "Crown"), Team(4, "Crown")]]
    with pytest.raises(PairingRefused) as refused:
        division_fixtures(teams, seed=1)
    assert refused.value.code == "venue-crowded"


@pytest.mark.parametrize("size", [4, 6, 9, 12])
@pytest.mark.parametrize("double", [False, True])
def test_breaks_are_never_fewer_than_the_bound_and_nobody_is_three_times_running(size, double):
    rounds = fixtures([Team(key) for key in range(size)], double=double, seed=1)
    found = homes_and_aways(rounds, double=double)
    assert found.breaks >= found.bound
    assert found.longest <= (3 if size == 4 and double else 2)  # of four no mirror does better
