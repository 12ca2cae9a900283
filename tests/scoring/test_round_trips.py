"""Records written and read again: as JSON, by the published schema, and as EGN."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring import HandRecord, check_hand, play_game, ruleset
from scoring.egn import check_game, read_game, rewrite_game, write_game
from scoring.playouts import LEVELS, random_game, random_hand, thinned
from scoring.reading import read_record
from scoring.records import Penalty
from tests.architecture.source import ROOT
from tests.scoring.rulesets_tried import RULESETS, SEEDS, STANDARD, WITH_OPTIONS

SCHEMA = json.loads((ROOT / "scoring" / "hand-record.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def written(rules, seed, wild):
    """A random hand at every level, with everything a table may add to it."""
    hand = random_hand(rules, seed, dealer=seed % rules.players, wild=wild)
    for level in LEVELS:
        yield thinned(hand, rules, level)
    counts = thinned(hand, rules, "counts")
    answer = check_hand(hand, rules)
    yield HandRecord(
        dealer=hand.dealer,
        ruleset=rules.id,
        options=(("renege_points", 3),),
        contract=counts.contract,
        thrown_in=counts.contract is None,
        makers_tricks=sum(answer.tricks_won[seat] for seat in answer.makers),
        penalties=(Penalty("renege", 0, 2, "deduct"), Penalty("renege", 1)),
        points=answer.points,
    )


@pytest.mark.parametrize("name", RULESETS)
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=4)
def test_a_record_written_as_json_reads_the_same_and_keeps_to_the_schema(name, seed, wild):
    for record in written(RULESETS[name], seed, wild):
        text = json.dumps(record.to_json())
        assert HandRecord.from_json(json.loads(text)) == record
        assert list(VALIDATOR.iter_errors(json.loads(text))) == []


def test_the_schema_is_itself_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


ODD_VALUES = [
    None,
    True,
    -1,
    8,
    17,
    1001,
    2.5,
    "",
    "x" * 81,
    "1h",
    "10h",
    "AH",
    [],
    {},
    ["9c"] * 17,
]


def places(data, path=()):
    """Every path into JSON data."""
    yield path
    steps = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in steps if isinstance(data, dict | list) else ():
        yield from places(value, (*path, key)) if isinstance(value, dict | list) else [(*path, key)]


def changed(data, path, value):
    data = copy.deepcopy(data)
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return data


@pytest.mark.parametrize("preset", ["guide-four-handed", "bid-barrie", "bid-kokomo-kitty"])
@given(seed=SEEDS, data=st.data())
@settings(max_examples=40)
def test_no_hand_that_counts_is_written_against_the_schema(preset, seed, data):
    """Readers are lenient (10h, A♥); what they make of it, written strictly, keeps to it."""
    rules = RULESETS[preset]
    record = data.draw(st.sampled_from(list(written(rules, seed, True)))).to_json()
    path = data.draw(st.sampled_from([path for path in places(record) if path]))
    odd = changed(record, path, data.draw(st.sampled_from(ODD_VALUES)))
    read, faults = read_record(odd)
    answer = check_hand(odd, rules)
    if read is None:
        assert faults
        assert answer.faults == faults
    else:
        strict = read.to_json()
        assert VALIDATOR.is_valid(strict) or not answer.valid
        assert HandRecord.from_json(strict) == read
    if VALIDATOR.is_valid(odd):
        assert read is not None, faults


IN_EGN = {
    "stick_the_dealer", "no_trump", "defend_alone", "partner_order_alone", "deck", "loner_lead",
    "target", "hands", "lone_march", "lone_euchred", "may_discard_upcard",
}  # fmt: skip
EGN_RULES = [(STANDARD, {})] + [
    (name, options) for name, options in WITH_OPTIONS
    if name == STANDARD and options.keys() <= IN_EGN
] + [
    (STANDARD, {"defend_alone": "v_lone_maker", "loner_lead": "left_of_loner", "lone_march": 5}),
    (STANDARD, {"hands": 8, "partner_order_alone": True}),
    (STANDARD, {"lone_euchred": 4, "deck": 25, "target": 11}),
]  # fmt: skip


@pytest.mark.parametrize("options", [options for _, options in EGN_RULES], ids=str)
@given(seed=SEEDS, wild=st.booleans())
@settings(max_examples=3)
def test_a_game_written_as_egn_reads_and_scores_the_same(options, seed, wild):
    rules = ruleset(STANDARD, {"may_discard_upcard": True, **options})
    hands = random_game(rules, seed, wild=wild)
    state = play_game(rules, hands)
    file = write_game(rules, hands, ["A", "B", "C", "D"], final_score=state.score)
    game = read_game(json.loads(json.dumps(file)))
    assert game.rules.options == rules.options
    answer = check_game(game)
    assert answer.faults == ()
    assert (answer.score, answer.over, answer.winners) == (state.score, state.over, state.winners)
    assert [a.points for a in answer.hands] == [a.points for a in state.answers]
    assert [
        deal.record.tricks and [t.cards for t in deal.record.tricks] for deal in game.deals
    ] == [hand.tricks and [t.cards for t in hand.tricks] for hand in hands]
    assert [deal.record.hands for deal in game.deals] == [hand.hands for hand in hands]
    assert rewrite_game(game) == file
