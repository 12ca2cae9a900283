"""Worked hands of every game, one line each, in the shorthand of score sheets.

`m` is the maker, `k` the tricks of the makers' side, or tricks by seat `3/1/1/0`; `alone`; `d` a
lone defender; `p` the partner called (`p-` nobody); `b` the bid, `7d` seven diamonds; `out` the
seats that dropped out; `clubs` a club turned up that nobody bid.
"""

import json
import re
from pathlib import Path

import pytest

from scoring import check_hand, preset_ids, ruleset

EXAMPLES = json.loads(
    (Path(__file__).parents[2] / "fixtures/worked_examples.json").read_text("utf-8")
)
CASES = [(preset, case["hand"], case["points"]) for preset, cs in EXAMPLES.items() for case in cs]
CLUBS = {"seat": 0, "special": "dirty_clubs", "trump": "c"}
# A word of the shorthand, and the fields of the contract and of the record it stands for.
WORDS = (
    (r"clubs", lambda m: (CLUBS, {})),
    (r"m(\d)", lambda m: ({"seat": int(m[1])}, {})),
    (r"d(\d)", lambda m: ({}, {"lone_defender": int(m[1])})),
    (r"p(\d|-)", lambda m: ({}, {"partner": None if m[1] == "-" else int(m[1])})),
    (r"out([\d,]+)", lambda m: ({}, {"out": [int(seat) for seat in m[1].split(",")]})),
    (r"b(\d+)", lambda m: ({"tricks": int(m[1])}, {})),
    (r"k(\d+)", lambda m: ({}, {"tricks_won": {"makers": int(m[1])}})),
    (r"[\d/]+/\d+", lambda m: ({}, {"tricks_won": [int(n) for n in m[0].split("/")]})),
    (r"(\d+)(c|d|h|s|nt)", lambda m: ({"tricks": int(m[1]), "trump": m[2]}, {})),
    (r"[a-z_]+", lambda m: ({"special": m[0]}, {})),
)


def record_of(rules, text):
    """The hand record a line of shorthand stands for."""
    contract, more = {}, {}
    for word in text.split():
        reading = next((read, m) for pattern, read in WORDS if (m := re.fullmatch(pattern, word)))
        said, beside = reading[0](reading[1])
        contract |= said
        more |= beside
    if rules.family == "turn_up" and contract.get("special") == "alone":
        contract = {"seat": contract["seat"], "alone": True}
    return {"dealer": 0, "contract": contract, **more}


@pytest.mark.parametrize(("preset", "hand", "points"), CASES)
def test_a_worked_hand_comes_to_its_points(preset, hand, points):
    rules = ruleset(preset)
    answer = check_hand(record_of(rules, hand), rules)
    assert answer.valid, [fault.message for fault in answer.faults]
    assert list(answer.points) == points


def test_the_worked_hands_are_of_games_that_are_shipped():
    assert set(EXAMPLES) <= set(preset_ids())
