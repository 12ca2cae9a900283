"""Seasons: made, changed, and taken by the sessions that fall into them."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from league.seasons.models import Season
from tests.builders import EIGHT, a_club, a_session, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client):
    club = a_club()
    client.force_login(a_user(club=club))
    return club


def test_a_season_is_made_and_changed_and_both_are_written_down(client, club):
    data = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "", "counts": "total"}
    assert client.post(reverse("season_new", args=[club.slug]), data).status_code == 302
    season = Season.objects.get()
    edit = reverse("season_edit", args=[club.slug, season.public_id])
    client.post(edit, {**data, "name": "Autumn 2026", "ends_on": "2026-12-20"})
    season.refresh_from_db()
    assert (season.name, season.ends_on) == ("Autumn 2026", date(2026, 12, 20))
    assert club.audit.count() == 2


def test_a_new_season_begins_today_until_somebody_says_otherwise(client, club):
    form = client.get(reverse("season_new", args=[club.slug])).context["form"]
    assert form["starts_on"].value() == date.today()  # noqa: DTZ011 - as below


def test_a_season_does_not_end_before_it_begins(client, club):
    data = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-08-31"}
    answer = client.post(reverse("season_new", args=[club.slug]), data)
    assert answer.status_code == 422
    assert b"The last day comes before the first." in answer.content


def test_two_seasons_of_one_club_have_two_names(client, club):
    data = {"name": "Autumn", "starts_on": "2026-09-01", "counts": "total"}
    assert client.post(reverse("season_new", args=[club.slug]), data).status_code == 302
    other = client.post(reverse("season_new", args=[club.slug]), data | {"name": "autumn"})
    assert "There is another season of this name." in other.content.decode()
    season = Season.objects.get()
    edit = reverse("season_edit", args=[club.slug, season.public_id])
    assert client.post(edit, data).status_code == 302
    Season.objects.update(closed_at=EIGHT)
    following = reverse("season_next", args=[club.slug, season.public_id])
    again = client.post(following, {"name": "Autumn", "starts_on": "2027-01-01"})
    assert "There is another season of this name." in again.content.decode()
    assert Season.objects.count() == 1


def test_another_clubs_season_is_not_changed(client, club):
    other = a_club(slug="other")
    season = other.seasons.create(name="Theirs", starts_on=date(2026, 9, 1))
    edit = reverse("season_edit", args=[club.slug, season.public_id])
    assert client.post(edit, {"name": "Mine", "starts_on": "2026-09-01"}).status_code == 404


def test_the_season_of_today_is_filled_in_for_a_new_session(client, club):
    today = date.today()  # noqa: DTZ011 - the club's zone is UTC, as the machine's tests are
    club.seasons.create(name="Over", starts_on=today - timedelta(99), ends_on=today - timedelta(50))
    now = club.seasons.create(name="Now", starts_on=today - timedelta(9))
    form = client.get(reverse("sessions", args=[club.slug])).context["form"]
    assert form.initial["season"] == now


def test_one_tap_makes_tonights_session_and_leads_to_check_in(client, club):
    form = client.get(reverse("sessions", args=[club.slug])).context["form"]
    data = {"name": "", "held_on": form.initial["held_on"], "season": ""}
    answer = client.post(reverse("session_new", args=[club.slug]), data)
    night = club.sessions.get()
    assert answer.url == reverse("checkin", args=[club.slug, night.public_id])
    again = client.get(reverse("sessions", args=[club.slug]))
    assert again.context["on_now"] == [night]
    assert "Another session tonight" in again.content.decode()


def test_planned_sessions_are_listed_soonest_first_and_past_ones_latest_first(client, club):
    today = date.today()  # noqa: DTZ011 - as above
    states = ((14, "planned"), (-14, "closed"), (7, "planned"), (-7, "planned"), (10, "cancelled"))
    for days, state in states:
        a_session(club, name=f"{days}", held_on=today + timedelta(days), state=state)
    listed = client.get(reverse("sessions", args=[club.slug])).context["nights"]
    assert [night.name for night in listed] == ["7", "10", "14", "-7", "-14"]


@pytest.mark.parametrize(
    "data", [{}, {"name": "x" * 200, "held_on": "2026-11-19"}, {"name": "A", "held_on": "soon"}]
)
def test_a_session_that_makes_no_sense_is_not_made(client, club, data):
    assert client.post(reverse("session_new", args=[club.slug]), data).status_code == 422
    assert not club.sessions.exists()
