"""What nobody should send is refused at its field, stores nothing, and never breaks the site."""

import pytest
from django.urls import reverse

from league.members.models import Club
from league.play.auth import table_code
from league.play.models import Game, Hand
from tests.builders import a_game_table
from tests.play.hands import write

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
GOOD = {"client_id": "client-id-1", "number": "1", "dealer": "0", "maker": "0", "tricks": "3"}


@pytest.fixture
def table():
    table = a_game_table()
    Club.objects.update(tricks_entry="count")
    return table


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def send(phone, table, **fields):
    """The answer to a hand, good but for these fields; None leaves a field out."""
    sent = {name: value for name, value in (GOOD | fields).items() if value is not None}
    return phone.post(reverse("save_hand", args=[table.public_id]), sent)


def refused(answer, field):
    """422, nothing stored, and a sentence at the field."""
    assert answer.status_code == 422
    assert not Hand.objects.exists()
    assert answer.context["form"].errors[field]


def test_the_good_hand_of_these_tests_is_saved(phone, table):
    assert send(phone, table).status_code == 302
    assert Hand.objects.get().points == [1, 0, 1, 0]


@pytest.mark.parametrize(
    "tricks", ["6", "-1", "", "1e1", "5.0", "٣", "0_5", "+3", "-0", " 3", "3\x01", "9" * 5000]
)
def test_tricks_are_one_of_the_counts_on_the_page(phone, table, tricks):
    refused(send(phone, table, tricks=tricks), "tricks")


@pytest.mark.parametrize("trump", ["X", "H", "h\x01", "♥", "hearts", "nt"])
def test_trump_is_one_of_the_suits_on_the_page(phone, table, trump):
    refused(send(phone, table, trump=trump), "trump")


@pytest.mark.parametrize("alone", ["0", "no", "false", "1", "true", "ON"])
def test_alone_is_on_or_off_and_nothing_else(phone, table, alone):
    refused(send(phone, table, alone=alone), "alone")


def test_alone_off_is_not_alone(phone, table):
    send(phone, table, tricks="5", alone="off")
    assert Hand.objects.get().points == [2, 0, 2, 0]


@pytest.mark.parametrize("field", ["maker", "dealer"])
@pytest.mark.parametrize("seat", ["4", "-1", "x", "00", "9223372036854775808"])
def test_maker_and_dealer_sit_at_this_table(phone, table, field, seat):
    refused(send(phone, table, **{field: seat}), field)


def test_a_lone_defender_is_not_even_asked_for_where_the_rules_have_none(phone, table):
    send(phone, table, lone_defender="1")
    assert "lone_defender" not in Hand.objects.get().record


def test_what_a_client_claims_beyond_the_questions_is_ignored(phone, table):
    claims = {"points": "9", "score": "[10, 0]", "winner": "0", "recorded_by": "1", "id": "7"}
    send(phone, table, **claims)
    assert Hand.objects.get().points == [1, 0, 1, 0]
    assert Game.objects.get().score == [1, 0]


@pytest.mark.parametrize("number", ["0", "-1", "x", "9223372036854775808", "1" + "0" * 30])
def test_the_number_of_a_hand_is_a_small_number(phone, table, number):
    refused(send(phone, table, number=number), "number")


def test_a_hand_before_its_turn_is_a_clash_and_is_not_stored(phone, table):
    assert send(phone, table, number="2").status_code == 409
    assert not Hand.objects.exists()


def test_a_hand_after_the_end_is_a_clash_and_is_not_stored(phone, table):
    write(table, *[(0, 5)] * 5)
    assert send(phone, table, number="6", dealer="1").status_code == 409
    assert Hand.objects.count() == 5


def test_a_field_sent_twice_is_refused_and_not_decided_by_order(phone, table):
    body = "&".join(f"{name}={value}" for name, value in GOOD.items()) + "&tricks=5"
    url = reverse("save_hand", args=[table.public_id])
    refused(phone.generic("POST", url, body, content_type=FORM), "tricks")


def test_a_field_in_the_address_is_refused(phone, table):
    url = reverse("save_hand", args=[table.public_id])
    refused(phone.post(f"{url}?tricks=5", GOOD), "tricks")


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "patch"])
def test_a_hand_is_only_ever_posted(phone, table, method):
    url = reverse("save_hand", args=[table.public_id])
    assert getattr(phone, method)(url).status_code == 405


def test_json_where_a_form_is_expected_is_refused(phone, table):
    url = reverse("save_hand", args=[table.public_id])
    answer = phone.post(url, GOOD, content_type="application/json")
    assert (answer.status_code, Hand.objects.count()) == (415, 0)


@pytest.mark.parametrize("body", [b"tricks=" + b"5" * 3_000_000, b"&".join([b"a=1"] * 1500)])
def test_a_body_too_large_is_refused(phone, table, body):
    url = reverse("save_hand", args=[table.public_id])
    answer = phone.generic("POST", url, body, content_type=FORM)
    assert answer.status_code in (400, 413)
    assert not Hand.objects.exists()


@pytest.mark.parametrize("line", ["Ah\x01", "Ah; DROP", "<b>", "\ud800".encode("utf-8", "replace")])
def test_a_line_of_cards_is_letters_and_digits(phone, table, line):
    refused(send(phone, table, trick1=line), "trick1")


@pytest.mark.parametrize("client_id", ["", "short", "x" * 41, "with space!", "bel\x07bel\x07"])
def test_a_client_id_is_a_plain_word(phone, table, client_id):
    refused(send(phone, table, client_id=client_id), "client_id")


def test_nothing_at_all_is_refused_with_every_question_named(phone, table):
    answer = phone.post(reverse("save_hand", args=[table.public_id]), {})
    assert answer.status_code == 422
    assert {"client_id", "number", "dealer", "maker"} <= set(answer.context["form"].errors)


@pytest.mark.parametrize(
    ("cards", "field"),
    [
        ({"trick1": "Ah Ah Kh Qh"}, "trick1"),
        ({"trick1": "2h Kh Qh Jh"}, "trick1"),
        ({"trick1": "Ah Kh Qh"}, "trick1"),
    ],
)
def test_cards_that_cannot_be_are_refused_at_their_trick(phone, table, cards, field):
    sent = {"trump": "h", "tricks": None, **cards}
    answer = send(phone, table, **sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors.get(field)
    assert not Hand.objects.exists()


def test_a_revoke_is_refused_naming_seat_and_trick(phone, table):
    """The left bower belongs to the trump suit: Ann holds it and must follow."""
    hands = {
        "hand0": "Ah Kh Qh Th 9h",
        "hand1": "Jd Ad Kd Qd Td",
        "hand2": "As Ks Qs Ts 9s",
        "hand3": "Ac Kc Qc Tc 9c",
    }
    tricks = {"trick1": "Ad As Ac Ah"}
    answer = send(phone, table, dealer="0", trump="h", maker="1", tricks=None, **hands, **tricks)
    assert answer.status_code == 422
    assert not Hand.objects.exists()


@pytest.mark.parametrize("reason", ["\x01", "a\u202eb", "x" * 500, "   "])
def test_a_reason_is_a_line_of_words(phone, table, reason):
    Club.objects.update(confirm="opponent")
    table.session.club.refresh_from_db()
    write(table, *[(0, 5)] * 5)
    url = reverse("table_confirm", args=[table.public_id, 0])
    answer = phone.post(url, {"word": "dispute", "reason": reason})
    assert answer.status_code == 422
    assert Game.objects.get().state == "finished"


@pytest.mark.parametrize("code", ["\x01", "x" * 5000, "a.b:c", "é", "#", "1:2:3"])
def test_a_made_up_code_opens_nothing(client, table, code):
    assert client.post(reverse("table_door"), {"code": code}).status_code == 403


def test_a_ruling_without_a_seat_is_refused(phone, table):
    url = reverse("table_ruling", args=[table.public_id])
    assert phone.post(url, {"client_id": "client-id-2"}).status_code == 422


@pytest.mark.parametrize("total", ["", "1e1", "10.0", "1000", "ten", "1\x01"])
def test_a_total_is_a_small_whole_number(phone, table, total):
    table.totals_only = True
    table.save()
    url = reverse("table_totals", args=[table.public_id])
    answer = phone.post(url, {"total0": total, "total1": "4"})
    assert answer.status_code == 422
    assert not Game.objects.filter(totals__isnull=False).exists()
