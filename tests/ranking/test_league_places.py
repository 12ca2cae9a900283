"""Best and worst places against every way a season can end, for small seasons and many rules."""

from datetime import date
from fractions import Fraction
from itertools import combinations, pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from league.ranking.team_league import cannot_lead, league_table
from league.ranking.team_league.match import GameScore, LeagueMatch
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


def a_match(home, away, ending):
    """A match of two games won at home so often, awarded to a side or to nobody, or open (None)."""
    awards = {"home": {"given_to": home}, "away": {"given_to": away}, "no": {"given_nobody": True}}
    if ending in awards:
        return LeagueMatch(home, away, 2, **awards[ending])
    won = [GameScore((10, 5), (0,))] * (ending or 0) + [GameScore((5, 10), (1,))] * 2
    return LeagueMatch(home, away, 2, games=tuple(won[:2]) if ending is not None else ())


ENDINGS = (0, 1, 2, "home", "away", "no")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(RULES)), st.integers(3, 5), st.data())
def test_a_team_that_can_no_longer_finish_first_is_first_in_no_ending_of_the_season(
    name, size, data
):
    """Of five teams one has a bye each round; one may have left; matches may be awarded."""
    rules = rules_from_json({**RULES[name], "pairs": 1, "games_each": 2})
    fixtures = list(combinations(range(size), 2))
    n_open = data.draw(st.integers(1, 3))
    played = [a_match(*pair, data.draw(st.sampled_from(ENDINGS))) for pair in fixtures[n_open:]]
    gone = dict.fromkeys(data.draw(st.sets(st.integers(0, size - 1), max_size=1)), date(2026, 9, 3))

    def table_with(endings):
        rest = [a_match(*pair, end) for pair, end in zip(fixtures, endings, strict=False)]
        return league_table(range(size), [*rest, *played], rules, gone=gone)

    found = cannot_lead(table_with([None] * n_open), rules)
    for endings in product(ENDINGS, repeat=n_open):
        table = table_with(endings)
        points = {line.who: table.records[line.who].points for line in table.playing}
        assert not {team for team in found if points[team] == max(points.values())}


def test_a_whole_season_with_points_a_game_parts_the_teams_that_are_out_of_it_from_all_others():
    """The search gave up on some of them, so that its answers came and went with a card."""
    rules = rules_from_json({"points": {"win": 2, "draw": 1, "game": 1}})
    pairs = [pair for pair in product(range(7), repeat=2) if pair[0] != pair[1]]
    out: list[frozenset[int]] = []
    for n_played in range(len(pairs) + 1):
        nine = [GameScore((10, 5), (0,))] * 9
        matches = [
            LeagueMatch(min(pair), max(pair), 9, games=tuple(nine) if n < n_played else ())
            for n, pair in enumerate(pairs)
        ]
        table = league_table(range(7), matches, rules)
        if table.open:
            left = {t: sum(t in match.teams for match in table.open) for t in range(7)}
            most = max(record.points for record in table.records.values())
            out.append(cannot_lead(table, rules))
            assert out[-1] == {t for t in left if table.records[t].points + 11 * left[t] < most}
    assert all(before <= after for before, after in pairwise(out))
    assert out[0] == frozenset()
    assert out[-1] == {1, 2, 3, 4, 5, 6}
