"""The test vectors of the rules document, section 5: straight from the five sources."""

import pytest

from scoring import check_hand, play_game, ruleset


def hand(rules, *, dealer, maker, tricks, alone=False):
    """A contract-and-tricks record: the maker takes `tricks`, the next player the rest."""
    defender = (maker + 1) % rules.players
    won = [0] * rules.players
    won[maker], won[defender] = tricks, rules.hand_size - tricks
    contract = {"seat": maker, "trump": "h", "alone": alone}
    return {"dealer": dealer, "contract": contract, "tricks_won": won}


def test_keller_three_handed_running_example():
    """001:23-27, A = 0, B = 1, C = 2: A and B euchre C at four all and both win."""
    rules = ruleset("keller-1887-three-handed")
    told = [(0, 5), (1, 3), (2, 3), (1, 3), (1, 3), (2, 5), (0, 3), (1, 3), (2, 2)]
    hands = [
        hand(rules, dealer=number % 3, maker=maker, tricks=tricks)
        for number, (maker, tricks) in enumerate(told)
    ]
    state = play_game(rules, hands)
    assert state.running == (
        (3, 0, 0), (3, 1, 0), (3, 1, 1), (3, 2, 1), (3, 3, 1), (3, 3, 4), (4, 3, 4), (4, 4, 4),
        (6, 6, 4),
    )  # fmt: skip
    assert (state.over, state.winners, state.faults) == (True, (0, 1), ())


def test_keller_four_and_three_win_equally_by_euchring_the_third():
    """001:27: the one having four takes no precedence of the one having three."""
    rules = ruleset("keller-1887-three-handed")
    state = play_game(rules, [hand(rules, dealer=2, maker=2, tricks=1)], initial_score=[4, 3, 0])
    assert (state.score, state.winners) == ((6, 5, 0), (0, 1))


def test_keller_a_euchre_of_b_at_three_nothing_ends_it():
    """001:23: A could score two points, and win the game."""
    rules = ruleset("keller-1887-three-handed")
    state = play_game(rules, [hand(rules, dealer=1, maker=1, tricks=2)], initial_score=[3, 0, 0])
    assert (state.score, state.winners) == ((5, 0, 2), (0,))


@pytest.mark.parametrize(
    ("alone", "tricks", "makers", "defenders"),
    [
        (False, 3, 1, 0),
        (False, 4, 1, 0),
        (False, 5, 2, 0),
        (True, 3, 1, 0),
        (True, 4, 1, 0),
        (True, 5, 4, 0),
    ]
    + [(alone, tricks, 0, 2) for alone in (False, True) for tricks in (0, 1, 2)],
)
def test_ferguson_table(alone, tricks, makers, defenders):
    """003:38-42."""
    rules = ruleset("ferguson-2023-four-handed")
    answer = check_hand(hand(rules, dealer=0, maker=2, tricks=tricks, alone=alone), rules)
    assert answer.points == (makers, defenders, makers, defenders)


@pytest.mark.parametrize(
    ("preset", "alone", "points"),
    [
        ("nanaimo-four-handed", False, 4),
        ("nanaimo-four-handed", True, 4),
        ("nanaimo-four-handed-standard", False, 2),
        ("nanaimo-four-handed-standard", True, 4),
    ],
)
def test_nanaimo_march(preset, alone, points):
    """002:145 by the letter, and its standard sibling (D-14)."""
    rules = ruleset(preset)
    answer = check_hand(hand(rules, dealer=0, maker=1, tricks=5, alone=alone), rules)
    assert answer.points == (0, points, 0, points)


def test_gamerules_nine_nine_and_a_euchre_plays_on():
    """000:19: two players at ten at the same time play another until there is a winner (D-07)."""
    rules = ruleset("three-hand-gamerules")
    both = hand(rules, dealer=2, maker=2, tricks=2)
    state = play_game(rules, [both], initial_score=[9, 9, 3])
    assert (state.score, state.over) == ((11, 11, 3), False)
    state = play_game(
        rules, [both, hand(rules, dealer=0, maker=0, tricks=3)], initial_score=[9, 9, 3]
    )
    assert (state.score, state.winners) == ((12, 11, 3), (0,))
