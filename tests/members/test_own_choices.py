"""What a player chooses and takes away by themselves: how the public reads them, and their data."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.exchange.export_jobs import data_of
from league.members.models import Member, Role, User
from league.play.models import Hand
from league.seating.models import Seat
from tests.builders import a_club, a_session, a_user, members_of
from tests.standings.random_club import the_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def rose():
    club = a_club(visibility="standings", names_in_public="initials")
    (member,) = members_of(club, 1)
    member.user = a_user("rose", club=club, rank="member")
    member.save()
    return member


def test_a_member_chooses_how_the_public_reads_them(client, rose):
    where = reverse("my_appearance", args=[rose.club.slug])
    client.force_login(rose.user)
    page = client.get(reverse("member_record", args=[rose.club.slug, rose.public_id]))
    assert where in page.content.decode()
    assert client.post(where, {"shown": "name"}).status_code == 302
    rose.refresh_from_db()
    assert rose.shown == Member.Shown.NAME
    assert f"<strong>{rose.name}</strong>" in client.get(where).content.decode()
    refused = client.post(where, {"shown": "loud"})
    assert refused.status_code == 422
    assert refused.content.count(b'name="shown"') == len(Member.Shown.choices)


def test_under_eighteen_only_an_organiser_chooses_a_name(client, rose):
    Member.objects.filter(pk=rose.pk).update(is_minor=True)
    where = reverse("my_appearance", args=[rose.club.slug])
    client.force_login(rose.user)
    answer = client.post(where, {"shown": "name"})
    assert answer.status_code == 422
    assert "an organiser chooses this" in answer.content.decode()
    assert client.post(where, {"shown": "hidden"}).status_code == 302


def test_own_data_has_every_hand_and_keys_a_person_can_read():
    club = the_club(11)
    member = max(club.members.all(), key=lambda one: one.results.count())
    member.user = a_user("somebody")
    member.save()
    (mine,) = json.loads(json.dumps(data_of(member.user), default=str))["plays as"]
    assert not [key for key in mine if "_" in key]
    entered = (*member.entries.all(), *member.entries_as_partner.all())
    assert {one["tournament"] for one in mine["tournaments"]} == {
        one.tournament.name for one in entered
    }
    assert entered
    sat = [
        (seat.position, hand.number)
        for seat in Seat.objects.filter(member=member)
        for hand in Hand.objects.filter(game__table=seat.table, current=True, struck=False)
        if seat.from_hand <= hand.number <= (seat.until_hand or hand.number)
    ]
    assert sorted((one["your seat"], one["hand"]) for one in mine["hands"]) == sorted(sat)
    assert sat
    assert "__" not in json.dumps(mine)
    assert not [one.name for one in club.members.exclude(pk=member.pk) if one.name in str(mine)]


def erased(rose, client, name="Rose"):
    return client.post(reverse("erase_me", args=[rose.club.slug]), {"name": name})


@pytest.fixture
def signed_in(client, rose):
    """Rose's browser, a moment after she gave her password; the club has an owner of its own."""
    a_user("olive", club=rose.club, rank="owner")
    EmailAddress.objects.create(user=rose.user, email="rose@example.org", verified=True)
    client.force_login(rose.user)
    password = {"password": "correct horse battery"}
    assert client.post(reverse("account_reauthenticate"), password).status_code == 302
    return client


def test_looking_at_the_page_that_erases_changes_nothing(signed_in, rose):
    where = reverse("erase_me", args=[rose.club.slug])
    assert where in signed_in.get(reverse("you")).content.decode()
    with CaptureQueriesContext(connection) as queries:
        page = signed_in.get(where)
    assert "your account is closed too" in page.content.decode()
    writes = ("INSERT", "UPDATE", "DELETE")
    assert not [one["sql"] for one in queries if one["sql"].startswith(writes)]


def test_a_checked_in_player_reads_why_before_they_type_their_name(signed_in, rose):
    night = a_session(rose.club, [rose])
    where = reverse("erase_me", args=[rose.club.slug])
    seen = signed_in.get(where).content.decode()
    assert "Rose is checked in to Thursday night. An organiser can" in seen
    assert "Type the name" not in seen
    night.state = "closed"
    night.save()
    assert "Type the name" in signed_in.get(where).content.decode()


def test_a_player_who_erases_themselves_leaves_the_club_and_the_last_sign_in_closes(
    signed_in, rose
):
    elsewhere = Client()
    elsewhere.force_login(rose.user)
    assert erased(rose, signed_in, "Ann").status_code == 422
    assert erased(rose, signed_in).status_code == 302
    rose.refresh_from_db()
    assert (rose.user, bool(rose.erased_at), rose.name == "Rose") == (None, True, False)
    account = User.objects.get(username="rose")
    assert (account.is_active, account.email, account.roles.count()) == (False, "", 0)
    assert not EmailAddress.objects.filter(user=account).exists()
    for browser in (signed_in, elsewhere):
        assert browser.get(reverse("you")).status_code == 302
    password = {"login": "rose", "password": "correct horse battery"}
    assert Client().post(reverse("account_login"), password).status_code != 302
    log = rose.club.audit.filter(action="erase person").get()
    assert (log.actor, log.user) == ("the player", None)


def test_an_account_of_another_club_stays_signed_in(signed_in, rose):
    Role.objects.create(club=a_club(slug="other"), user=rose.user, rank="member")
    assert (
        "your other clubs stay"
        in signed_in.get(reverse("erase_me", args=[rose.club.slug])).content.decode()
    )
    assert erased(rose, signed_in).status_code == 302
    assert signed_in.get(reverse("you")).status_code == 200
    assert signed_in.get(reverse("members", args=[rose.club.slug])).status_code == 404


def test_the_only_owner_reads_who_has_to_come_first(signed_in, rose):
    rose.club.roles.filter(user__username="olive").delete()
    rose.club.roles.update(rank="owner")
    answer = erased(rose, signed_in)
    assert answer.status_code == 409
    assert "Make someone else an owner first" in answer.content.decode()
    rose.refresh_from_db()
    assert rose.erased_at is None


def test_a_sign_in_of_long_ago_gives_the_password_again(client, rose):
    client.force_login(rose.user)
    answer = client.get(reverse("erase_me", args=[rose.club.slug]))
    assert answer.status_code == 302
    assert "reauthenticate" in answer["Location"]


def test_an_account_that_plays_nowhere_leaves_its_club_and_is_closed(client):
    club = a_club()
    a_user("olive", club=club)
    kit = a_user("kit", club=club, rank="member")
    EmailAddress.objects.create(user=kit, email="kit@example.org", verified=True)
    client.force_login(kit)
    client.post(reverse("account_reauthenticate"), {"password": "correct horse battery"})
    where = reverse("account_close")
    assert "leave your clubs first" in client.get(reverse("you")).text
    assert client.post(where).status_code == 409
    client.post(reverse("role_leave", args=[club.slug]))
    assert where in client.get(reverse("you")).text
    assert "can't be undone" in client.get(where).text
    assert client.post(where).status_code == 302
    kit.refresh_from_db()
    assert not kit.is_active
    assert not EmailAddress.objects.filter(user=kit).exists()
    assert client.get(reverse("you")).status_code == 302
