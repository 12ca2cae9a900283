"""The printed rules that the site enforces, each with a test named after it (docs/leagues.md).

STA is St Austell, STW the way they play there, FAL Penryn-Falmouth, GUE Guernsey.
"""

import re
from datetime import date, datetime
from pathlib import Path

import pytest

from league.ranking.team_league import ending_of, league_table
from league.ranking.team_league.match import GameScore, LeagueMatch
from league.ranking.team_league.rules import rules_from_json
from league.ranking.team_league.squads import (
    Appearance,
    LineUp,
    SquadPlace,
    Transfers,
    keeps_division,
    line_up_faults,
    squad_faults,
    transfer_faults,
)
from league.teams.presets import FALMOUTH, GUERNSEY, PRESETS, ST_AUSTELL
from league.teams.promotion import statuses
from league.teams.validators import squad_rules_from, validate_league_rules, validate_squad_rules

SHIP, BELL = 1, 2
DAY, NEXT_WEEK = date(2025, 10, 1), date(2025, 10, 8)
HALF_WAY = date(2026, 1, 7)


def rules(preset):
    own = {"pairs": preset.pairs, "games_each": preset.turns, "target": preset.target}
    return rules_from_json({**preset.rules, **own})


def squads(preset):
    return squad_rules_from(preset.squads, borrowed=preset.borrowed, second_half=HALF_WAY)


def card(home_wins, **more):
    won, lost = GameScore((21, 10), (0,)), GameScore((10, 21), (1,))
    return LeagueMatch(
        SHIP, BELL, 9, tuple(won if n < home_wins else lost for n in range(9)), **more
    )


def points(preset, *matches):
    table = league_table([SHIP, BELL], matches, rules(preset))
    return [table.records[team].points for team in (SHIP, BELL)]


def faults(preset, players, *, played=(), day=DAY, cup=None, own=range(1, 7)):
    places = [SquadPlace(player, SHIP) for player in own]
    line_up = LineUp(SHIP, day, tuple(players), cup)
    return [fault.code for fault in line_up_faults(line_up, places, played, squads(preset))]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_rules_that_a_league_can_have_and_every_printed_rule_has_its_place(preset):
    validate_league_rules(preset.rules)
    validate_squad_rules(preset.squads)
    assert all(rule.how for rule in preset.enforced)
    assert {*preset.enforced, *preset.for_committee} == set(preset.printed)
    assert all(len(rule.words.split()) <= 20 for rule in preset.printed)


def rule_of(preset, number):
    """The name of a printed rule in the names of tests, such as sta_7a."""
    tag = {"st-austell": "sta", "penryn-falmouth": "fal", "guernsey": "gue"}[preset.code]
    return f"stw_{number[-1]}" if number.startswith("The way we play, ") else f"{tag}_{number}"


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_printed_rule_that_the_site_enforces_has_a_test_that_names_it(preset):
    texts = [path.read_text() for path in Path(__file__).parent.glob("test_*.py")]
    names = [name for text in texts for name in re.findall(r"def (test_\w+)", text)]
    missing = [
        rule.number
        for rule in preset.enforced
        if not any(f"_{rule_of(preset, rule.number)}_" in name for name in names)
    ]
    assert missing == []


def test_sta_7b_cards_are_due_at_six_on_the_saturday_after_and_a_late_one_costs_no_point():
    late = rules(ST_AUSTELL).late
    thursday = date(2025, 10, 2)
    assert late.deadline(thursday) == datetime.fromisoformat("2025-10-04T18:00")
    assert points(ST_AUSTELL, card(6, late=True)) == [2, 0]


def test_sta_8a_two_points_for_the_winner():
    assert points(ST_AUSTELL, card(6)) == [2, 0]


def test_the_answer_to_sta_8b_names_points_first():
    (rule,) = [rule for rule in ST_AUSTELL.printed if rule.number == "8b"]
    assert str(rule.how) == "Points, then games won."


def test_sta_8b_and_stw_b_level_teams_are_parted_by_games_won():
    table = league_table([SHIP, BELL], [card(8), card(4)], rules(ST_AUSTELL))
    assert [line.who for line in table.lines] == [SHIP, BELL]
    assert table.lines[0].decisions[-1].measure == "games_won"


def test_sta_8c_winners_and_runners_up_of_the_sections_play_off():
    own = {**ST_AUSTELL.rules, "section_play_off": {"divisions": ["A"], "places": 2}}
    table = league_table([SHIP, BELL], [card(6)], rules_from_json({**own, "target": 21}))
    ending = ending_of({"A": table}, rules_from_json(own))
    assert [(place.place, place.team) for place in ending.qualified] == [(1, SHIP), (2, BELL)]


def test_sta_9a_nine_games_to_twenty_one_by_six_players():
    assert (rules(ST_AUSTELL).games, rules(ST_AUSTELL).target) == (9, 21)
    assert [fault.code for fault in squad_faults(5, squads(ST_AUSTELL))] == ["squad-small"]
    assert squad_faults(6, squads(ST_AUSTELL)) == []


def test_sta_10b_four_or_more_of_six_are_named_members_of_the_team():
    assert faults(ST_AUSTELL, [1, 2, 3, 4, 11, 12]) == []
    assert faults(ST_AUSTELL, [1, 2, 3, 11, 12, 13]) == ["borrowed"]


def test_stw_a_five_games_of_nine_win_the_match():
    five = LeagueMatch(SHIP, BELL, 9, (GameScore((21, 3), (0,)),) * 5)
    assert five.over
    assert points(ST_AUSTELL, five) == [2, 0]
    assert points(ST_AUSTELL, card(4)) == [0, 2]


def test_stw_c_more_teams_level_on_both_play_off():
    table = league_table([SHIP, BELL], [], rules(ST_AUSTELL))
    assert [line.rank for line in table.lines] == [1, 1]
    table = league_table([SHIP, BELL], [], rules(ST_AUSTELL), orders=[[BELL, SHIP]])
    assert [line.who for line in table.lines] == [BELL, SHIP]


def test_fal_3_a_team_has_at_least_seven_players():
    assert [fault.code for fault in squad_faults(6, squads(FALMOUTH))] == ["squad-small"]
    assert squad_faults(7, squads(FALMOUTH)) == []


def test_fal_7_any_player_may_transfer_once_a_season():
    assert transfer_faults(1, DAY, Transfers(), squads(FALMOUTH)) == []
    again = transfer_faults(1, DAY, Transfers({1: 1}), squads(FALMOUTH))
    assert [fault.code for fault in again] == ["transferred-often"]


def test_fal_8_a_new_player_may_sign_on_the_night():
    place = SquadPlace(1, SHIP, since=DAY)
    line_up = LineUp(SHIP, DAY, (1, 2, 3, 4))
    others = [SquadPlace(n, SHIP) for n in (2, 3, 4)]
    assert line_up_faults(line_up, [place, *others], [], squads(FALMOUTH)) == []


def test_fal_10_a_card_after_saturday_noon_costs_the_winning_team_a_point():
    assert points(FALMOUTH, card(6, late=True)) == [5, 3]


def test_fal_11_five_points_where_the_others_do_not_come_and_none_for_them():
    assert points(FALMOUTH, LeagueMatch(SHIP, BELL, 9, given_to=SHIP)) == [5, 0]


def test_fal_12a_a_team_may_borrow_one_player():
    assert faults(FALMOUTH, [1, 2, 3, 4, 5, 11]) == []
    assert faults(FALMOUTH, [1, 2, 3, 4, 11, 12]) == ["borrowed"]


def test_a_player_who_joined_after_the_match_counts_as_borrowed_and_is_the_fault_if_too_many():
    places = [SquadPlace(n, SHIP, since=NEXT_WEEK if n > 4 else None) for n in range(1, 7)]
    line_up = LineUp(SHIP, DAY, (1, 2, 3, 4, 5))
    assert line_up_faults(line_up, places, [], squads(FALMOUTH)) == []
    line_up = LineUp(SHIP, DAY, (1, 2, 3, 4, 5, 6))
    (fifth, sixth) = line_up_faults(line_up, places, [], squads(FALMOUTH))
    assert (fifth.code, fifth.player, fifth.since) == ("joined-later", 5, NEXT_WEEK)
    assert (sixth.code, sixth.player) == ("joined-later", 6)


def test_fal_12b_nobody_is_borrowed_a_third_time_by_whichever_team():
    played = [Appearance(11, SHIP, DAY, own=False), Appearance(11, BELL, NEXT_WEEK, own=False)]
    later = date(2025, 11, 5)
    assert faults(FALMOUTH, [1, 2, 3, 4, 5, 11], played=played[:1], day=later) == []
    assert faults(FALMOUTH, [1, 2, 3, 4, 5, 11], played=played, day=later) == ["borrowed-often"]


def test_fal_13_four_players_are_enough_and_three_are_not():
    assert faults(FALMOUTH, [1, 2, 3, 4]) == []
    assert faults(FALMOUTH, [1, 2, 3]) == ["too-few"]


def test_fal_16_nobody_plays_for_two_teams_in_one_cup():
    played = [Appearance(1, BELL, DAY, cup=7)]
    assert faults(FALMOUTH, [1, 2, 3, 4], played=played, day=NEXT_WEEK, cup=7) == ["cup-tied"]
    assert faults(FALMOUTH, [1, 2, 3, 4], played=played, day=NEXT_WEEK, cup=8) == []


def test_fal_17_five_of_the_squad_keep_the_teams_division():
    assert keeps_division(range(7), range(2, 9), squads(FALMOUTH))
    assert not keeps_division(range(7), range(3, 10), squads(FALMOUTH))


def test_gue_6_nobody_plays_for_more_than_one_team():
    assert faults(GUERNSEY, [1, 2, 3, 4, 5, 11]) == ["none-borrowed"]
    assert GUERNSEY.squads["captains_agree"]


def test_nobody_plays_for_two_teams_in_one_week_of_fixtures():
    played = [Appearance(1, BELL, date(2025, 9, 29))]
    assert faults(FALMOUTH, [1, 2, 3, 4], played=played) == ["two-teams-a-week"]
    assert faults(FALMOUTH, [1, 2, 3, 4], played=played, day=NEXT_WEEK) == []


def test_transfers_end_half_way_through_the_season():
    before, after = date(2026, 1, 6), HALF_WAY
    assert transfer_faults(1, before, Transfers(), squads(ST_AUSTELL)) == []
    late = transfer_faults(1, after, Transfers(), squads(ST_AUSTELL))
    assert [fault.code for fault in late] == ["transfer-late"]


def test_what_is_certain_of_a_team_is_said_in_a_word():
    """Ship has six points and Bell can only reach two, whatever happens."""
    two_up = {"moves": [{"upper": "1", "lower": "2", "up": 1, "down": 1}]}
    rules = rules_from_json({**ST_AUSTELL.rules, **two_up})
    done, to_play = [card(6), card(6), card(6)], [LeagueMatch(BELL, SHIP, 9)]
    table = league_table([SHIP, BELL], [*done, *to_play], rules)
    assert statuses(table, rules, "2") == {SHIP: ("champions", "promoted"), BELL: ("behind",)}
    assert statuses(table, rules, "1") == {SHIP: ("champions",), BELL: ("in_danger", "behind")}
    sections = rules_from_json({"section_play_off": {"divisions": ["A"], "places": 1}})
    assert statuses(table, sections, "A")[SHIP] == ("first",)
