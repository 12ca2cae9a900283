"""Guests are signed up ahead by an organiser: known ones from the list, new ones by name."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.sessions.models import Session
from league.sessions.queries import sign_ups_of
from tests.builders import a_club, a_user, members_of
from tests.sessions.test_sign_up import coming, names

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user("olive", club=club))
    return client


def address(night: Session, page: str) -> str:
    return reverse(page, args=[night.club.slug, night.public_id])


def signed_up(night: Session) -> list[str]:
    return names(list(sign_ups_of(night, at=timezone.now()).rows))


def test_guests_of_the_club_stand_below_the_members_to_be_signed_up(
    club: Club, organiser: Client
) -> None:
    night, _members = coming(club), members_of(club, 2)
    amy = Member.objects.create(club=club, name="Amy", is_guest=True)
    page = organiser.get(address(night, "sign_ups"))
    assert [one.name for one in page.context["others"]] == ["Ann", "Rose", "Amy"]
    assert "Amy <small>guest</small>" in page.text
    organiser.post(address(night, "sign_up_others"), {"member": amy.public_id})
    assert signed_up(night) == ["Amy"]


def test_a_new_guest_is_signed_up_by_name_and_stands_on_top_at_check_in(
    club: Club, organiser: Client
) -> None:
    night, _members = coming(club, places=1), members_of(club, 2)
    new = address(night, "sign_up_guest")
    assert "Zoe is signed up." in organiser.post(new, {"name": " Zoe "}, follow=True).text
    said = organiser.post(new, {"name": "Max Power"}, follow=True).text
    assert "All places are taken: Max Power is on the waiting list." in said
    assert Member.objects.get(name="Zoe").is_guest
    assert "at least one letter" in organiser.post(new, {"name": "…"}, follow=True).text
    rows = organiser.get(address(night, "checkin")).context["rows"]
    assert [row.member.name for row in rows] == ["Zoe", "Max Power", "Ann", "Rose"]


def test_a_guest_whose_name_looks_like_a_players_is_asked_about(
    club: Club, organiser: Client
) -> None:
    night, (rose, _ann) = coming(club), members_of(club, 2)
    new = address(night, "sign_up_guest")
    page = organiser.post(new, {"name": "Rose"})
    assert page.status_code == 409
    assert "The club already has Rose. Is it the same person?" in page.text
    assert f'name="member" value="{rose.public_id}"' in page.text
    assert signed_up(night) == []
    organiser.post(new, {"name": "Rose 2", "even_if_similar": "1"})
    organiser.post(address(night, "sign_up_others"), {"member": rose.public_id})
    assert signed_up(night) == ["Rose 2", "Rose"]


def test_no_guest_is_made_for_a_session_that_is_over(club: Club, organiser: Client) -> None:
    night = coming(club)
    Session.objects.update(state="cancelled")
    organiser.post(address(night, "sign_up_guest"), {"name": "Zoe"})
    assert not Member.objects.filter(name="Zoe").exists()
