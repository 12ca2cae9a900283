"""The site speaks the languages it has texts in, whatever else a browser asks for."""

import calendar

import pytest
from django.urls import reverse

from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["fr", "ar"])
def test_a_page_is_not_half_in_a_language_that_the_site_does_not_have(client, language):
    page = client.get(reverse("account_login"), headers={"Accept-Language": language})
    assert page["Content-Language"] == "en"
    assert b'dir="rtl"' not in page.content


@pytest.mark.parametrize("language", ["fr", "ar"])
def test_a_session_is_not_named_in_the_language_of_a_browser(client, language):
    club = a_club()
    client.force_login(a_user(club=club))
    page = client.get(reverse("sessions", args=[club.slug]), headers={"Accept-Language": language})
    first_word = page.context["form"]["name"].value().split()[0]
    assert first_word in calendar.day_name
