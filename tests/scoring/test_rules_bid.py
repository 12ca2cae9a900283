"""004, lines 6-91: Bid Euchre, the general rules and every version of them."""

import pytest

from scoring import check_hand, play_game, ruleset
from tests.scoring.builders import bid, call, codes, passes, points, sentences

GENERAL = ruleset("bid-general")
SHAWN = ruleset("bid-shawn")
BARRIE = ruleset("bid-barrie")
MIDWEST = ruleset("bid-midwest-double-deck")
HOOSIER = ruleset("bid-hoosier-four-player")
HOOSIER_3 = ruleset("bid-hoosier-three-player")
KOKOMO = ruleset("bid-kokomo-kitty")
PURDUE = ruleset("bid-purdue-cutthroat")
RACEHORSE = ruleset("bid-racehorse")
ALBER = ruleset("bid-alber-double-deck")
INDIANA = ruleset("bid-indiana-double-deck")


def bids(*calls, dealer=0, **more):
    return {"dealer": dealer, "auction": list(calls), "tricks_won": {"makers": 8}, **more}


def said(seat, tricks=None, trump="h", **more):
    more |= {} if tricks is None else {"tricks": tricks}
    more |= {} if trump is None else {"trump": trump}
    return call(seat, "bid", **more)


# -- general -------------------------------------------------------------------------------------


def test_004_20_one_call_each_from_eldest_to_dealer_each_bid_larger():
    assert points(GENERAL, bids(said(1, 4), said(2, 5, "c"), call(3), said(0, 6, "nt")))
    assert sentences(GENERAL, bids(said(1, 4), said(2, 4, "s"), *passes(3, 0))) == [
        "call-not-allowed/too-low"
    ]
    assert sentences(GENERAL, bids(said(1, 4), *passes(2, 3, 0), said(1, 5))) == [
        "call-not-allowed/over"
    ]
    assert sentences(GENERAL, bids(said(1, 4), call(2))) == ["auction-unfinished/open"]


def test_004_20_suits_have_no_rank_and_no_trump_does_not_outrank_an_equal_bid():
    """D-44."""
    assert codes(GENERAL, bids(said(1, 4, "c"), said(2, 4, "nt"), *passes(3, 0))) == [
        "call-not-allowed"
    ]


def test_004_20_a_bid_is_one_trick_or_more_and_not_more_than_there_are():
    assert sentences(GENERAL, bids(said(1, 13), *passes(2, 3, 0))) == [
        "call-not-allowed/above-most"
    ]
    assert sentences(GENERAL, bids(said(1, 0), *passes(2, 3, 0))) == [
        "call-not-allowed/below-least"
    ]


def test_004_15_no_trump_low_is_not_general():
    assert sentences(GENERAL, bid(GENERAL, 0, 6, trump="ntl", tricks=5)) == [
        "call-not-allowed/no-trump-low"
    ]


@pytest.mark.parametrize(
    ("rule", "dealer"),
    [("throw_in_next_dealer", 1), ("same_dealer", 0), ("dealer_must_bid_min", None)],
)
def test_d32_everybody_passes(rule, dealer):
    rules = ruleset("bid-general", {"all_pass": rule})
    answer = check_hand({"dealer": 0, "auction": passes(1, 2, 3, 0)}, rules)
    assert answer.next_dealer == dealer
    assert [fault.sentence for fault in answer.faults] == (
        [] if dealer is not None else ["call-not-allowed/dealer-must-bid"]
    )
    assert check_hand({"dealer": 0, "contract": None}, rules).next_dealer == dealer


def test_004_23_the_declarer_leads_and_the_left_bower_is_a_trump():
    record = {"dealer": 0, "contract": {"seat": 2, "trump": "h", "tricks": 5},
              "tricks": [{"leader": 1, "cards": []}]}  # fmt: skip
    assert codes(GENERAL, record)[0] == "wrong-leader"


def test_004_25_each_side_scores_a_point_for_each_trick_when_made():
    assert points(GENERAL, bid(GENERAL, 0, 9, tricks=7)) == (9, 3, 9, 3)


def test_004_26_a_side_that_is_set_loses_its_bid_and_may_go_below_nothing():
    state = play_game(GENERAL, [bid(GENERAL, 0, 6, tricks=7)])
    assert (state.score, state.answers[0].outcome) == ((-7, 6), "set")


@pytest.mark.parametrize(
    ("rule", "made", "won"),
    [("made_or_set", True, True), ("made_or_set", False, True), ("made_only", True, True),
     ("made_only", False, False), ("any", False, True)],
)  # fmt: skip
def test_d40_which_hands_can_win(rule, made, won):
    """At 51 of 52: the side makes its own bid, or sets the other's."""
    rules = ruleset("bid-general", {"win_rule": rule})
    hand = bid(rules, 0, 6, tricks=6) if made else bid(rules, 1, 5, tricks=6)
    assert play_game(rules, [hand], initial_score=[51, 0]).over is won


@pytest.mark.parametrize(("rule", "winners"), [("bidding_side", (0, 2)), ("highest", (1, 3))])
def test_d40_both_sides_over(rule, winners):
    rules = ruleset("bid-alber-double-deck", {"both_over": rule})
    state = play_game(rules, [bid(rules, 0, 7, tricks=7)], initial_score=[45, 50])
    assert state.winners == winners


def test_d40_both_sides_over_and_equal_play_on():
    rules = ruleset("bid-alber-double-deck", {"both_over": "highest"})
    hands = [bid(rules, 0, 7, tricks=7), bid(rules, 1, 5, dealer=1, tricks=6)]
    state = play_game(rules, hands[:1], initial_score=[45, 49])
    assert (state.score, state.over) == ((52, 52), False)
    state = play_game(rules, hands, initial_score=[45, 49])
    assert (state.winners, state.reason) == ((0, 2), "Ahead after playing on")


# -- Barrie, Midwest -----------------------------------------------------------------------------


def test_004_32_barrie_eight_call_two_call_one_moon():
    rising = bids(
        said(1, 8), said(2, special="call2"), said(3, special="call1"), said(0, special="moon")
    )
    answer = check_hand(rising, BARRIE)
    assert (answer.points, answer.alone) == ((24, 0, 24, 0), (0,))
    falling = bids(said(1, special="moon"), said(2, special="call1"), *passes(3, 0))
    assert sentences(BARRIE, falling) == ["call-not-allowed/must-beat-special"]


@pytest.mark.parametrize(("special", "paid"), [("call2", 12), ("call1", 18), ("moon", 24)])
def test_004_34_37_barrie_alone_wins_or_loses_its_amount(special, paid):
    assert points(BARRIE, bid(BARRIE, 0, 8, special=special)) == (paid, 0, paid, 0)
    assert points(BARRIE, bid(BARRIE, 0, 7, special=special)) == (-paid, 1, -paid, 1)


def test_d39_a_failed_special_may_give_the_defenders_nothing():
    rules = ruleset("bid-barrie", {"defenders_score_on_failed_special": False})
    assert points(rules, bid(rules, 0, 5, special="moon")) == (-24, 0, -24, 0)
    assert points(rules, bid(rules, 0, 5, tricks=6)) == (-6, 3, -6, 3)


def test_004_39_40_barrie_has_two_versions_of_winning():
    hand = bid(BARRIE, 1, 6, tricks=6)
    assert not play_game(BARRIE, [hand], initial_score=[51, 0]).over
    version_b = ruleset("bid-barrie", {"win_rule": "any"})
    assert play_game(version_b, [hand], initial_score=[51, 0]).winners == (0, 2)


def test_004_44_midwest_bidding_goes_on_and_passing_does_not_bar_a_later_bid():
    assert points(MIDWEST, bids(call(1), said(2, 5), *passes(3, 0), said(1, 6), *passes(2, 3, 0)))
    open_ = bids(call(1), said(2, 5), *passes(3, 0))
    assert sentences(MIDWEST, open_) == ["auction-unfinished/open"]


def test_004_44_midwest_twelve_ends_the_auction():
    ended = bids(said(1, 12))
    assert points(MIDWEST, ended)
    after = bids(said(1, 12), said(2, special="alone"))
    assert codes(MIDWEST, after)[0] == "call-not-allowed"
    over_max = ruleset("bid-midwest-double-deck", {"lone_over_max": True})  # D-38
    assert points(over_max, after) == (-24, 4, -24, 4)


def test_004_45_midwest_alone_ends_the_auction():
    alone = bids(said(1, special="alone"), tricks_won={"makers": 12})
    assert points(MIDWEST, alone) == (0, 24, 0, 24)
    assert codes(MIDWEST, bids(said(1, special="alone"), call(2))) == ["call-not-allowed"]
    assert points(MIDWEST, bid(MIDWEST, 1, 11, special="alone")) == (1, -24, 1, -24)


# -- Hoosier, Kokomo, Purdue ---------------------------------------------------------------------


def test_004_49_hoosier_a_bid_of_ten_shoots_the_moon():
    assert points(HOOSIER, bid(HOOSIER, 0, 10, tricks=10)) == (16, 0, 16, 0)
    assert points(HOOSIER, bid(HOOSIER, 0, 10, special="moon")) == (16, 0, 16, 0)
    assert points(HOOSIER, bid(HOOSIER, 0, 9, tricks=10)) == (-16, 1, -16, 1)
    assert points(HOOSIER, bid(HOOSIER, 0, 10, tricks=9)) == (10, 0, 10, 0)


def test_d33_hoosier_moon_alone_loses_what_it_wins():
    assert points(HOOSIER, bid(HOOSIER, 0, 9, special="moon_alone")) == (-32, 1, -32, 1)
    assert points(HOOSIER, bid(HOOSIER, 0, 10, tricks=10, alone=True)) == (32, 0, 32, 0)
    over = bids(
        said(1, 10), said(2, special="moon alone"), *passes(3, 0), tricks_won={"makers": 10}
    )
    assert points(HOOSIER, over) == (32, 0, 32, 0)


def test_d34_hoosier_three_players_each_score_their_own_tricks():
    assert points(HOOSIER_3, bid(HOOSIER_3, 0, 0, won=[5, 3, 2], tricks=5)) == (5, 3, 2)
    assert points(HOOSIER_3, bid(HOOSIER_3, 0, 0, won=[4, 4, 2], tricks=5)) == (-5, 4, 2)
    joint = ruleset("bid-hoosier-three-player", {"three_player_defence": "joint"})
    assert points(joint, bid(joint, 0, 0, won=[5, 3, 2], tricks=5)) == (5, 5, 5)
    alone = bid(HOOSIER_3, 0, 10, tricks=10, alone=True)
    assert codes(HOOSIER_3, alone) == ["call-not-allowed"]


def test_d34_a_count_for_the_makers_alone_does_not_tell_the_defenders_apart():
    record = {"dealer": 0, "contract": {"seat": 0, "trump": "h", "tricks": 5}}
    assert sentences(HOOSIER_3, record | {"tricks_won": {"makers": 6}}) == [
        "wrong-trick-count/by-seat"
    ]
    assert points(HOOSIER_3, record | {"tricks_won": {"makers": 10}}) == (10, 0, 0)


def test_d42_both_defenders_over_after_a_set():
    hand = bid(PURDUE, 2, 0, won=[3, 3, 1], tricks=4)
    state = play_game(PURDUE, [hand], initial_score=[30, 29, 0])
    assert (state.score, state.winners) == ((33, 32, -4), (0,))
    assert not play_game(PURDUE, [hand], initial_score=[30, 30, 0]).over


def test_004_54_kokomo_shooter_is_above_eleven_and_no_trump_may_be_low():
    assert points(KOKOMO, bid(KOKOMO, 0, 11, special="shooter")) == (22, 0, 22, 0)
    assert points(KOKOMO, bid(KOKOMO, 0, 10, special="shooter")) == (-22, 1, -22, 1)  # D-33
    assert points(KOKOMO, bid(KOKOMO, 0, 6, trump="ntl", tricks=5)) == (6, 5, 6, 5)
    above = bids(said(1, 11), said(2, special="shooter"), *passes(3, 0), tricks_won={"makers": 11})
    assert points(KOKOMO, above) == (22, 0, 22, 0)


def test_004_57_purdue_seven_is_sixteen():
    assert points(PURDUE, bid(PURDUE, 1, 7, tricks=7)) == (0, 16, 0)
    assert points(PURDUE, bid(PURDUE, 1, 6, tricks=7)) == (0, -16, 1)


# -- Shawn, Racehorse, Alber, Indiana ------------------------------------------------------------


def test_004_61_shawn_at_least_three_in_a_suit_and_five_in_no_trump():
    assert sentences(SHAWN, bid(SHAWN, 0, 4, tricks=2)) == ["call-not-allowed/below-least"]
    assert sentences(SHAWN, bid(SHAWN, 0, 4, trump="nt", tricks=4)) == [
        "call-not-allowed/below-least-nt"
    ]
    assert points(SHAWN, bid(SHAWN, 0, 5, trump="nt", tricks=5)) == (5, 3, 5, 3)


def test_004_62_shawn_seven_alone_ranks_between_seven_and_eight():
    rising = [said(1, 7), said(2, 7, alone=True), said(3, 8), said(0, 8, alone=True)]
    assert points(SHAWN, bids(*rising)) == (16, 0, 16, 0)
    falling = bids(said(1, 8), said(2, 7, alone=True), *passes(3, 0))
    assert sentences(SHAWN, falling) == ["call-not-allowed/too-low"]


@pytest.mark.parametrize(
    ("special", "took", "paid"), [("7alone", 7, 14), ("7alone", 8, 14), ("8alone", 8, 16)]
)
def test_004_63_shawn_lone_bids_are_flat(special, took, paid):
    """D-41; the defenders still score the trick they took."""
    others = 8 - took
    assert points(SHAWN, bid(SHAWN, 0, took, special=special)) == (paid, others, paid, others)
    lost = bid(SHAWN, 0, 6, special=special)
    assert points(SHAWN, lost) == (-paid, 2, -paid, 2)


def test_004_67_racehorse_names_a_number_only_and_the_dealer_may_equal():
    calls = said(1, 3, None), call(2), said(3, 4, None), said(0, 4, None)
    equal = bids(*calls, tricks_won={"makers": 4},
                 contract={"seat": 0, "tricks": 4, "trump": "ntl"})  # fmt: skip
    assert points(RACEHORSE, equal) == (4, 2, 4, 2)
    named = bids(said(1, 3), *passes(2, 3, 0), tricks_won={"makers": 4})
    assert sentences(RACEHORSE, named) == ["call-not-allowed/name-later"]
    not_dealer = bids(said(1, 3, None), said(2, 3, None), *passes(3, 0), tricks_won={"makers": 4})
    assert sentences(RACEHORSE, not_dealer) == ["call-not-allowed/too-low"]


def test_004_67_racehorse_the_dealer_must_bid_at_least_three():
    passed = {"dealer": 0, "auction": passes(1, 2, 3, 0)}
    assert sentences(RACEHORSE, passed) == ["call-not-allowed/dealer-must-bid"]
    low = bids(*passes(1, 2, 3), said(0, 2, None), tricks_won={"makers": 4})
    assert sentences(RACEHORSE, low) == ["call-not-allowed/below-least"]


@pytest.mark.parametrize("preset", ["bid-racehorse-six", "bid-racehorse-eight"])
def test_004_66_racehorse_two_teams_sitting_alternately(preset):
    rules = ruleset(preset)
    paid = points(rules, bid(rules, 3, 5, tricks=4))
    assert paid == tuple(5 if seat % 2 else rules.hand_size - 5 for seat in range(rules.players))


def test_004_71_alber_the_dealer_must_bid_when_three_pass():
    passed = {"dealer": 0, "auction": passes(1, 2, 3, 0)}
    assert sentences(ALBER, passed) == ["call-not-allowed/dealer-must-bid"]


def test_004_72_alber_only_the_dealer_may_overcall_the_moon_with_a_moon_of_his_own():
    moon = [said(1, trump=None, special="moon")]
    record = bids(*moon, *passes(2, 3), said(0, trump=None, special="moon"),
                  contract={"seat": 0, "trump": "s", "special": "moon2"},
                  tricks_won={"makers": 10})  # fmt: skip
    assert points(ALBER, record) == (15, 0, 15, 0)
    other = bids(
        *moon, said(2, trump=None, special="moon"), *passes(3, 0), tricks_won={"makers": 10}
    )
    assert sentences(ALBER, other) == ["call-not-allowed/must-beat-special"]


def test_d36_alber_two_cards_and_one_card_may_pay_differently():
    rules = ruleset("bid-alber-double-deck", {"moon_one_card": 20})
    assert points(rules, bid(rules, 0, 10, special="moon1")) == (20, 0, 20, 0)
    assert points(rules, bid(rules, 0, 9, special="moon1")) == (-20, 1, -20, 1)
    unsaid = bid(rules, 0, 10, special="moon")
    assert sentences(rules, unsaid) == ["call-not-allowed/special-which"]
    said = unsaid | {"exchange": [{"from": 2, "to": 0, "cards": ["Ah"]}]}
    assert points(rules, said) == (20, 0, 20, 0)


def test_004_78_indiana_eldest_must_open_and_three_passes_end_it():
    assert sentences(INDIANA, bids(*passes(1, 2, 3, 0)))[0] == "call-not-allowed/must-open"
    assert sentences(INDIANA, {"dealer": 0, "contract": None}) == ["call-not-allowed/must-open"]
    assert points(INDIANA, bids(said(1, 3), *passes(2, 3), said(0, 4), *passes(1, 2, 3)))
    assert codes(INDIANA, bids(said(1, 3), *passes(2, 3))) == ["auction-unfinished"]
    assert sentences(INDIANA, bids(said(1, 2), *passes(2, 3, 0))) == [
        "call-not-allowed/below-least"
    ]


def test_004_80_indiana_scores_only_the_bid():
    assert points(INDIANA, bid(INDIANA, 0, 9, tricks=6)) == (6, 3, 6, 3)


# -- specials, contracts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "sentence"),
    [
        ({"special": "grand slam"}, "call-not-allowed/special"),
        ({"special": "moon", "tricks": 7}, "call-not-allowed/special-alone"),
        ({"tricks": 8, "alone": True}, "call-not-allowed/special-which"),
        ({"tricks": 6, "alone": True}, "call-not-allowed/alone-bid"),
        ({}, "bad-format/no-bid"),
        ({"tricks": 6, "round": 1}, "bad-format/not-in-this-game"),
    ],
)
def test_a_contract_must_be_a_bid_of_this_game(contract, sentence):
    assert sentence in sentences(BARRIE, bid(BARRIE, 0, 8, **contract))


def test_an_outcome_in_words_belongs_to_turn_up_games():
    record = {"dealer": 0, "contract": {"seat": 0, "trump": "h", "tricks": 6}, "outcome": "made"}
    assert sentences(BARRIE, record) == ["bad-format/not-in-this-game"]


@pytest.mark.parametrize(
    ("contract", "sentence"),
    [
        ({"seat": 3, "trump": "h", "tricks": 5}, "contract-mismatch/bidder"),
        ({"seat": 1, "trump": "s", "tricks": 5}, "contract-mismatch/trump"),
        ({"seat": 1, "trump": "h", "tricks": 6}, "contract-mismatch/tricks"),
        ({"seat": 1, "trump": "h", "special": "moon"}, "contract-mismatch/special"),
        (None, "contract-mismatch/not-passed"),
    ],
)
def test_contract_and_auction_must_agree(contract, sentence):
    record = bids(said(1, 5), *passes(2, 3, 0), contract=contract)
    assert sentence in sentences(BARRIE, record)


def test_no_trump_can_be_left_out():
    rules = ruleset("bid-general", {"nt": []})
    assert sentences(rules, bid(rules, 0, 6, trump="nt", tricks=5)) == ["call-not-allowed/no-trump"]


def test_a_contract_beside_the_auction_must_itself_be_a_bid():
    record = bids(said(1, 5), *passes(2, 3, 0), contract={"seat": 1, "trump": "h", "special": "x"})
    assert "call-not-allowed/special" in sentences(BARRIE, record)
