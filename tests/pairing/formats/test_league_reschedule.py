"""A league's rounds to come redrawn for a team that joins when the fixtures stand."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.formats.late_team import Fixed
from league.pairing.formats.league_fixtures import Team, fixtures
from league.pairing.formats.league_reschedule import Moving, reschedule

START = date(2026, 9, 3)
WEEK = timedelta(7)


def a_season(teams, *, double=True, shared=False, played=1):
    """The teams, the matches that may move, those that stand, the day of the last round played."""
    field = [Team(n, f"House {n // 2}" if shared else None) for n in range(1, teams + 1)]
    moving, standing = [], []
    for number, one in enumerate(fixtures(field, double=double, seed=1), 1):
        for pairing in one:
            if pairing.second is None:
                continue
            day = START + (number - 1) * WEEK
            venue = field[int(pairing.first) - 1].venue
            fixed = Fixed(number, pairing.first, pairing.second, day, day, venue)
            if number <= played:
                standing.append(fixed)
            else:
                moving.append(Moving(len(moving) + 1, fixed))
    return field, moving, standing, START + (played - 1) * WEEK


def drawn(field, moving, standing, after, *, double=True, seed=1):
    newcomer = Team(len(field) + 1, f"House {(len(field) + 1) // 2}" if field[0].venue else None)
    sentences = {"after": after, "days_between": 7, "double": double, "seed": seed}
    return reschedule(newcomer, field, moving, standing, **sentences)


@pytest.mark.parametrize(
    ("teams", "double", "rounds"),
    [(4, True, 10), (8, True, 18), (16, True, 34), (16, False, 17)],
)
@pytest.mark.parametrize("shared", [False, True])
def test_an_even_league_takes_the_fewest_rounds_with_homes_level(teams, double, rounds, shared):
    field, moving, standing, after = a_season(teams, double=double, shared=shared)
    made = drawn(field, moving, standing, after, double=double)
    assert max(one.number for one in made) == rounds
    assert {one.day for one in made} == {START + n * WEEK for n in range(1, rounds)}
    met = Counter((one.home, one.away) for one in (*made, *standing))
    assert set(met.values()) == {1}
    assert len(met) == (teams + 1) * teams // (1 if double else 2)
    assert max(Counter((o.number, t) for o in made for t in (o.home, o.away)).values()) == 1
    balance = Counter()
    for home, away in met:
        balance[home] += 1
        balance[away] -= 1
    assert max(map(abs, balance.values())) <= (0 if double else 1 + shared)
    venue = {one.key: one.venue for one in field} | {teams + 1: f"House {(teams + 1) // 2}"}
    hosting = Counter((one.number, venue[one.home]) for one in made if shared)
    assert set(hosting.values()) <= {1}


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 9), st.booleans(), st.integers(0, 2**20), st.data())
def test_what_stands_keeps_its_teams_busy_in_its_weeks(teams, double, seed, data):
    played = data.draw(st.integers(1, 3))
    field, moving, standing, after = a_season(teams, double=double, shared=True, played=played)
    by_hand = data.draw(st.sets(st.sampled_from(moving), max_size=4)) if moving else set()
    moving = [one for one in moving if one not in by_hand]
    for one in by_hand:
        day = data.draw(st.none() | st.integers(1, 20).map(lambda n: after + timedelta(3 * n)))
        fixed = one.fixed
        standing.append(Fixed(fixed.number, fixed.home, fixed.away, fixed.meant, day, fixed.venue))
    made = drawn(field, moving, standing, after, double=double, seed=seed)
    assert made == drawn(field[::-1], moving, standing[::-1], after, double=double, seed=seed)
    assert sorted(one.key for one in made if one.key) == sorted(one.key for one in moving)
    busy = Counter((one.number, team) for one in made for team in (one.home, one.away))
    busy.update((o.number, team) for o in standing for team in (o.home, o.away))
    assert set(busy.values()) == {1}
    rounds = {one.number: one.day for one in made}
    for one in standing:
        if one.day is None or one.day <= after:
            continue
        weeks = [n for n, day in rounds.items() if day <= one.day < day + WEEK]
        teams_there = {t for o in made if o.number in weeks for t in (o.home, o.away)}
        assert not {one.home, one.away} & teams_there
    met = Counter((one.home, one.away) for one in (*made, *standing))
    assert set(met.values()) == {1}


def test_matches_that_meet_once_more_only_keep_their_side():
    field, moving, standing, after = a_season(6, played=6)
    first = {(one.fixed.home, one.fixed.away) for one in moving if one.fixed.number > 5}
    made = drawn(field, moving, standing, after)
    assert first <= {(one.home, one.away) for one in made}
