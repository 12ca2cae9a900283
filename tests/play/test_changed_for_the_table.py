"""What an organiser changes is said at the table's phone, until something else happens there."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.audit import Actor
from league.play.actions import (
    abandon_game,
    adjust_score,
    call_time,
    confirm_game,
    correct_hand,
    settle_game,
    strike_hand,
)
from league.play.auth import table_code
from tests.builders import TEST, a_game_table, a_user
from tests.pages import squeezed
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db
DASH = "\u2009–\u2009"


@pytest.fixture
def table():
    """A table whose game both sides have confirmed: 10 to 1."""
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    now = timezone.now() - timedelta(minutes=5)
    write(table, (1, 3), *[(0, 5)] * 5, at=now)
    confirm_game(table, seat=1, by=TEST, at=now)
    return table


@pytest.fixture
def olive(table):
    user = a_user("olive", club=table.session.club)
    return Actor("Olive", user)


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def corrected(table, number, record, by, reason="wrong tricks"):
    how = {"expected_version": 1, "client_id": f"correct-{number}", "at": timezone.now()}
    correct_hand(table, number, record, reason=reason, by=by, as_organiser=True, **how)


def said(phone, table):
    """What the messages of the table's page say."""
    page = squeezed(phone.get(reverse("table_entry", args=[table.public_id])).content.decode())
    return re.sub(r"<[^>]+>", "", re.search(r'<div id="messages".*? data-queue', page)[0])


def test_a_corrected_game_that_still_counts_says_who_changed_which_hand_and_why(
    phone, table, olive
):
    corrected(table, 1, made(1, 5), olive)
    assert f"Olive corrected hand 1: “wrong tricks”. The score is 10{DASH}2." in said(phone, table)
    assert said(phone, table) == said(phone, table)  # it stays


def test_a_game_that_a_correction_has_brought_back_says_so_until_the_next_hand(phone, table, olive):
    corrected(table, 6, made(0, 3, dealer=1), olive)
    assert f"Olive corrected hand 6: “wrong tricks”. Play on: 9{DASH}1." in said(phone, table)
    write(table, (1, 3), at=timezone.now())
    assert "Olive" not in said(phone, table)


def test_a_deleted_hand_and_points_taken_are_said_too(phone, table, olive):
    strike = {"expected_version": 1, "client_id": "strike-1", "at": timezone.now()}
    strike_hand(table, 1, reason="entered twice", by=olive, as_organiser=True, **strike)
    assert f"Olive deleted hand 1: “entered twice”. The score is 10{DASH}0." in said(phone, table)
    adjust_score(
        table, [-2, 0], reason="talking", client_id="points-1", by=olive, at=timezone.now()
    )
    assert f"Olive changed the score, Rose &amp; Ted −2: “talking”. Play on: 8{DASH}0." in said(
        phone, table
    )


def test_a_decision_after_a_correction_is_what_the_page_says(phone, table, olive):
    corrected(table, 1, made(1, 5), olive)
    settle_game(table, "score", score=[10, 4], reason="both sheets", by=olive, at=timezone.now())
    page = phone.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert f"Olive decided: 10{DASH}4 (was 10{DASH}2): “both sheets”" in page
    assert "Olive" not in said(phone, table)


def test_that_the_game_goes_on_is_said_with_the_reason_until_the_next_hand(phone, table, olive):
    corrected(table, 6, made(0, 3, dealer=1), TEST)
    call_time(table, by=TEST, at=timezone.now())
    settle_game(table, "play_on", reason="It was not time", by=olive, at=timezone.now())
    assert f"Olive decided: “It was not time”. Play on: 9{DASH}1." in said(phone, table)
    write(table, (1, 3), at=timezone.now())
    assert "Olive" not in said(phone, table)


def test_what_the_table_itself_corrects_is_not_said_to_it(phone, table, olive):
    corrected(table, 6, made(0, 3, dealer=1), Actor("phone at table 1"))
    assert "corrected" not in said(phone, table)


def test_the_person_who_made_the_correction_does_not_read_it_again(client, table, olive):
    corrected(table, 1, made(1, 5), olive)
    client.force_login(olive.user)
    assert "Olive corrected" not in said(client, table)


def test_a_void_game_says_who_decided_that_and_why(phone, table, olive):
    abandon_game(table, reason="the lights went out", by=olive, at=timezone.now())
    page = squeezed(phone.get(reverse("table_entry", args=[table.public_id])).content.decode())
    assert "This game is void</h2><p>Olive: “the lights went out”</p>" in page
