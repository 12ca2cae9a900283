"""Pick-up, kitty, discard and exchange: how the hand dealt becomes the hand played."""

from copy import deepcopy

import pytest

from scoring import check_hand, ruleset
from tests.scoring.builders import cards, codes, sentences
from tests.scoring.full_hand import FULL

STANDARD = ruleset("standard-four-handed")
NO_COUNT = {name: value for name, value in FULL.items() if name not in ("tricks_won", "points")}


def laid(seat, text):
    discards = [None] * 4
    discards[seat] = cards(text)
    return deepcopy(NO_COUNT) | {"discards": discards}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (laid(3, "9c"), []),
        (laid(3, "9h"), ["bad-discard/upcard"]),
        (laid(3, "Ac"), ["bad-discard/not-held"]),
        (laid(3, "9c Kd"), ["bad-discard/count"]),
        (laid(3, ""), ["bad-discard/count"]),
        (laid(1, "9c"), ["bad-discard/nobody"]),
        (laid(3, "Kd"), ["renege/suit", "card-not-held/held"]),
        (laid(3, "7c"), ["card-not-in-deck/deck"]),
    ],
)
def test_the_dealer_lays_one_other_card_away(record, expected):
    """000:11, 004:122."""
    assert sentences(STANDARD, record) == expected


def test_what_was_laid_away_is_deduced_from_what_was_never_played():
    """Without a discard written down the dealer's unplayed card is it; not the up-card."""
    record = deepcopy(NO_COUNT)
    del record["discards"]
    assert codes(STANDARD, record) == []
    record["tricks"][0]["cards"] = cards("Ac Qc Tc 9c")
    record["tricks"][1]["leader"] = 0
    found = codes(STANDARD, record)
    assert "bad-discard" in found or "wrong-leader" in found


def test_nothing_is_laid_away_when_the_up_card_was_turned_down():
    record = {
        "dealer": 3, "upcard": "9h", "contract": {"seat": 0, "trump": "s", "round": 2},
        "discards": [None, None, None, ["9c"]], "outcome": "made",
    }  # fmt: skip
    assert sentences(STANDARD, record) == ["bad-discard/nobody"]


def test_lists_by_seat_have_one_entry_a_seat():
    assert codes(STANDARD, deepcopy(NO_COUNT) | {"discards": [None, None, None]}) == ["bad-format"]
    assert codes(STANDARD, deepcopy(NO_COUNT) | {"hands": FULL["hands"][:3]}) == ["bad-format"]


# -- kitties -------------------------------------------------------------------------------------

PURDUE = ruleset("bid-purdue-cutthroat")
KITTY = {  # kitty: 9c Tc Jc
    "dealer": 0,
    "hands": [
        cards("Ah Kh Qh Jh Th 9h Ad"), cards("As Ks Qs Js Ts 9s Kd"), cards("Ac Kc Qc Qd Jd Td 9d"),
    ],
    "contract": {"seat": 1, "trump": "s", "tricks": 7},
    "tricks_won": [0, 7, 0],
}  # fmt: skip


@pytest.mark.parametrize(
    ("discards", "expected"),
    [
        ([None, cards("9s 9c Tc"), None], []),
        ([None, cards("9c Tc Jc"), None], []),
        ([None, cards("9s 9c"), None], ["bad-discard/count"]),
        ([None, cards("9s 9c Ah"), None], ["bad-discard/not-held"]),
        ([cards("Ah Kh Qh"), None, None], ["bad-discard/nobody"]),
    ],
)
def test_the_declarer_takes_the_kitty_and_lays_as_many_away(discards, expected):
    """004:50, 57: any of them, also from the kitty."""
    assert sentences(PURDUE, KITTY | {"discards": discards}) == expected


def test_kitty_cards_can_be_played_by_the_declarer_only():
    tricks = [{"cards": cards("Jc Ac Ah")}, {"leader": 1, "cards": cards("As Td Kh")}]
    record = KITTY | {"tricks": tricks, "discards": [None, cards("9s Ts 9c"), None]}
    del record["tricks_won"]
    assert codes(PURDUE, record) == ["wrong-trick-count"]
    tricks[1]["cards"] = cards("As Tc Kh")
    assert codes(PURDUE, record)[0] == "card-not-held"


def test_d35_whether_a_shooter_gets_the_kitty_is_agreed_before_the_game():
    def shooter(rules):
        record = {
            "dealer": 0, "contract": {"seat": 1, "trump": "s", "special": "shooter"},
            "discards": [None, cards("9c 9c 9d 9d"), None, None], "tricks_won": {"makers": 11},
        }  # fmt: skip
        return sentences(rules, record)

    assert shooter(ruleset("bid-kokomo-kitty")) == ["bad-discard/nobody"]
    assert shooter(ruleset("bid-kokomo-kitty", {"shooter_gets_kitty": True})) == []


# -- exchanges -----------------------------------------------------------------------------------

BARRIE = ruleset("bid-barrie")
LONE = {
    "dealer": 0,
    "hands": [
        cards("As As Ks Ks Qs Qs Jh Jd"), cards("Ah Ah Kh Kh Qh Qh Jh Jd"),
        cards("Js Js Jc Jc Ad Ad Kd Kd"), cards("Ac Ac Kc Kc Qc Qc Qd Qd"),
    ],
    "contract": {"seat": 0, "trump": "s", "special": "call2"},
    "tricks_won": [8, 0, 0, 0],
    "discards": [cards("Jh Jd"), None, None, None],
    "exchange": [{"from": 2, "to": 0, "cards": cards("Js Js")}],
}  # fmt: skip


def test_004_32_the_bidder_calls_two_cards_and_lays_two_away():
    assert sentences(BARRIE, LONE) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"exchange": [{"from": 2, "to": 0, "cards": cards("Js")}]},
         ["bad-exchange/count", "bad-discard/count"]),
        ({"exchange": [{"from": 2, "to": 0, "cards": cards("Js Ah")}]}, ["bad-exchange/not-held"]),
        ({"exchange": [{"from": 1, "to": 0, "cards": cards("Ah Ah")}]}, ["bad-exchange/players"]),
        ({"discards": [cards("Jh"), None, None, None]}, ["bad-discard/count"]),
        ({"discards": [cards("Jh Js"), None, None, None]}, ["bad-discard/received"]),
        ({"discards": [None, None, cards("Kd Kd"), None]}, ["bad-discard/nobody"]),
    ],
)  # fmt: skip
def test_004_21_an_exchange_is_blind_between_partners(change, expected):
    """D-37: both decide before seeing what the other passes."""
    found = sentences(BARRIE, LONE | change)
    assert set(expected) <= set(found)


def test_d37_alber_takes_first_and_may_give_back_what_he_took():
    rules = ruleset("bid-barrie", {"exchange_order": "take_first"})
    assert sentences(rules, LONE | {"discards": [cards("Jh Js"), None, None, None]}) == []


def test_a_partner_bid_or_a_plain_moon_has_no_exchange():
    moon = LONE | {"contract": {"seat": 0, "trump": "s", "special": "moon"}}
    assert {"bad-exchange/none", "bad-discard/nobody"} <= set(sentences(BARRIE, moon))


def test_004_45_midwest_may_change_up_to_three():
    rules = ruleset("bid-midwest-double-deck")
    for count, valid in ((0, True), (3, True), (4, False)):
        given = cards("Ah Ah Kh Kh")[:count]
        record = {
            "dealer": 0, "contract": {"seat": 0, "trump": "h", "special": "alone"},
            "exchange": [{"from": 2, "to": 0, "cards": given}],
            "discards": [cards("9c 9c Tc Tc")[:count], None, None, None],
            "tricks_won": [12, 0, 0, 0],
        }  # fmt: skip
        assert check_hand(record, rules).valid is valid
