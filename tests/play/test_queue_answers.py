"""What the phone's queue is told in JSON: the same order, the same rules, another wording."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import AuditEntry
from league.play.actions import recount_table, strike_hand
from league.play.auth import table_code
from league.play.models import Hand
from league.seating.models import Table
from league.sessions.models import Session
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def send(client, table):
    """`send(number, maker)`: a hand as the queue sends it; the answer's status and its JSON."""
    client.post(reverse("table_door"), {"code": table_code(table)})

    def send(number=1, maker=0, **more):
        hand = {
            "client_id": f"queued-hand-{number}",
            "number": number,
            "dealer": (number - 1) % 4,
            "maker": maker,
            "outcome": "made",
        }
        answer = client.post(
            reverse("save_hand", args=[table.public_id]), hand | more, headers=JSON
        )
        return answer.status_code, answer.json()

    return send


def test_a_stored_hand_is_acknowledged_by_its_id_with_how_the_table_stands(send):
    assert send() == (
        200,
        {
            "client_id": "queued-hand-1",
            "hand": 1,
            "version": 1,
            "counts": True,
            "score": [1, 0],
            "next": 2,
            "dealer": 1,
            "phase": "playing",
        },
    )


def test_the_same_hand_again_gets_the_same_word_and_is_stored_once(send):
    assert send() == send()
    assert Hand.objects.count() == 1


def test_a_hand_taken_back_since_is_acknowledged_and_said_not_to_count(send, client, table):
    send()
    client.post(reverse("undo_hand", args=[table.public_id]), {"number": 1, "version": 1})
    status, answer = send()
    assert (status, answer["counts"], answer["next"]) == (200, False, 1)


def test_a_number_that_is_taken_is_a_clash_with_both_hands_in_words(send, table):
    write(table, (1, 5))
    status, answer = send()
    assert status == 409
    assert answer["code"] == "hand-there"
    assert answer["mine"] == "Rose: made · Rose & Ted +1"
    assert (
        answer["theirs"] == "Ann: march, 5 tricks · Ann & Bill +2"
        or "Ann: march" in answer["theirs"]
    )
    assert (answer["same"], answer["next"], answer["dealer"]) == (False, 2, 1)
    assert "Someone else entered hand" in answer["title"]


def test_hands_that_differ_in_the_dealer_alone_name_the_dealers(send):
    send()
    _status, answer = send(client_id="another-phone", dealer=1, confirm_unlikely="on")
    assert answer["mine"].startswith("Ann dealt · Rose: made")
    assert answer["theirs"].startswith("Rose dealt · Rose: made")


def test_a_clash_says_when_both_hands_are_the_same(send):
    send()
    assert send(client_id="another-phone")[1]["same"] is True


def test_without_a_script_too_the_same_hand_from_another_phone_is_saved(send, client, table):
    send()
    hand = {"client_id": "another-phone", "number": 1, "dealer": 0, "maker": 0, "outcome": "made"}
    answer = client.post(reverse("save_hand", args=[table.public_id]), hand)
    page = answer.content.decode()
    assert "Someone else entered hand 1 the same way: phone at table 1, " in page
    assert 'data-state="saved"' in page


def test_the_same_id_with_another_hand_in_it_is_a_clash(send):
    send()
    status, answer = send(maker=1)
    assert (status, answer["code"]) == (409, "same-id")
    assert "Ann" in answer["mine"]
    assert "Rose" in answer["theirs"]


def test_a_hand_undone_since_is_no_side_of_a_clash(send, client, table):
    send()
    client.post(reverse("undo_hand", args=[table.public_id]), {"number": 1, "version": 1})
    answer = send(maker=1)[1]
    assert answer["code"] == "same-id"
    assert answer.keys().isdisjoint({"theirs", "version"})


def test_a_deleted_hand_is_no_side_of_a_clash_and_the_same_hand_is_not_saved_by_it(send, table):
    write(table, (1, 5))
    strike_hand(
        table, 1, reason="Twice", expected_version=1, client_id="deleted", by=TEST, at=EIGHT
    )
    for more in ({}, {"maker": 1, "outcome": "march"}):
        answer = send(**more)[1]
        assert (answer["code"], answer["same"]) == ("hand-there", False)
        assert answer["title"].startswith("Hand 1 was deleted: ")
        assert (answer.get("theirs"), answer["version"]) == (None, 2)


def test_a_clash_says_whether_the_table_may_still_correct_the_other_hand(send, table):
    write(table, (1, 5), at=timezone.now())
    assert send()[1]["may_replace"] is True
    Hand.objects.update(entered_at=EIGHT)
    assert send()[1]["may_replace"] is False


def test_a_hand_before_its_time_is_told_which_comes_next(send):
    status, answer = send(3)
    assert (status, answer["code"], answer["next"]) == (409, "hand-missing", 1)


def test_a_hand_against_the_rules_names_its_fields(send):
    status, answer = send(auction="pass, pass")
    assert status == 422
    assert answer["fields"]["auction"]
    assert answer["title"]


def test_a_form_that_cannot_be_read_names_its_fields(send):
    status, answer = send(maker="9", colour="red")
    assert (status, answer["code"]) == (422, "bad-form")
    assert "maker" in answer["fields"]
    assert "mine" not in answer


def test_an_unlikely_hand_asks_and_is_stored_when_confirmed(send, table):
    write(table, (0, 3))
    status, answer = send(2, dealer=3)
    assert (status, answer["code"]) == (422, "unlikely")
    assert answer["fields"]["confirm_unlikely"]
    assert send(2, dealer=3, confirm_unlikely="on")[0] == 200


def test_after_the_end_of_a_game_a_hand_is_refused_and_the_end_told(send, table):
    write(table, *[(0, 5)] * 5)
    status, answer = send(6)
    assert (status, answer["code"], answer["phase"]) == (409, "game-over", "confirmed")


def test_a_code_that_was_revoked_is_a_problem_too(send, table):
    table.link_version += 1
    table.save()
    status, answer = send()
    assert (status, answer["code"]) == (403, "locked")
    assert "new one" in answer["title"]


def test_the_phones_of_a_closed_session_are_told_so_in_these_words(send, client):
    """A page that is open there loads itself again once the session has moved on."""
    Session.objects.update(state="closed")
    problem = send()[1]
    closed = "The organiser has closed this session."
    assert (problem["code"], problem["title"]) == ("session-not-open", closed)
    table = Table.objects.get()
    page = client.get(reverse("table_entry", args=[table.public_id]))
    assert page.status_code == 403
    assert closed in page.content.decode()
    scanned = Client()
    later = scanned.post(reverse("table_door"), {"code": table_code(table)}, follow=True)
    assert closed in later.content.decode()
    Session.objects.update(state="open")
    assert scanned.get(later.request["PATH_INFO"]).status_code == 200  # without another scan


@pytest.mark.parametrize("accept", ["*/*", "text/html,application/json;q=0.9", ""])
def test_whoever_does_not_prefer_json_gets_the_page(client, table, send, accept):
    address = reverse("save_hand", args=[table.public_id])
    answer = client.post(
        address, {"client_id": "page-12345", "number": 1}, headers={"Accept": accept}
    )
    assert answer["Content-Type"].startswith("text/html")


def test_a_problem_says_that_it_is_one(client, table, send):
    address = reverse("save_hand", args=[table.public_id])
    answer = client.post(address, {"number": 1}, headers=JSON)
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Cache-Control"] == "no-store"


def notes_of(client, table, receipt):
    """Whether the log says that the hand came back, sent with this receipt."""
    sent = {"client_id": "lost-hand-1", "number": 1, "dealer": 0, "maker": 0, "outcome": "made"}
    client.post(
        reverse("save_hand", args=[table.public_id]),
        sent,
        headers={"X-Receipt": receipt, "X-Came-Back": "1"},
    )
    entry = AuditEntry.objects.filter(action="record hand").latest("pk")
    return entry.new.get("came_back", False)


def test_only_a_hand_that_the_server_had_is_noted_as_come_back(send, client, table):
    assert not notes_of(client, table, "1")
    page = client.get(reverse("table_entry", args=[table.public_id])).context["entry"]
    Hand.objects.all().delete()
    recount_table(table, at=EIGHT)
    assert not notes_of(client, table, page.receipts[:-1])
    Hand.objects.all().delete()
    recount_table(table, at=EIGHT)
    assert notes_of(client, table, page.receipts)


def test_a_laptop_that_lost_the_key_of_its_receipts_notes_those_too(send, client, table, settings):
    settings.LAPTOP = "club"
    assert notes_of(client, table, "anoldone")


def test_the_receipt_of_one_hand_is_none_for_another(send, client, table):
    send()
    page = client.get(reverse("table_entry", args=[table.public_id])).context["entry"]
    Hand.objects.all().delete()
    recount_table(table, at=EIGHT)
    assert not notes_of(client, table, page.receipts)
