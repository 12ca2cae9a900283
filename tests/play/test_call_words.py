"""Calls are typed and read in the words of the reader's language; what is stored is in none."""

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation

from league.play.actions import record_hand
from league.play.entry import WORDS, calls_in, calls_in_words, plain_calls
from league.play.forms import HandForm
from league.play.keypad import Keypad
from league.play.questions import questions_of
from league.play.text import SPECIALS, SUIT_NAMES
from scoring import ruleset
from tests.builders import EIGHT, TEST, a_game_table, a_user

CALLS = "pass, order-up alone, name h, name nt alone, bid 5 s, 3 mcevoy, redeal farmers, go-under"
LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_calls_come_back_in_the_readers_words_and_go_in_again(language):
    with translation.override(language):
        said = calls_in_words(CALLS)
        assert plain_calls(said) == CALLS
        assert plain_calls(said.upper()) == CALLS
    assert ("order up" in said) == language.startswith("en")


def test_the_words_of_another_language_are_read_as_well():
    with translation.override("de"):
        assert plain_calls("pass, order up alone, name h") == "pass, order-up alone, name h"
        assert plain_calls("passe, nomme cœur en solo") == "pass, name h alone"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_language_means_two_calls(language):
    with translation.override(language):
        own = [str(word) for words in WORDS.values() for word in str(words).split(",")]
        own += [str(name) for name in SUIT_NAMES.values()]
    words = [word.strip().casefold() for word in own]
    assert len(set(words)) == len(words)


def test_a_word_of_no_language_is_left_for_the_engine_to_refuse_by_name():
    assert plain_calls("pass, juggle") == "pass, juggle"
    assert all(plain_calls(f"bid {code}") == f"bid {code}" for code in SPECIALS)


def test_the_calls_to_tap_are_typed_in_the_readers_words():
    rules = ruleset("standard-four-handed")
    keypad = Keypad(rules, questions_of(rules), ["N"] * 4, number=1, dealer=0)
    with translation.override("de"):
        texts = [tap["text"] for tap in keypad.call_taps]
        assert texts[:3] == ["passe", "aufnehmen", "aufnehmen allein"]
        assert calls_in(plain_calls(texts[2]), dealer=0, players=4)[0]["call"] == "order-up"


def test_a_word_that_is_no_call_is_named_at_its_field():
    questions = questions_of(ruleset("standard-four-handed"))
    sent = QueryDict(mutable=True)
    sent.update({"client_id": "client-id-1", "number": "1", "dealer": "3", "maker": "1"})
    sent.update({"tricks": "3", "auction": "passe, hüpfe"})
    request = RequestFactory().post("/", sent.urlencode(), "application/x-www-form-urlencoded")
    form = HandForm(request, questions=questions, names=["N"] * 4)
    assert list(form.errors) == ["auction"]
    assert "“hüpfe”" in form.errors["auction"][0]


def test_a_hand_with_german_calls_is_stored_as_any_other():
    questions = questions_of(ruleset("standard-four-handed"))
    sent = QueryDict(mutable=True)
    sent.update({"client_id": "client-id-1", "number": "1", "dealer": "3", "maker": "1"})
    sent.update({"tricks": "3", "auction": "passe, aufnehmen allein"})
    request = RequestFactory().post("/", sent.urlencode(), "application/x-www-form-urlencoded")
    with translation.override("de"):
        form = HandForm(request, questions=questions, names=["N"] * 4)
        assert form.is_valid(), form.errors
        record = form.record()
    assert record["auction"] == calls_in("pass, order up alone", dealer=3, players=4)


def test_a_special_bid_is_a_tap_and_may_be_said_alone():
    rules = ruleset("five-hundred-four")
    keypad = Keypad(rules, questions_of(rules), ["N"] * 4, number=1, dealer=0)
    assert "bid Misère" in [tap["text"] for tap in keypad.call_taps]
    bid = [{"seat": 1, "call": "bid", "special": "misere"}]
    assert calls_in(plain_calls("Misère"), dealer=0, players=4) == bid
    assert calls_in(plain_calls("bid Misère"), dealer=0, players=4) == bid


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"auction": [{"seat": 1, "call": "order-up", "trump": "h"}]}, True),
        ({"contract": {"seat": 1}}, False),
    ],
)
def test_who_corrects_a_hand_that_was_recorded_call_by_call_is_led_to_the_bidding(
    client, record, said
):
    table = a_game_table()
    hand = {"dealer": 0, "upcard": "9h", "tricks_won": {"makers": 3}} | record
    record_hand(table, hand, client_id="a-hand-0001", by=TEST, at=EIGHT)
    client.force_login(a_user(club=table.session.club))
    page = client.get(reverse("table_correct", args=[table.public_id, 1])).content.decode()
    assert ("This hand was recorded call by call" in page) == said
