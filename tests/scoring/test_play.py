"""The tricks: turn, leader, following suit, winners; what is found from hands or later play."""

from copy import deepcopy

import pytest

from scoring import check_hand, ruleset
from tests.scoring.builders import cards, codes, sentences
from tests.scoring.full_hand import FULL

STANDARD = ruleset("standard-four-handed")


def spoilt(**changes):
    return deepcopy(FULL) | changes


def with_tricks(*tricks, **changes):
    """The full hand with some tricks replaced: (number, cards) pairs."""
    record = spoilt(**changes)
    for number, text in tricks:
        record["tricks"][number - 1]["cards"] = cards(text)
    return record


def without(record, *fields):
    return {name: value for name, value in record.items() if name not in fields}


def test_the_full_hand_is_in_order_at_every_level_of_detail():
    answer = check_hand(FULL, STANDARD)
    assert answer.to_json() == {
        "valid": True, "outcome": "march", "trump": "h", "makers": [1, 3],
        "tricks_won": [0, 3, 0, 2], "points": [0, 2, 0, 2], "next_dealer": 0,
        "faults": [], "warnings": [],
    }  # fmt: skip
    bare = deepcopy(FULL)
    for trick in bare["tricks"]:
        del trick["leader"]
    for fields in (
        ("hands",), ("discards",), ("hands", "discards"), ("auction",), ("contract",),
        ("tricks",), ("tricks_won", "points"), ("hands", "discards", "auction", "tricks_won"),
    ):  # fmt: skip
        assert check_hand(without(FULL, *fields), STANDARD).points == (0, 2, 0, 2), fields
        assert check_hand(without(bare, *fields), STANDARD).points == (0, 2, 0, 2), fields


def test_the_left_bower_follows_trump_and_not_its_own_suit():
    """000:13, 003:27: West keeps the left bower when trumps are led, and has not followed."""
    record = with_tricks((3, "Jh Ks Qd Ts"), (5, "Jd Kc Th 9d"))
    faults = check_hand(record, STANDARD).faults
    assert [(fault.code, fault.trick, fault.seat) for fault in faults] == [("renege", 3, 3)]
    kept = check_hand(without(record, "tricks_won", "points"), STANDARD)
    assert kept.faults[0].message == "West could follow hearts in trick 3 with the K♥."


def test_a_renege_with_the_left_bower_is_told_as_one():
    record = {
        "dealer": 3, "contract": {"seat": 0, "trump": "s", "round": 2},
        "tricks": [{"cards": cards("As Ks Qs Ah")}, {"cards": cards("9s Ts Kd Jc")}],
    }  # fmt: skip
    message = check_hand(record, STANDARD).faults[0].message
    assert message == "West could follow spades in trick 1 with the J♣, the left bower."


def test_nobody_must_follow_the_left_bowers_printed_suit_with_it():
    record = {
        "dealer": 3, "contract": {"seat": 0, "trump": "s", "round": 2},
        "tricks": [{"cards": cards("Ac Kc Qc 9h")}, {"cards": cards("As Ks Jh Jc")}],
    }  # fmt: skip
    assert codes(STANDARD, record) == ["wrong-trick-count"]


def test_a_renege_is_found_from_the_hand_even_when_the_card_is_played_at_once_after():
    record = with_tricks((1, "Ac As Tc 9h"), (4, "Qc Qs Kh Kc"), (5, "Qd 9s Th 9d"))
    faults = check_hand(without(record, "tricks_won", "points"), STANDARD).faults
    assert [(fault.code, fault.trick, fault.seat, fault.message) for fault in faults] == [
        ("renege", 1, 1, "East could follow clubs in trick 1 with the Q♣."),
    ]


def test_without_hands_a_renege_shows_from_later_play():
    record = with_tricks((1, "Ac As Tc 9h"), (4, "Qc Qs Kh Kc"), (5, "Qd 9s Th 9d"))
    blind = without(record, "hands", "discards", "tricks_won", "points")
    assert [(f.code, f.trick) for f in check_hand(blind, STANDARD).faults] == [("renege", 1)]


def test_with_one_hand_unknown_the_others_are_still_checked():
    record = spoilt(hands=[None, *FULL["hands"][1:]])
    assert codes(STANDARD, record) == []
    swapped = with_tricks((5, "Kd Kc Th 9d"), hands=record["hands"])
    assert codes(STANDARD, swapped)[0] == "card-not-held"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([(1, "Kc Qc Tc 9h"), (5, "Qd Ac Th 9d")], []),
        ([(1, "Ah Qc Tc 9h")], ["card-not-held", "renege"]),
        ([(1, "Ac Qc Tc 9c")], ["card-not-held"]),
        ([(2, "Kd Qh Ad")], ["wrong-card-count"]),
        ([(2, "Kd Qh Ad Ah 9d")], ["wrong-card-count"]),
    ],
)
def test_cards_played_are_cards_held(changes, expected):
    record = without(with_tricks(*changes), "tricks_won", "points")
    found = codes(STANDARD, record)
    assert found[: len(expected)] == expected or set(expected) <= set(found)
    assert bool(found) == bool(expected)


def test_a_wrong_leader_is_told_with_who_had_to_lead():
    record = spoilt()
    record["tricks"][1]["leader"] = 0
    faults = check_hand(record, STANDARD).faults
    assert [(fault.code, fault.trick, fault.seat) for fault in faults] == [("wrong-leader", 2, 0)]
    assert faults[0].message == "West had to lead trick 2, not North."


def test_a_player_who_did_lead_out_of_turn_is_followed_with_the_cards_played():
    """The cards of trick 2 fit the hands only if North led it; nothing else is wrong."""
    changed = with_tricks((2, "Qh Ah Ad Kh"), (4, "As Qs Kd 9s"), (5, "Th 9d Qd Kc"))
    record = without(changed, "tricks_won", "points")
    record["tricks"][1]["leader"], record["tricks"][4]["leader"] = 0, 1
    assert codes(STANDARD, record) == ["wrong-leader"]


def test_the_up_card_is_played_by_nobody_once_it_is_turned_down():
    record = {
        "dealer": 3, "upcard": "9h", "contract": {"seat": 0, "trump": "s", "round": 2},
        "tricks": [{"cards": cards("9h Ah Kh Qh")}],
    }  # fmt: skip
    assert sentences(STANDARD, record)[0] == "card-not-held/turned-down"


def test_the_up_card_is_played_by_the_dealer_only():
    record = {
        "dealer": 3, "upcard": "9h", "contract": {"seat": 0, "trump": "h", "round": 1},
        "tricks": [{"cards": cards("9h Ah Kh Qh")}],
    }  # fmt: skip
    answer = check_hand(record, STANDARD)
    assert answer.faults[0].message == "The up-card, the 9♥, went to West; North cannot play it."


def test_a_card_played_twice_is_told_where_it_comes_again():
    record = with_tricks((5, "Qd Ac Th 9d"))
    blind = without(record, "hands", "discards", "tricks_won", "points")
    found = [(f.code, f.trick, f.seat) for f in check_hand(blind, STANDARD).faults]
    assert found == [("duplicate-card", 5, 0)]


def test_the_deal_is_checked_card_by_card():
    hands = deepcopy(FULL["hands"])
    hands[0][0], hands[1][0], hands[2] = "7c", "9h", hands[2][:4]
    hands[3][0] = "Ah"
    found = [(f.code, f.seat) for f in check_hand(spoilt(hands=hands), STANDARD).faults]
    assert found[:4] == [
        ("card-not-in-deck", 0), ("upcard-in-hand", 1), ("wrong-hand-size", 2),
        ("duplicate-card", 3),
    ]  # fmt: skip


def test_tricks_are_checked_against_every_count():
    assert codes(STANDARD, spoilt(tricks_won=[0, 4, 0, 1], points=None)) == ["tricks-mismatch"] * 2
    assert codes(STANDARD, spoilt(tricks_won={"makers": 4}, points=None)) == ["tricks-mismatch"]
    assert codes(STANDARD, spoilt(tricks_won={"makers": 5})) == []
    assert codes(STANDARD, spoilt(outcome="made")) == ["tricks-mismatch"]
    assert codes(STANDARD, spoilt(outcome="march")) == []
    assert codes(STANDARD, spoilt(points=[0, 1, 0, 1])) == ["points-mismatch"] * 2
    assert codes(STANDARD, spoilt(points=[2, 0])) == ["bad-format"]


def test_a_hand_has_five_tricks():
    record = without(spoilt(), "tricks_won", "points")
    short = record | {"tricks": record["tricks"][:4]}
    assert codes(STANDARD, short) == ["wrong-trick-count"]
    assert codes(STANDARD, record | {"tricks": [*record["tricks"], record["tricks"][0]]})[-1] == (
        "wrong-trick-count"
    )


LONE = {
    "dealer": 3, "upcard": "9h", "contract": {"seat": 1, "trump": "h", "round": 1, "alone": True},
    "hands": FULL["hands"],
    "tricks": [
        {"leader": 0, "cards": cards("Ac Qc Tc")},
        {"leader": 0, "cards": cards("Kc Th 9d")},
        {"leader": 1, "cards": cards("Jh Ks Qh")},
        {"leader": 1, "cards": cards("Ah Qs 9s")},
        {"leader": 1, "cards": cards("As Ad Ts")},
    ],
}  # fmt: skip


def test_a_lone_makers_partner_plays_no_card():
    """003:31; West deals but sits out, so nothing is laid away."""
    assert check_hand(LONE, STANDARD).points == (0, 1, 0, 1)
    four = deepcopy(LONE)
    four["tricks"][0]["cards"] = cards("Ac Qc Tc 9h")
    fault = check_hand(four, STANDARD).faults[0]
    assert (fault.code, fault.trick, fault.seat) == ("partner-played", 1, 3)


def test_two_lone_players_make_tricks_of_two():
    rules = ruleset("guide-four-handed")
    record = LONE | {
        "lone_defender": 2,
        "tricks": [
            {"leader": 2, "cards": cards("Tc Qc")},
            {"leader": 1, "cards": cards("Jh Ks")},
            {"leader": 1, "cards": cards("Ah 9d")},
            {"leader": 1, "cards": cards("Th Qs")},
            {"leader": 1, "cards": cards("As Ad")},
        ],
    }
    assert check_hand(record, rules).points == (0, 4, 0, 4)


def test_of_twin_cards_the_first_played_wins():
    """004:16."""
    rules = ruleset("bid-barrie")
    record = {
        "dealer": 0, "contract": {"seat": 1, "trump": "s", "tricks": 1},
        "tricks": [{"cards": cards("Ah Ah Kh Kh")}, {"leader": 1, "cards": cards("Js Js Jc Jc")},
                   {"leader": 1, "cards": []}],
    }  # fmt: skip
    assert "wrong-leader" not in codes(rules, record)


def test_three_of_a_twin_card_are_one_too_many():
    rules = ruleset("bid-barrie")
    record = {
        "dealer": 0, "contract": {"seat": 1, "trump": "s", "tricks": 1},
        "tricks": [{"cards": cards("Ah Ah Ah Kh")}],
    }  # fmt: skip
    assert codes(rules, record) == ["duplicate-card", "wrong-trick-count"]


def test_no_trump_high_and_low_turn_the_ranks_round():
    """004:15, 54, 68: and all jacks are plain cards."""
    rules = ruleset("bid-racehorse")
    for trump, winner in (("nt", 2), ("ntl", 0)):
        record = {
            "dealer": 0, "contract": {"seat": 1, "trump": trump, "tricks": 3},
            "tricks": [{"cards": cards("Jh Ah Th 9h")}, {"leader": winner, "cards": []}],
        }  # fmt: skip
        assert "wrong-leader" not in codes(rules, record)


def test_trump_must_be_known_to_follow_the_cards():
    record = {"dealer": 3, "contract": {"seat": 0}, "tricks": [{"cards": cards("Ac Qc Tc 9h")}]}
    assert sentences(STANDARD, record) == ["bad-format/no-trump"]
