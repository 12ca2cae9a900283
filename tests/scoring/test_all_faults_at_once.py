"""Everything given is checked against everything else given, and every fault is told at once."""

import pytest

from scoring import check_hand, ruleset

STANDARD = ruleset("standard-four-handed")
ORDERED = {"dealer": 0, "upcard": "9h", "auction": [{"seat": 1, "call": "order-up"}]}
MADE = {"dealer": 0, "contract": {"seat": 1, "trump": "h", "round": 1}, "outcome": "made"}


def sentences(record, rules=STANDARD):
    return {fault.sentence for fault in check_hand(record, rules).faults}


@pytest.mark.parametrize(
    "preset",
    ["standard-four-handed", "benny-21", "railroad", "six-handed-euchre", "nanaimo-three-handed"],
)
@pytest.mark.parametrize("tricks", [99, 3, -7])
def test_a_contract_of_a_turn_up_game_has_no_tricks_beside_its_auction_either(preset, tricks):
    rules = ruleset(preset)
    contract = {"seat": 1, "trump": "h"}
    assert check_hand({**ORDERED, "contract": contract, "outcome": "made"}, rules).valid
    record = {**ORDERED, "contract": {**contract, "tricks": tricks}, "outcome": "made"}
    assert sentences(record, rules) == {"bad-format/not-in-this-game"}


def test_points_for_too_few_seats_are_told_beside_tricks_that_no_hand_has():
    found = sentences({**MADE, "tricks_won": [0, 9, 0, 0], "points": [2, 0]})
    assert found == {"bad-format/wrong-length", "wrong-trick-count/won"}


@pytest.mark.parametrize(
    ("count", "fault"),
    [
        ([5], "bad-format/wrong-length"),
        ([9, 0, 0, 0], "wrong-trick-count/won"),
        ([-1, 0, 0, 0], "wrong-trick-count/won"),
        ({"makers": -1}, "wrong-trick-count/one"),
        ({"makers": 6}, "wrong-trick-count/one"),
    ],
)
def test_counts_that_no_hand_has_are_told_beside_calls_that_make_no_contract(count, fault):
    late = [{"seat": 3, "call": "pass"}, {"seat": 2, "call": "pass"}]
    record = {"dealer": 0, "upcard": "9h", "auction": late, "tricks_won": count}
    found = sentences(record)
    assert fault in found
    assert "call-out-of-turn/turn" in found


def test_a_trick_too_many_is_told_beside_a_bid_that_the_rules_do_not_know():
    rules = ruleset("bid-racehorse")
    trick = {"cards": ["9h", "Th", "Jh", "Qh"]}
    record = {
        "dealer": 0,
        "contract": {"seat": 1, "trump": "h", "special": "x"},
        "tricks": [trick] * (rules.hand_size + 1),
    }
    assert "wrong-trick-count/played" in sentences(record, rules)
    assert any(one.startswith("call-not-allowed") for one in sentences(record, rules))


# A bid too low, cards laid away and passed where nobody may: all of it beside what a trick says.
PEPPER = {
    "dealer": 1,
    "contract": {"seat": 3, "tricks": 4},
    "auction": [{"seat": 2, "call": "bid", "tricks": 4}, {"seat": 3, "call": "bid", "tricks": 2}],
    "discards": [["As"], None, None, None],
    "exchange": [{"from": 1, "to": 3, "cards": ["Ks"]}],
}
OUTLINE = {"call-not-allowed/too-low", "bad-discard/nobody", "bad-exchange/none"}


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (["9h", "9h", "Qc", "Kh"], {"bad-format/no-trump", "duplicate-card/twice"}),
        (["9h", "2c", "Qc", "Kh"], {"card-not-in-deck/deck"}),
        (["9h", "Xh", "Qc", "Kh"], {"bad-card/none-such"}),
    ],
)
def test_a_card_that_cannot_be_hides_neither_bids_nor_what_was_laid_away(cards, fault):
    found = sentences(PEPPER | {"tricks": [{"cards": cards}]}, ruleset("pepper"))
    assert found >= fault | OUTLINE
