"""A person's choice comes first, then the club's language, then what the browser asks for."""

from datetime import date

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from league.members.actions import change_settings
from league.members.languages import in_language
from league.members.models import Member
from league.sessions.actions import start_session
from league.sessions.mail import language_of, with_account_email
from tests.builders import EIGHT, TEST, a_club, a_user, members_of

pytestmark = pytest.mark.django_db
BROWSER = {"Accept-Language": "fr"}
COOKIE = settings.LANGUAGE_COOKIE_NAME


@pytest.fixture
def club():
    return a_club(visibility="standings")


def language_for(client, club, page="club", **more):
    return client.get(reverse(page, args=[club.slug]), headers=BROWSER, **more)["Content-Language"]


def test_who_has_chosen_nothing_reads_what_the_browser_asks_for(client, club):
    assert language_for(client, club) == "fr-ca"


def test_a_clubs_language_comes_before_the_browsers(client, club):
    change_settings(club, by=TEST, language="de")
    assert language_for(client, club) == "de"


@pytest.mark.parametrize("page", ["account_login", "account_signup"])
def test_who_comes_from_a_public_page_signs_in_in_the_language_of_that_page(
    client, club, settings, page
):
    settings.SIGN_UP = "open"
    change_settings(club, by=TEST, language="de")
    home = reverse("club", args=[club.slug])
    asked = {"path": reverse(page), "headers": BROWSER}
    assert client.get(**asked, query_params={"next": home})["Content-Language"] == "de"
    wrong = {"login": "olive", "password": "wrong", "next": home}
    assert client.post(**asked, data=wrong)["Content-Language"] == "de"
    assert client.get(**asked)["Content-Language"] == "fr-ca"
    change_settings(club, by=TEST, visibility="members")
    assert client.get(**asked, query_params={"next": home})["Content-Language"] == "fr-ca"
    change_settings(club, by=TEST, visibility="standings")
    client.cookies[COOKIE] = "en-us"
    assert client.get(**asked, query_params={"next": home})["Content-Language"] == "en-us"


@pytest.mark.parametrize("visibility", ["standings", "members"])
def test_the_help_is_in_the_language_of_the_club_whose_page_it_is_opened_from(
    client, club, visibility
):
    change_settings(club, by=TEST, language="de", visibility=visibility)
    asked = {"path": reverse("help"), "headers": BROWSER, "query_params": {"club": club.slug}}
    of_visitor = client.get(**asked)["Content-Language"]
    assert of_visitor == ("de" if visibility == "standings" else "fr-ca")
    client.force_login(a_user(club=club, rank="member"))
    assert client.get(**asked)["Content-Language"] == "de"


def test_a_persons_choice_comes_before_the_clubs(client, club):
    change_settings(club, by=TEST, language="de")
    client.cookies[COOKIE] = "en-us"
    assert language_for(client, club) == "en-us"


def test_prints_are_in_the_clubs_language_whoever_prints_them(client, club):
    change_settings(club, by=TEST, language="de")
    client.cookies[COOKIE] = "en-us"
    assert language_for(client, club, "rules_print") == "de"


def test_a_language_that_the_site_has_no_more_is_as_none(client, club):
    change_settings(club, by=TEST, language="nl")
    client.cookies[COOKIE] = "nl"
    assert language_for(client, club) == "fr-ca"


def test_a_choice_on_the_account_page_holds_at_once_and_at_every_sign_in(client):
    user = a_user("rose")
    client.force_login(user)
    page = reverse("you")
    client.post(page, {"display_name": "Rose", "language": "de"})
    assert client.get(page)["Content-Language"] == "de"
    other = type(client)()
    other.post(reverse("account_login"), {"login": "rose", "password": "correct horse battery"})
    assert other.cookies[COOKIE].value == "de"


@pytest.mark.parametrize(("chosen", "reads"), [("de", "de"), ("", "fr-ca")])
def test_a_choice_reaches_other_browsers_that_are_signed_in(client, club, chosen, reads):
    user = a_user("rose", club=club)
    other = type(client)(headers=BROWSER)
    other.force_login(user)
    other.cookies[COOKIE] = "en-us"
    client.force_login(user)
    client.post(reverse("you"), {"display_name": "Rose", "language": chosen})
    for page in (reverse("club", args=[club.slug]), reverse("you"), reverse("home")):
        other.cookies[COOKIE] = "en-us"
        assert other.get(page)["Content-Language"] == reads
        assert other.cookies[COOKIE].value == chosen


def test_mail_is_in_the_readers_language_else_in_the_clubs(club):
    change_settings(club, by=TEST, language="de")
    own, other = members_of(club, 2)
    user = a_user("rose")
    type(user).objects.filter(pk=user.pk).update(language="fr-ca")
    Member.objects.filter(pk=own.pk).update(user=user)
    languages = []
    both = Member.objects.filter(pk__in=[own.pk, other.pk]).order_by("pk")
    for member in with_account_email(both):
        with language_of(member):
            languages.append(translation.get_language())
    assert languages == ["fr-ca", "de"]


def test_what_is_stored_is_in_the_clubs_language(club):
    change_settings(club, by=TEST, language="de")
    with translation.override("fr-ca"):
        night = start_session(club, by=TEST, at=EIGHT, held_on=date(2026, 11, 19))
    assert night.name.startswith("Donnerstag")


@pytest.mark.parametrize("language", ["fr-ca", "de", "en-us"])
def test_what_packages_say_is_in_the_language_too(language):
    with in_language(language):
        said = translation.gettext("This password is too common.")
    assert (said == "This password is too common.") == (language == "en-us")


def test_an_empty_field_asks_in_few_words_in_every_language():
    said = {}
    for language in ("en-gb", "en-us", "fr-ca", "de"):
        with in_language(language):
            said[language] = translation.gettext("This field is required.")
    assert set(said.values()) == {"Fill this in.", "Veuillez remplir ce champ.", "Bitte ausfüllen."}


def test_british_pages_have_no_american_words(client, club):
    with translation.override("en-gb"):
        assert translation.gettext("Organiser") == "Organiser"
    with translation.override("en-us"):
        assert translation.gettext("Organiser") == "Organizer"


@pytest.mark.parametrize("page", ["export_people", "export_sessions", "club_results"])
def test_a_file_that_comes_in_again_has_the_same_columns_in_every_language(client, club, page):
    client.force_login(a_user(club=club))
    address = reverse(page, args=[club.slug, "csv"])
    english = client.get(address, headers={"Accept-Language": "en-GB"})
    german = client.get(address, headers={"Accept-Language": "de"})
    assert german["Content-Language"] == "de"
    assert german.content == english.content
