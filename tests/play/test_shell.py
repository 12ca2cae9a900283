"""What a phone may keep of a table's page: only on https, only that page, until told otherwise."""

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from league.play.auth import table_code
from tests.builders import a_game_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, settings):
    """`page(kept)`: the table's page where phones may keep it, or may not."""

    def page(kept):
        settings.OFFLINE_SHELL = kept
        table = a_game_table()
        client.post(reverse("table_door"), {"code": table_code(table)})
        return client.get(reverse("table_entry", args=[table.public_id])).content.decode()

    return page


def test_the_page_asks_to_be_kept_where_the_server_allows_it(page):
    shown = page(True)
    assert f'data-worker="{reverse("table_worker")}"' in shown
    assert 'rel="manifest"' in shown
    assert "works offline" in shown


def test_on_plain_http_the_page_says_honestly_that_a_reload_needs_the_network(page):
    shown = page(False)
    assert "data-worker" not in shown
    assert 'rel="manifest"' not in shown
    assert "Don't reload this page while you're offline" in shown


def test_the_worker_reaches_no_further_than_the_tables_own_addresses(client, settings):
    settings.OFFLINE_SHELL = True
    answer = client.get(reverse("table_worker"))
    assert reverse("table_worker").rpartition("/")[0] + "/" == reverse("table_door")
    assert "Service-Worker-Allowed" not in answer
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"


def test_switched_off_by_the_server_the_worker_takes_itself_away(client, settings):
    settings.OFFLINE_SHELL = False
    script = client.get(reverse("table_worker")).content.decode()
    assert "registration.unregister" in script
    assert "respondWith" not in script


def test_the_manifest_names_icons_that_are_there(client):
    answer = client.get(reverse("table_manifest"))
    manifest = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert manifest["scope"] == manifest["start_url"] == reverse("table_door")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
