"""No page, print, feed or mail shows a text of the source to who reads another language."""

import json
import re
from datetime import UTC, date, datetime, time
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.db import models
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from league.members.languages import zone_choices
from league.sessions.models import Session, SignUp
from league.sessions.queries import evening_name
from scoring import preset_ids, ruleset
from tests.access_table import PAGES, Scene

pytestmark = pytest.mark.django_db

WORD = re.compile(r"[A-Za-z]{2,}")
ADDRESS = re.compile(r"https?://\S+|</?(?:iframe|img)[^>]*>?|\b[0-9A-Z]{4}-[0-9A-Z]{4}\b")
ATTRIBUTES = ("title", "aria-label", "aria-description", "placeholder", "alt")
NAMES = (
    "Bicycle Right Bower Dave Pat Ruth Walter CSV XLSX PDF EGN gamerules com "
    "St Austell Penryn Falmouth District Guernsey United English Zz Zy"
)


class Shown(HTMLParser):
    """Every text of a page that somebody reads or hears."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("script", "style")
        given = dict(attrs)
        self.texts += [given[name] for name in ATTRIBUTES if given.get(name)]
        if tag == "input" and given.get("type") in ("submit", "button"):
            self.texts.append(given.get("value") or "")

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.silent:
            self.texts.append(data)


@pytest.fixture(scope="module")
def names():
    presets = [f"{ruleset(one).name} {ruleset(one).alias}" for one in preset_ids()]
    zones = json.dumps(zone_choices())
    return {*WORD.findall(" ".join([NAMES, zones, *presets]))}


def stored_words():
    """Every word of what the club has written itself."""
    found = set()
    kinds = (models.CharField, models.TextField)
    for model in apps.get_app_config("league").get_models():
        fields = [
            f.name for f in model._meta.local_fields if isinstance(f, kinds) and not f.choices
        ]
        if fields:
            rows = [*model.objects.values_list(*fields)]
            found |= {*WORD.findall(json.dumps(rows, default=str))}
    return found


def in_plain_letters(answer, known):
    """The texts of an answer that have a word which is no name."""
    page = Shown()
    page.feed(answer.content.decode())
    return [
        " ".join(text.split())
        for text in page.texts
        if not known.issuperset(WORD.findall(ADDRESS.sub("", text)))
    ]


def test_a_page_of_a_club_shows_no_text_of_the_source(client, nobodys, names):
    scene = Scene("standings")
    assert scene.session
    client.force_login(scene.owner)
    parts = {name: page.ids(scene) for name, page in PAGES.items()}
    tonight = {*WORD.findall(evening_name(None, timezone.localdate()))}  # in the club's language
    found, known = {}, names | stored_words() | tonight
    for name, page in PAGES.items():
        if page.method == "get":
            address = reverse(name, kwargs={"slug": scene.club.slug, **parts[name]})
            answer = client.get(address, page.data, headers=nobodys)
            if "html" in answer.get("Content-Type", ""):
                found[name] = in_plain_letters(answer, known)
    assert len(found) > 100
    assert {name: plain for name, plain in found.items() if plain} == {}


@pytest.mark.parametrize(
    "name", ["home", "account_login", "account_signup", "account_reset_password"]
)
def test_a_page_outside_clubs_shows_no_text_of_the_source(client, nobodys, names, name):
    answer = client.get(reverse(name), headers=nobodys, follow=True)
    assert in_plain_letters(answer, names) == []


ACCOUNT_MAILS = (
    "email_confirmation", "email_added", "email_deleted", "email_confirm", "password_changed",
    "password_reset_key",
)  # fmt: skip
SECOND_STEP_MAILS = ("totp_activated", "totp_deactivated", "recovery_codes_generated")
MAILS = (
    *(f"sessions/mail_{name}" for name in ("reminder", "question", "moved_up", "called_off")),
    *(f"account/email/{n}_{part}" for n in ACCOUNT_MAILS for part in ("subject", "message")),
    *(f"mfa/email/{n}_{part}" for n in SECOND_STEP_MAILS for part in ("subject", "message")),
)


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_shows_no_text_of_the_source(nobodys, name):
    night = Session(name="7", held_on=date(2026, 11, 19), begins_at=time(19, 30))
    found = set()
    for row in (None, SignUp(), SignUp(placed_at=datetime(2026, 11, 1, tzinfo=UTC))):
        data = {"club_session": night, "row": row, "username": "7"}
        with translation.override(nobodys["Accept-Language"]):
            text = render_to_string(f"{name}.txt", data)
        assert text.strip()
        found |= {*WORD.findall(text)}
    assert found == set()
