"""The code at the door: signed, revocable, throttled, and mindful of who is hidden."""

from dataclasses import replace

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member
from league.seating.queries import live_tables
from league.sessions import actions, door
from league.sessions.door import PER_PHONE, PHONE_COOKIE
from league.sessions.links import (
    SHOWN_AFTER_CLOSING,
    WRONG_LINKS,
    door_link,
    session_at_door,
    session_on_wall,
    wall_link,
)
from league.sessions.models import Session
from league.sessions.queries import present
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.seating.nights import a_game, a_night, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return a_session(a_club())


def assert_checked_in(answer):
    assert (answer.status_code, answer.url.endswith("/in")) == (302, True)


def test_somebody_taps_their_name_and_is_here(client, night):
    rose, ann = members_of(night.club, 2)
    page = client.get(door_link(night))
    assert page.status_code == 200
    assert b"Rose" in page.content
    assert_checked_in(client.post(door_link(night), {"member": rose.public_id}))
    assert list(present(night)) == [rose]
    assert night.audit.get(action="arrive").actor == "the door"
    assert ann not in present(night)


def test_somebody_types_a_name_the_club_knows_or_a_new_one(client, night):
    members_of(night.club, 1)
    client.post(door_link(night), {"name": "ROSE"})
    client.post(door_link(night), {"name": "Vera"})
    assert [member.name for member in present(night)] == ["Rose", "Vera"]
    assert Member.objects.count() == 2


@pytest.mark.parametrize("typed", ["mary", "Byrne", "MARY B", "Mary Burne"])
def test_a_part_of_a_name_typed_at_the_door_makes_no_second_player(client, night, typed):
    mary = Member.objects.create(club=night.club, name="Mary Byrne", shown="name")
    client.post(door_link(night), {"member": mary.public_id})
    asked = client.post(door_link(night), {"name": typed})
    assert (asked.status_code, Member.objects.count()) == (409, 1)
    page = asked.content.decode()
    assert "Is this you?" in page
    assert f'name="member" value="{mary.public_id}">Mary Byrne</button>' in page
    done = client.post(door_link(night), {"name": typed, "member": mary.public_id}, follow=True)
    assert "Mary Byrne is checked in" in done.content.decode()
    assert list(present(night)) == [mary]


def test_someone_of_the_same_first_name_who_is_new_checks_in_as_a_new_player(client, night):
    Member.objects.create(club=night.club, name="Mary Byrne")
    assert "Someone else, new here" in client.post(door_link(night), {"name": "Mary"}).text
    done = client.post(door_link(night), {"name": "Mary", "even_if_similar": "1"}, follow=True)
    assert "Mary is checked in" in done.text
    assert present(night).get().is_guest


def test_a_guest_who_is_checked_in_already_is_asked_about_at_the_door(client, night):
    client.post(door_link(night), {"name": "Vera Lane"})
    assert "Vera L." in client.post(door_link(night), {"name": "vera"}).text
    assert Member.objects.count() == 1


def test_a_first_name_typed_at_the_door_leads_to_no_name_that_is_hidden(client, night):
    Member.objects.create(club=night.club, name="Mary Byrne", shown="hidden")
    answer = client.post(door_link(night), {"name": "mary"})
    assert (answer.status_code, Member.objects.count()) == (409, 1)
    assert "Byrne" not in answer.text
    assert "Type your full name" in answer.text
    assert_checked_in(client.post(door_link(night), {"name": "Byrne"}))


def test_the_door_compares_no_more_of_a_name_than_it_shows(client, night):
    Member.objects.create(club=night.club, name="Rose Winter")  # shown as Rose W.
    assert_checked_in(client.post(door_link(night), {"name": "Winter"}))


def test_who_is_hidden_in_public_is_not_listed_and_may_type_the_name(client, night):
    Member.objects.create(club=night.club, name="Hidden Hank", shown="hidden")
    Member.objects.create(club=night.club, name="Young Yves", is_minor=True)
    page = client.get(door_link(night)).content.decode()
    assert "Hank" not in page
    assert "Yves" not in page
    client.post(door_link(night), {"name": "hidden hank"})
    assert present(night).get().name == "Hidden Hank"


def test_the_door_shows_first_names_and_initials_where_the_club_does(client, night):
    Member.objects.create(club=night.club, name="Rose Winter")
    page = client.get(door_link(night)).content.decode()
    assert "Rose W." in page
    assert "Winter" not in page


def test_a_hidden_person_cannot_be_tapped_by_a_made_up_form(client, night):
    hank = Member.objects.create(club=night.club, name="Hidden Hank", shown="hidden")
    answer = client.post(door_link(night), {"member": hank.public_id})
    assert answer.status_code == 404
    assert not present(night).exists()


@pytest.mark.parametrize("name", ["", "  ", "x" * 100, "\u202eevil", "<script>" * 20])
def test_what_is_no_name_is_refused_at_the_door(client, night, name):
    assert client.post(door_link(night), {"name": name}).status_code == 422
    assert not Member.objects.exists()


def test_a_forged_code_opens_nothing(client, night):
    code = door_link(night).rstrip("/").rsplit("/", 1)[1]
    for forged in (code[:-1] + ("A" if code[-1] != "A" else "B"), f"{night.public_id}.1:x", "x"):
        answer = client.get(reverse("door", args=[forged]))
        assert answer.status_code == 403
    assert session_at_door(code) == night


def test_the_doors_code_is_no_code_for_the_wall(night):
    code = door_link(night).rstrip("/").rsplit("/", 1)[1]
    assert session_on_wall(code) is None


@pytest.mark.parametrize(
    ("link", "revoke"), [(door_link, actions.revoke_door), (wall_link, actions.revoke_wall)]
)
def test_a_renewed_code_makes_the_old_one_void(client, night, link, revoke):
    old = link(night)
    assert client.get(old).status_code == 200
    night = revoke(night, by=TEST)
    assert client.get(old).status_code == 403
    assert client.get(link(night)).status_code == 200


def test_the_doors_code_dies_when_the_session_closes(client, night):
    actions.close_session(night, by=TEST, at=timezone.now())
    assert client.get(door_link(night)).status_code == 403


def test_the_wall_shows_how_a_closed_session_ended_for_a_few_days(client, night):
    actions.close_session(night, by=TEST, at=timezone.now())
    assert "Thank you for playing" in client.get(wall_link(night)).content.decode()
    Session.objects.update(closed_at=timezone.now() - SHOWN_AFTER_CLOSING)
    assert client.get(wall_link(night)).status_code == 403


def test_the_doors_poster_has_an_address_that_can_be_typed(client, night):
    client.force_login(a_user(club=night.club, rank="organiser"))
    poster = client.get(reverse("door_code", args=[night.club.slug, night.public_id]))
    assert f"http://testserver{door_link(night)}" in poster.content.decode()
    assert len(door_link(night)) < 24
    assert client.get(door_link(night).upper().replace("/DOOR/", "/door/")).status_code == 200


def a_phone(night):
    """A phone that scanned the code at the door."""
    phone = Client()
    assert phone.get(door_link(night)).status_code == 200
    return phone


def test_two_hundred_phones_behind_one_address_check_in(night):
    members = members_of(night.club, 15)
    answers = [a_phone(night).post(door_link(night), {"member": m.public_id}) for m in members]
    assert {answer.status_code for answer in answers} == {302}
    for number in range(200):
        phone = RequestFactory().post(door_link(night))
        phone.COOKIES[PHONE_COOKIE] = door._phone_signer.sign(str(number))
        door._limit_new_names(phone, night)  # refuses none


@pytest.mark.usefixtures("no_time_passes")
def test_one_phone_cannot_fill_the_club_with_names(night, monkeypatch):
    monkeypatch.setattr("league.sessions.door.PER_PHONE", replace(PER_PHONE, most=5))
    phone = a_phone(night)
    for number in range(5):
        assert_checked_in(phone.post(door_link(night), {"name": f"Guest {number} abc"}))
    answer = phone.post(door_link(night), {"name": "One Too Many"})
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert Member.objects.count() == 5
    assert_checked_in(a_phone(night).post(door_link(night), {"name": "Other Phone"}))


@pytest.mark.usefixtures("no_time_passes")
def test_a_phone_that_keeps_no_cookie_is_one_phone_and_taps_on_names_always_work(
    night, monkeypatch
):
    monkeypatch.setattr("league.sessions.door.PER_PHONE", replace(PER_PHONE, most=5))
    names = [f"Guest {number} abc" for number in range(8)]
    statuses = [Client().post(door_link(night), {"name": name}).status_code for name in names]
    assert statuses == [302] * 5 + [429] * 3
    assert_checked_in(a_phone(night).post(door_link(night), {"name": "Other Phone"}))
    (rose,) = members_of(night.club, 1)
    assert_checked_in(Client().post(door_link(night), {"member": rose.public_id}))


@pytest.mark.usefixtures("no_time_passes")
@pytest.mark.parametrize("limit", ["PER_ADDRESS", "PER_DOOR"])
def test_a_phone_that_says_it_is_another_each_time_cannot_either(night, monkeypatch, limit):
    monkeypatch.setattr(f"league.sessions.door.{limit}", replace(PER_PHONE, most=5))
    for number in range(8):
        phone = Client()
        phone.cookies[PHONE_COOKIE] = f"phone-{number}"
        last = phone.post(door_link(night), {"name": f"Guest {number} abc"})
    assert last.status_code == 429
    assert Member.objects.count() == 5


def test_the_door_tells_no_other_site_where_one_came_from_and_is_kept_by_nobody(client, night):
    answer = client.get(door_link(night))
    assert answer["Referrer-Policy"] in ("strict-origin", "same-origin", "no-referrer")
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"


def test_an_organiser_prints_the_code(client, night):
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("door_code", args=[night.club.slug, night.public_id]))
    assert page.context["address"].endswith(door_link(night))
    assert b"<svg" in page.content


@pytest.mark.usefixtures("no_time_passes")
def test_whoever_guesses_codes_is_stopped_and_the_right_code_still_opens(client, night):
    for guess in range(WRONG_LINKS.most):
        assert client.get(reverse("door", args=[f"x.1:{guess}"])).status_code == 403
    refused = client.get(reverse("door", args=["x.1:last"]))
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert client.get(door_link(night)).status_code == 200


def test_the_addresses_of_one_ipv6_customer_are_one_guesser(client):
    statuses = [
        client.get(reverse("door", args=["x"]), REMOTE_ADDR=f"2001:db8::{guess:x}").status_code
        for guess in range(WRONG_LINKS.most + 1)
    ]
    assert statuses == [403] * WRONG_LINKS.most + [429]


def test_a_player_who_checks_in_after_the_tables_are_made_sits_out_this_round(client):
    night, _members = a_night(4)
    published(night)
    late = Member.objects.create(club=night.club, name="Zoe Late")
    client.post(door_link(night), {"member": late.public_id})
    page = client.get(f"{door_link(night)}seat").content.decode()
    assert "You sit out this round." in page
    assert "New seats when 1 more table is done." in page


def test_whoever_checked_in_sees_their_seat_and_the_standings_on_the_same_phone(client):
    night, members = a_night(4)
    night.attendances.filter(member=members[0]).delete()
    link = door_link(night)
    seat = f"{link}seat"
    assert client.get(seat).url == link  # nobody has checked in on this phone
    done = client.post(link, {"member": members[0].public_id}, follow=True)
    assert seat in done.content.decode()
    assert "You have no seat yet" in client.get(seat).content.decode()
    published(night)
    assert "Rose: table 1" in client.get(seat).content.decode()
    a_game(live_tables(night)[0])
    done = "Your game is done. Your next seat appears here when the organiser makes the next round."
    assert done in client.get(seat).content.decode()
    assert client.get(f"{link}standings").status_code == 200
    actions.close_session(night, by=TEST, at=timezone.now())
    assert client.get(f"{link}standings").status_code == 200
    assert "The organiser has closed this session." in client.get(seat).content.decode()
    actions.open_session(night, by=TEST, at=timezone.now())
    assert "Rose: table 1" in client.get(seat).content.decode()  # the phone looks by itself
    actions.revoke_door(night, by=TEST)
    assert client.get(seat).status_code == client.get(f"{link}standings").status_code == 403


def test_the_pages_of_a_seat_and_the_standings_end_some_days_after_its_session(client):
    night, members = a_night(4)
    night.attendances.filter(member=members[0]).delete()
    link = door_link(night)
    client.post(link, {"member": members[0].public_id})
    actions.close_session(night, by=TEST, at=timezone.now() - SHOWN_AFTER_CLOSING)
    for page in ("seat", "standings"):
        assert client.get(f"{link}{page}").status_code == 403
