"""The page's answers and the hand record say the same: each can be made from the other."""

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from league.play.entry import answers_of, record_of
from league.play.forms import HandForm
from league.play.questions import questions_of
from scoring import HandRecord, check_hand, ruleset

COUNTS = questions_of(ruleset("standard-four-handed"))


def sent(answers, asked):
    """A form as a browser sends these answers: every line of the page, most of them empty."""
    form = HandForm(questions=asked, names=["N"] * asked.players)
    data = QueryDict(mutable=True)
    data.update(dict.fromkeys(form.fields, "") | answers)
    data.update({"client_id": "client-id-1", "number": "1"})
    for name in ("client_id", "number", *answers):
        data.setlist(name, data.getlist(name)[-1:])
    request = RequestFactory().post("/", data.urlencode(), "application/x-www-form-urlencoded")
    bound = HandForm(request, questions=asked, names=["N"] * asked.players)
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


@given(TURN_UP_HANDS)
def test_a_record_made_into_answers_and_sent_is_the_record_again(record):
    assert sent(answers_of(record, COUNTS), COUNTS) == record


def test_a_hand_passed_out_is_nothing_else():
    told = {"dealer": "1", "maker": "passed", "alone": "on", "tricks": "3"}
    assert record_of(told, COUNTS) == {"dealer": 1, "contract": None}


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
    asked = questions_of(rules)
    told = sent(answers_of(record, asked), asked)
    assert HandRecord.from_json(told) == HandRecord.from_json(record)
    assert check_hand(told, rules).valid, check_hand(told, rules).faults


@pytest.mark.parametrize("preset", ["super_euchre", "standard"])
def test_outcomes_are_asked_only_where_they_settle_the_points(preset):
    options = {"super_euchre": 4} if preset == "super_euchre" else {}
    rules = ruleset("standard-four-handed", options)
    assert questions_of(rules, "outcomes").by_outcome is (preset == "standard")
