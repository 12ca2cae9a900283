"""Hands nobody wrote down: what is known of the other cards still holds against every card."""

import pytest

from scoring import check_hand, ruleset
from tests.scoring.builders import call, cards, passes, sentences
from tests.scoring.full_hand import FULL
from tests.scoring.test_pickup import BARRIE, LONE

STANDARD = ruleset("standard-four-handed")
FERGUSON = ruleset("ferguson-2023-four-handed")


# West deals and turns the nine of hearts; in five tricks he never plays it.
NEVER_PLAYED = {
    "dealer": 3,
    "upcard": "9h",
    "auction": [*passes(0), call(1, "order-up", alone=False)],
    "tricks": [
        {"leader": 0, "cards": cards("Ac Qc Tc 9c")},
        {"leader": 0, "cards": cards("Kc Ah 9d Qd")},
        {"leader": 1, "cards": cards("Jh Ks Jd Qh")},
        {"leader": 1, "cards": cards("As Qs Kh 9s")},
        {"leader": 3, "cards": cards("Kd Ts Th Ad")},
    ],
}


@pytest.mark.parametrize(
    ("rules", "discard", "expected"),
    [
        (STANDARD, None, ["bad-discard/upcard"]),
        (STANDARD, "Jc", ["bad-discard/upcard"]),
        (FERGUSON, None, []),
        (FERGUSON, "Jc", ["bad-discard/gone"]),
        (FERGUSON, "", []),
    ],
)
def test_000_11_a_dealer_whose_hand_is_unknown_plays_the_card_he_took_up(rules, discard, expected):
    """000:11 «the dealer takes one other card from their hand»; by 003:19 he may leave it."""
    record = dict(NEVER_PLAYED)
    if discard is not None:
        record["discards"] = [None, None, None, cards(discard)]
    assert sentences(rules, record) == expected


@pytest.mark.parametrize(
    ("hand", "discard", "expected"),
    [
        (None, "9c", []),
        (None, "Ah", ["duplicate-card/twice"]),  # East played it
        (None, "Ts", ["duplicate-card/twice"]),  # North was dealt it
        (FULL["hands"][3], "9c", []),
        (FULL["hands"][3], "9d", ["bad-discard/not-held"]),
    ],
)
def test_a_dealer_who_sits_out_has_laid_away_a_card_of_his_own(hand, discard, expected):
    """004:122 «removing another card, face-down», also when his partner then plays alone."""
    record = {
        "dealer": 3,
        "upcard": "9h",
        "hands": [FULL["hands"][0], None, None, hand],
        "auction": [*passes(0), call(1, "order-up", alone=True)],
        "discards": [None, None, None, cards(discard)],
        "tricks": [
            {"leader": 0, "cards": cards("Ac Qc Tc")},
            {"leader": 0, "cards": cards("Qh Ah Ad")},
            {"leader": 1, "cards": cards("Jh Ks Ts")},
            {"leader": 1, "cards": cards("As Qs 9s")},
            {"leader": 1, "cards": cards("Th 9d Kc")},
        ],
    }
    assert sentences(STANDARD, record) == expected


# -- exchanges in twin decks -----------------------------------------------------------------------

PLAYED = LONE | {
    "tricks": [
        {"leader": 0, "cards": list(trick)}
        for trick in zip(
            cards("Js Js As As Ks Ks Qs Qs"), LONE["hands"][1], LONE["hands"][3], strict=True
        )
    ]
}


def without(*fields, **more):
    """The played hand without these fields, and with others."""
    return {name: value for name, value in PLAYED.items() if name not in fields} | more


@pytest.mark.parametrize(
    "fields", [(), ("exchange",), ("discards",), ("exchange", "discards"), ("hands",)]
)
def test_004_32_cards_from_a_partner_are_no_doubles_however_much_was_written_down(fields):
    """The partner's hand shows them once, the declarer plays the same ones."""
    assert check_hand(without(*fields), BARRIE).points == (12, 0, 12, 0)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ("Js Jc", "bad-discard/gone"),  # blind: what came in can only be played
        ("Js Ac", "duplicate-card/twice"),  # West played both
    ],
)
def test_004_21_cards_passed_are_played_by_the_declarer_and_by_nobody_else(passed, expected):
    exchange = [{"from": 2, "to": 0, "cards": cards(passed)}]
    assert expected in sentences(BARRIE, without("hands", exchange=exchange))


def test_004_54_a_twin_of_a_card_played_can_be_laid_away_with_cards_of_the_kitty():
    """North's hand and the kitty are not known; the shooter was dealt both tens of spades."""
    rules = ruleset("bid-kokomo-kitty", {"shooter_gets_kitty": True})
    dealt = cards("Js Js Jc Jc As As Ks Ks Ts Ts 9c")
    played = cards("Js Js Jc Jc As As Ks Ks Qs Qs Ts")
    suits = [cards("9d 9d Td Td Jd Jd Qd Qd Kd Kd Ad"), cards("9h 9h Th Th Jh Jh Qh Qh Kh Kh Ah")]
    record = {
        "dealer": 0,
        "hands": [None, suits[0], dealt, suits[1]],
        "contract": {"seat": 2, "trump": "s", "special": "shooter"},
        "discards": [None, None, cards("Ts 9c Tc Tc"), None],
        "tricks": [
            {"leader": 2, "cards": list(trick)}
            for trick in zip(played, suits[1], suits[0], strict=True)
        ],
    }
    assert check_hand(record, rules).points == (22, 0, 22, 0)
