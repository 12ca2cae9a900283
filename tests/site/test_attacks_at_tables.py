"""Attacks on the tables' pages, by their rows in docs/reliability-proof.md."""

import pytest
from django.urls import reverse

from league.members.models import Club
from league.play.auth import table_code
from league.play.game_log import rules_of
from league.play.models import Game, Hand
from tests.builders import a_game_table, a_table, a_user, members_of
from tests.play.test_entry_page import a_hand, at, come_in

pytestmark = pytest.mark.django_db


def by_seat(*won):
    hand = a_hand(bid=3, trump="h") | {f"won{seat}": n for seat, n in enumerate(won)}
    del hand["outcome"]
    return hand


@pytest.mark.parametrize("won", [(4, 4, 1), (8, 1, 0), (3, 3, 1), (0, 0, 0), (8, 8, 8)])
def test_h13_tricks_of_all_seats_add_up_to_the_hand(client, won):
    table = a_game_table("bid-hoosier-three-player", players=3)
    come_in(client, table)
    answer = client.post(at("save_hand", table), by_seat(*won))
    assert answer.status_code == 422
    assert not Hand.objects.exists()


def test_h13_control_tricks_that_do_add_up_are_saved(client):
    table = a_game_table("bid-hoosier-three-player", players=3)
    come_in(client, table)
    tricks = rules_of(table.ruleset.body).hand_size
    assert client.post(at("save_hand", table), by_seat(tricks - 3, 2, 1)).status_code == 302


def test_h13_more_tricks_than_a_hand_has_are_refused_at_their_field(client):
    table = a_game_table()
    Club.objects.update(tricks_entry="count")
    come_in(client, table)
    sent = a_hand() | {"tricks": "6"}
    del sent["outcome"]
    answer = client.post(at("save_hand", table), sent)
    assert answer.status_code == 422
    assert "tricks" in answer.context["form"].errors
    assert not Hand.objects.exists()


def test_a1_whoever_writes_at_another_table_is_refused_and_stands_in_the_log(client, caplog):
    table = a_game_table()
    other = a_table(table.session, members_of(table.session.club, 4), table.ruleset)
    come_in(client, table)
    assert client.post(at("save_hand", other), a_hand()).status_code == 403
    assert f"refused at table {other.public_id}" in caplog.text
    assert not Hand.objects.exists()


def test_a1_a_member_does_not_correct_strike_or_end_a_game(client):
    table = a_game_table()
    come_in(client, table)
    client.post(at("save_hand", table), a_hand())
    client.cookies.clear()
    client.force_login(a_user("mia", club=table.session.club, rank="member"))
    sent = a_hand(maker=1, version=1, reason="x", seat=0)
    orders = [("table_correct", 1), ("table_strike", 1), ("undo_hand",), ("table_concede",)]
    orders += [("table_time",), ("table_totals",), ("table_ruling",), ("undo_ruling", 1)]
    orders += [("preview_ruling",), ("table_misdeal",)]
    for name, *args in orders:
        assert client.post(at(name, table, *args), sent).status_code == 403, name
    game = Game.objects.get()
    assert (game.state, game.hands_written, game.rulings_written) == ("playing", 1, 0)


def test_a5_a_code_cannot_be_guessed_or_taken_from_another_table(client):
    table = a_game_table()
    other = a_table(table.session, members_of(table.session.club, 4), table.ruleset)
    name, _, signature = table_code(table).rpartition(":")
    assert len(signature) * 6 >= 112  # base64: six bits a sign
    forged = f"{name.replace(table.public_id, other.public_id)}:{signature}"
    for code in (forged, f"{name}:{signature[:-1]}", name, f"{name}9:{signature}", ""):
        assert client.post(reverse("table_door"), {"code": code}).status_code == 403, code


def test_a5_a_tables_page_tells_no_other_site_where_one_came_from(client):
    table = a_game_table()
    come_in(client, table)
    page = client.get(at("table_entry", table))
    assert page["Referrer-Policy"] == "same-origin"
    assert table_code(table) not in page.content.decode()
    assert "no-store" in page["Cache-Control"]
