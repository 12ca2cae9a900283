"""No key of the site reaches a line of its log, by whatever door it comes in."""

import io
import logging
import re
import string
from urllib.parse import quote

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.live.revision import revision_url
from league.logs import (
    DiscreetFormatter,
    JsonFormatter,
    WithRequest,
    path_for_log,
    without_sent_text,
)
from league.members.actions.roles import invite, make_token
from league.play.auth import table_code
from league.sessions.links import calendar_link, door_link, make_calendar_link, wall_link
from tests.builders import EIGHT, TEST
from tests.scene import Scene

PART = 8
"""So many letters of a key in a row are a part of it."""


def end_of(link: str) -> str:
    return link.rstrip("/").rsplit("/", 1)[1]


def keys_of(scene: Scene) -> dict[str, str]:
    """One of each kind of key that the site gives out, all of them good."""
    client = Client()
    client.force_login(scene.owner)
    calendar = make_calendar_link(scene.role, by=TEST, at=EIGHT)
    return {
        "table": table_code(scene.table),
        "door": end_of(door_link(scene.session)),
        "wall": end_of(wall_link(scene.session)),
        "invitation": invite(scene.club, rank="member", by=TEST, at=EIGHT)[1],
        "token": make_token(scene.club, name="Screen", scope="read", by=TEST, at=EIGHT)[1],
        "calendar": calendar_link(calendar).split("/")[2],
        "password": f"1-{default_token_generator.make_token(scene.owner)}",
        "revision": revision_url(scene.session).partition("k=")[2],
        "sign-in": client.cookies["sessionid"].value,
    }


PLACES = [
    *(
        "/t/{}",
        "/t/{}/",
        "/t/{}/hand",
        "/door/{}/",
        "/wall/{}/",
        "/join/{}/",
        "/calendar/{}/own.ics",
    ),
    *("/{}", "//t//{}", "/T/{}", "/DOOR/{}/", "/t%2F{}", "/t∕{}/", "/t/ /{}", "/nothing/{}/here"),
    *("/c/{}/", "/c/thursday/{}", "/c/thursday/s/{}/", "/c/thursday/members/{}/edit/"),
    *("/c/thursday/rulesets/presets/{}/", "/c/thursday/s/{}/standings.csv", "/static/{}.js"),
    *("/accounts/password/reset/key/{}/", "/accounts/confirm-email/{}/", "/accounts/{}/"),
    *(
        "/api/v1/{}",
        "/api/v1/sessions/{}",
        "/admin/league/member/{}/change/",
        "/?k={}",
        "/{}?next=/{}",
    ),
    *("/accounts/login/?next=/door/{}/", "/c/thursday/?q={}", "/t/x;{}", "/t/\\{}", "/healthz/{}"),
]


def escaped(key: str) -> str:
    return "".join(f"%{ord(letter):02X}" for letter in key)


CHANGES = {
    "as it is": str,
    "capitals": str.upper,
    "small letters": str.lower,
    "escaped": escaped,
    "escaped twice": lambda key: quote(escaped(key)),
    "in two": lambda key: f"{key[: len(key) // 2]}/{key[len(key) // 2 :]}",
    "in pieces": lambda key: "/".join(re.findall(".{1,9}", key)),
    "with a line break": lambda key: f"{key[:9]}%0A{key[9:]}",
    "with an odd letter": lambda key: f"{key[:10]}é∕{key[10:]}ｅ",
    "with bytes that are no text": lambda key: f"%ff{key}%c3%28",
    "behind a word": lambda key: f"session_{key}",
}


def parts_of(key: str, text: str) -> set[str]:
    """The parts of the key that stand in the text, in small letters or capitals."""
    text, runs = text.casefold(), re.findall(r"[\w-]+", key.casefold())
    parts = {run[at : at + PART] for run in runs for at in range(len(run) - PART + 1)}
    return {part for part in parts if part in text}


@pytest.fixture
def written():
    """Everything the site's own formatters write during the test."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers = []
    for formatter in (
        DiscreetFormatter("{levelname} {name}: {message}", style="{"),
        JsonFormatter(),
    ):
        handler = logging.StreamHandler(stream)
        handler.addFilter(WithRequest())
        handler.setFormatter(formatter)
        handlers.append(handler)
        root.addHandler(handler)
    level = root.level
    root.setLevel("INFO")
    yield stream
    root.setLevel(level)
    for handler in handlers:
        root.removeHandler(handler)


@pytest.fixture
def scene():
    scene = Scene("standings")
    assert scene.session
    return scene


def ask(client: Client, path: str, key: str, how: str) -> None:
    if how == "get":
        client.get(path)
    elif how == "post":
        client.post(path, {"code": key, "name": f"x {key}", "login": key, "password": key})
    else:
        client.get(
            path,
            headers={"Authorization": f"Bearer {key}", "Referer": f"https://evil.example/t/{key}"},
        )


@pytest.mark.django_db
def test_no_part_of_a_key_is_written_whatever_address_it_stands_in(scene, written):
    keys = list(keys_of(scene).values())
    client = Client(raise_request_exception=False)
    for number, place in enumerate(PLACES):
        for turn, change in list(enumerate(CHANGES.values()))[number % 2 :: 2]:
            key = keys[(number + 3 * turn) % len(keys)]
            how = ("get", "post", "headers")[(number + turn) % 3]
            ask(client, place.replace("{}", change(key)), key, how)
    lines = written.getvalue()
    assert lines.count("\n") > len(PLACES) * len(CHANGES) / 2
    found = {line for line in lines.splitlines() for key in keys if parts_of(key, line)}
    assert found == set()


@pytest.mark.django_db
def test_no_part_of_a_key_is_written_by_a_page_that_breaks(scene, written, monkeypatch):
    def broken(request, *args, **kwargs):
        sent = (request.get_full_path(), request.POST, request.COOKIES)
        raise ValueError(f"{sent} {request.COOKIES['table'][4:30]}")

    monkeypatch.setattr("league.live.home.render", broken)
    monkeypatch.setattr("league.play.views.entry.render", broken)
    client = Client(raise_request_exception=False)
    for key in keys_of(scene).values():
        client.cookies["table"] = key
        client.get(f"/?k={key}")
        client.post("/t/", {"code": key})
        assert parts_of(key, written.getvalue()) == set()
    assert "ValueError" in written.getvalue()


@pytest.mark.django_db
def test_the_lines_above_are_written_at_all_and_would_hold_the_key(scene, monkeypatch, caplog):
    """The control: without the site's formatters the keys are there."""
    key = keys_of(scene)["door"]
    Client().get(f"/nothing/{key}/")
    assert parts_of(key, caplog.text)


@pytest.mark.django_db
def test_an_address_under_which_something_was_found_is_written_whole(scene, written):
    client = Client()
    client.force_login(scene.owner)
    path = reverse("session_standings", args=[scene.club.slug, scene.session.public_id])
    client.get(path)
    assert f"GET {path} 200" in written.getvalue()


def about(path, status, **kwargs):
    request = RequestFactory().get(path, **kwargs)
    request.resolver_match = None
    return path_for_log(request, status)


def test_of_an_address_that_is_none_of_the_sites_only_its_words_are_written():
    assert about("/c/thursday/s/abc/nothing/", 404) == "/c/…/s/…/…/"
    assert about("/wp-login.php", 404) == "/…"


LETTERS = string.ascii_letters + string.digits + "-_.:/%∕é \\?&="


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    key=st.text(string.ascii_letters + string.digits + "-_", min_size=20, max_size=43),
    before=st.text(LETTERS, max_size=8),
    after=st.text(LETTERS, max_size=8),
    cut=st.integers(0, 19),
)
def test_no_line_about_a_request_holds_a_part_of_what_it_sent(key, before, after, cut):
    request = RequestFactory().get("/")
    request.path = f"/{before}/{key}{after}"
    request.resolver_match = None
    text = f"Not Found: {request.path} and {key[cut:]} or {before}{key}"
    assert parts_of(key, without_sent_text(text, request, 404)) == set()


def test_a_word_of_the_site_that_was_sent_too_is_written():
    request = RequestFactory().get("/c/thursday/standings/")
    request.resolver_match, request.club_found = resolve("/c/thursday/standings/"), True
    line = "refused: member of club 3 asked for a page of organiser: standings_rule"
    assert without_sent_text(line, request, 403) == line
