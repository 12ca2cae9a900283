"""The golden hands of the fixtures: written by hand, keyed by the written rule they show."""

import json
from pathlib import Path

import pytest

from scoring import HandRecord, check_hand, preset_ids
from tests.scoring.test_worked_examples import EXAMPLES

GOLDEN = json.loads((Path(__file__).parents[2] / "fixtures/golden_hands.json").read_text("utf-8"))


@pytest.mark.parametrize("rule", GOLDEN)
def test_a_golden_hand_comes_to_what_its_rule_says(rule):
    case = GOLDEN[rule]
    answer = check_hand(case["record"])
    if "faults" in case:
        assert [fault.code for fault in answer.faults] == case["faults"]
    else:
        assert answer.valid, [fault.message for fault in answer.faults]
        assert list(answer.points) == case["points"]


@pytest.mark.parametrize("rule", GOLDEN)
def test_a_golden_hand_is_the_same_from_its_strict_form(rule):
    case = GOLDEN[rule]
    strict = HandRecord.from_json(case["record"]).to_json()
    assert check_hand(strict) == check_hand(case["record"])


def test_every_preset_has_a_golden_or_a_worked_hand():
    golden = {case["record"]["ruleset"] for case in GOLDEN.values()}
    assert golden | set(EXAMPLES) == set(preset_ids())
