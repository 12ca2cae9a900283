"""A member's own line on the session's page: table, chair, with whom, and when they move on."""

import pytest
from django.urls import reverse

from league.members.models import Member, Role
from league.seating.queries import live_tables
from league.sessions.attendance import arrive, rest
from league.sessions.models import Session
from tests.builders import TEST, a_user
from tests.pages import squeezed
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night, _members = a_night(11, a_seating_club())
    published(night)
    return night


def line(client, night, seat, rank="member"):
    """What somebody on this chair reads about themselves."""
    user = a_user(f"user-{seat.pk}", club=night.club, rank=rank)
    seat.member.user = user
    seat.member.save()
    client.force_login(user)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id]))
    text = page.content.decode().partition("your-place")[2].partition("</section>")[0]
    return " ".join(text.replace("<b>", "").replace("</b>", "").replace("&amp;", "&").split())


@pytest.mark.parametrize("rank", ["member", "organiser"])
def test_it_names_table_chair_partner_and_opponents(client, night, rank):
    table = live_tables(night)[0]
    seated = list(table.seats.order_by("position").select_related("member"))
    names = [seat.member.name for seat in seated]
    for position, compass in enumerate(("North", "East", "South", "West")):
        text = line(client, night, seated[position], rank)
        against = " & ".join(names[1 - position % 2 :: 2])
        assert f"You: table {table.number}, {compass}" in text
        assert f"with {names[(position + 2) % 4]} against {against}" in text


def test_at_a_table_of_three_everybody_is_against_the_two_others(client, night):
    (three,) = [table for table in live_tables(night) if table.players == 3]
    seated = list(three.seats.order_by("position").select_related("member"))
    text = line(client, night, seated[2])
    assert "West" in text
    assert "with " not in text
    assert f"against {seated[0].member.name}, {seated[1].member.name}" in text


@pytest.mark.parametrize(("rank", "leads_to"), [("member", "/t/"), ("scorekeeper", "/t/{}/")])
def test_it_leads_to_the_page_where_hands_are_entered(client, night, rank, leads_to):
    table = live_tables(night)[0]
    seat = table.seats.select_related("member").first()
    assert f'href="{leads_to.format(table.public_id)}">Enter hands' in line(
        client, night, seat, rank
    )


def test_it_says_that_a_game_waits_to_be_confirmed(client, night):
    table = live_tables(night)[0]
    a_game(table, state="finished", hands=5)
    seat = table.seats.select_related("member").first()
    assert "Your game waits to be confirmed." in line(client, night, seat)


def test_it_says_how_many_tables_are_to_be_done_before_people_move_on(client, night):
    first, second, third = live_tables(night)
    seat = first.seats.select_related("member").first()
    assert "New seats when 2 more tables are done." in line(client, night, seat)
    a_game(first, state="confirmed", hands=5)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    page = squeezed(page)
    assert "Your game is done. New seats when 1 more table is done." in page
    a_game(second, state="confirmed", hands=5)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    assert "Your next seat will appear any moment." in page
    still = third.seats.select_related("member").first()
    assert "You move when your game is finished." in line(client, night, still)


def test_a_session_that_is_over_promises_nobody_a_next_seat(client, night):
    for table in live_tables(night):
        a_game(table, state="confirmed", hands=5)
    first = live_tables(night)[0].seats.select_related("member").first()
    assert "Your next seat" in line(client, night, first)
    Session.objects.update(state="closed")
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    assert "Your next seat" not in page


@pytest.mark.parametrize("chosen", [True, False])
def test_a_player_who_sits_out_reads_it_on_the_sessions_page(client, night, chosen):
    zoe = Member.objects.create(club=night.club, name="Zoe Late", user=a_user("zoe"))
    Role.objects.create(club=night.club, user=zoe.user, rank="member")
    client.force_login(zoe.user)
    address = reverse("session", args=[night.club.slug, night.public_id])
    assert "You sit out this round." not in client.get(address).content.decode()
    arrive(night, zoe, by=TEST, at=AT)
    if chosen:
        rest(night, zoe, by=TEST)
    assert "You sit out this round." in client.get(address).content.decode()
