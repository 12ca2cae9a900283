"""Visitors of a public club subscribe to its dates; of another club they get none."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club
from league.sessions.attendance import sign_up
from tests.builders import TEST, a_club, members_of
from tests.sessions.test_sign_up import coming

pytestmark = pytest.mark.django_db


def test_a_visitor_of_a_public_club_finds_a_calendar_to_subscribe_to_without_names(
    client: Client,
) -> None:
    club = a_club(visibility="standings")
    nights = [coming(club, name=name) for name in ("Quiz and cards", "Final")]
    (rose,) = members_of(club, 1)
    sign_up(nights[0], rose, by=TEST, at=timezone.now())
    page = client.get(reverse("club", args=[club.slug])).text
    address = re.search(r'value="(http[^"]+\.ics)"', page)
    assert address
    answer = client.get(address[1])
    assert answer["Content-Type"].startswith("text/calendar")
    for night in nights:
        assert f"SUMMARY:{night.name}" in answer.text
    assert "Rose" not in answer.text


def test_a_club_of_its_members_alone_has_no_calendar_for_visitors(client: Client) -> None:
    club = a_club()
    coming(club)
    assert Club.objects.get().visibility == "members"
    assert client.get(reverse("club_calendar", args=[club.slug])).status_code in (302, 404)
