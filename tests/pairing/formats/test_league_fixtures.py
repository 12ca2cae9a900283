"""League fixtures: home and away, and venues that two teams share."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.errors import PairingRefused
from league.pairing.formats.berger_tables import berger
from league.pairing.formats.league_fixtures import Team, fixtures


@st.composite
def leagues(draw):
    """Teams of which some share a venue by twos, in any order."""
    number = draw(st.integers(2, 20))
    shared = draw(st.integers(0, number // 2))
    venues = [f"house {one // 2}" for one in range(2 * shared)]
    venues += [None] * (number - len(venues))
    return [Team(n, venue) for n, venue in enumerate(draw(st.permutations(venues)))]


def home_venues(teams, meetings):
    venue_of = {team.key: team.venue for team in teams}
    return [venue_of[one.first] for one in meetings if one.second is not None]


@given(leagues(), st.booleans())
def test_a_venue_is_never_booked_twice_in_a_round(teams, double):
    for meetings in fixtures(teams, double=double):
        booked = Counter(home_venues(teams, meetings))
        booked.pop(None, None)
        assert set(booked.values()) <= {1}


@given(leagues())
def test_everybody_is_once_at_home_to_everybody(teams):
    met = Counter(
        (one.first, one.second)
        for meetings in fixtures(teams)
        for one in meetings
        if one.second is not None
    )
    assert met == Counter(permutations([team.key for team in teams], 2))


@given(leagues(), st.integers(0, 2**31), st.data())
def test_fixtures_drawn_by_lot_do_not_depend_on_the_order_of_entry(teams, seed, data):
    shuffled = data.draw(st.permutations(teams))
    assert fixtures(shuffled, seed=seed) == fixtures(teams, seed=seed)


@given(st.integers(1, 12))
def test_numbers_half_the_table_apart_are_never_both_at_home_or_both_away(half):
    """In every round in which they do not meet, one of the two is at home."""
    for meetings in berger(2 * half, double=True):
        homes = {home for home, _ in meetings}
        assert all((k in homes) != (k + half in homes) for k in range(1, half + 1))


def test_three_teams_of_one_venue_are_named_as_impossible():
    teams = [Team(n, "The Bull") for n in range(3)] + [Team(3, "The Crown")]
    with pytest.raises(PairingRefused, match="The Bull") as refused:
        fixtures(teams)
    assert refused.value.code == "venue-crowded"
    assert refused.value.values == {"venues": "The Bull"}


def test_a_venue_with_room_for_several_matches_takes_any_number_of_teams():
    teams = [Team(n, "The Hall") for n in range(4)]
    assert len(fixtures(teams, parallel_venues=["The Hall"])) == 6


def test_without_shared_venues_teams_keep_their_order():
    first = fixtures([Team(n) for n in "ABCD"], double=False)[0]
    assert [(one.first, one.second) for one in first] == [("A", "D"), ("B", "C")]
