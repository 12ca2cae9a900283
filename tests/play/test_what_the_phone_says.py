"""What the table's phone says beside the keys: what is missing, disputed, undone or provisional."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.play.actions import correct_hand, dispute_game, note_misdeal, undo_last_hand
from league.play.auth import table_link
from league.seating.actions import substitute
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_game_table, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import made, write, write_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    return table


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_link(table)})
    return client


def at(name, table, *args):
    return reverse(name, args=[table.public_id, *args])


def seen(phone, table, name="table_entry"):
    return squeezed(phone.get(at(name, table)).content.decode())


@pytest.mark.parametrize(
    ("form", "missing"), [("table_concede", "Who concedes?"), ("table_ruling", "Who reneged?")]
)
def test_a_form_of_the_menu_sent_empty_leaves_the_hands_saved_and_their_undo(
    phone, table, form, missing
):
    write(table, (0, 5), at=timezone.now())
    answer = phone.post(at(form, table), {"client_id": "from-the-menu"})
    page = squeezed(answer.content.decode())
    assert answer.status_code == 422
    assert missing in page
    assert 'class="errorlist"' in page
    assert 'id="last-hand"' in page
    assert re.search(r'id="sync"[^>]*data-state="saved"', page)


def test_a_game_that_a_correction_ended_earlier_names_the_hand_to_undo(phone, table):
    now = timezone.now()
    write(table, *[(0, 5)] * 3, (0, 3), (0, 3), (1, 3), at=now)
    fours = made(0, 5, 3, alone=True)
    how = {"expected_version": 1, "client_id": "correction", "reason": "alone"}
    correct_hand(table, 4, fours, **how, by=TEST, at=now)
    page = seen(phone, table)
    assert "Undo hand 6, or an organiser decides what counts." in page
    for number in (6, 5):
        undo_last_hand(table, number=number, version=1, by=TEST, at=now)
    assert "or an organiser decides" not in seen(phone, table)


def test_a_disputed_game_says_which_side_disputes_it(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    assert "Ann &amp; Bill: “No march”" in seen(phone, table)
    club = table.session.club
    phone.force_login(a_user(club=club, rank="organiser"))
    desk = phone.get(reverse("disputes", args=[club.slug, table.session.public_id]))
    assert "Ann &amp; Bill:<q>No march</q>" in squeezed(desk.content.decode())


@pytest.mark.parametrize("winner", [0, 1])
def test_who_may_confirm_stands_before_who_may_only_dispute(phone, table, winner):
    write(table, (0, 4), *[(winner, 5)] * 5, at=timezone.now())
    page = seen(phone, table)
    assert page.index("Confirm or dispute as") < page.index(">Dispute as")


def test_a_dispute_without_a_reason_is_answered_at_its_field(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    form = phone.get(at("table_confirm", table, 1)).content.decode()
    assert re.search(r'<form class="flow"[^>]* novalidate', form)
    answer = phone.post(at("table_confirm", table, 1), {"word": "dispute", "reason": ""})
    assert re.search(r"errorlist.*Add a short reason\.", answer.content.decode(), re.DOTALL)


def test_a_substitute_s_first_hand_is_said_while_an_earlier_one_is_undone(phone, table):
    now = timezone.now()
    write(table, (0, 3), at=now)
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    substitute(table, 1, kit, by=TEST)
    undo_last_hand(table, number=1, version=1, by=TEST, at=now)
    assert f"{kit.name} plays from hand 2." in seen(phone, table)


def test_the_phone_s_standings_mark_who_has_a_game_that_is_not_yet_final(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = seen(phone, table, "table_standings")
    assert "Provisional: * = a game not yet final." in page
    assert page.count('class="provisional"') == 4


def test_the_phone_s_standings_say_how_ranking_works(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = seen(phone, table, "table_standings")
    assert "How ranking works</summary>" in page
    assert "Players level on all of these are tied" in page


def test_undo_says_what_it_undoes(phone, table):
    write(table, (0, 3), (1, 3), at=timezone.now())
    sent = {"number": 1, "dealer": 0, "maker": 0, "tricks": 5, "version": 1, "reason": "Miscounted"}
    sent["client_id"] = "correct-1"
    answer = phone.post(at("table_correct", table, 1), sent, follow=True)
    assert "Hand 1 corrected." in answer.text
    assert ">Undo hand 2</button>" in squeezed(answer.text)
    note_misdeal(table, client_id="misdeal", by=TEST, at=timezone.now())
    assert ">Undo misdeal</button>" in seen(phone, table)


def test_alone_wrongly_ticked_or_left_out_is_a_reason_ready_to_tap(phone, table):
    alone = made(0, 5, alone=True)
    write_records(table, alone, made(1, 3, dealer=1), at=timezone.now())
    for number, reason in ((1, "Not alone"), (2, "Alone")):
        page = squeezed(phone.get(at("table_correct", table, number)).text)
        assert f'<button type="button" class="button small">{reason}</button>' in page
