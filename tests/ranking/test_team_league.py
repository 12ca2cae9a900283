"""The table of a league: points for matches, tie-breaks in order, teams that leave."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ranking import RankingError
from league.ranking.team_league import league_table
from league.ranking.team_league.match import GameScore, LeagueMatch
from league.ranking.team_league.rules import LeagueRules, rules_from_json

ROVERS, UNITED, ALBION, RANGERS = 1, 2, 3, 4
BY_MEETINGS = rules_from_json({"tie_breaks": ["head_to_head", "games_won"]})
BY_DIFFERENCE = rules_from_json({"tie_breaks": ["points_difference", "games_won"]})
HOME_GAME, AWAY_GAME = GameScore((21, 15), (0,)), GameScore((15, 21), (1,))


def met(home, away, home_wins, due=9, *, narrow=False):
    """A match in which the home side won so many games."""
    won = GameScore((21, 20), (0,)) if narrow else HOME_GAME
    games = tuple(won if n < home_wins else AWAY_GAME for n in range(due))
    return LeagueMatch(home, away, due, games)


def order(table):
    return [line.who for line in table.lines]


def points(table):
    return {line.who: line.values["league_points"] for line in table.lines}


def test_a_match_won_is_two_points_and_a_draw_one_each():
    table = league_table(
        [1, 2, 3, 4], [met(ROVERS, UNITED, 5), met(ALBION, RANGERS, 2, due=4)], LeagueRules()
    )
    assert points(table) == {ROVERS: 2, UNITED: 0, ALBION: 1, RANGERS: 1}


def test_a_league_may_count_games_too():
    rules = rules_from_json({"points": {"win": 3, "loss": 1, "game": 1}})
    table = league_table([1, 2], [met(ROVERS, UNITED, 5)], rules)
    assert points(table) == {ROVERS: 8, UNITED: 5}


def test_teams_level_on_points_are_parted_by_games_won():
    table = league_table([1, 2, 3, 4], [met(1, 2, 5), met(3, 4, 6)], LeagueRules())
    assert order(table) == [3, 1, 2, 4]
    assert [one.measure for one in table.lines[0].decisions] == ["games_won"]


def test_a_league_may_ask_first_who_beat_whom():
    played = [met(1, 2, 5), met(2, 3, 9), met(3, 4, 5), met(4, 1, 9), met(1, 3, 0), met(2, 4, 0)]
    level = {1: 2, 2: 2, 3: 4, 4: 4}
    by_games = league_table([1, 2, 3, 4], played, LeagueRules())
    assert points(by_games) == level
    by_meetings = league_table([1, 2, 3, 4], played, BY_MEETINGS)
    assert order(by_games) == [4, 3, 2, 1]
    assert order(by_meetings) == [3, 4, 1, 2]


def test_points_difference_may_come_first():
    played = [met(1, 2, 5, narrow=True), met(3, 4, 5)]
    table = league_table([1, 2, 3, 4], played, BY_DIFFERENCE)
    assert order(table)[:2] == [3, 1]


def test_points_taken_off_a_team_come_off_its_table_points():
    table = league_table([1, 2], [met(1, 2, 5)], LeagueRules(), deducted={1: 3})
    assert points(table) == {1: -1, 2: 0}
    assert order(table) == [2, 1]


def test_a_match_given_is_won_with_no_games():
    table = league_table([1, 2], [LeagueMatch(1, 2, 9, given_to=2)], LeagueRules())
    assert points(table) == {1: 0, 2: 2}
    assert table.records[2].won == 0


def test_form_goes_by_the_day_of_play_and_then_by_round():
    first, second, third = (date(2026, 11, day) for day in (3, 10, 17))
    fixtures = [
        replace(met(1, 2, 9), day=first, held_on=third),
        replace(met(3, 1, 9), day=second),
        replace(met(1, 4, 4, due=8), day=date(2026, 11, 24), held_on=second),
    ]
    form = league_table([1, 2, 3, 4], fixtures, LeagueRules()).records[1].form
    assert form == ("lost", "drawn", "won")


def test_a_team_that_leaves_before_half_its_matches_is_struck_out():
    fixtures = [met(1, 2, 5), LeagueMatch(3, 1, 9), LeagueMatch(1, 4, 9), met(2, 3, 5)]
    table = league_table([1, 2, 3, 4], fixtures, LeagueRules(), gone={1: None})
    assert table.struck == {1}
    assert points(table) == {2: 2, 3: 0, 4: 0}


def test_a_team_that_leaves_later_keeps_what_it_played_and_gives_the_rest():
    fixtures = [met(1, 2, 5), met(3, 1, 4), LeagueMatch(1, 4, 9)]
    table = league_table([1, 2, 3, 4], fixtures, LeagueRules(), gone={1: None})
    assert table.struck == frozenset()
    assert points(table) == {1: 4, 2: 0, 3: 0, 4: 2}


def test_a_card_half_written_counts_for_nobody_yet():
    table = league_table([1, 2], [LeagueMatch(1, 2, 9, (HOME_GAME,) * 4)], LeagueRules())
    assert table.records[1].played == 0


@given(st.lists(st.tuples(st.permutations([1, 2, 3, 4]), st.integers(0, 9)), max_size=12))
def test_every_match_gives_as_many_wins_as_losses_and_all_its_games(rows):
    fixtures = [met(teams[0], teams[1], wins) for teams, wins in rows]
    table = league_table([1, 2, 3, 4], fixtures, LeagueRules())
    records = table.records.values()
    assert sum(one.wins for one in records) == sum(one.losses for one in records) == len(rows)
    assert sum((one.won for one in records), Fraction(0)) == 9 * len(rows)
    assert sum(points(table).values()) == 2 * len(rows)


@pytest.mark.parametrize("number", ["1e999999999", "-1E99999999", "1" * 4000, "1/" + "1" * 4000])
def test_a_number_that_would_take_hours_to_read_is_refused_at_once(number):
    with pytest.raises(RankingError):
        rules_from_json({"points": {"win": number}})
