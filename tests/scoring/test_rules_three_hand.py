"""000 and 001: Three-Hand Euchre of gamerules.com, and Keller's chapter 7 of 1887."""

import pytest

from scoring import Ended, play_game, ruleset
from tests.scoring.builders import call, codes, game, passes, points, sentences, turn_up, won

GAMERULES = ruleset("three-hand-gamerules")
TWO = ruleset("keller-1887-two-handed")
THREE = ruleset("keller-1887-three-handed")


def auction(*calls, dealer=0, upcard="9s", **more):
    return {"dealer": dealer, "upcard": upcard, "auction": list(calls), **more}


# -- 000 -----------------------------------------------------------------------------------------


def test_000_5_nobody_goes_alone():
    assert sentences(GAMERULES, turn_up(GAMERULES, 0, 5, alone=True)) == ["call-not-allowed/alone"]
    assert codes(GAMERULES, turn_up(GAMERULES, 0, 2, lone_defender=1)) == ["call-not-allowed"]


def test_000_12_the_dealer_may_not_pass_in_the_second_round():
    stuck = auction(*passes(1, 2, 0, 1, 2, 0))
    assert sentences(GAMERULES, stuck) == ["call-not-allowed/stuck"]
    assert sentences(GAMERULES, {"dealer": 0, "contract": None}) == ["call-not-allowed/stuck"]
    named = auction(*passes(1, 2, 0, 1, 2), call(0, "name", trump="h"), tricks_won=[3, 2, 0])
    assert points(GAMERULES, named) == (1, 0, 0)


@pytest.mark.parametrize(("tricks", "paid"), [(3, 1), (4, 1), (5, 3)])
def test_000_17_three_or_four_tricks_earn_one_point_all_five_three(tricks, paid):
    assert points(GAMERULES, turn_up(GAMERULES, 1, tricks)) == (0, paid, 0)


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_000_18_defenders_earn_two_points_each(tricks):
    assert points(GAMERULES, turn_up(GAMERULES, 1, tricks)) == (2, 0, 2)


def test_d06_defenders_may_share_the_two_points():
    rules = ruleset("three-hand-gamerules", {"defenders_score": "split"})
    assert points(rules, turn_up(rules, 1, 0)) == (1, 0, 1)


def test_000_19_the_deal_passes_left():
    state = game("three-hand-gamerules", won(GAMERULES, (0, 3), (0, 3)))
    assert (state.next_dealer, state.faults) == (2, ())


def test_000_19_play_on_even_if_one_of_the_two_is_higher():
    """D-07: all three play another hand; then a sole highest total at the target wins."""
    hands = [turn_up(GAMERULES, 2, 2, dealer=2), turn_up(GAMERULES, 1, 3, dealer=0)]
    hands += [turn_up(GAMERULES, 2, 5, dealer=1)]
    state = play_game(GAMERULES, hands[:1], initial_score=[9, 8, 7])
    assert (state.score, state.over) == ((11, 10, 7), False)
    state = play_game(GAMERULES, hands[:2], initial_score=[9, 8, 7])
    assert (state.score, state.over) == ((11, 11, 7), False)
    state = play_game(GAMERULES, hands, initial_score=[9, 8, 9])
    assert (state.score, state.over, state.winners) == ((11, 11, 12), True, (2,))
    assert state.reason == "Ahead after playing on"


# -- 001, two-handed -----------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "paid"), [(2, (0, 2)), (3, (1, 0)), (4, (1, 0)), (5, (2, 0))])
def test_001_19_two_handed_score(tricks, paid):
    assert points(TWO, turn_up(TWO, 0, tricks)) == paid


def test_001_11_the_non_dealer_orders_up_before_the_dealer_adopts():
    assert points(TWO, auction(call(1, "order-up"), tricks_won=[2, 3])) == (0, 1)
    adopted = auction(call(1), call(0, "order-up"), tricks_won=[3, 2])
    assert points(TWO, adopted) == (1, 0)
    assert sentences(TWO, auction(call(0, "order-up"), tricks_won=[3, 2])) == [
        "call-out-of-turn/turn"
    ]


def test_001_11_all_pass_and_the_former_non_dealer_deals():
    thrown = auction(*passes(1, 0, 1, 0))
    assert points(TWO, thrown) == (0, 0)
    assert game("keller-1887-two-handed", [thrown]).next_dealer == 1


def test_001_19_no_lone_hands_at_two():
    assert codes(TWO, turn_up(TWO, 0, 5, alone=True)) == ["call-not-allowed"]


def test_001_17_the_joker_may_be_played():
    rules = ruleset("keller-1887-two-handed", {"deck": 33})
    assert (rules.kitty_size, "B" in rules.deck) == (23, True)


def test_001_17_laps_carry_the_excess_over_and_are_off_by_default():
    hand = turn_up(TWO, 0, 5)
    assert game("keller-1887-two-handed", [hand], initial_score=[4, 0]).excess == (0, 0)
    laps = game("keller-1887-two-handed", [hand], {"laps": "on"}, initial_score=[4, 0])
    assert (laps.over, laps.excess) == (True, (1, 0))


def test_001_17_a_slam_counts_two_games():
    hand = turn_up(TWO, 0, 3)
    slam = game("keller-1887-two-handed", [hand], {"slam": "on"}, initial_score=[4, 0])
    assert (slam.over, slam.games_counted) == (True, 2)
    scored = game("keller-1887-two-handed", [hand], {"slam": "on"}, initial_score=[4, 1])
    assert scored.games_counted == 1
    assert game("keller-1887-two-handed", [hand], initial_score=[4, 0]).games_counted == 1


# -- 001, three-handed ---------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "paid"), [(3, (1, 0, 0)), (4, (1, 0, 0)), (5, (3, 0, 0))])
def test_001_37_41_three_or_four_count_one_a_march_three(tricks, paid):
    assert points(THREE, turn_up(THREE, 0, tricks)) == paid


def test_001_39_a_euchre_is_two_points_to_each_opponent():
    """D-09: "three points" is a slip for tricks."""
    assert points(THREE, turn_up(THREE, 0, 2)) == (0, 2, 2)


def test_d10_a_march_may_count_two():
    rules = ruleset("keller-1887-three-handed", {"march_3h": 2})
    assert points(rules, turn_up(rules, 0, 5)) == (2, 0, 0)


def test_001_23_a_new_deal_after_all_pass_may_be_continued_indefinitely():
    hands = [{"dealer": number % 3, "contract": None} for number in range(30)]
    state = play_game(THREE, hands)
    assert (state.score, state.next_dealer, state.faults) == ((0, 0, 0), 0, ())


def test_d07_highest_then_play_on_gives_it_to_the_higher_and_plays_on_an_equal_pair():
    """Nanaimo and the Guide's cutthroat say only "first man"."""
    rules = ruleset("nanaimo-three-handed")
    euchre = turn_up(rules, 2, 2)
    state = play_game(rules, [euchre], initial_score=[9, 8, 0])
    assert (state.winners, state.reason) == ((0,), "Both reached 10; the higher score wins")
    assert not play_game(rules, [euchre], initial_score=[9, 9, 0]).over


def test_conceding_leaves_the_game_to_the_best_of_the_others():
    state = game(
        "keller-1887-three-handed", [], initial_score=[4, 2, 2], ended=Ended("conceded", 0)
    )
    assert (state.over, state.winners, state.reason) == (True, (1, 2), "The other side conceded")
