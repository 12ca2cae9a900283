"""The site speaks the languages it has texts in, whatever else a browser asks for, and in its own
words what packages say."""

import calendar
import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import trans_real

from league.members.languages import skip_empty_catalogues
from league.sessions import door
from league.sessions.actions import start_session
from league.sessions.links import door_link
from tests.builders import EIGHT, TEST, a_club, a_session, a_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["nl", "ar"])
def test_a_page_is_not_half_in_a_language_that_the_site_does_not_have(client, language):
    page = client.get(reverse("account_login"), headers={"Accept-Language": language})
    assert page["Content-Language"] == "en-gb"
    assert b'dir="rtl"' not in page.content


@pytest.fixture
def french(settings):
    """A site that has French texts as well, and what a French browser asks it with."""
    settings.LANGUAGES = [("en-gb", "English"), ("fr", "French")]
    return {"Accept-Language": "fr"}


def test_a_session_is_named_in_the_clubs_language_whoever_starts_it(client, french):
    club = a_club()
    client.force_login(a_user(club=club))
    page = client.get(reverse("sessions", args=[club.slug]), headers=french)
    assert page["Content-Language"] == "fr"
    assert page.context["tonight"].split()[0] in calendar.day_name
    with translation.override("fr"):
        night = start_session(club, by=TEST, at=EIGHT, held_on=date(2026, 11, 19))
    assert night.name == "Thursday 19 November"


def test_who_acted_is_noted_in_the_clubs_language(client, french, monkeypatch):
    club = a_club()
    night = a_session(club)
    monkeypatch.setattr(door, "_", lambda text: f"{translation.get_language()}: {text}")
    client.post(door_link(night), {"name": "Rose"}, headers=french)
    assert club.audit.get(action="arrive").actor == "en-gb: the door"


@pytest.mark.parametrize(
    "name",
    ["signup", "login", "reset_password", "email", "change_password", "reauthenticate", "logout"],
)
def test_the_pages_about_accounts_speak_as_the_site_does(client, settings, name):
    settings.SIGN_UP = "open"
    if name in ("email", "change_password", "reauthenticate", "logout"):
        client.force_login(a_user("rose"))
    page = client.get(reverse(f"account_{name}"), follow=True).content.decode()
    strange = (
        "Sign Up|Signup|Remember Me|Username|Re-send|Confirm Access|reauthenticate|Verified|"
        "Make Primary|Email|Reset My|Sign Out|Are you sure"
    )
    assert re.findall(strange, re.sub(r"<[^>]+>", "", page)) == []


def test_an_english_text_is_looked_for_in_no_empty_catalogue():
    skip_empty_catalogues()  # tests of other settings have brought them back
    behind = trans_real.translation("en-gb")
    while behind := behind._fallback:
        assert set(behind._catalog) > {""}


def test_what_packages_say_is_translated_as_before_and_so_are_plurals():
    with translation.override("en-gb"):
        assert translation.gettext("Make Primary") == "Make main address"
        assert translation.gettext("said in no catalogue") == "said in no catalogue"
        assert translation.ngettext("%d reed", "%d reeds", 1) == "%d reed"
        assert translation.ngettext("%d reed", "%d reeds", 2) == "%d reeds"
    with translation.override("en-us"):
        assert translation.gettext("Make Primary") == "Make main address"
