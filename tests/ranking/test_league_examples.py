"""The worked examples of the pub leagues' rules, figure by figure, with made-up teams.

Each test is named after what it works out; the leagues' printed rules are in docs/leagues.md.
"""

from datetime import date, datetime

import pytest

from league.ranking import RankingError
from league.ranking.team_league import ending_of, league_table, reaches, section_ties
from league.ranking.team_league.match import GameScore, LeagueMatch
from league.ranking.team_league.rules import LeagueRules, rules_from_json, rules_to_json

SHIP, BELL, CROWN, SWAN, OAK, ELM, ASH, YEW = range(1, 9)
HOME, AWAY = GameScore((21, 10), (0,)), GameScore((10, 21), (1,))
ST_AUSTELL = rules_from_json(
    {"target": 21, "points": {"win": 2, "draw": 0, "loss": 0}, "walkover": {"win": 2}}
)
FALMOUTH = rules_from_json(
    {
        "target": 21,
        "points": {"win": 0, "draw": 0, "loss": 0, "game": 1},
        "walkover": {"win": 5},
        "late": {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"},
    }
)
LEEK = rules_from_json({"points": {"win": 2, "game": 1}, "walkover": {"win": 7, "games": [5, 4]}})
SOLIHULL = rules_from_json(
    {"points": {"win": 3, "loss": 0}, "bonus": [{"side": "loser", "games": 4, "points": 1}]}
)
BORDER = rules_from_json({"walkover": {"win": 5, "games": [9, 0]}})


def met(home, away, home_wins, *, of=9, **more):
    games = tuple(HOME if n < home_wins else AWAY for n in range(of))
    return LeagueMatch(home, away, of, games, **more)


def points(table):
    return {team: record.points for team, record in table.records.items()}


def order(table):
    return [(line.who, line.rank) for line in table.lines]


@pytest.mark.parametrize(
    ("rules", "home", "away"),
    [(ST_AUSTELL, 2, 0), (FALMOUTH, 6, 3), (LEEK, 8, 3), (SOLIHULL, 3, 0)],
)
def test_a_card_of_nine_gives_points_by_the_leagues_rule(rules, home, away):
    table = league_table([SHIP, BELL], [met(SHIP, BELL, 6)], rules)
    assert points(table) == {SHIP: home, BELL: away}
    record = table.records[SHIP]
    assert (record.won, record.lost, record.own, record.theirs) == (6, 3, 156, 123)


def test_a_close_defeat_is_worth_a_point_by_solihulls_rule():
    table = league_table([SHIP, BELL], [met(SHIP, BELL, 5)], SOLIHULL)
    assert points(table) == {SHIP: 3, BELL: 1}


def test_a_short_teams_free_games_are_given_twenty_one_to_nothing():
    given = GameScore((21, 0), (0,))
    one = LeagueMatch(SHIP, BELL, 9, (given, AWAY, AWAY, given, AWAY, AWAY, given, HOME, HOME))
    table = league_table([SHIP, BELL], [one], ST_AUSTELL)
    assert (table.records[SHIP].won, table.records[BELL].won) == (5, 4)
    assert points(table) == {SHIP: 2, BELL: 0}


WEDNESDAY, SATURDAY = date(2025, 10, 1), date(2025, 10, 4)


@pytest.mark.parametrize(
    ("played", "received", "is_late"),
    [
        (WEDNESDAY, "2025-10-04T12:00:59", False),
        (WEDNESDAY, "2025-10-04T12:01", True),
        (SATURDAY, "2025-10-11T12:00", False),
        (SATURDAY, "2025-10-11T12:01", True),
    ],
)
def test_a_card_is_late_after_the_first_such_hour_on_a_day_after_the_day_of_play(
    played, received, is_late
):
    assert FALMOUTH.late.is_late(played, datetime.fromisoformat(received)) is is_late


def test_a_late_card_costs_the_winning_team_one_point():
    table = league_table([SHIP, BELL], [met(SHIP, BELL, 6, late=True)], FALMOUTH)
    assert points(table) == {SHIP: 5, BELL: 3}
    assert table.records[SHIP].deducted == 1


def test_a_late_card_of_a_drawn_match_costs_the_home_team():
    even = LeagueMatch(SHIP, BELL, 2, (HOME, AWAY), late=True)
    assert points(league_table([SHIP, BELL], [even], FALMOUTH)) == {SHIP: 0, BELL: 1}


@pytest.mark.parametrize(
    ("rules", "win", "games"),
    [(FALMOUTH, 5, (0, 0)), (ST_AUSTELL, 2, (0, 0)), (BORDER, 5, (9, 0)), (LEEK, 7, (5, 4))],
)
def test_a_walk_over_gives_what_the_league_says(rules, win, games):
    table = league_table([SHIP, BELL], [LeagueMatch(SHIP, BELL, 9, given_to=SHIP)], rules)
    assert points(table) == {SHIP: win, BELL: 0}
    assert (table.records[SHIP].won, table.records[SHIP].lost) == games
    assert (table.records[SHIP].walkovers, table.records[BELL].walkovers) == (0, 1)


def test_where_neither_team_came_both_lose():
    table = league_table([SHIP, BELL], [LeagueMatch(SHIP, BELL, 9, given_nobody=True)], FALMOUTH)
    assert points(table) == {SHIP: 0, BELL: 0}
    assert [table.records[one].losses for one in (SHIP, BELL)] == [1, 1]
    assert [table.records[one].walkovers for one in (SHIP, BELL)] == [1, 1]


FIRST = {"of": 3, "half": 1, "day": date(2025, 10, 1)}
SECOND = {"of": 3, "half": 2, "day": date(2026, 1, 7)}


@pytest.mark.parametrize(
    ("rule", "places", "earned"),
    [
        ("stand", [(SHIP, 1), (BELL, 2), (CROWN, 3)], {SHIP: 6, BELL: 2, CROWN: 4}),
        ("void", [(SHIP, 1), (BELL, 2)], {SHIP: 4, BELL: 0, CROWN: 0}),
        ("halves", [(SHIP, 1), (BELL, 2), (CROWN, 3)], {SHIP: 4, BELL: 0, CROWN: 4}),
        ("half_played", [(SHIP, 1), (BELL, 2), (CROWN, 3)], {SHIP: 6, BELL: 2, CROWN: 4}),
    ],
)
def test_a_withdrawal_is_counted_by_the_leagues_rule(rule, places, earned):
    fixtures = [
        met(SHIP, BELL, 2, **FIRST), met(BELL, CROWN, 1, **FIRST), met(CROWN, SHIP, 3, **FIRST),
        met(BELL, SHIP, 1, **SECOND), met(CROWN, BELL, 0, **SECOND),
        LeagueMatch(SHIP, CROWN, 3, half=2, day=date(2026, 2, 4)),
    ]  # fmt: skip
    rules = rules_from_json({"withdrawal": rule})
    gone = {CROWN: date(2026, 1, 20)}
    table = league_table([SHIP, BELL, CROWN], fixtures, rules, gone=gone)
    assert order(table) == places
    assert points(table) == earned


def test_a_team_that_leaves_before_the_second_half_is_struck_out_by_halves():
    fixtures = [
        met(SHIP, CROWN, 2, **FIRST),
        LeagueMatch(CROWN, SHIP, 3, half=2, day=date(2026, 1, 7)),
    ]
    rules = rules_from_json({"withdrawal": "halves"})
    table = league_table([SHIP, CROWN], fixtures, rules, gone={CROWN: date(2026, 1, 6)})
    assert table.struck == {CROWN}
    assert points(table) == {SHIP: 0, CROWN: 0}


THREE_LEVEL = [
    met(SHIP, BELL, 5), met(BELL, CROWN, 7), met(CROWN, SHIP, 6),
    met(SHIP, SWAN, 9), met(BELL, SWAN, 5), met(CROWN, SWAN, 6),
]  # fmt: skip
GAMES_FIRST = [SHIP, BELL, CROWN, SWAN]


@pytest.mark.parametrize(
    ("breaks", "after", "teams"),
    [
        (["games_won"], "same", GAMES_FIRST),
        (["head_to_head", "games_won"], "same", GAMES_FIRST),
        (["head_to_head_games", "games_won"], "same", [BELL, CROWN, SHIP, SWAN]),
        (["head_to_head_games", "games_won"], "first", [BELL, CROWN, SHIP, SWAN]),
        (["head_to_head_games", "games_won"], "next", [BELL, SHIP, CROWN, SWAN]),
    ],
)
def test_three_level_are_parted_in_the_order_of_the_leagues_tie_breaks(breaks, after, teams):
    rules = rules_from_json({"tie_breaks": breaks, "after_split": after})
    table = league_table([SHIP, BELL, CROWN, SWAN], THREE_LEVEL, rules)
    assert points(table) == {SHIP: 4, BELL: 4, CROWN: 4, SWAN: 0}
    assert [line.who for line in table.lines] == teams


def test_three_level_share_a_place_until_their_play_off_is_recorded():
    rules = rules_from_json({"tie_breaks": ["play_off"]})
    teams = [SHIP, BELL, CROWN, SWAN]
    table = league_table(teams, THREE_LEVEL, rules)
    assert order(table) == [(SHIP, 1), (BELL, 1), (CROWN, 1), (SWAN, 4)]
    after = league_table(teams, THREE_LEVEL, rules, orders=[[CROWN, SHIP, BELL]])
    assert order(after) == [(CROWN, 1), (SHIP, 2), (BELL, 3), (SWAN, 4)]


def test_head_to_head_says_nothing_unless_every_two_have_met():
    rules = rules_from_json({"tie_breaks": ["head_to_head"]})
    fixtures = [met(SHIP, BELL, 5), met(CROWN, SWAN, 5), met(BELL, SWAN, 9)]
    table = league_table([SHIP, BELL, CROWN, SWAN], fixtures, rules)
    assert [line.rank for line in table.lines] == [1, 1, 1, 4]


ONE = rules_from_json({"moves": [{"upper": "1", "lower": "2", "up": 1, "down": 1, "play_off": 1}]})


def in_order(*teams):
    """A division that ended in this order: each beat all below it."""
    return [met(a, b, 9) for n, a in enumerate(teams) for b in teams[n + 1 :]]


def divisions(upper=None, lower=None, gone=None):
    above = in_order(SHIP, BELL, CROWN, SWAN) if upper is None else upper
    below = in_order(OAK, ELM, ASH, YEW) if lower is None else lower
    stands = rules_from_json({"withdrawal": "stand"})
    return {
        "1": league_table([SHIP, BELL, CROWN, SWAN], above, stands, gone=gone or {}),
        "2": league_table([OAK, ELM, ASH, YEW], below, stands),
    }


def moved(ending):
    return {(one.team, one.target, one.how) for one in ending.moves}


def test_one_goes_up_one_down_and_two_play_off():
    ending = ending_of(divisions(), ONE)
    assert moved(ending) == {(OAK, "1", "place"), (SWAN, "2", "place")}
    assert ending.due == [(CROWN, ELM)]


@pytest.mark.parametrize(
    ("result", "more"),
    [((ELM, CROWN), {(ELM, "1", "play_off"), (CROWN, "2", "play_off")}), ((CROWN, ELM), set())],
)
def test_the_winner_of_the_play_off_plays_in_the_upper_division(result, more):
    ending = ending_of(divisions(), ONE, [result])
    assert moved(ending) == {(OAK, "1", "place"), (SWAN, "2", "place")} | more
    assert ending.due == []


def test_a_team_that_left_fills_a_place_of_relegation():
    ending = ending_of(divisions(gone={BELL: date(2026, 3, 1)}), ONE)
    assert moved(ending) == {(OAK, "1", "place")}
    assert ending.due == [(SWAN, ELM)]


def test_teams_level_across_a_line_do_not_move_and_the_others_do():
    level = [LeagueMatch(OAK, ELM, 2, (HOME, AWAY)), *in_order(OAK, ASH, YEW)]
    level += [met(ELM, ASH, 9), met(ELM, YEW, 9)]
    ending = ending_of(divisions(lower=[*level]), ONE)
    assert moved(ending) == {(SWAN, "2", "place")}
    assert ending.undecided == [OAK, ELM]
    assert ending.due == []


def test_nobody_moves_while_a_match_of_the_two_divisions_is_open():
    lower = in_order(OAK, ELM, ASH, YEW)[:-1]
    ending = ending_of(divisions(lower=[*lower, LeagueMatch(ASH, YEW, 9)]), ONE)
    assert (ending.moves, ending.due) == ([], [])


def test_the_places_that_are_secured_go_by_points_alone():
    """Ship 8, Bell 6, Crown 4 with Ship–Bell and Bell–Crown open, two points a match."""
    rules = rules_from_json({"points": {"win": 2, "draw": 0}})
    open_matches = [LeagueMatch(SHIP, BELL, 9), LeagueMatch(BELL, CROWN, 9)]
    taken_off = {SHIP: -8, BELL: -6, CROWN: -4}
    table = league_table([SHIP, BELL, CROWN], open_matches, rules, deducted=taken_off)
    found = {team: (one.best, one.worst) for team, one in reaches(table, rules).items()}
    assert found == {SHIP: (1, 2), BELL: (1, 3), CROWN: (2, 3)}


def test_section_winners_meet_the_other_sections_runners_up():
    rules = rules_from_json({"section_play_off": {"divisions": ["A", "B"], "places": 2}})
    tables = {
        "A": league_table([SHIP, BELL, CROWN], in_order(SHIP, BELL, CROWN), rules),
        "B": league_table([OAK, ELM, ASH], in_order(OAK, ELM, ASH), rules),
    }
    ending = ending_of(tables, rules)
    assert [(q.division, q.place, q.team) for q in ending.qualified] == [
        ("A", 1, SHIP), ("A", 2, BELL), ("B", 1, OAK), ("B", 2, ELM),
    ]  # fmt: skip
    assert section_ties(ending.qualified) == [(SHIP, ELM), (OAK, BELL)]


def test_rules_go_to_json_and_back():
    late = {"weekday": "sat", "time": "18:00", "points": "1/2", "from": "both"}
    body = {"late": late, "moves": [{"upper": "1", "lower": "2", "up": 2, "down": 2}]}
    body |= {"section_play_off": {"divisions": ["A", "B"], "places": 2}, "target": 21}
    body |= {"bonus": [{"side": "any", "games": 4, "points": 1}], "points": {"game": "1/2"}}
    rules = rules_from_json(body)
    assert rules_from_json(rules_to_json(rules)) == rules
    assert rules_from_json(rules_to_json(LeagueRules())) == LeagueRules()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"points": {"win": 1.5}}, "rules, points, win"),
        ({"points": {"win": "1/0"}}, "rules, points, win"),
        ({"tie_breaks": ["chance"]}, "tie_breaks"),
        ({"late": {"weekday": "sat", "time": "noon"}}, "late, time"),
        ({"withdrawal": "half"}, "withdrawal"),
        ({"pairs": 0}, "pairs"),
        ({"bonus": [3]}, "bonus"),
        ({"penalty": 1}, "penalty"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_by_its_name(body, names):
    with pytest.raises(RankingError, match=names):
        rules_from_json(body)
