"""CACHE_URL: no page needs the server on which parts of pages are kept, alive or dead."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.test import Client, override_settings
from django.urls import reverse

from league.play.actions import record_hand
from league.shared_cache import SharedCache
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.faults.server import free_port
from tests.site.little_redis import LittleRedis

pytestmark = pytest.mark.django_db


@pytest.fixture
def redis() -> Iterator[LittleRedis]:
    server = LittleRedis()
    yield server
    server.die()


@pytest.fixture
def page(client: Client) -> str:
    """The standings of an evening with a hand, looked at by a member."""
    table = a_game_table()
    hand = {"dealer": 0, "contract": {"seat": 1, "trump": "s"}, "outcome": "march"}
    record_hand(table, hand, client_id="a", by=TEST, at=EIGHT)
    night = table.session
    client.force_login(a_user("rose", club=night.club, rank="member"))
    return reverse("session_standings", args=[night.club.slug, night.public_id])


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What a process knows of a server that went away is no other test's."""
    yield
    SharedCache.retry_at = SharedCache.logged_at = float("-inf")


def kept_on(url: str) -> override_settings:
    pages = {"BACKEND": "league.shared_cache.SharedCache", "LOCATION": url}
    default = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "default"}
    return override_settings(CACHES={"default": default, "pages": pages})


def names(content: bytes) -> list[str]:
    cell = r'scope="row" class="name"><a href="[^"]*">(?:<span>)?([^<]*)<'
    return re.findall(cell, content.decode())


def test_a_page_made_once_is_read_from_the_shared_cache(client, page, redis):
    with kept_on(redis.url):
        made = client.get(page)
        again = client.get(page)
    assert b"SET" in redis.orders
    assert names(made.content) == names(again.content) != []


@pytest.mark.usefixtures("forgotten")
def test_a_page_is_shown_where_nothing_listens(client, page, caplog):
    with kept_on(f"redis://127.0.0.1:{free_port()}/0"):
        answers = [client.get(page) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert names(answers[0].content) == names(answers[2].content) != []
    assert sum("shared cache does not answer" in line for line in caplog.messages) == 1


@pytest.mark.usefixtures("forgotten")
def test_a_page_is_shown_when_the_server_dies_in_the_middle(client, page, redis):
    with kept_on(redis.url):
        before = client.get(page)
        redis.die()
        after, again = client.get(page), client.get(page)
    assert (after.status_code, again.status_code) == (200, 200)
    assert names(before.content) == names(after.content) == names(again.content)


@pytest.mark.usefixtures("forgotten")
def test_what_is_counted_goes_on_being_counted(redis):
    redis.die()
    with kept_on(redis.url):
        cache = caches["pages"]
        assert cache.add("tries", 0)
        assert [cache.incr("tries") for _ in range(3)] == [1, 2, 3]
        assert cache.get_or_set("made", lambda: "anew") == "anew"
        assert cache.get_many(["tries", "made"]) == {"tries": 3, "made": "anew"}


@pytest.mark.usefixtures("forgotten")
def test_the_server_is_asked_again_after_a_while(redis):
    redis.values[b":1:there"] = b"7"
    SharedCache.retry_at = float("inf")
    with kept_on(redis.url):
        assert caches["pages"].get("there") is None
        SharedCache.retry_at = float("-inf")
        assert caches["pages"].get("there") == 7
