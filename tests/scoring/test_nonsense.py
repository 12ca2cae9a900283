"""The right fields with nonsense in them, and records that name other rules than the game's."""

import json
import time
from random import Random

import pytest

from scoring import check_hand, preset_ids, ruleset
from tests.scoring.full_hand import FULL

STANDARD = ruleset("standard-four-handed")
LIMIT = 0.05  # seconds of processor time for one record


def answered(record, rules=STANDARD):
    """The answer to a bad record: invalid, told in sentences, as JSON, in time."""
    seconds = []
    while len(seconds) < 3 and min(seconds, default=1) > LIMIT:  # not what a collector took
        start = time.process_time()
        answer = check_hand(record, rules)
        data = json.dumps(answer.to_json())
        seconds.append(time.process_time() - start)
    assert min(seconds) < LIMIT
    assert len(data) < 20_000
    assert answer.valid or all(fault.code and fault.message for fault in answer.faults)
    assert answer.valid != bool(answer.faults)
    return answer


def test_no_rules_and_no_ruleset_named():
    assert check_hand({"dealer": 0}).faults[0].field == "ruleset"
    assert check_hand({"dealer": 0, "ruleset": "whist"}).faults[0].code == "unknown-ruleset"
    options = {"dealer": 0, "ruleset": "standard-four-handed", "options": {"x": 1, "target": "ten"}}
    assert [f.code for f in check_hand(options).faults] == ["unknown-option", "unknown-option"]


def test_a_record_names_its_own_ruleset_and_options():
    record = {"ruleset": "keller-1887-three-handed", "options": {"march_3h": 2}, "dealer": 0,
              "contract": {"seat": 0, "trump": "h"}, "tricks_won": [5, 0, 0]}  # fmt: skip
    assert check_hand(record).points == (2, 0, 0)


def test_what_a_record_names_must_be_what_the_game_is_played_under():
    named = FULL | {"ruleset": "standard-four-handed"}
    assert check_hand(named, STANDARD).valid
    own = ruleset({"extends": "standard-four-handed", "options": {"target": 15}})
    assert check_hand(named, own).valid
    other = FULL | {"ruleset": "guide-32"}
    assert [f.sentence for f in check_hand(other, STANDARD).faults] == ["bad-format/other-ruleset"]
    with_target = FULL | {"options": {"target": 11}}
    assert [f.field for f in check_hand(with_target, STANDARD).faults] == ["options.target"]
    assert check_hand(FULL | {"options": {"target": 15}}, own).valid


def nonsense(rules, random):
    """A record with the right fields and random values in them."""
    seats = rules.players + random.choice((0, 0, 0, 1))
    deck = [*rules.deck, "7c"]

    def some(limit=seats):
        return random.randrange(limit)

    def by_seat(most):
        return [random.sample(deck, some(most)) for _ in range(seats)]

    def called():
        word = random.choice(["pass", "name", "bid", "order-up", "mcevoy"])
        trump, tricks = random.choice([None, "h", "nt"]), random.choice([None, 3, 99])
        return {"seat": some(), "call": word, "trump": trump, "tricks": tricks}

    def trick():
        return {"leader": random.choice([None, some()]), "cards": random.sample(deck, some(6))}

    return {
        "dealer": some(),
        "upcard": random.choice([None, *deck]),
        "contract": random.choice([None, {"seat": some(), "trump": random.choice("cdhs")}]),
        "auction": random.choice([None, [called() for _ in range(some(9))]]),
        "hands": random.choice([None, by_seat(8)]),
        "discards": random.choice([None, by_seat(3)]),
        "exchange": random.choice([None, [{"from": some(), "to": some(), "cards": deck[:2]}]]),
        "tricks": random.choice([None, [trick() for _ in range(some(9))]]),
        "tricks_won": random.choice([None, [some(7) for _ in range(seats)], {"makers": some(9)}]),
        "lone_maker": random.choice([None, None, some()]),
        "lone_defender": random.choice([None, None, some()]),
        "penalties": random.choice([None, [{"kind": "renege", "by": some(), "trick": some(7)}]]),
    }


@pytest.mark.parametrize("preset", preset_ids())
def test_plausible_nonsense_is_answered(preset):
    rules, random = ruleset(preset), Random(preset)
    for _ in range(150):
        record = nonsense(rules, random)
        answered(record, rules)
        answered({name: value for name, value in record.items() if value is not None}, rules)
