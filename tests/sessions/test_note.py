"""A note to players about one session stands wherever the session is announced."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club
from league.sessions.actions import close_session, open_session, repeat_session
from league.sessions.links import calendar_link, make_calendar_link
from league.sessions.models import Session
from tests.builders import TEST, a_club, a_user
from tests.sessions.test_sign_up import coming

pytestmark = pytest.mark.django_db
NOTE = "In the Scout hut tonight"


@pytest.fixture
def club() -> Club:
    return a_club(visibility="standings", venue="Church hall")


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user("olive", club=club))
    return client


def address(night: Session, page: str = "session") -> str:
    return reverse(page, args=[night.club.slug, night.public_id])


def test_an_organiser_writes_the_note_in_the_settings_of_the_session(
    club: Club, organiser: Client
) -> None:
    night = coming(club)
    form = organiser.get(address(night, "session_edit")).context["form"]
    values = {name: value for name, value in form.initial.items() if value is not None}
    organiser.post(address(night, "session_edit"), values | {"note": NOTE})
    assert Session.objects.get().note == NOTE
    too_long = organiser.post(address(night, "session_edit"), values | {"note": "x" * 201})
    assert too_long.status_code == 422
    log = organiser.get(reverse("audit", args=[club.slug])).text
    assert NOTE in log


def test_a_new_session_has_its_note_at_once(club: Club, organiser: Client) -> None:
    day = timezone.now().date()
    organiser.post(reverse("session_new", args=[club.slug]), {"held_on": day, "note": NOTE})
    assert Session.objects.get().note == NOTE


def test_members_and_visitors_read_the_note_where_the_session_is_announced(
    club: Club, organiser: Client
) -> None:
    night = coming(club, note=NOTE)
    club_page, upcoming = (reverse(page, args=[club.slug]) for page in ("club", "coming"))
    sessions = reverse("sessions", args=[club.slug])
    for page in (address(night), club_page, upcoming, sessions, address(night, "sign_ups")):
        assert NOTE in organiser.get(page).text, page
    for page in (club_page, address(night, "session_standings")):
        assert NOTE in Client().get(page).text, page
    entry = Client().get(address(night, "session_calendar")).text
    assert "LOCATION:Church hall" in entry
    assert f"DESCRIPTION:{NOTE}" in entry
    role = club.roles.get()
    make_calendar_link(role, by=TEST, at=timezone.now())
    assert NOTE in re.sub(r"\r\n ", "", Client().get(calendar_link(role)).text)


def test_a_closed_session_shows_no_note_and_the_next_week_has_none(
    club: Club, organiser: Client
) -> None:
    night = coming(club, note=NOTE)
    assert repeat_session(night, by=TEST, at=timezone.now()).note == ""
    open_session(night, by=TEST, at=timezone.now())
    assert NOTE in organiser.get(address(night)).text
    close_session(night, by=TEST, at=timezone.now())
    for page in (address(night), reverse("club", args=[club.slug])):
        assert NOTE not in organiser.get(page).text, page
