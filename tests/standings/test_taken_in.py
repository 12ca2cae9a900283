"""A season takes in the sessions of its dates that are in none, with one press."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from league.sessions.models import Session
from tests.builders import a_club, a_session, a_user

pytestmark = pytest.mark.django_db


def test_its_page_offers_closed_sessions_in_its_dates_and_takes_them_in(client: Client):
    club = a_club()
    client.force_login(a_user(club=club))
    season = club.seasons.create(name="Winter", starts_on=date(2026, 11, 1))
    inside = a_session(club, name="First", state=Session.State.CLOSED)
    before = a_session(club, name="Early", held_on=date(2026, 10, 1), state=Session.State.CLOSED)
    page = reverse("season_standings", args=[club.slug, season.public_id])
    assert (
        "1 session between these dates counts in no season: First."
        in client.get(page).content.decode()
    )
    client.post(reverse("season_take_in", args=[club.slug, season.public_id]))
    inside.refresh_from_db()
    before.refresh_from_db()
    assert (inside.season, before.season) == (season, None)
    assert "in no season" not in client.get(page).content.decode()
