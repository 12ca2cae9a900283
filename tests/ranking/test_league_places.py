"""Best and worst places against every way a season can end, for small seasons and many rules."""

from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from league.ranking.team_league.places import reach_of
from league.ranking.team_league.rules import LeagueRules, rules_from_json

RULES = {
    "two a win": {"points": {"win": 2, "draw": 1}},
    "three a win": {"points": {"win": 3, "draw": 1}},
    "a point a game": {"points": {"win": 0, "draw": 0, "game": 1}},
    "a win and games": {"points": {"win": 2, "game": 1}},
    "a half a game": {"points": {"win": 2, "game": "1/2"}},
    "a close defeat": {
        "points": {"win": 3},
        "bonus": [{"side": "loser", "games": 1, "points": 1}],
    },
    "a loss costs": {"points": {"win": 2, "draw": 0, "loss": -1}},
}


def outcomes(rules: LeagueRules):
    games = [Fraction(n) for n in range(rules.games + 1)]
    return [(rules.earned(a, rules.games - a), rules.earned(rules.games - a, a)) for a in games]


def by_trying_all(open_matches, points, results):
    found = {team: [len(points) + 1, 0] for team in points}
    for chosen in product(results, repeat=len(open_matches)):
        end = dict(points)
        for (home, away), (a, b) in zip(open_matches, chosen, strict=True):
            end[home] += a
            end[away] += b
        for team in points:
            above = sum(end[o] > end[team] for o in points if o != team)
            level = sum(end[o] >= end[team] for o in points if o != team)
            found[team][0] = min(found[team][0], above + 1)
            found[team][1] = max(found[team][1], level + 1)
    return found


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(RULES)),
    st.integers(1, 3),
    st.lists(st.integers(0, 8), min_size=3, max_size=5),
    st.data(),
)
def test_best_and_worst_are_those_of_all_ways_the_season_can_end(name, games, now, data):
    rules = rules_from_json({**RULES[name], "pairs": 1, "games_each": games})
    teams = range(len(now))
    pairs = st.permutations(list(teams)).map(lambda p: (p[0], p[1]))
    open_matches = data.draw(st.lists(pairs, max_size=5))
    points = {team: Fraction(one, 2) for team, one in enumerate(now)}
    results = outcomes(rules)
    exact = by_trying_all(open_matches, points, results)
    found = reach_of(open_matches, points, results)
    assert {t: [one.best, one.worst] for t, one in found.items()} == exact


def test_a_whole_season_to_come_is_answered():
    points = {team: Fraction(0) for team in range(12)}
    matches = [(a, b) for a in range(12) for b in range(12) if a != b]
    found = reach_of(matches, points, outcomes(LeagueRules()))
    assert {(one.best, one.worst) for one in found.values()} == {(1, 12)}
