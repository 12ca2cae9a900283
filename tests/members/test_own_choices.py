"""What a player chooses and takes away by themselves: how the public reads them, and their data."""

import json

import pytest
from django.urls import reverse

from league.exchange.export_jobs import data_of
from league.members.models import Member
from league.play.models import Hand
from league.seating.models import Seat
from tests.builders import a_club, a_user, members_of
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
