"""The page on which a side confirms: it follows the game, and nobody confirms what is over."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.audit import Actor
from league.play.actions import (
    call_time,
    confirm_game,
    correct_hand,
    dispute_game,
    settle_game,
    strike_hand,
)
from league.play.auth import table_code
from league.play.models import Game
from tests.builders import TEST, a_game_table, a_user
from tests.pages import squeezed
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (1, 3), *[(0, 5)] * 5, at=timezone.now())
    return table


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def at(name, table, *args):
    return reverse(name, args=[table.public_id, *args])


def now():
    return {"by": TEST, "at": timezone.now()}


def test_the_page_is_live_and_leads_to_the_table_once_there_is_nothing_to_confirm(phone, table):
    page = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert '<div class="flow" id="confirm" data-live>' in page
    assert "data-revision-url=" in page
    dispute_game(table, reason="No march", seat=1, **now())
    assert phone.get(at("table_confirm", table, 1))["Location"] == at("table_entry", table)
    settle_game(table, "stands", reason="Counted", **now())
    assert phone.get(at("table_confirm", table, 1))["Location"] == at("table_entry", table)


def test_the_side_that_won_reads_the_result_and_who_confirms_it(phone, table):
    theirs = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert "<h1>Is this right?</h1>" in theirs
    page = squeezed(phone.get(at("table_confirm", table, 0)).content.decode()).replace("\u2009", "")
    assert "<h1>Rose &amp; Ted won 10–1</h1>" in page
    assert "<title>Rose &amp; Ted won 10–1</title>" in page
    assert "The other side confirms this score: Ann &amp; Bill." in page
    assert "Is this right?" not in page


def test_of_three_players_two_who_tied_read_why_only_the_third_confirms(client):
    three = a_game_table("nanaimo-three-handed", players=3)
    three.session.club.confirm = "opponent"
    three.session.club.save()
    write(three, (0, 3), (1, 3))
    call_time(three, **now())
    client.post(reverse("table_door"), {"code": table_code(three)})
    why = "Those who won or tied don't confirm it themselves."
    end = squeezed(client.get(at("table_entry", three)).content.decode())
    assert "Confirm or dispute as Ted" in end
    assert f"Ted, please check the score and confirm it.</p><p>{why}" in end
    tied = squeezed(client.get(at("table_confirm", three, 0)).content.decode())
    assert f"Ted confirms this score. {why}" in tied


def test_where_the_next_game_is_said_is_one_sentence(phone, table):
    confirm_game(table, seat=1, **now())
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Confirmed. Where you play next appears here." in page
    assert "appears here by itself" not in page


@pytest.mark.parametrize("word", ["accept", "dispute"])
def test_a_button_that_came_too_late_says_why_on_the_table_s_page(phone, table, word):
    dispute_game(table, reason="No march", seat=1, **now())
    answer = phone.post(at("table_confirm", table, 1), {"word": word, "reason": ""})
    page = squeezed(answer.content.decode())
    assert answer.status_code in (409, 422)
    assert 'id="table"' in page
    assert "Yes, confirm this score" not in page


def test_who_confirms_reads_what_an_organiser_corrected_and_why(phone, table):
    olive = Actor("Olive", a_user("olive", club=table.session.club))
    how = {"expected_version": 1, "client_id": "correct-1", "at": timezone.now(), "by": olive}
    correct_hand(table, 1, made(1, 5), reason="wrong tricks", as_organiser=True, **how)
    page = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert "Olive corrected hand 1: “wrong tricks”. The score is now 10\u2009–\u20092." in page


def test_a_deleted_hand_says_who_deleted_it_and_why(phone, table):
    how = {"expected_version": 1, "client_id": "strike-1", "reason": "entered twice"}
    strike_hand(table, 1, **how, **now())
    page = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert "<b>Deleted</b>" in page
    assert "deleted by Test," in page
    assert "entered twice" in page


def test_the_game_s_history_says_that_a_dispute_was_taken_back(phone, table):
    for reason in ("No march", "Not ten"):
        dispute_game(table, reason=reason, seat=1, **now())
        if reason == "No march":
            phone.post(at("withdraw_dispute", table))
    settle_game(table, "stands", reason="Counted", **now())
    club = table.session.club
    phone.force_login(a_user(club=club))
    game = Game.objects.get()
    page = squeezed(phone.get(reverse("game", args=[club.slug, game.public_id])).content.decode())
    words = page[page.index('<ul class="words') :].partition("</ul>")[0]
    taken_back, decided = words.split("</li>")[:2]
    assert "<b>Disputed, then taken back</b>“No march”" in taken_back
    assert "taken back by phone at table 1, " in taken_back
    assert "<b>It was disputed</b>“Not ten”" in decided
    assert "taken back" not in decided


def test_a_scorekeeper_reads_on_the_game_s_page_who_can_change_a_confirmed_result(client, table):
    confirm_game(table, seat=1, **now())
    club = table.session.club
    client.force_login(a_user(club=club, rank="scorekeeper"))
    game = Game.objects.get()
    page = client.get(reverse("game", args=[club.slug, game.public_id])).content.decode()
    assert "Only an organiser can change a confirmed result." in page
    assert "Open the table" in page
    assert "Enter hands" not in page


def test_at_a_table_of_three_the_page_says_that_one_other_player_is_enough(client):
    three = a_game_table("nanaimo-three-handed", players=3)
    three.session.club.confirm = "opponent"
    three.session.club.save()
    write(three, *[(0, 5)] * 4)
    client.force_login(a_user(club=three.session.club))
    page = client.get(reverse("table_entry", args=[three.public_id])).content.decode()
    assert "It is enough if one other player confirms the score." in page


def test_at_a_table_of_single_players_another_player_confirms(client):
    three = a_game_table("nanaimo-three-handed", players=3)
    three.session.club.confirm = "opponent"
    three.session.club.save()
    write(three, *[(0, 5)] * 4, at=timezone.now())
    client.post(reverse("table_door"), {"code": table_code(three)})
    winner = at("table_confirm", three, 0)
    for answer in (client.get(winner), client.post(winner, {"word": "accept"})):
        assert "Another player confirms this score." in squeezed(answer.text)
        assert "The other side" not in answer.text
