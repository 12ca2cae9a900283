"""002 and 003: the chapter rules of Nanaimo, and Ferguson's overview."""

import pytest

from scoring import check_hand, ruleset
from tests.scoring.builders import call, cards, codes, game, passes, points, sentences, turn_up

TWO, THREE, FOUR = (ruleset(f"nanaimo-{n}-handed") for n in ("two", "three", "four"))
FERGUSON = ruleset("ferguson-2023-four-handed")
HANDS = [
    cards("Ah Kh Qh 7c 8c"),
    cards("As Ks Qs Js Ts"),
    cards("Ad Kd Qd Jd Td"),
    cards("Ac Kc Qc Jc Tc"),
]


def ordered(rules, by, discard, *, upcard="9h", dealer=0, **more):
    """A hand of the first round: everybody before `by` passes; what the dealer lays away."""
    before = [(dealer + 1 + n) % rules.players for n in range((by - dealer - 1) % rules.players)]
    laid = [None] * rules.players
    laid[dealer] = [discard]
    return {
        "dealer": dealer, "upcard": upcard, "hands": HANDS[: rules.players],
        "auction": [*passes(*before), call(by, "order-up")], "discards": laid,
        "tricks_won": {"makers": 3}, **more,
    }  # fmt: skip


# -- 002 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "paid"), [(2, (0, 2)), (3, (1, 0)), (4, (1, 0)), (5, (2, 0))])
def test_002_75_two_handed_points(tricks, paid):
    assert points(TWO, turn_up(TWO, 0, tricks)) == paid


@pytest.mark.parametrize(
    ("tricks", "paid"), [(2, (0, 2, 2)), (3, (1, 0, 0)), (4, (1, 0, 0)), (5, (3, 0, 0))]
)
def test_002_107_three_handed_points(tricks, paid):
    assert points(THREE, turn_up(THREE, 0, tricks)) == paid


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(
    ("tricks", "makers", "others"), [(2, 0, 2), (3, 1, 0), (4, 1, 0), (5, 4, 0)]
)
def test_002_145_four_handed_points(tricks, makers, others, alone):
    assert points(FOUR, turn_up(FOUR, 0, tricks, alone=alone)) == (makers, others, makers, others)


def test_002_55_the_discard_leaves_the_hand_before_the_up_card_enters():
    """So the up-card itself cannot be laid away (D-15)."""
    assert points(FOUR, ordered(FOUR, 1, "7c"))
    assert sentences(FOUR, ordered(FOUR, 1, "9h")) == ["bad-discard/upcard"]
    loose = ruleset("nanaimo-four-handed", {"may_discard_upcard": True})
    answer = check_hand(ordered(loose, 1, "9h"), loose)
    assert answer.valid
    assert [warning.code for warning in answer.warnings] == ["up-card-discarded"]


@pytest.mark.parametrize("by", [1, 2, 3, 0])
def test_002_127_131_the_dealer_takes_the_up_card_whoever_orders(by):
    """D-12: of the third seat the text says "his own hand"; read as everywhere else."""
    assert points(FOUR, ordered(FOUR, by, "8c"))


def test_d12_the_orderer_may_be_the_one_who_takes_it():
    rules = ruleset("nanaimo-four-handed", {"upcard_goes_to": "orderer"})
    assert sentences(rules, ordered(rules, 3, "8c")) == ["bad-discard/nobody"]
    own = ordered(rules, 3, "8c") | {"discards": [None, None, None, ["Tc"]]}
    assert points(rules, own)


def test_002_61_the_suit_turned_down_cannot_be_named():
    named = {
        "dealer": 0,
        "contract": {"seat": 2, "trump": "h", "round": 2},
        "upcard": "9h",
        "outcome": "made",
    }
    assert sentences(FOUR, named) == ["call-not-allowed/turned-down"]
    message = check_hand(named, FOUR).faults[0].message
    assert message == "Hearts were turned down; they cannot be named in the second round."
    free = ruleset("nanaimo-four-handed", {"r2_exclude_turned": False})  # D-05
    assert points(free, named)


@pytest.mark.parametrize(("rules", "after"), [(TWO, 1), (THREE, 1), (FOUR, 1)])
def test_002_67_99_135_hands_thrown_in_and_the_next_player_deals(rules, after):
    assert check_hand({"dealer": 0, "contract": None}, rules).next_dealer == after


def test_002_71_103_139_the_player_after_the_dealer_leads():
    for rules in (TWO, THREE, FOUR):
        trick = {"leader": 0, "cards": cards("Ah As Ad Ac")[: rules.players]}
        record = {"dealer": 0, "contract": {"seat": 0, "trump": "h", "round": 2}, "tricks": [trick]}
        assert codes(rules, record)[0] == "wrong-leader"


def test_002_141_the_player_making_trump_may_play_it_alone_and_his_partner_plays_nothing():
    alone = turn_up(FOUR, 1, 5, alone=True)
    assert check_hand(alone, FOUR).alone == (1,)
    alone["tricks_won"] = [0, 4, 0, 1]
    assert sentences(FOUR, alone) == ["partner-played/tricks"]
    assert codes(FOUR, turn_up(FOUR, 1, 2, alone=True, lone_defender=2)) == ["call-not-allowed"]


def test_002_79_ten_points_win():
    state = game("nanaimo-four-handed", [turn_up(FOUR, 0, 5)], initial_score=[6, 9])
    assert (state.over, state.winners, state.needs) == (True, (0, 2), (0, 1))


def test_d01_one_dealer_for_the_whole_game_if_the_club_reads_it_so():
    hands = [turn_up(FOUR, 0, 3, dealer=2), turn_up(FOUR, 0, 3, dealer=2)]
    state = game("nanaimo-four-handed", hands, {"dealer_rotates": "every_game"})
    assert (state.next_dealer, state.faults) == (2, ())
    thrown = game("nanaimo-four-handed", [{"dealer": 2, "contract": None}],
                  {"dealer_rotates": "every_game"})  # fmt: skip
    assert thrown.next_dealer == 2
    assert [fault.code for fault in game("nanaimo-four-handed", hands).faults] == ["wrong-dealer"]


# -- 003 -----------------------------------------------------------------------------------------


def test_003_19_the_dealer_may_leave_the_up_card_lying():
    hands = [
        cards("Ah Kh Qh 9c Tc"),
        cards("As Ks Qs Js Ts"),
        cards("Ad Kd Qd Jd Td"),
        cards("Ac Kc Qc Jc 9s"),
    ]
    left = {
        "dealer": 0, "upcard": "9h", "hands": hands, "discards": [[], None, None, None],
        "contract": {"seat": 1, "trump": "h", "round": 1}, "tricks_won": [5, 0, 0, 0],
    }  # fmt: skip
    assert points(FERGUSON, left) == (2, 0, 2, 0)
    standard = ruleset("standard-four-handed")
    assert sentences(standard, left) == ["bad-discard/count"]


def test_003_17_all_pass_is_a_misdeal_dealt_again():
    thrown = {"dealer": 1, "contract": None}
    assert check_hand(thrown, FERGUSON).next_dealer == 2  # D-16: by whom is not said
    same = ruleset("ferguson-2023-four-handed", {"passout_dealer": "same"})
    assert check_hand(thrown, same).next_dealer == 1


def test_003_21_the_dealer_can_be_forced_to_declare():
    rules = ruleset("ferguson-2023-four-handed", {"stick_the_dealer": True})
    assert codes(rules, {"dealer": 0, "contract": None}) == ["call-not-allowed"]


def test_003_31_only_the_declarer_goes_alone():
    taken = turn_up(FERGUSON, 0, 0, alone=True, lone_maker=2)
    taken["tricks_won"] = [0, 0, 5, 0]
    assert sentences(FERGUSON, taken) == ["call-not-allowed/lone-maker-rule"]


def test_003_23_nobody_must_win_a_trick_and_a_void_player_may_trump():
    """Under-playing and discarding are free; only following suit is owed."""
    record = {
        "dealer": 3, "upcard": "9h", "contract": {"seat": 0, "trump": "s", "round": 2},
        "tricks": [
            {"leader": 0, "cards": cards("Kd 9d Td Qd")},
            {"leader": 0, "cards": cards("Ad 9s Ah Tc")},
            {"leader": 1, "cards": cards("9c Jc Kc Qc")},
            {"leader": 2, "cards": cards("Kh Th Qh Jh")},
            {"leader": 2, "cards": cards("Js As Ks Qs")},
        ],
    }  # fmt: skip
    answer = check_hand(record, FERGUSON)
    assert [fault.message for fault in answer.faults] == []
    assert answer.tricks_won == (1, 1, 3, 0)
