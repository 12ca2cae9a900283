"""Bad input gives faults: never a traceback, whatever the bytes or the data are."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Answer, HandRecord, check_hand, play_game, ruleset
from scoring.files import MOST_BYTES, MOST_FILE_BYTES, check_game_text, check_lines, decode
from scoring.playouts import random_hand
from scoring.reading import read_record
from tests.scoring.bad_records import BAD_RECORDS, BAD_TEXTS
from tests.scoring.notation import OURS
from tests.scoring.rulesets_tried import RULESETS

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=20,
)
FIELDS = [*sorted(HandRecord.__dataclass_fields__), "seat", "call", "trump", "cards", "makers"]
nearly = st.recursive(
    st.sampled_from([0, 1, 3, 8, -1, "h", "9c", "pass", "bid", "moon", True, None, 10**30, 0.5]),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6)
    ),
    max_leaves=20,
)
some_rules = st.sampled_from(list(RULESETS.values()))


def refused(answer):
    """Faults that can be told, as JSON and as sentences in valid UTF-8."""
    text = json.dumps(answer.to_json())
    assert all(found.message.encode("utf-8") for found in (*answer.faults, *answer.warnings))
    assert len(text) < 20_000
    return isinstance(answer, Answer) and not answer.valid and bool(answer.faults)


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_a_bad_text_is_refused_with_one_fault_of_form(text):
    data, wrong = decode(text)
    assert data is None
    assert wrong.code == "bad-format"
    assert wrong.message
    assert [refused(answer) for answer in check_lines([text])] == [True]


@pytest.mark.parametrize("record", BAD_RECORDS.values(), ids=BAD_RECORDS)
def test_a_bad_record_is_refused(record):
    assert refused(check_hand(record))
    assert refused(check_hand(record, ruleset("guide-four-handed")))


@given(data=anything | nearly, rules=st.none() | some_rules)
@settings(max_examples=100)
def test_no_json_at_all_is_taken_for_a_hand_or_stops_the_engine(data, rules):
    answer = check_hand(data, rules)
    assert answer.valid or refused(answer)
    read, faults = read_record(data)
    assert bool(faults) == (read is None)


@given(options=st.dictionaries(st.text(max_size=8), anything, max_size=6))
def test_whatever_options_a_record_names_it_can_be_written_as_json_again(options):
    record, _faults = read_record({"dealer": 0, "options": options})
    assert HandRecord.from_json(json.loads(json.dumps(record.to_json()))) is not None


@given(seed=st.integers(0, 500), rules=some_rules, data=st.data())
@settings(max_examples=100)
def test_a_good_record_with_anything_put_anywhere_is_answered(seed, rules, data):
    record = random_hand(rules, seed, wild=True).to_json()
    at = record
    while True:
        steps = list(at) if isinstance(at, dict) else list(range(len(at)))
        step = data.draw(st.sampled_from(steps)) if steps else None
        if step is None:
            break
        inner = at[step]
        if isinstance(inner, dict | list) and data.draw(st.booleans()):
            at = inner
            continue
        at[step] = data.draw(anything | nearly)
        break
    answer = check_hand(record, rules)
    assert answer.valid or refused(answer)


@given(
    text=st.binary(max_size=60) | st.text(max_size=60).map(lambda t: t.encode("utf-8", "ignore"))
)
def test_no_bytes_stop_the_reading_of_a_file(text):
    assert all(refused(answer) for answer in check_lines(text.split(b"\n")))
    assert [answer["valid"] for answer in check_game_text(text)] == [False]


@given(data=anything, name=st.sampled_from(["to-ten.egn", "two-games.emn", "three-handed.json"]),
       choices=st.data())  # fmt: skip
@settings(max_examples=60)
def test_a_game_file_with_anything_put_anywhere_is_answered(data, name, choices):
    game = json.loads((OURS / name).read_text("utf-8"))
    at = game
    while True:
        steps = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not steps:
            return
        step = choices.draw(st.sampled_from(steps))
        if not isinstance(at[step], dict | list) or choices.draw(st.integers(0, 3)) == 0:
            at[step] = data
            break
        at = at[step]
    for answer in check_game_text(json.dumps(game).encode()):
        assert answer["valid"] or answer["faults"]
        json.dumps(answer)


@given(hands=st.lists(anything | nearly, max_size=4), rules=some_rules)
@settings(max_examples=100)
def test_a_game_of_anything_is_folded_with_its_faults(hands, rules):
    state = play_game(rules, hands)
    assert state.valid or state.faults
    assert len(state.answers) == len(hands)


def test_sizes_are_looked_at_before_contents():
    assert decode(b"[" * (MOST_BYTES + 1))[1].sentence == "bad-format/too-big"
    assert decode(b" " * (MOST_FILE_BYTES + 1), limit=MOST_FILE_BYTES)[1].code == "bad-format"
    assert decode(json.dumps("x" * (MOST_BYTES - 2)).encode())[1] is None


def test_doubled_keys_are_told_wherever_they_stand():
    wrong = decode(b'{"dealer": 0, "contract": {"seat": 1, "trump": "h", "seat": 2}}')[1]
    assert wrong.message == "seat appears twice in one object."


def test_a_name_is_told_in_a_few_printable_letters():
    answer = check_hand({"dealer": 0, "\ud800\x00\n" + "x" * 1000: 1})
    sentence = answer.faults[0].message
    assert sentence.isprintable()
    assert len(sentence) < 80
