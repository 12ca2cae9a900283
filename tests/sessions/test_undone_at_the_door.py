"""A wrong name tapped at the door is taken back on the same phone, until the player has a seat."""

import pytest
from django.test import Client
from django.utils import timezone

from league.sessions import attendance
from league.sessions.links import door_link
from league.sessions.queries import present
from tests.builders import TEST, a_club, a_session, members_of
from tests.seating.nights import a_night, published

pytestmark = pytest.mark.django_db
UNDO = "Not you? Undo"


@pytest.fixture
def night():
    return a_session(a_club())


def undo(phone, night):
    return phone.post(f"{door_link(night)}undo", follow=True)


def test_a_wrong_name_tapped_at_the_door_is_taken_back_on_the_same_phone(client, night):
    rose, ann = members_of(night.club, 2)
    answer = client.post(door_link(night), {"member": rose.public_id}, follow=True)
    assert UNDO in answer.text
    page = undo(client, night)
    assert "Now tap your own name." in page.text
    assert f'value="{rose.public_id}"' in page.text
    assert not night.attendances.exists()
    assert UNDO in client.post(door_link(night), {"member": ann.public_id}, follow=True).text


def test_the_answer_to_a_check_in_at_the_door_is_a_page_to_come_back_to(client, night):
    (rose,) = members_of(night.club, 1)
    answer = client.post(door_link(night), {"member": rose.public_id})
    assert answer.status_code == 302
    assert "Rose is checked in" in client.get(answer.url).text


def test_another_phone_takes_back_no_check_in(client, night):
    (rose,) = members_of(night.club, 1)
    client.post(door_link(night), {"member": rose.public_id})
    assert undo(Client(), night).redirect_chain[-1][0] == door_link(night)
    assert list(present(night)) == [rose]


def test_a_phone_that_typed_the_name_of_a_player_already_here_takes_nothing_back(client, night):
    (rose,) = members_of(night.club, 1)
    attendance.arrive(night, rose, by=TEST, at=timezone.now())
    page = client.post(door_link(night), {"name": "Rose"}, follow=True)
    assert "Rose is checked in" in page.text
    assert UNDO not in page.text
    undo(client, night)
    assert list(present(night)) == [rose]


def test_a_player_who_came_again_at_another_phone_stays(client, night):
    (rose,) = members_of(night.club, 1)
    client.post(door_link(night), {"member": rose.public_id})
    undo(client, night)
    Client().post(door_link(night), {"member": rose.public_id})
    undo(client, night)
    assert list(present(night)) == [rose]


def test_once_the_player_has_a_seat_the_page_leads_to_the_organiser(client):
    night, members = a_night(4)
    night.attendances.filter(member=members[0]).delete()
    client.post(door_link(night), {"member": members[0].public_id})
    published(night)
    page = undo(client, night)
    assert "Not Rose? Please tell the organiser." in page.text
    assert UNDO not in page.text
    assert members[0] in present(night)
