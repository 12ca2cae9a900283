"""Folding hands into games: one by one or together, and again after a correction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import HandRecord, check_hand, play_game, ruleset
from scoring.endings import Standing
from scoring.games import step
from scoring.playouts import random_game, thinned
from tests.scoring.rulesets_tried import RULESETS, SEEDS, STANDARD


def stepped(rules, hands, standing):
    for hand in hands:
        standing, _ = step(rules, standing, check_hand(hand, rules), dealer=hand.dealer)
    return standing


@pytest.mark.parametrize("name", RULESETS)
@given(seed=SEEDS)
@settings(max_examples=1)
def test_folding_hands_one_by_one_equals_folding_them_together(name, seed):
    rules = RULESETS[name]
    hands = random_game(rules, seed)
    together = play_game(rules, hands, first_dealer=0)
    alone = stepped(rules, hands, Standing(score=(rules.start,) * len(rules.sides), next_dealer=0))
    assert alone.score == together.score == together.running[-1]
    assert (alone.over, alone.winners, alone.next_dealer) == (
        together.over,
        together.winners,
        together.next_dealer,
    )
    for count, score in list(enumerate(together.running, start=1))[::5]:
        assert play_game(rules, hands[:count], first_dealer=0).score == score


@pytest.mark.parametrize("name", RULESETS)
def test_a_score_is_the_sum_of_the_points_of_its_hands_not_below_the_floor(name):
    rules = RULESETS[name]
    hands = random_game(rules, 8, wild=rules.family == "turn_up")
    score = [rules.start] * len(rules.sides)
    for hand in hands:
        points = check_hand(hand, rules).points
        score = [before + points[side[0]] for before, side in zip(score, rules.sides, strict=True)]
        if rules.options["score_floor"] == 0:
            score = [max(0, points) for points in score]
    assert play_game(rules, hands).score == tuple(score)


@given(seed=SEEDS, data=st.data())
@settings(max_examples=20)
def test_a_corrected_hand_changes_every_score_after_it_by_the_same_and_none_before(seed, data):
    rules = ruleset(STANDARD, {"target": 500})
    hands = [hand for game in range(2) for hand in some_hands(rules, seed + game)]
    hands = redealt(hands, rules)
    place = data.draw(st.integers(0, len(hands) - 1))
    better = redealt([some_hands(rules, seed + 7)[0]], rules, dealer=hands[place].dealer)[0]
    before = play_game(rules, hands)
    after = play_game(rules, [*hands[:place], better, *hands[place + 1 :]])
    change = [
        check_hand(better, rules).points[side] - check_hand(hands[place], rules).points[side]
        for side in range(2)
    ]
    assert after.running[:place] == before.running[:place]
    for old, new in zip(before.running[place:], after.running[place:], strict=True):
        assert [n - o for n, o in zip(new, old, strict=True)] == change


def some_hands(rules, seed):
    """Contracts and tricks without seats that a dealer would decide."""
    return random_game(ruleset(rules, {"target": 6, "stick_the_dealer": True}), seed)


def redealt(hands, rules, *, dealer=0):
    """Hands as contracts and tricks, dealt in turn; so any of them can stand anywhere."""
    played = ruleset(rules, {"stick_the_dealer": True})
    counted = [thinned(hand, played, "counts") for hand in hands]
    return [
        HandRecord(
            dealer=(dealer + place) % rules.players,
            contract=hand.contract,
            tricks_won=hand.tricks_won,
        )
        for place, hand in enumerate(counted)
    ]


def test_a_correction_that_ends_the_game_earlier_shows_the_hands_that_no_longer_fit():
    rules = ruleset(STANDARD)
    hands = random_game(rules, 11)
    early = play_game(rules, hands, initial_score=[9, 9])
    assert early.over
    assert len(early.answers) == len(hands)
    numbers = [found.hand for found in early.faults if found.code == "game-over"]
    assert numbers == list(range(early.hands_played + 1, len(hands) + 1))


def test_a_correction_that_changes_who_deals_next_shows_the_hand_dealt_out_of_turn():
    rules = ruleset(STANDARD, {"passout_dealer": "same"})
    hands = random_game(rules, 11)
    passed = {"dealer": hands[0].dealer, "contract": None}
    state = play_game(rules, [passed, *hands[1:]])
    assert [(found.code, found.hand) for found in state.faults] == [("wrong-dealer", 2)]
    assert state.running[0] == (0, 0)


def test_a_hand_with_a_fault_pays_nothing_and_the_rest_are_still_folded():
    rules = ruleset(STANDARD)
    hands = random_game(rules, 11)
    state = play_game(rules, [hands[0], {"dealer": hands[1].dealer}, *hands[2:]])
    assert state.running[1] == state.running[0]
    assert {found.hand for found in state.faults} == {2}
    assert not state.valid
