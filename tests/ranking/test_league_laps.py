"""Laps and slams on a team's card, where the same two pairs play several games (D-51 to D-54).

The figures are those of the written rules: a winner's points above the target start the pair's
next game, a slam counts two games.
"""

from dataclasses import replace

import pytest

from league.ranking import RankingError
from league.ranking.team_league import league_table
from league.ranking.team_league.match import LeagueMatch, card_games, uncounted
from league.ranking.team_league.places import Reach, reaches
from league.ranking.team_league.rules import LeagueRules, rules_from_json, rules_to_json

BOTH = LeagueRules(pairs=1, games_each=7, target=5, laps=True, slam=True)
THREE = replace(BOTH, games_each=3)
A, B = 0, 1


def won(entries, rules=BOTH):
    entries = [*entries, *[None] * (rules.games - len(entries))]
    return met(entries, rules).won


def met(entries, rules=BOTH):
    games = tuple(one.score for one in card_games(entries, rules))
    return LeagueMatch(1, 2, rules.games, games, void=entries.count("void"))


def starts(entries, rules=BOTH):
    return [one.start for one in card_games(entries, rules) if not one.carried]


def test_the_excess_of_a_game_starts_the_next_one_and_is_no_point_of_it():
    assert starts([[8, 1], [5, 2]]) == [(0, 0), (3, 0)]
    assert met([[8, 1], [5, 2]]).points == (8 + 2, 3)


def test_a_slam_is_two_games_and_ends_a_best_of_three():
    assert won([[6, 0]]) == (2, 0)
    assert met([[6, 0], None, None], THREE).over


def test_carried_points_are_points_so_that_there_is_no_slam_against_them():
    assert won([[6, 0], [1, 5]]) == (2, 1)


def test_carried_points_that_reach_the_target_win_a_game_without_a_hand():
    games = card_games([[12, 1], None, [6, 0]], BOTH)
    assert [(one.place, one.start, one.carried, one.score.worth) for one in games] == [
        (0, (0, 0), False, 1), (0, (0, 0), True, 1), (2, (2, 0), False, 2),
    ]  # fmt: skip
    assert won([[12, 1], None, [6, 0]]) == (4, 0)


def test_the_excess_of_the_last_game_lapses():
    assert won([[4, 5], [5, 4], [12, 1]], THREE) == (2, 1)
    decided = won([[5, 1], [12, 1]], THREE)
    assert decided == (2, 0)


def test_a_game_that_carried_points_had_won_was_not_played():
    assert uncounted([[4, 5], [12, 1], [5, 1]], THREE) == [2]
    assert uncounted([[4, 5], [9, 1], [5, 1]], THREE) == []


def test_no_game_is_played_after_the_end_of_a_match():
    """A slam, or two games, win the best of three: what stands on the card after it was not."""
    assert uncounted([[5, 0], [1, 5], None], THREE) == [1]
    assert uncounted([[5, 0], None, [1, 5]], THREE) == [2]
    assert uncounted([[5, 1], [6, 2], [5, 1]], THREE) == [2]
    assert uncounted([[5, 1], [2, 5], [5, 0]], THREE) == []
    plain = replace(THREE, laps=False, slam=False)
    assert uncounted([[5, 1], [6, 2], [5, 1]], plain) == []  # there all games are played


def test_a_game_given_to_a_side_is_no_slam_and_a_void_one_is_none_of_the_games():
    assert won(["home", [1, 5]]) == (1, 1)
    assert starts([[8, 1], "void", [5, 1]]) == [(0, 0), (3, 0)]
    assert starts([[8, 1], "home", [5, 1]])[-1] == (0, 0)


def test_only_the_next_game_of_the_same_two_pairs_begins_with_the_excess():
    two = replace(BOTH, pairs=2, games_each=4)
    card = [[8, 1], [5, 4], [5, 1], [1, 5], [6, 3], [5, 2], [1, 5], [5, 3]]
    assert starts(card, two) == [(0, 0)] * 4 + [(3, 0)] + [(0, 0)] * 3


@pytest.mark.parametrize(("pairs", "games_each"), [(3, 3), (1, 1), (2, 3)])
def test_where_two_pairs_meet_once_a_game_counts_one_and_its_excess_lapses(pairs, games_each):
    once = replace(BOTH, pairs=pairs, games_each=games_each)
    assert [(g.start, g.score.worth) for g in card_games([[6, 0], [12, 1]], once)] == [
        ((0, 0), 1), ((0, 0), 1),
    ]  # fmt: skip


def test_without_laps_and_slam_every_game_counts_one():
    assert won([[12, 0], [5, 2]], replace(BOTH, laps=False, slam=False)) == (2, 0)
    assert starts([[12, 0], [5, 2]], replace(BOTH, laps=False)) == [(0, 0), (0, 0)]


def test_the_table_counts_a_slam_as_two_games_won_in_one_match():
    rules = replace(THREE, game=1)
    table = league_table([1, 2], [met([[6, 0], None, None], rules)], rules)
    assert (table.records[1].won, table.records[1].played, table.records[1].points) == (2, 1, 4)


def test_where_slams_count_nothing_is_certain_before_the_last_match():
    table = league_table([1, 2], [LeagueMatch(1, 2, 3)], THREE)
    assert set(reaches(table, THREE).values()) == {Reach()}


def test_a_league_file_holds_laps_and_slams_only_where_they_count():
    assert {"laps", "slam"} & set(rules_to_json(LeagueRules())) == set()
    assert rules_from_json(rules_to_json(THREE)) == THREE
    with pytest.raises(RankingError, match="laps: true or false"):
        rules_from_json({"laps": "on"})
