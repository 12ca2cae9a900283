"""Whatever is spoilt in a good record is found: every single corruption has its fault."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import check_hand
from scoring.playouts import random_hand
from tests.scoring.corruptions import CORRUPTIONS
from tests.scoring.rulesets_tried import RULESETS, SEEDS


def spoilt(rules, seed, wild):
    """A random hand spoilt in every way it has a place for: name, record, codes expected."""
    hand = random_hand(rules, seed, dealer=seed % rules.players, wild=wild)
    for name, (spoil, codes) in CORRUPTIONS.items():
        record = spoil(hand, rules, Random(seed))
        if record is not None:
            yield name, record, codes


@pytest.mark.parametrize("name", RULESETS)
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=2)
def test_any_single_corruption_of_a_legal_hand_is_refused_with_its_fault(name, seed, wild):
    rules = RULESETS[name]
    wrong = {}
    for what, record, codes in spoilt(rules, seed, wild):
        answer = check_hand(record, rules)
        codes_found = {found.code for found in answer.faults}
        if answer.valid or answer.points is not None or not codes_found & codes:
            wrong[what] = (sorted(codes_found), record)
        assert all(found.message for found in answer.faults)
    assert wrong == {}


def test_every_corruption_finds_hands_to_spoil():
    tried = set()
    for rules in list(RULESETS.values())[::3]:
        for seed in range(6):
            tried |= {name for name, _, _ in spoilt(rules, seed, wild=True)}
    assert tried == set(CORRUPTIONS)
