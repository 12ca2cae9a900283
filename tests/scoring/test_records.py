"""The hand record: read leniently, written strictly, every fault of form at once."""

import json

import pytest

from scoring import Call, Contract, HandRecord, Penalty, RecordError, Trick
from scoring.cards import read_card, read_denomination
from scoring.reading import read_record
from tests.scoring.builders import call, cards
from tests.scoring.full_hand import FULL


def fields(data):
    """The fields with something wrong, in order."""
    record, faults = read_record(data)
    assert (record is None) == bool(faults)
    return [fault.field for fault in faults]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Ah", "Ah"), ("AH", "Ah"), ("ah", "Ah"), ("10h", "Th"), ("TH", "Th"), ("A♥", "Ah"),
        ("10♥", "Th"), ("A♥\ufe0f", "Ah"), (" 9c ", "9c"), ("B", "B"), ("b", "B"), ("Joker", "B"),
        ("benny", "B"), ("7s", "7s"), ("J♤", "Js"),
    ],
)  # fmt: skip
def test_cards_are_read_leniently(text, card):
    assert read_card(text) == card


@pytest.mark.parametrize(
    "text",
    ["", "A", "h", "1h", "0h", "11h", "AhAh", "Xx", "A♥♥", "🂡", None, 3, True, "A" * 99, "\x00h"],
)
def test_what_is_no_card_is_none(text):
    assert read_card(text) is None


@pytest.mark.parametrize(
    ("text", "trump"),
    [("h", "h"), ("H", "h"), ("♥", "h"), ("Hearts", "h"), ("NT", "nt"), ("no trump", "nt"),
     ("No-Trump", "nt"), ("ntl", "ntl"), ("no_trump_low", "ntl"), ("x", None), ("", None),
     (1, None)],
)  # fmt: skip
def test_denominations_are_read_leniently(text, trump):
    assert read_denomination(text) == trump


def test_a_whole_record_is_read_and_written_strictly():
    lenient = {
        "ruleset": "guide-four-handed", "options": {"target": 11, "forbidden_trumps": ["h"]},
        "dealer": 3, "upcard": "10♥", "hands": [cards("10c AH"), None, [], None],
        "auction": [call(0), call(1, "order-up", alone=True)],
        "contract": {"seat": 1, "trump": "Hearts", "round": 1, "alone": True},
        "lone_defender": 2, "discards": [None, None, None, ["9C"]],
        "exchange": [{"from": 2, "to": 0, "cards": ["Ah"]}],
        "tricks": [{"leader": 0, "cards": ["ah", "Kh"]}, {"cards": []}],
        "tricks_won": [0, 5, 0, 0], "outcome": "march",
        "penalties": [{"kind": "renege", "by": 1, "trick": 2, "form": "deduct"}],
        "points": [0, 4, 0, -4],
    }  # fmt: skip
    record = HandRecord.from_json(lenient)
    assert record.upcard == "Th"
    assert record.hands == (("Tc", "Ah"), None, (), None)
    assert record.auction == (Call(0, "pass"), Call(1, "order-up", alone=True))
    assert record.contract == Contract(1, "h", 1, True)
    assert record.tricks == (Trick(("Ah", "Kh"), 0), Trick(()))
    assert record.penalties == (Penalty("renege", 1, 2, "deduct"),)
    strict = record.to_json()
    assert (strict["upcard"], strict["contract"]["trump"]) == ("Th", "h")
    assert HandRecord.from_json(json.loads(json.dumps(strict))) == record
    assert hash(HandRecord.from_json(strict)) == hash(record)


def test_a_hand_thrown_in_and_a_count_for_the_makers_keep_their_form():
    for data in ({"dealer": 0, "contract": None}, {"dealer": 0, "tricks_won": {"makers": 3}}):
        assert HandRecord.from_json(data).to_json() == data


def test_the_full_hand_reads_and_writes_to_itself():
    assert HandRecord.from_json(FULL).to_json() == FULL


def test_every_fault_of_form_is_told_at_once_with_its_field():
    data = {
        "dealer": 4.0, "upcard": "1h", "hands": [["Ah", "??"], 3],
        "auction": [{"seat": "N", "call": "hm"}],
        "contract": {"seat": True, "alone": "no"}, "tricks": [{"leader": -1}], "tricks_won": "5",
        "outcome": "won", "points": [1, None], "colour": "red", "penalties": [{"kind": "x"}],
    }  # fmt: skip
    assert set(fields(data)) == {
        "dealer", "upcard", "hands[0][1]", "hands[1]", "auction[0].seat", "auction[0].call",
        "contract.seat", "contract.alone", "tricks[0].leader", "tricks[0].cards", "tricks_won",
        "outcome", "points[1]", "colour", "penalties[0].kind", "penalties[0].by",
    }  # fmt: skip


def test_from_json_raises_with_every_fault():
    with pytest.raises(RecordError) as caught:
        HandRecord.from_json({"dealer": None, "upcard": 3})
    assert [fault.code for fault in caught.value.faults] == ["bad-card", "bad-format"]


@pytest.mark.parametrize("value", [True, -1, 8, 10**30, 1.0, "1", [1], None])
def test_a_seat_is_a_small_whole_number(value):
    record, faults = read_record({"dealer": value})
    assert record is None
    assert faults[0].code in ("bad-seat", "bad-format")


@pytest.mark.parametrize(
    "value", ["6", "\u0663", "1e1", "0_5", 5.0, True, 10**400, float("nan"), float("inf"), {}, []]
)
def test_a_count_is_a_whole_number_and_nothing_like_it(value):
    """Including Arabic digits, exponents and underscores."""
    assert fields({"dealer": 0, "tricks_won": [value, 0, 0, 0]}) == ["tricks_won[0]"]


@pytest.mark.parametrize("value", [0, 1, "no", "false", "off", "true", []])
def test_alone_is_true_or_false_and_nothing_like_it(value):
    assert fields({"dealer": 0, "contract": {"seat": 0, "alone": value}}) == ["contract.alone"]
