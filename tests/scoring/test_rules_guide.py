"""004, lines 92-192: Euchre: The Ultimate Guide, its deck variants and modifiers."""

import pytest

from scoring import check_hand, play_game, ruleset
from scoring.cards import trump_table
from tests.scoring.builders import call, cards, codes, game, passes, points, sentences, turn_up

GUIDE = ruleset("guide-four-handed")
STANDARD = "standard-four-handed"


def auction(*calls, dealer=0, upcard="9s", tricks_won=(3, 2, 0, 0), **more):
    record = {"dealer": dealer, "upcard": upcard, "auction": list(calls), **more}
    return record | ({"tricks_won": list(tricks_won)} if tricks_won else {})


def under(**options):
    return ruleset(STANDARD, options)


# -- calls ---------------------------------------------------------------------------------------


def test_004_121_eldest_accepts_partner_assists_pone_orders_dealer_takes_up():
    for seat in (1, 2, 3, 0):
        before = [s for s in (1, 2, 3, 0) if (s - 1) % 4 < (seat - 1) % 4]
        tricks = [3 if s == seat else 2 if s == (seat + 1) % 4 else 0 for s in range(4)]
        record = auction(*passes(*before), call(seat, "order-up"), tricks_won=tricks)
        assert check_hand(record, GUIDE).makers == (seat % 2, seat % 2 + 2)


def test_004_123_all_pass_twice_and_a_new_player_deals():
    record = auction(*passes(1, 2, 3, 0, 1, 2, 3, 0), tricks_won=None)
    answer = check_hand(record, GUIDE)
    assert (answer.outcome, answer.points, answer.next_dealer) == ("thrown-in", (0,) * 4, 1)


def test_004_122_a_second_up_card_changes_no_suit_that_may_be_named():
    """D-20: the option exists; the second round names suits freely all the same."""
    record = auction(*passes(1, 2, 3, 0), call(1, "name", trump="c"), tricks_won=(0, 5, 0, 0))
    assert points(under(second_upcard=True), record) == (0, 2, 0, 2)


def test_004_170_stick_the_dealer():
    record = auction(*passes(1, 2, 3, 0, 1, 2, 3, 0), tricks_won=None)
    assert sentences(under(stick_the_dealer=True), record) == ["call-not-allowed/stuck"]


def test_d19_the_dealers_partner_orders_up_only_by_going_alone():
    rules = under(partner_order_alone=True)
    assist = auction(call(1), call(2, "order-up"), tricks_won=(0, 2, 3, 0))
    assert sentences(rules, assist) == ["call-not-allowed/partner-alone"]
    alone = auction(call(1), call(2, "order-up", alone=True), tricks_won=(0, 0, 5, 0))
    assert points(rules, alone) == (4, 0, 4, 0)
    second = auction(*passes(1, 2, 3, 0, 1), call(2, "name", trump="h"), tricks_won=(0, 2, 3, 0))
    assert points(rules, second) == (1, 0, 1, 0)


# -- alone ---------------------------------------------------------------------------------------


def test_004_125_either_of_the_makers_may_play_alone():
    """D-21: the maker's partner takes the hand over; elsewhere only the maker may."""
    taken = auction(call(1, "order-up"), tricks_won=(0, 0, 0, 5), lone_maker=3)
    assert points(GUIDE, taken) == (0, 4, 0, 4)
    assert check_hand(taken, GUIDE).alone == (3,)
    assert sentences(under(), taken) == ["call-not-allowed/lone-maker-rule"]
    stranger = auction(call(1, "order-up"), tricks_won=(0, 5, 0, 0), lone_maker=0)
    assert "call-not-allowed/lone-maker" in sentences(GUIDE, stranger)


def test_004_125_alone_may_be_said_until_the_lead_or_only_with_the_call():
    late = auction(call(1, "order-up"), tricks_won=(0, 5, 0, 0))
    late["contract"] = {"seat": 1, "trump": "s", "round": 1, "alone": True}
    assert points(GUIDE, late) == (0, 4, 0, 4)
    assert sentences(under(alone_window="with_call"), late) == ["call-not-allowed/alone-late"]


@pytest.mark.parametrize(
    ("alone", "window", "expected"),
    [
        (True, "v_lone_maker", []),
        (False, "v_lone_maker", ["call-not-allowed/defend-alone-only"]),
        (False, "always", []),
        (True, "never", ["call-not-allowed/defend-alone"]),
    ],
)
def test_d22_when_a_defender_may_play_alone(alone, window, expected):
    record = turn_up(under(), 0, 3, alone=alone, lone_defender=1)
    assert sentences(under(defend_alone=window), record) == expected


def test_d22_a_defender_is_not_one_of_the_makers():
    record = turn_up(under(), 0, 3, alone=True, lone_defender=2)
    assert "call-not-allowed/defender-side" in sentences(GUIDE, record)


@pytest.mark.parametrize(
    ("tricks", "guide", "standard"), [(0, 4, 4), (1, 2, 4), (2, 2, 4), (3, 0, 0), (5, 0, 0)]
)
def test_d22_points_of_a_lone_defender(tricks, guide, standard):
    """004:136-139: only the sweep pays four in the Guide; elsewhere any lone euchre does."""
    record = turn_up(GUIDE, 0, tricks, alone=True, lone_defender=1)
    assert points(GUIDE, record)[1] == guide
    assert points(under(defend_alone="always"), record)[1] == standard


# -- lead ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "alone", "against", "leader"),
    [
        ({}, None, None, 0),
        ({}, 3, None, 0),  # left of dealer West
        ({}, 2, None, 1),  # eldest North sits out: the next who plays
        ({"loner_lead": "left_of_loner"}, 3, None, 0),
        ({"loner_lead": "left_of_loner"}, 1, None, 2),
        ({"defend_alone": "always"}, None, 1, 0),
        ({"defend_alone": "always", "loner_lead": "left_of_loner"}, None, 1, 2),  # D-49
        ({"defend_alone": "always"}, 2, 3, 2),
        ({"defend_alone": "always", "two_loner_lead": "lone_defender"}, 2, 3, 3),
    ],
)
def test_d13_who_leads_when_somebody_plays_alone(options, alone, against, leader):
    """004:127-129; Bicycle: eldest, or the player across from the dealer."""
    rules = under(**options)
    maker = alone if alone is not None else 2
    record = {
        "dealer": 3, "contract": {"seat": maker, "trump": "h", "alone": alone is not None},
        "tricks": [{"leader": leader, "cards": []}],
    }  # fmt: skip
    if against is not None:
        record["lone_defender"] = against
    assert "wrong-leader" not in codes(rules, record)
    for other in {0, 1, 2, 3} - {leader}:
        record["tricks"][0]["leader"] = other
        assert "wrong-leader" in codes(rules, record)


# -- points --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alone", "tricks", "makers", "others"),
    [
        (False, 3, 1, 0), (False, 4, 1, 0), (False, 5, 2, 0), (False, 0, 0, 2), (False, 2, 0, 2),
        (True, 3, 1, 0), (True, 4, 1, 0), (True, 5, 4, 0), (True, 2, 0, 2),
    ],
)  # fmt: skip
def test_004_133_139_points(alone, tricks, makers, others):
    assert points(GUIDE, turn_up(GUIDE, 0, tricks, alone=alone)) == (makers, others) * 2


def test_d48_a_lone_maker_without_a_trick_may_cost_four():
    rules = under(super_euchre=4)
    assert points(rules, turn_up(rules, 0, 0, alone=True)) == (0, 4, 0, 4)
    assert points(rules, turn_up(rules, 0, 1, alone=True)) == (0, 2, 0, 2)
    assert points(rules, turn_up(rules, 0, 0)) == (0, 2, 0, 2)


def test_an_outcome_that_leaves_the_points_open_is_not_enough():
    rules = under(super_euchre=4)
    hand = {"dealer": 0, "contract": {"seat": 0, "trump": "h", "alone": True}, "outcome": "euchred"}
    assert sentences(rules, hand) == ["bad-format/outcome-not-enough"]
    assert points(under(), hand) == (0, 2, 0, 2)


# -- variants ------------------------------------------------------------------------------------


def test_004_178_the_benny_has_the_highest_value_in_the_deck():
    rules = ruleset("guide-benny-25")
    record = {
        "dealer": 3, "upcard": "9h", "contract": {"seat": 0, "trump": "s", "round": 2},
        "tricks": [{"cards": cards("Js B Jc As")}, {"leader": 1, "cards": cards("Ad Kd Td 9d")}],
    }  # fmt: skip
    assert codes(rules, record) == ["wrong-trick-count"]


@pytest.mark.parametrize(
    ("rule", "contract", "expected"),
    [
        ("dealer_names_blind_and_makes", {"seat": 0, "trump": "d", "round": 1}, []),
        ("dealer_names_blind_and_makes", {"seat": 1, "trump": "d", "round": 1},
         ["call-not-allowed/joker-turned"]),
        ("redeal", {"seat": 0, "trump": "d", "round": 1}, ["call-not-allowed/joker-redeal"]),
        ("fixed_suit", {"seat": 1, "trump": "s", "round": 1}, []),
        ("fixed_suit", {"seat": 1, "trump": "d", "round": 1}, ["call-not-allowed/order-other"]),
    ],
)  # fmt: skip
def test_d26_the_joker_turned_up(rule, contract, expected):
    rules = ruleset("guide-benny-25", {"joker_turned_up": rule})
    record = {"dealer": 0, "upcard": "B", "contract": contract, "outcome": "made"}
    assert sentences(rules, record) == expected


def test_d26_a_joker_turned_up_may_be_dealt_again_by_the_same_dealer():
    rules = ruleset("guide-benny-25", {"joker_turned_up": "redeal"})
    answer = check_hand({"dealer": 2, "upcard": "B", "contract": None}, rules)
    assert (answer.points, answer.next_dealer) == ((0,) * 4, 2)


def test_004_180_smitty_a_right_prediction_is_trump_and_the_predictor_takes_the_card():
    rules = under(smitty=True)
    hands = [
        cards("Ah Kh Qh 9c Tc"),
        cards("As Ks Qs Js Ts"),
        cards("Ad Kd Qd Jd Td"),
        cards("Ac Kc Qc Jc 9d"),
    ]
    hit = {
        "dealer": 0, "upcard": "9h", "hands": hands,
        "auction": [call(1, "name", trump="h")], "discards": [None, ["Ts"], None, None],
        "tricks_won": [0, 5, 0, 0],
    }  # fmt: skip
    assert points(rules, hit) == (0, 2, 0, 2)
    hit["discards"] = [["9c"], None, None, None]
    assert sentences(rules, hit) == ["bad-discard/nobody"]


def test_004_181_smitty_after_a_wrong_prediction_the_remaining_players_bid():
    """D-28: the predictor skips the first round and bids in the second."""
    rules = under(smitty=True)
    missed = auction(call(1, "name", trump="c"), call(2, "order-up"), tricks_won=(0, 2, 3, 0))
    assert points(rules, missed) == (1, 0, 1, 0)
    again = auction(call(1, "name", trump="c"), call(1, "order-up"), tricks_won=(0, 3, 2, 0))
    assert "call-out-of-turn" in codes(rules, again)
    second = auction(call(1, "name", trump="c"), *passes(2, 3, 0), call(1, "name", trump="d"),
                     tricks_won=(0, 3, 2, 0))  # fmt: skip
    assert points(rules, second) == (0, 1, 0, 1)
    assert "call-not-allowed/smitty-first" in sentences(
        rules, auction(call(1), call(2, "order-up"))
    )


def test_d28_a_prediction_misses_a_joker_that_stands_for_another_suit():
    """D-26: the joker turned up is spades here; the remaining players bid on those."""
    rules = under(smitty=True, deck=25, joker_turned_up="fixed_suit", joker_suit="s")
    hand = {"dealer": 0, "upcard": "B", "tricks_won": [0, 2, 3, 0]}
    missed = hand | {"auction": [call(1, "name", trump="c"), call(2, "order-up")]}
    assert points(rules, missed) == (1, 0, 1, 0)
    assert points(rules, hand | {"auction": [call(1, "name", trump="s")]}) == (2, 0, 2, 0)


def test_d28_a_lone_march_after_a_right_prediction():
    record = auction(call(1, "name", trump="s", alone=True), tricks_won=(0, 5, 0, 0))
    assert points(under(smitty=True), record) == (0, 4, 0, 4)
    assert points(under(smitty=True, smitty_solo=5), record) == (0, 5, 0, 5)


def test_004_181_called_for_the_game_a_sweep_wins_it_all():
    rules = under(smitty=True)
    record = auction(
        call(1, "name", trump="s", special="smitty_game", alone=True), tricks_won=(0, 5, 0, 0)
    )
    state = play_game(rules, [record], initial_score=[9, 0])
    assert (state.score, state.winners) == ((9, 10), (1, 3))
    assert state.reason == "Called for the game and took every trick"
    higher = under(smitty=True, smitty_game=10, target=21)
    assert play_game(higher, [record], initial_score=[9, 0]).winners == (1, 3)
    record["tricks_won"] = [1, 4, 0, 0]
    state = play_game(rules, [record])
    assert (state.score, state.over) == ((0, 1), False)


def test_004_182_a_mcevoy_hand_is_dealt_again_once_a_player_a_game():
    rules = under(mcevoy=True)
    declared = {"dealer": 0, "auction": [call(2, "mcevoy")]}
    assert check_hand(declared, rules).next_dealer == 0  # D-16
    assert check_hand(declared, under(mcevoy=True, misdeal_dealer="next")).next_dealer == 1
    assert sentences(under(), declared) == ["call-not-allowed/mcevoy-rule"]
    again = {"dealer": 0, "auction": [call(2, "mcevoy")]}
    assert [f.sentence for f in play_game(rules, [declared, again]).faults] == [
        "call-not-allowed/mcevoy-again"
    ]
    other = {"dealer": 0, "auction": [call(3, "mcevoy")]}
    assert play_game(rules, [declared, other]).valid
    late = auction(call(1), call(2, "mcevoy"), call(3, "order-up"))
    assert "call-not-allowed/mcevoy" in sentences(rules, late)


def test_004_182_a_mcevoy_hand_is_made_up_of_nines_and_tens():
    rules = under(mcevoy=True)
    low, high = cards("9c 9d 9h 9s Tc"), cards("9c 9d 9h 9s Jc")
    for hand, expected in ((low, []), (high, ["call-not-allowed/mcevoy-hand"])):
        record = {"dealer": 0, "hands": [None, None, hand, None], "auction": [call(2, "mcevoy")]}
        assert sentences(rules, record) == expected


CHUCK = {
    "dealer": 0, "upcard": "9h",
    "hands": [
        cards("Ah Ad As Ac Kc"), cards("Ks Qs Js Ts 9s"), cards("Kd Qd Jd Td 9d"),
        cards("Qc Jc Tc 9c Kh"),
    ],
    "auction": [*passes(1, 2, 3, 0, 1, 2, 3), call(0, "name", trump="h", special="chuck")],
    "tricks_won": [5, 0, 0, 0],
}  # fmt: skip


def test_004_183_a_stuck_dealer_keeps_one_card_and_takes_the_kitty():
    rules = under(chuck=True, stick_the_dealer=True)
    kept_one = CHUCK | {"discards": [cards("Ad As Ac Kc"), None, None, None]}
    assert points(rules, kept_one) == (2, 0, 2, 0)
    kept_two = CHUCK | {"discards": [cards("Ad As Ac"), None, None, None]}
    assert sentences(rules, kept_two) == ["bad-discard/count"]
    back = CHUCK | {"discards": [cards("9h As Ac Kc"), None, None, None]}
    assert sentences(rules, back) == ["bad-discard/received"]


def test_d29_chuck_is_only_for_the_suit_turned_up_and_only_where_it_is_played():
    named = CHUCK | {
        "auction": [*CHUCK["auction"][:-1], call(0, "name", trump="s", special="chuck")]
    }
    assert sentences(under(chuck=True, stick_the_dealer=True), named) == ["call-not-allowed/chuck"]
    assert "call-not-allowed/special" in sentences(under(stick_the_dealer=True), CHUCK)


def test_004_184_dirty_clubs_the_dealer_must_take_a_club():
    rules = under(dirty_clubs=True)
    taken = auction(call(0, "order-up"), upcard="Kc")
    assert points(rules, taken) == (1, 0, 1, 0)
    passed = auction(call(0), upcard="Kc", tricks_won=None)
    assert sentences(rules, passed)[0] == "call-not-allowed/dirty-clubs"
    other = {
        "dealer": 0,
        "upcard": "Kc",
        "contract": {"seat": 1, "trump": "c", "round": 1},
        "outcome": "made",
    }
    assert sentences(rules, other) == ["call-not-allowed/dirty-clubs"]
    assert points(
        rules, other | {"upcard": "Kd", "contract": {"seat": 1, "trump": "d", "round": 1}}
    )


def test_004_185_no_trump_may_be_named_after_the_first_round():
    rules = under(no_trump="second_round")
    named = auction(*passes(1, 2, 3, 0), call(1, "name", trump="nt"), tricks_won=(0, 5, 0, 0))
    assert points(rules, named) == (0, 2, 0, 2)
    assert sentences(under(), named) == ["call-not-allowed/no-trump"]
    first = {"dealer": 0, "contract": {"seat": 1, "trump": "nt", "round": 1}, "outcome": "made"}
    assert sentences(rules, first) == ["call-not-allowed/no-trump-round"]
    low = {"dealer": 0, "contract": {"seat": 1, "trump": "ntl", "round": 2}, "outcome": "made"}
    assert sentences(rules, low) == ["call-not-allowed/no-trump-low"]


def test_004_186_haters_hearts_are_never_trump_and_a_heart_turned_up_goes_to_the_second_round():
    rules = under(forbidden_trumps=["h"])
    named = {"dealer": 0, "contract": {"seat": 1, "trump": "h", "round": 2}, "outcome": "made"}
    assert sentences(rules, named) == ["call-not-allowed/forbidden"]
    assert check_hand(named, rules).faults[0].message == "Hearts can never be trump in this game."
    straight = auction(call(1, "name", trump="c"), upcard="9h", tricks_won=(0, 3, 2, 0))
    assert points(rules, straight) == (0, 1, 0, 1)
    assert codes(rules, auction(call(1, "order-up"), upcard="9h"))
    ordered = {"dealer": 0, "upcard": "9h", "contract": {"seat": 1, "round": 1}, "outcome": "made"}
    assert sentences(rules, ordered) == ["call-not-allowed/forbidden"]
    assert check_hand(ordered, under()).trump == "h"


def test_004_179_cutthroat_first_to_ten():
    rules = ruleset("guide-cutthroat-three-handed")
    state = game("guide-cutthroat-three-handed", [turn_up(rules, 0, 5)], initial_score=[7, 0, 9])
    assert (state.over, state.winners) == (True, (0,))


def test_d46_trumps_are_seven_next_five_and_the_others_six():
    for deck, counts in ((24, (7, 5, 6, 6)), (25, (8, 5, 6, 6)), (32, (9, 7, 8, 8))):
        suit = trump_table("h").suit
        found = [suit[card] for card in under(deck=deck).deck]
        assert tuple(found.count(one) for one in "hdcs") == counts


def test_a_contract_of_a_turn_up_game_has_a_round_and_no_number_of_tricks():
    hand = {"dealer": 0, "contract": {"seat": 1, "trump": "h", "round": 3}, "outcome": "made"}
    assert sentences(GUIDE, hand) == ["bad-format/not-one-of"]
    hand["contract"] = {"seat": 1, "trump": "h", "tricks": 3}
    assert sentences(GUIDE, hand) == ["bad-format/not-in-this-game"]
