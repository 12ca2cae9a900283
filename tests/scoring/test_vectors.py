"""The test vectors of the rules document, section 5: straight from the five sources."""

import pytest

from scoring import Ruling, check_hand, play_game, ruleset
from tests.scoring.builders import bid, cards, game, points, turn_up, won


def test_1_keller_three_handed_running_example():
    """001:23-27, A = 0, B = 1, C = 2: A and B euchre C at four all and both win."""
    rules = ruleset("keller-1887-three-handed")
    results = [(0, 5), (1, 3), (2, 3), (1, 3), (1, 3), (2, 5), (0, 3), (1, 3), (2, 2)]
    state = play_game(rules, won(rules, *results))
    assert state.running == (
        (3, 0, 0), (3, 1, 0), (3, 1, 1), (3, 2, 1), (3, 3, 1), (3, 3, 4), (4, 3, 4), (4, 4, 4),
        (6, 6, 4),
    )  # fmt: skip
    assert (state.over, state.winners, state.faults) == (True, (0, 1), ())


def test_1_keller_four_and_three_win_equally_by_euchring_the_third():
    """001:27: the one having four takes no precedence of the one having three."""
    rules = ruleset("keller-1887-three-handed")
    state = play_game(rules, [turn_up(rules, 2, 1, dealer=2)], initial_score=[4, 3, 0])
    assert (state.score, state.winners) == ((6, 5, 0), (0, 1))


def test_1_keller_a_euchre_of_b_at_three_nothing_ends_it():
    """001:23: A could score two points, and win the game."""
    rules = ruleset("keller-1887-three-handed")
    state = play_game(rules, [turn_up(rules, 1, 2, dealer=1)], initial_score=[3, 0, 0])
    assert (state.score, state.winners) == ((5, 0, 2), (0,))


@pytest.mark.parametrize(
    ("alone", "tricks", "makers", "defenders"),
    [
        (False, 3, 1, 0), (False, 4, 1, 0), (False, 5, 2, 0),
        (True, 3, 1, 0), (True, 4, 1, 0), (True, 5, 4, 0),
        *[(alone, tricks, 0, 2) for alone in (False, True) for tricks in (0, 1, 2)],
    ],
)  # fmt: skip
def test_2_ferguson_table(alone, tricks, makers, defenders):
    """003:38-42."""
    rules = ruleset("ferguson-2023-four-handed")
    hand = turn_up(rules, 2, tricks, alone=alone)
    assert points(rules, hand) == (makers, defenders, makers, defenders)


@pytest.mark.parametrize(
    ("preset", "alone", "paid"),
    [
        ("nanaimo-four-handed", False, 4),
        ("nanaimo-four-handed", True, 4),
        ("nanaimo-four-handed-standard", False, 2),
        ("nanaimo-four-handed-standard", True, 4),
    ],
)
def test_3_nanaimo_march(preset, alone, paid):
    """002:145 by the letter, and its standard sibling (D-14)."""
    rules = ruleset(preset)
    assert points(rules, turn_up(rules, 1, 5, alone=alone)) == (0, paid, 0, paid)


def test_4_gamerules_nine_nine_and_a_euchre_plays_on():
    """000:19: two players at ten at the same time play another until there is a winner."""
    rules = ruleset("three-hand-gamerules")
    both = turn_up(rules, 2, 2, dealer=2)
    state = play_game(rules, [both], initial_score=[9, 9, 3])
    assert (state.score, state.over) == ((11, 11, 3), False)
    state = play_game(rules, [both, turn_up(rules, 0, 3, dealer=0)], initial_score=[9, 9, 3])
    assert (state.score, state.winners) == ((12, 11, 3), (0,))


@pytest.mark.parametrize(
    ("preset", "contract", "tricks", "makers", "others"),
    [
        ("bid-barrie", {"tricks": 6}, 7, 7, 1),
        ("bid-barrie", {"tricks": 6}, 5, -6, 3),
        ("bid-indiana-double-deck", {"tricks": 6}, 9, 6, 3),
        ("bid-indiana-double-deck", {"tricks": 6}, 5, -6, 7),
        ("bid-hoosier-four-player", {"tricks": 10}, 10, 16, 0),
        ("bid-hoosier-four-player", {"tricks": 10}, 8, -16, 2),
        ("bid-hoosier-four-player", {"special": "moon_alone"}, 10, 32, 0),
        ("bid-shawn", {"special": "7alone"}, 8, 14, 0),
        ("bid-barrie", {"special": "call1"}, 7, -18, 1),
        ("bid-midwest-double-deck", {"special": "alone"}, 11, -24, 1),
    ],
)
def test_5_bid_games(preset, contract, tricks, makers, others):
    """004:25-26, 35-37, 45, 49, 63, 80."""
    rules = ruleset(preset)
    assert points(rules, bid(rules, 1, tricks, **contract)) == (others, makers, others, makers)


def test_5_hoosier_moon_alone_from_nothing_is_the_game():
    rules = ruleset("bid-hoosier-four-player")
    state = play_game(rules, [bid(rules, 0, 10, special="moon_alone")])
    assert (state.score, state.winners, state.reason) == ((32, 0), (0, 2), "Won by making the bid")


def test_6_defending_a_made_bid_to_the_target_does_not_win_but_setting_one_does():
    """004:27: 31, take two odd tricks, 33 is no win; the next hand sets the opponents."""
    rules = ruleset("bid-shawn")
    hands = [bid(rules, 1, 6, dealer=0, tricks=5), bid(rules, 1, 4, dealer=1, tricks=6)]
    state = play_game(rules, hands[:1], initial_score=[31, 0])
    assert (state.score, state.over) == ((33, 6), False)
    state = play_game(rules, hands, initial_score=[31, 0])
    assert (state.score, state.winners, state.reason) == ((37, 0), (0, 2), "Won by setting the bid")


def test_6_alber_both_over_and_the_bidding_side_wins():
    """004:74: bidder 45 makes 7, the other 50 takes 3."""
    rules = ruleset("bid-alber-double-deck")
    state = play_game(rules, [bid(rules, 0, 7, tricks=7)], initial_score=[45, 50])
    assert (state.score, state.winners) == ((52, 53), (0, 2))


@pytest.mark.parametrize(("form", "score"), [("add", (12, 9)), ("deduct", (8, 5))])
def test_7_guide_renege_against_a_loner_at_the_claimants_choice(form, score):
    """004:137-138: 8-9, the side at 8 catches a renege against a loner."""
    ruling = Ruling(after=0, kind="renege", by=1, form=form, lone=True)
    state = game("guide-four-handed", [], initial_score=[8, 9], rulings=[ruling])
    assert (state.score, state.over) == (score, form == "add")


@pytest.mark.parametrize(
    ("preset", "options", "leader"),
    [
        ("guide-four-handed", {}, 3),
        ("standard-four-handed", {"defend_alone": "v_lone_maker"}, 2),
    ],
)
def test_8_lead_between_two_lone_players(preset, options, leader):
    """004:129 the lone defender's; elsewhere the eldest active hand's (D-13). South is alone."""
    rules = ruleset(preset, options)
    record = {
        "dealer": 1, "upcard": "9h",
        "contract": {"seat": 2, "trump": "h", "round": 1, "alone": True},
        "lone_defender": 3,
        "tricks": [{"leader": leader, "cards": cards(pair)} for pair in ("Ah Kh",)],
    }  # fmt: skip
    faults = [fault.code for fault in check_hand(record, rules).faults]
    assert faults == ["wrong-trick-count"]
    record["tricks"][0]["leader"] = 5 - leader
    assert check_hand(record, rules).faults[0].code == "wrong-leader"
