"""The newer options played card by card, by hand: joker, best card, going under, farmers."""

from scoring import check_hand, play_game, ruleset
from tests.scoring.builders import call, passes, sentences

THREE = ruleset("five-hundred-three")


def tricks(*rows):
    """Tricks as `"B 7d 8d/d"`: the cards in order and the suit a joker led stands for."""
    parts = [row.partition("/") for row in rows]
    return [
        {"cards": cards.split()} | ({"named": named} if named else {}) for cards, _, named in parts
    ]


def no_trump(*rows):
    """Seven in no trump by eldest hand of three."""
    contract = {"seat": 0, "trump": "nt", "tricks": 7}
    return {"dealer": 2, "contract": contract, "tricks": tricks(*rows)}


LED = ("As 7s 8s", "Ks 9s Ts", "Qs Js 7h", "B 7d 8d/d", "Ah 8h 9h", "Kh Th Jh", "Ad 9d Td",
       "Kd Jd Qd", "Ac 7c 8c", "Kc 9c Tc")  # fmt: skip
# The joker takes a spade from a hand that holds the ace; each of the others takes one trick.
FOLLOWED = ("Qs Ks Ts", "7s 8s B", "As 9s Js", "Ah 8h 9h", "Kh Th Jh", "Ad 9d Td", "Kd Qd 8d",
            "Ac 7c 8c", "Kc Qc Tc", "7h Jc Qh")  # fmt: skip
RENOUNCED = ("Qc Ac 8c", "As 7s 7d", "Ks 8s B", "Qs 9s 8d", "Js Ts 9d", "Ah 9h Jh", "Kh 8h 7h",
             "Ad Qd Td", "Kd Jd Tc", "Kc Jc 9c")  # fmt: skip


def test_a_joker_led_in_no_trump_stands_for_the_suit_its_leader_names():
    answer = check_hand(no_trump(*LED), THREE)
    assert (answer.tricks_won, answer.points) == ((10, 0, 0), (250, 0, 0))
    unnamed = no_trump(*(row.removesuffix("/d") for row in LED))
    assert sentences(THREE, unnamed) == ["bad-format/joker-named"]
    spoilt = list(LED)
    spoilt[3:5] = "B 8h 8d/d", "Ah 7d 9h"  # a diamond was there to follow with
    wrong = check_hand(no_trump(*spoilt), THREE).faults
    assert ("renege", 4, 1) in [(found.code, found.trick, found.seat) for found in wrong]


def test_a_joker_may_be_played_to_any_suit_in_no_trump_and_takes_the_trick():
    answer = check_hand(no_trump(*FOLLOWED), THREE)
    assert (answer.tricks_won, answer.points) == ((8, 1, 1), (220, 10, 10))


def test_a_joker_played_to_a_suit_its_holder_has_renounced_wins_nothing():
    answer = check_hand(no_trump(*RENOUNCED), THREE)
    assert (answer.tricks_won, answer.points) == ((0, 10, 0), (-220, 100, 0))


def test_a_joker_led_cannot_name_a_suit_its_leader_has_renounced():
    led = no_trump("Qc Ac 8c", "As 7s 7d", "7h 8h Kh", "B Ks 8s/s")
    assert sentences(THREE, led) == ["call-not-allowed/joker-renounced", "wrong-trick-count/played"]


def test_of_those_who_reach_the_target_together_the_first_to_take_the_trick_wins():
    played = no_trump(*FOLLOWED)
    game = play_game(THREE, [played], initial_score=(0, 490, 495))
    assert (game.score, game.winners, game.why) == ((220, 500, 505), (1,), "trick-order")
    counted = {**played, "tricks": None, "tricks_won": [8, 1, 1]}
    game = play_game(THREE, [counted], initial_score=(0, 490, 495))
    assert (game.winners, game.why) == ((2,), "higher")


BEST = {
    "dealer": 1,
    "upcard": "9s",
    "hands": [
        ["Jh", "Ah", "Kh", "As", "9c"],
        ["Qh", "Ks", "Qs", "Kc", "Qc"],
        ["Jd", "Js", "Ts", "Jc", "Tc"],
        ["Th", "Kd", "Qd", "Td", "9d"],
    ],
    "contract": {"seat": 0, "trump": "h", "round": 2, "alone": True},
    "exchange": [{"from": 2, "to": 0, "cards": ["Jd"]}],
    "discards": [["9c"], None, None, None],
    "tricks": tricks("Kd Kh Qc", "Jh Qh Th", "Jd Ks 9d", "Ah Qs Td", "As Kc Qd"),
}


def best_card(how):
    return ruleset("standard-four-handed", {"partners_best": how})


def test_a_lone_hand_plays_the_best_card_of_its_partner():
    assert check_hand(BEST, best_card("take_first")).points == (4, 0, 4, 0)
    assert check_hand(BEST, best_card("discard_first")).points == (4, 0, 4, 0)
    kept = {name: value for name, value in BEST.items() if name not in ("exchange", "discards")}
    assert sentences(best_card("take_first"), kept) == ["card-not-held/held"]
    assert not check_hand(BEST, best_card("off")).valid


def test_the_partners_card_may_go_away_again_only_where_it_is_taken_first():
    spoilt = {**BEST, "discards": [["Jd"], None, None, None]}
    spoilt["tricks"] = tricks("Kd Kh Qc", "Jh Qh Th", "9c Kc 9d", "Ks As Td", "Ah Qs Qd")
    assert "bad-discard/received" in sentences(best_card("discard_first"), spoilt)
    assert "bad-discard/received" not in sentences(best_card("take_first"), spoilt)


UNDER = {
    "dealer": 0,
    "upcard": "9s",
    "hands": [
        ["Js", "Ts", "Jc", "As", "Ac"],
        ["9c", "Tc", "9d", "Ah", "Kh"],
        ["Th", "Ks", "Qs", "Kc", "Qc"],
        ["9h", "Kd", "Qd", "Td", "Ad"],
    ],
    "auction": [call(1, "go-under"), *passes(1, 2, 3, 0), call(1, "name", trump="h")],
    "discards": [None, ["9c", "Tc", "9d"], None, None],
    "tricks": tricks("Jh Th 9h Js", "Jd Ks Kd Ts", "Ah Qs Qd Jc", "Kh Kc Td As", "Qh Qc Ad Ac"),
}


def test_who_goes_under_plays_the_cards_left_over_for_three_nines_and_tens():
    rules = ruleset("standard-four-handed", {"go_under": True})
    assert check_hand(UNDER, rules).points == (0, 2, 0, 2)
    high = {**UNDER, "discards": [None, ["9c", "Tc", "Kh"], None, None]}
    assert "bad-discard/under" in sentences(rules, high)
    off = sentences(ruleset("standard-four-handed"), UNDER)
    assert off == ["call-not-allowed/under-rule"]


def test_a_farmers_hand_is_dealt_again_by_the_same_dealer_and_not_played():
    rules = ruleset("standard-four-handed", {"farmers": "redeal"})
    declared = {**UNDER, "auction": [call(1, "redeal", special="farmers")]}
    played = sentences(rules, declared)
    assert played == ["tricks-mismatch/thrown-in"] * 2
    thrown_in = {**declared, "tricks": None, "discards": None}
    answer = check_hand(thrown_in, rules)
    assert (answer.outcome, answer.points, answer.next_dealer) == ("thrown-in", (0, 0, 0, 0), 0)
    other = {**thrown_in, "auction": [call(0, "redeal", special="farmers")]}
    assert sentences(rules, other) == ["call-not-allowed/redeal-hand"]


def test_a_jambone_that_is_not_alone_is_told_with_everything_else_that_is_wrong():
    rules = ruleset("standard-four-handed", {"jambone": 8})
    contract = {"seat": 0, "trump": "h", "special": "jambone", "alone": False}
    wrong = {"dealer": 0, "contract": contract, "tricks_won": [9, 0, 0, 0]}
    found = sentences(rules, wrong)
    assert found == ["call-not-allowed/shown-alone", "wrong-trick-count/won"]
    assert "call-not-allowed/special" in sentences(ruleset("standard-four-handed"), wrong)
