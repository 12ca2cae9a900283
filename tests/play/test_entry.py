"""The page's answers and the hand record say the same: each can be made from the other."""

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from league.play.entry import answers_of, calls_in, record_of
from league.play.forms import HandForm
from league.play.keypad import Keypad
from league.play.questions import questions_of
from league.play.text import field_of
from scoring import HandRecord, check_hand, ruleset

COUNTS = questions_of(ruleset("standard-four-handed"))


def sent(answers, questions):
    """A form as a browser sends these answers: every line of the page, most of them empty."""
    form = HandForm(questions=questions, names=["N"] * questions.players)
    data = QueryDict(mutable=True)
    data.update(dict.fromkeys(form.fields, "") | answers)
    data.update({"client_id": "client-id-1", "number": "1"})
    for name in ("client_id", "number", *answers):
        data.setlist(name, data.getlist(name)[-1:])
    request = RequestFactory().post("/", data.urlencode(), "application/x-www-form-urlencoded")
    bound = HandForm(request, questions=questions, names=["N"] * questions.players)
    assert bound.is_valid(), bound.errors
    return bound.record()


CARD = st.builds(lambda rank, suit: rank + suit, st.sampled_from("9TJQKA"), st.sampled_from("cdhs"))
SEAT = st.integers(0, 3)
TURN_UP_HANDS = st.fixed_dictionaries(
    {
        "dealer": SEAT,
        "contract": st.fixed_dictionaries(
            {"seat": SEAT},
            optional={
                "trump": st.sampled_from("cdhs"),
                "round": st.sampled_from([1, 2]),
                "alone": st.just(True),
            },
        ),
        "tricks_won": st.builds(lambda makers: {"makers": makers}, st.integers(0, 5)),
    },
    optional={
        "upcard": CARD,
        "tricks": st.lists(
            st.fixed_dictionaries({"cards": st.lists(CARD, min_size=1, max_size=4)}),
            min_size=1,
            max_size=5,
        ),
        "hands": st.lists(
            st.none() | st.lists(CARD, min_size=5, max_size=5), min_size=4, max_size=4
        ).filter(any),
    },
)


@pytest.mark.parametrize(
    ("preset", "record", "tricks"),
    [
        ("standard-four-handed", {"auction": "pass, order-up", "tricks_won": [1, 3, 1, 0]}, "2"),
        ("standard-four-handed", {"auction": "order-up", "tricks_won": [1, 3, 1, 0]}, "3"),
        ("nanaimo-three-handed", {"auction": "pass, order-up", "tricks_won": [4, 0, 1]}, "1"),
        (
            "bid-barrie",
            {"auction": "bid 3 h, pass, bid 4 s, pass", "tricks_won": [1, 4, 1, 2]},
            "6",
        ),
    ],
)
def test_the_makers_whose_tricks_are_shown_are_those_of_the_auction(preset, record, tricks):
    """Saved again as it is shown, the hand pays what it paid."""
    rules = ruleset(preset)
    questions = questions_of(rules)
    calls = calls_in(record["auction"], dealer=0, players=rules.players)
    record = {"dealer": 0, "auction": calls, "tricks_won": record["tricks_won"]}
    answers = answers_of(record, questions)
    assert answers["tricks"] == tricks
    assert check_hand(sent(answers, questions), rules).points == check_hand(record, rules).points


@pytest.mark.parametrize(
    ("preset", "options", "upcard", "call"),
    [
        ("guide-benny-25", {}, "B", {"seat": 0, "call": "name", "trump": "d"}),
        ("guide-four-handed", {"mcevoy": True}, "9h", {"seat": 2, "call": "mcevoy"}),
        ("guide-four-handed", {"dirty_clubs": True}, "9c", {"seat": 0, "call": "order-up"}),
    ],
)
def test_who_calls_before_his_turn_is_told_by_his_chair(preset, options, upcard, call):
    """The dealer names unseen after a joker (D-26), anybody declares a McEvoy hand (004:182)."""
    rules = ruleset(preset, options)
    questions = questions_of(rules)
    record = {"dealer": 0, "upcard": upcard, "auction": [call]}
    if call["call"] != "mcevoy":
        record["tricks_won"] = {"makers": 3}
    assert check_hand(record, rules).valid
    answers = answers_of(record, questions)
    assert calls_in(answers["auction"], dealer=0, players=4) == [call]
    if call["call"] != "mcevoy":
        assert sent(answers, questions) == record


@given(TURN_UP_HANDS)
def test_a_record_made_into_answers_and_sent_is_the_record_again(record):
    assert sent(answers_of(record, COUNTS), COUNTS) == record


def test_a_hand_passed_out_is_nothing_else():
    answers = {"dealer": "1", "maker": "passed", "alone": "on", "tricks": "3"}
    assert record_of(answers, COUNTS) == {"dealer": 1, "contract": None}


@pytest.mark.parametrize(
    ("preset", "record"),
    [
        (
            "bid-barrie",
            {
                "dealer": 0,
                "contract": {"seat": 1, "trump": "nt", "tricks": 6},
                "tricks_won": {"makers": 7},
            },
        ),
        (
            "bid-barrie",
            {
                "dealer": 0,
                "contract": {"seat": 1, "trump": "h", "special": "moon"},
                "tricks_won": {"makers": 8},
            },
        ),
        (
            "bid-hoosier-three-player",
            {
                "dealer": 0,
                "contract": {"seat": 1, "trump": "h", "tricks": 6},
                "tricks_won": [3, 5, 2],
            },
        ),
        (
            "bid-racehorse-six",
            {
                "dealer": 5,
                "contract": {"seat": 4, "trump": "ntl", "tricks": 3},
                "tricks_won": {"makers": 3},
            },
        ),
        (
            "guide-four-handed",
            {
                "dealer": 0,
                "contract": {"seat": 1, "alone": True},
                "lone_defender": 2,
                "tricks_won": {"makers": 1},
            },
        ),
        (
            "keller-1887-two-handed",
            {"dealer": 0, "contract": {"seat": 1}, "tricks_won": {"makers": 5}},
        ),
        (
            "standard-four-handed",
            {
                "dealer": 0,
                "contract": {"seat": 1},
                "tricks_won": {"makers": 3},
                "penalties": [{"kind": "renege", "by": 2, "trick": 2, "form": "add"}],
            },
        ),
        (
            "standard-four-handed",
            {
                "dealer": 0,
                "auction": [
                    {"seat": 1, "call": "pass"},
                    {"seat": 2, "call": "order-up", "alone": True},
                ],
                "tricks_won": {"makers": 3},
            },
        ),
    ],
)
def test_every_kind_of_game_can_be_told_by_the_page(preset, record):
    rules = ruleset(preset)
    questions = questions_of(rules)
    posted = sent(answers_of(record, questions), questions)
    assert HandRecord.from_json(posted) == HandRecord.from_json(record)
    assert check_hand(posted, rules).valid, check_hand(posted, rules).faults


@pytest.mark.parametrize(
    ("preset", "options", "settled"),
    [
        ("standard-four-handed", {}, True),
        ("standard-four-handed", {"super_euchre": 4}, False),
        ("standard-four-handed", {"defend_alone": "always"}, True),
        ("guide-four-handed", {}, False),  # a lone defender's euchre pays 2, his sweep 4
    ],
)
def test_outcomes_are_asked_only_where_they_settle_the_points(preset, options, settled):
    assert questions_of(ruleset(preset, options), "outcomes").by_outcome is settled


@pytest.mark.parametrize(
    ("preset", "kinds"),
    [
        ("pepper", {"trick", "hand"}),
        ("five-hundred-four", {"trick", "hand", "discard"}),
        ("bid-six-handed", {"trick", "hand", "discard", "passed"}),
        ("standard-four-handed", {"trick", "hand", "discard"}),
        ("railroad", {"trick", "hand", "discard", "passed"}),
    ],
)
def test_a_page_asks_for_cards_laid_away_or_passed_only_where_the_game_has_them(preset, kinds):
    rules = ruleset(preset)
    names = ["N"] * rules.players
    keypad = Keypad(rules, questions_of(rules), names, number=1, dealer=0)
    assert {kind for kind, _lines in keypad.context(keypad.blank_form())["lines"]} == kinds


def test_a_fault_of_cards_stands_at_the_line_of_who_had_them():
    record = {
        "dealer": 1,
        "contract": {"seat": 3, "tricks": 4, "trump": "h"},
        "tricks_won": {"makers": 4},
        "discards": [None, None, ["As"], None],
        "exchange": [{"from": 1, "to": 3, "cards": ["2s"]}],
    }
    faults = check_hand(record, ruleset("pepper")).faults
    assert {field_of(found) for found in faults} == {"discard2", "passed1"}
