"""What the table's page asks next, and where it says what is missing."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.play.auth import table_link
from league.play.keypad import Keypad
from league.play.questions import questions_of
from scoring import ruleset
from tests.builders import a_game_table
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db
CALL_ACE = "call-ace-four"


def come_in(client, preset, **options):
    table = a_game_table(preset, slug=preset, **options)
    client.post(reverse("table_door"), {"code": table_link(table)})
    return table


def sent(client, table, name, **answers):
    form = {"client_id": "a-hand-1", "number": 1, "dealer": 0, **answers}
    return squeezed(client.post(reverse(name, args=[table.public_id]), form).content.decode())


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        ({"maker": 0}, "Who was the partner?"),
        ({"maker": 0, "outcome": "made"}, "Who was the partner?"),
        ({"maker": 0, "partner": "nobody"}, "How many tricks?"),
        ({"maker": "passed"}, "Nobody scores"),
    ],
)
def test_a_called_partner_is_asked_for_before_the_tricks(client, answers, question):
    table = come_in(client, CALL_ACE, stick_the_dealer=False)
    assert question in sent(client, table, "preview_hand", **answers)


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        ({"maker": 0}, "What was bid?"),
        ({"maker": 0, "tricks": 4}, "What was bid?"),
        ({"maker": 0, "bid": 4}, "How many tricks?"),
        ({"auction": "bid 4, pass, pass, pass"}, "How many tricks?"),
    ],
)
def test_a_bid_is_asked_for_before_and_after_the_tricks(client, answers, question):
    table = come_in(client, "pepper")
    assert question in sent(client, table, "preview_hand", **answers)


def test_a_hand_without_its_bid_is_refused_at_the_bids(client):
    page = sent(client, come_in(client, "pepper"), "save_hand", maker=0, tricks=4)
    sentence = "What was bid? Enter a number of tricks or a special bid."
    assert f'<ul class="errorlist" id="id_bid_error"><li>{sentence}' in page


def test_a_hand_without_its_partner_is_refused_with_the_question_at_its_field(client):
    table = come_in(client, CALL_ACE)
    page = sent(client, table, "save_hand", maker=0, outcome="made")
    assert "partner is missing" not in page
    assert (
        '<ul class="errorlist" id="id_partner_error"><li>Choose the partner, or “Nobody – alone”.'
        in page
    )


def test_every_bid_that_the_example_names_is_a_tap():
    rules = ruleset("pepper")
    keypad = Keypad(rules, questions_of(rules), ["N"] * 4, number=1, dealer=0)
    texts = [tap["text"] for tap in keypad.call_taps]
    assert texts == [
        "pass",
        *(f"bid {n}" for n in range(1, 6)),
        "bid Little pepper",
        "bid Big pepper",
    ]


@pytest.mark.parametrize(
    ("address", "question"),
    [("table_concede", "Choose a side."), ("table_ruling", "Choose who reneged.")],
)
def test_an_answer_missing_in_the_menu_is_asked_for_there_with_the_menu_open(
    client, address, question
):
    table = come_in(client, "standard-four-handed")
    write(table, (0, 3), at=timezone.now())
    page = sent(client, table, address)
    assert '<details class="more game-menu" id="corrections" open>' in page
    assert page.count(question) == 1
    field = page.partition(question)[2]
    assert "</fieldset>" in field
    assert field.index("</fieldset>") < field.index("<h2>") if "<h2>" in field else True
