"""Permanent table cards: which of tonight's tables a card's code opens."""

import pytest
from django.urls import reverse

from league.seating.actions import make_cards_up_to, replace_code
from league.sessions.models import Session
from tests.builders import TEST, a_game_table, a_session, a_table, a_user, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return a_game_table()


def at(name, table):
    return reverse(name, args=[table.public_id])


def test_a_permanent_card_opens_whichever_table_stands_at_its_number_tonight(client, table):
    club = table.session.club
    make_cards_up_to(club, 3, by=TEST)
    card = club.table_cards.get(number=1)
    opened = client.post(reverse("table_door"), {"code": card.typed.lower()})
    assert opened.url == at("table_entry", table)
    assert client.get(f"/t/{card.typed}").url == f"/t/#{card.typed}"  # the door posts it
    nobody = client.post(reverse("table_door"), {"code": club.table_cards.get(number=2).code})
    assert "Nobody is playing at table 2 now." in nobody.content.decode()
    Session.objects.update(state="closed")
    next_week = a_table(a_session(club), members_of(club, 12)[4:8], table.ruleset)
    opened = client.post(reverse("table_door"), {"code": card.code})
    assert opened.url == at("table_entry", next_week)
    replace_code(next_week, by=TEST)
    assert client.post(reverse("table_door"), {"code": card.code}).status_code == 403


def test_where_two_sessions_have_a_cards_table_the_phone_chooses(client, table):
    club = table.session.club
    make_cards_up_to(club, 1, by=TEST)
    other = a_table(a_session(club), members_of(club, 12)[4:8], table.ruleset)
    code = club.table_cards.get().code
    answer = client.post(reverse("table_door"), {"code": code})
    assert "Several open sessions have a table 1. Choose yours." in answer.content.decode()
    assert other.seats.first().member.name in answer.content.decode()
    for one in (other, table):
        chosen = {"code": code, "session": one.session.public_id}
        assert client.post(reverse("table_door"), chosen).url == at("table_entry", one)


def test_a_player_who_is_signed_in_comes_to_the_own_one_of_several_tables(client, table):
    club = table.session.club
    make_cards_up_to(club, 1, by=TEST)
    other = a_table(a_session(club), members_of(club, 12)[4:8], table.ruleset)
    code = {"code": club.table_cards.get().code}
    client.force_login(a_user("lou", club=club, rank="member"))
    assert client.post(reverse("table_door"), code).status_code == 409  # sits at neither
    player = other.seats.first().member
    player.user = a_user("ted", club=club, rank="member")
    player.save()
    client.force_login(player.user)
    assert client.post(reverse("table_door"), code).url == at("table_entry", other)
    chosen = code | {"session": table.session.public_id}
    assert client.post(reverse("table_door"), chosen).url == at("table_entry", table)
