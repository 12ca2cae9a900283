"""A team that joins late meets everybody, in free weeks first, and what stands is not touched."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.formats.late_team import Fixed, late_team_matches
from league.pairing.formats.league_fixtures import Team, fixtures

FIRST, WEEK = date(2026, 9, 3), timedelta(7)
HOUSES = ("The Bull", "The Crown")


def day_of(number):
    return FIRST + (number - 1) * WEEK


def drawn(teams, double):
    """The fixtures of these teams as they stand, a round a week."""
    venue_of = {team.key: team.venue for team in teams}
    return [
        Fixed(n, one.first, one.second, day_of(n), day_of(n), venue_of[one.first])
        for n, round_ in enumerate(fixtures(teams, double=double), 1)
        for one in round_
        if one.second is not None
    ]


@st.composite
def leagues(draw, venues=True):
    """A league under way: some matches put off or moved, a team gone, and who wants to join."""
    count = draw(st.integers(2, 9))
    houses = [HOUSES[n // 2] if venues and n < 4 else None for n in range(count)]
    teams = [Team(n, house) for n, house in enumerate(houses, 1)]
    double = draw(st.booleans())
    standing = drawn(teams, double)
    for place in draw(st.sets(st.integers(0, len(standing) - 1), max_size=3)):
        later = draw(st.none() | st.integers(1, 150))
        day = None if later is None else standing[place].meant + timedelta(later)
        standing[place] = replace(standing[place], day=day)
    after = FIRST + timedelta(draw(st.integers(-9, 150)))
    if count > 3 and draw(st.booleans()):
        standing = [f for f in standing if count not in (f.home, f.away) or f.day is None]
        teams.pop()
    house = draw(st.sampled_from([*HOUSES, "The Bell", None])) if venues else None
    asked = {"after": after, "double": double, "seed": draw(st.integers(0, 2**31))}
    return Team(0, house), teams, standing, asked


def joined(league, **more):
    newcomer, teams, standing, asked = league
    return late_team_matches(newcomer, teams, standing, days_between=7, **{**asked, **more})


@given(leagues())
def test_every_pair_meets_the_right_number_of_times(league):
    _newcomer, teams, _standing, asked = league
    placed = joined(league)
    met = Counter((one.home, one.away) for one in placed)
    if asked["double"]:
        assert met == Counter([(0, t.key) for t in teams] + [(t.key, 0) for t in teams])
    else:
        assert Counter(one.home or one.away for one in placed) == Counter(t.key for t in teams)


def free(standing, week, number, team):
    return all(
        team not in (one.home, one.away)
        or (one.number != number and not (one.day and week <= one.day < week + WEEK))
        for one in standing
    )


@given(leagues())
def test_nobody_plays_twice_in_a_week_and_only_weeks_to_come_are_used(league):
    _newcomer, _teams, standing, asked = league
    placed = joined(league)
    assert len({one.day for one in placed}) == len(placed)
    for one in placed:
        assert one.day > asked["after"]
        assert free(standing, one.day, one.number, one.home or one.away)


@given(leagues())
def test_a_shared_venue_has_one_match_a_week(league):
    newcomer, teams, standing, _asked = league
    venue_of = {team.key: team.venue for team in [*teams, newcomer]}
    for one in joined(league):
        taken = {f.venue for f in standing if f.day and one.day <= f.day < one.day + WEEK}
        assert venue_of[one.home] not in taken - {None}


@given(leagues(), st.randoms())
def test_the_matches_do_not_depend_on_the_order_in_which_teams_and_fixtures_come(league, rng):
    newcomer, teams, standing, asked = league
    other = newcomer, rng.sample(teams, len(teams)), rng.sample(standing, len(standing))
    assert joined((*other, asked)) == joined(league)


@given(leagues())
def test_no_round_is_added_that_the_weeks_to_come_could_have_taken(league):
    """As many matches are in the old weeks as an independent matching of weeks and meetings has."""
    newcomer, teams, standing, asked = league
    placed = joined(league)
    graph = networkx.Graph()
    weeks = [("week", n) for n in sorted({f.number for f in standing})]
    graph.add_nodes_from(weeks)
    for _week, number in weeks:
        day = day_of(number)
        taken = {f.venue for f in standing if f.day and day <= f.day < day + WEEK} - {None}
        for team in teams if day > asked["after"] else ():
            for side, venue in enumerate((newcomer.venue, team.venue)):
                if free(standing, day, number, team.key) and venue not in taken:
                    meeting = (team.key, side if asked["double"] else None)
                    graph.add_edge(("week", number), meeting)
    most = networkx.bipartite.hopcroft_karp_matching(graph, weeks)
    assert sum(not one.added for one in placed) == len(most) // 2
    added = [one.number for one in placed if one.added]
    last = max(f.number for f in standing)
    assert added == list(range(last + 1, last + 1 + len(added)))


@settings(max_examples=60)
@given(leagues(venues=False))
def test_homes_and_aways_stay_level_where_no_venue_stands_in_the_way(league):
    sides = [one.home == 0 for one in joined(league)]
    assert abs(2 * sum(sides) - len(sides)) <= (0 if league[3]["double"] else 1)


@given(leagues(), leagues())
def test_a_second_newcomer_uses_the_weeks_of_the_first(league, other):
    newcomer, teams, standing, asked = league
    first = joined(league)
    now = [*standing, *(Fixed(p.number, p.home, p.away, p.day, p.day) for p in first)]
    second = Team(99)
    placed = joined((second, [*teams, newcomer], now, {**asked, "seed": other[3]["seed"]}))
    assert len({one.day for one in placed}) == len(placed)
    for one in placed:
        assert free(now, one.day, one.number, one.home if one.away == 99 else one.away)


def test_with_an_odd_field_and_nothing_played_the_byes_take_the_newcomer():
    teams = [Team(n) for n in range(1, 8)]
    league = Team(0), teams, drawn(teams, True), {"after": FIRST - WEEK, "seed": 4}
    placed = joined(league)
    assert [one.number for one in placed] == list(range(1, 15))
    assert not any(one.added for one in placed)
    sides = [one.home == 0 for one in placed]
    assert not any(sides[n] == sides[n + 1] == sides[n + 2] for n in range(12))


def test_with_an_even_field_each_match_has_a_round_of_its_own_at_the_end():
    teams = [Team(n) for n in range(1, 5)]
    league = Team(0), teams, drawn(teams, False), {"after": FIRST, "double": False}
    placed = joined(league)
    assert [(one.number, one.day, one.added) for one in placed] == [
        (n, day_of(n), True) for n in range(4, 8)
    ]


def test_rounds_are_added_after_today_when_the_league_is_over():
    teams = [Team(1), Team(2)]
    today = FIRST + 10 * WEEK
    league = Team(0), teams, drawn(teams, False), {"after": today, "double": False}
    assert [(one.number, one.day) for one in joined(league)] == [
        (2, today + WEEK),
        (3, today + 2 * WEEK),
    ]


def test_one_who_has_left_makes_room_for_one_who_comes():
    teams = [Team(n) for n in range(1, 7)]
    standing = [one for one in drawn(teams, True) if 6 not in (one.home, one.away)]
    league = Team(0), teams[:5], standing, {"after": FIRST - WEEK}
    assert not any(one.added for one in joined(league))
