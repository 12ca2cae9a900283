"""What a hand paid is said in one way everywhere: what the score changed by, and why."""

import pytest

from league.play.game_log import gained_in, open_game_log
from league.play.previews import preview_of
from league.play.queries import hand_summary
from league.play.questions import points_by_result, questions_of
from league.play.sheet import sheet_of
from league.play.text import gained_text, score_text
from scoring import ruleset
from tests.builders import a_game_table
from tests.play.hands import write_records

pytestmark = pytest.mark.django_db

LONE_MARCH = {
    "dealer": 0,
    "contract": {"seat": 0, "alone": True},
    "tricks_won": {"makers": 5},
}


def said_of(table, number):
    """What preview, list and sheet say a hand gained, and the note beside it."""
    log = open_game_log(table)
    sheet = sheet_of(log, lambda member: member.name)
    line = [row for row in sheet.rows if getattr(row, "hand", None)][number - 1]
    listed = hand_summary(log, number)
    assert (line.gained, line.note) == (listed.gained, listed.note)
    return listed.gained, listed.note


def rows_add_up(table):
    log = open_game_log(table)
    gained = [gained_in(log, number) for number in range(1, len(log.hands) + 1)]
    return tuple(map(sum, zip(*gained, strict=True))) == log.state.score


def test_a_callers_bonus_is_named_and_not_added_to_the_score_of_the_side():
    table = a_game_table(caller_bonus=1)
    preview = preview_of(open_game_log(table), LONE_MARCH)
    write_records(table, LONE_MARCH)
    assert said_of(table, 1) == ("Rose & Ted +4", "1 point more for Rose in the standings")
    assert preview.text == "Rose & Ted +4 (1 point more for Rose in the standings)"
    assert rows_add_up(table)


def test_the_fourth_token_is_a_point_of_the_hand_that_brought_it():
    table = a_game_table(four_trick_tokens=True)
    for _hand in range(4):
        write_records(table, {"contract": {"seat": 0}, "tricks_won": {"makers": 4}})
    assert said_of(table, 3)[1] == "Rose & Ted: 3 tokens"
    _gained, note = said_of(table, 4)
    before = [gained_in(open_game_log(table), number)[0] for number in (1, 2, 3)]
    assert gained_in(open_game_log(table), 4)[0] == before[0] + 1
    assert note == "fourth token for Rose & Ted: 1 point"
    assert rows_add_up(table)


def test_a_loss_that_the_lowest_score_cuts_short_is_said_as_it_counted():
    table = a_game_table("pepper", score_floor=0)
    bid = {"seat": 0, "tricks": 2, "trump": "h"}
    write_records(table, {"contract": bid, "tricks_won": {"makers": 2}})
    lost = {"seat": 0, "special": "big_pepper", "trump": "h"}
    write_records(table, {"contract": lost, "tricks_won": {"makers": 1}})
    gained, note = said_of(table, 2)
    assert gained == "Rose & Ted −2, Ann & Bill +5"
    assert note == "no score goes below 0"
    assert rows_add_up(table)


def test_a_score_below_nothing_is_written_with_a_word_and_not_with_two_dashes():
    assert score_text([20, -2]) == "20 to −2"
    assert score_text([9, -13, 7]) == "9, −13, 7"


def test_a_preview_names_the_numbers_of_three_and_puts_a_winner_first():
    bid = {"dealer": 0, "contract": {"seat": 0, "tricks": 7, "trump": "d"}}
    three = a_game_table("five-hundred-three", players=3, slug="three")
    preview = preview_of(open_game_log(three), bid | {"tricks_won": [6, 3, 1]})
    assert preview.after == "Rose −180, Ann 30, Ted 10 after this hand"
    two = a_game_table("pepper", slug="two", target=5)
    lost = {"dealer": 0, "contract": {"seat": 0, "tricks": 4, "trump": "h"}}
    preview = preview_of(open_game_log(two), lost | {"tricks_won": {"makers": 0}})
    assert (preview.after, preview.ends) == ("Ann & Bill win, 6 to −6", True)


def test_two_teams_of_three_are_told_apart():
    text = gained_text([7, -4], ["Ida, Elsie, Gina", "Bert, Dan, Cora"])
    assert text == "Ida, Elsie, Gina +7; Bert, Dan, Cora −4"


def points_known(preset, **options):
    rules = ruleset({"extends": preset, "options": options})
    return points_by_result(rules, questions_of(rules))


def test_a_phone_knows_what_every_bid_pays_where_the_tricks_of_a_side_decide_it():
    pepper = points_known("pepper")
    assert [pepper["3 4"], pepper["3 2"], pepper["big_pepper 6"]] == [[4, 2], [-6, 4], [12, 0]]
    assert points_known("five-hundred-four")["7d 8"] == [180, 20]
    assert points_known("pepper", score_floor=0) == {}  # how much is lost depends on the score
    assert points_known("buck-euchre-bid") == {}  # who drops out matters


def test_a_phone_knows_what_each_player_s_tricks_pay_and_what_a_called_partner_shares():
    three = points_known("five-hundred-three")
    assert [three["7d 8"], three["7d 3"], three["passed"]] == [[180, 10], [-180, 10], [0, 10]]
    ace = points_known("call-ace-four")
    assert [ace["5"], ace["5 called"], ace["2 called"]] == [[4, 0, 0, 0], [2, 2, 0], [0, 0, 2]]
