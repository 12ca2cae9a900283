"""Hands folded into games: score, turn to deal, ends, ties, faults with their hand."""

from copy import deepcopy

import pytest

from scoring import Ended, Ruling, check_hand, play_game, ruleset
from scoring.endings import Standing
from scoring.games import step
from tests.scoring.builders import bid, game, turn_up, won

STANDARD = ruleset("standard-four-handed")


def test_an_empty_game_needs_the_target():
    state = play_game(STANDARD, [], first_dealer=2)
    assert (state.score, state.needs, state.next_dealer) == ((0, 0), (10, 10), 2)
    assert (state.over, state.winners, state.running, state.valid) == (False, (), (), True)


def test_004_97_ten_points_win_and_the_game_is_over():
    state = play_game(STANDARD, won(STANDARD, (0, 5), (1, 3), (0, 5), (0, 5), (0, 5), (0, 5)))
    assert (state.score, state.over, state.winners) == ((10, 1), True, (0, 2))
    assert (state.reason, state.hands_played, state.needs) == ("Reached 10", 6, (0, 9))


def test_hands_after_the_end_are_listed_and_not_counted():
    hands = won(STANDARD, *[(0, 5)] * 7)
    state = play_game(STANDARD, hands)
    assert [(f.code, f.hand) for f in state.faults] == [("game-over", 6), ("game-over", 7)]
    assert (state.score, len(state.answers), len(state.running)) == ((10, 0), 7, 7)


def test_the_deal_passes_to_the_left_and_a_wrong_dealer_is_told_once():
    hands = won(STANDARD, (0, 3), (0, 3), (0, 3), (0, 3))
    hands[1]["dealer"], hands[2]["dealer"], hands[3]["dealer"] = 3, 0, 1
    state = play_game(STANDARD, hands)
    assert [(f.code, f.hand, f.message) for f in state.faults] == [
        ("wrong-dealer", 2, "It was East's deal, but West dealt.")
    ]
    assert state.score == (4, 0)


def test_the_first_dealer_may_be_given():
    assert play_game(STANDARD, won(STANDARD, (0, 3)), first_dealer=0).valid
    assert not play_game(STANDARD, won(STANDARD, (0, 3)), first_dealer=1).valid


@pytest.mark.parametrize(("option", "dealer"), [("next", 1), ("same", 0)])
def test_d16_who_deals_after_everybody_passed(option, dealer):
    state = game(
        "standard-four-handed", [{"dealer": 0, "contract": None}], {"passout_dealer": option}
    )
    assert state.next_dealer == dealer


def test_a_hand_with_a_fault_scores_nothing_and_the_game_goes_on():
    hands = won(STANDARD, (0, 3), (0, 3), (0, 3))
    hands[1]["tricks_won"] = [9, 0, 0, 0]
    state = play_game(STANDARD, hands)
    assert [(f.code, f.hand) for f in state.faults] == [("wrong-trick-count", 2)]
    assert (state.running, state.next_dealer) == (((1, 0), (1, 0), (2, 0)), 3)


def test_d01_where_one_deals_a_whole_game_a_hand_with_a_fault_leaves_him_the_deal():
    hands = [{"dealer": 2}, turn_up(STANDARD, 0, 3, dealer=2)]
    state = game("standard-four-handed", hands, {"dealer_rotates": "every_game"})
    assert [(f.code, f.hand) for f in state.faults] == [("bad-format", 1)]
    assert (state.score, state.next_dealer) == ((1, 0), 2)


def test_a_record_nobody_can_read_has_its_place_in_the_game():
    hands = won(STANDARD, (0, 3), (0, 3), (0, 3))
    state = play_game(STANDARD, [hands[0], {"dealer": "me"}, 17, hands[2]])
    assert {(f.code, f.hand) for f in state.faults} == {("bad-seat", 2), ("bad-format", 3)}
    assert state.score == (2, 0)


def test_a_correction_in_the_middle_refolds_and_what_no_longer_fits_is_listed():
    hands = won(STANDARD, (0, 5), (0, 5), (0, 5), (0, 5), (1, 3), (0, 5))
    assert play_game(STANDARD, hands).valid
    corrected = deepcopy(hands)
    corrected[4] = turn_up(STANDARD, 0, 5, dealer=0)
    state = play_game(STANDARD, corrected)
    assert [(f.code, f.hand) for f in state.faults] == [("game-over", 6)]


def test_folding_one_by_one_equals_folding_together():
    hands = won(STANDARD, (0, 5), (1, 2), (3, 5), (0, 3), (1, 3))
    together = play_game(STANDARD, hands)
    for number in range(len(hands)):
        part = play_game(STANDARD, hands[: number + 1])
        assert part.running == together.running[: number + 1]
    resumed = play_game(STANDARD, hands[3:], first_dealer=3, initial_score=together.running[2])
    assert resumed.score == together.score


def test_a_step_leaves_what_it_was_given_alone():
    state = play_game(STANDARD, won(STANDARD, (0, 3)))
    start = Standing(score=(0, 0), next_dealer=0)
    after, faults = step(STANDARD, start, state.answers[0], dealer=0)
    assert (start.score, after.score, faults) == ((0, 0), (1, 0), [])


@pytest.mark.parametrize("score", [[1], [1, 2, 3], ["1", 2], [True, 0]])
def test_an_initial_score_has_a_number_a_side(score):
    state = play_game(STANDARD, [], initial_score=score)
    assert [f.sentence for f in state.faults] == ["bad-format/score-length"]
    assert state.score == (0, 0)


# -- a fixed number of hands ---------------------------------------------------------------------


def test_after_the_last_hand_equal_scores_are_a_draw():
    hands = won(STANDARD, (0, 5), (1, 3), (1, 3))
    state = game("standard-four-handed", hands, {"hands": 3})
    assert (state.score, state.over, state.reason) == ((2, 2), True, "Drawn after 3 hands")
    assert (state.winners, state.needs) == ((0, 1, 2, 3), None)


def test_before_the_last_hand_nobody_has_won_whatever_the_score():
    hands = won(STANDARD, *[(0, 5)] * 9)
    state = game("standard-four-handed", hands, {"hands": 10})
    assert (state.score, state.over) == ((18, 0), False)
    hands.append(turn_up(STANDARD, 1, 3, dealer=1))
    state = game("standard-four-handed", hands, {"hands": 10})
    assert (state.winners, state.reason) == ((0, 2), "Highest after 10 hands")


def test_d16_a_hand_dealt_again_by_the_same_dealer_is_not_one_of_the_number():
    thrown = {"dealer": 0, "contract": None}
    hands = [thrown, thrown, *won(STANDARD, (0, 3), (0, 3))]
    state = game("standard-four-handed", hands, {"hands": 2})
    assert (state.over, state.hands_played, state.faults) == (True, 2, ())
    passed_on = game("standard-four-handed", [thrown], {"hands": 1, "passout_dealer": "next"})
    assert (passed_on.over, passed_on.winners) == (True, (0, 1, 2, 3))


# -- ended before the end ------------------------------------------------------------------------


def test_a_concession_gives_the_game_to_the_other_side():
    state = play_game(STANDARD, won(STANDARD, (0, 3)), ended=Ended("conceded", by=2))
    assert (state.over, state.winners, state.reason) == (True, (1, 3), "The other side conceded")


def test_when_time_is_called_the_highest_score_wins_and_equal_scores_draw():
    hands = won(STANDARD, (0, 3), (1, 3))
    ahead = play_game(STANDARD, hands[:1], ended=Ended("time"))
    assert (ahead.winners, ahead.reason) == ((0, 2), "Highest when time was called")
    equal = play_game(STANDARD, hands, ended=Ended("time"))
    assert (equal.winners, equal.reason) == ((0, 1, 2, 3), "Drawn when time was called")


def test_a_game_that_is_over_cannot_be_ended_otherwise():
    state = play_game(
        STANDARD, won(STANDARD, (0, 5)), initial_score=[8, 0], ended=Ended("conceded", 0)
    )
    assert (state.winners, state.reason) == ((0, 2), "Reached 10")


# -- the answer as JSON --------------------------------------------------------------------------


def test_the_state_of_a_game_as_json():
    hands = [*won(STANDARD, (0, 3)), {"dealer": 3, "contract": None}]
    data = play_game(STANDARD, hands).to_json()
    assert data["score"] == [1, 0]
    assert (data["valid"], data["over"], data["winners"]) == (False, False, [])
    assert [answer["valid"] for answer in data["hands"]] == [True, True]
    assert data["faults"][0]["hand"] == 2


def test_bid_games_score_below_nothing_and_need_more_than_the_target():
    rules = ruleset("bid-shawn")
    state = play_game(rules, [bid(rules, 0, 4, tricks=6)])
    assert (state.score, state.needs) == ((-6, 4), (38, 28))


def test_a_game_won_by_calling_for_it_is_not_reopened_by_a_ruling():
    rules = ruleset("standard-four-handed", {"smitty": True, "smitty_game": 10, "target": 21})
    contract = {"seat": 1, "trump": "h", "round": 1, "special": "smitty_game", "alone": True}
    called = {"dealer": 0, "contract": contract, "outcome": "march"}
    state = play_game(rules, [called], rulings=[Ruling(after=1, by=1, form="deduct")])
    assert (state.score, state.winners, state.why) == ((0, 6), (1, 3), "called")


def test_a_ruling_after_the_last_of_a_number_of_hands_can_change_who_won():
    hands = won(STANDARD, (0, 3))
    ruling = Ruling(after=1, by=0, form="deduct")
    state = game("standard-four-handed", hands, {"hands": 1}, rulings=[ruling])
    assert (state.score, state.winners) == ((-1, 0), (1, 3))


def test_whoever_folds_a_game_may_remember_what_was_said_of_its_hands():
    hands = won(STANDARD, (0, 3), (1, 5))
    said = [check_hand(hand, STANDARD) for hand in hands]
    remembered = play_game(STANDARD, hands, check=lambda hand, _rules: said[hands.index(hand)])
    assert remembered == play_game(STANDARD, hands)
