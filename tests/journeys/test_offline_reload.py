"""Where the server lets phones keep the page, a reload without a network shows it again."""

import pytest
from playwright.sync_api import expect

from league.play.auth import table_link
from league.seating.models import Table
from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_offline import status, stored, tap

pytestmark = pytest.mark.django_db(transaction=True)
IS_KEPT = """async (words) => {
    const kept = await caches.match(location.pathname, { ignoreVary: true });
    return Boolean(kept) && (await kept.text()).includes(words)
        && (await navigator.serviceWorker.getRegistration('/t/')).active !== null
        && navigator.serviceWorker.controller !== null;
}"""
IS_GONE = """async () => (await caches.keys()).length === 0
    && (await navigator.serviceWorker.getRegistration('/t/')) === undefined"""
UNTIL = """async (words) => {
    const isSo = %s;
    const latest = Date.now() + 90000;
    while (!(await isSo(words))) {
        if (Date.now() > latest) throw new Error('It did not come to be so.');
        await new Promise((go_on) => setTimeout(go_on, 50));
    }
}"""
HELD = """async () => {
    const all = [];
    for (const name of await caches.keys()) all.push(...(await (await caches.open(name)).keys()));
    return all.map(({ url }) => new URL(url).pathname);
}"""


def until(page, condition, words=""):
    """Wait for something that only a promise can tell."""
    page.evaluate(UNTIL % condition, words)


@pytest.fixture
def table(settings):
    settings.OFFLINE_SHELL = True
    return a_game_table()


def test_a_reload_without_a_network_shows_the_page_with_the_hands_that_wait(
    open_page, table, caplog
):
    page = open_page("phone", own=True)
    open_table(page, table)
    tap(page, 0)
    status(page, "Saved")
    until(page, IS_KEPT, "hand 2")
    page.context.set_offline(True)
    tap(page, 1)
    status(page, "Waiting (1)")
    caplog.clear()
    page.reload()
    status(page, "Waiting (1)")
    expect(page.locator(".score-bar")).to_contain_text("hand 3")
    tap(page, 2)
    status(page, "Waiting (2)")
    requests = [record.getMessage() for record in caplog.records if record.name == "league.access"]
    # A look at the revision may have been on its way when the network went, and the browser itself
    # may look for a newer worker: no page, no hand.
    assert [one for one in requests if " /t/" in one and "worker.js" not in one] == []
    page.context.set_offline(False)
    status(page, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1), (3, 2, 2)]


def test_nothing_but_the_table_s_page_and_its_files_is_kept(open_page, table):
    page = open_page("phone", own=True)
    open_table(page, table)
    until(page, IS_KEPT, "hand 1")
    page.goto("/")
    page.goto("/accounts/login/")
    held = page.evaluate(HELD)
    here = [path for path in held if not path.startswith("/static/")]
    assert here == [table_link(table).partition("#")[0] + f"{table.public_id}/"]


def test_a_revoked_code_takes_the_kept_page_away(open_page, table):
    page = open_page("phone", own=True)
    open_table(page, table)
    until(page, IS_KEPT, "hand 1")
    Table.objects.update(link_version=table.link_version + 1)
    page.reload()
    page.get_by_text("Ask the organiser for a new code.").wait_for()
    assert not [path for path in page.evaluate(HELD) if not path.startswith("/static/")]


def test_the_server_can_switch_the_worker_off(open_page, table, settings):
    page = open_page("phone", own=True)
    open_table(page, table)
    until(page, IS_KEPT, "hand 1")
    settings.OFFLINE_SHELL = False
    page.evaluate("navigator.serviceWorker.getRegistration('/t/').then((ours) => ours.update())")
    until(page, IS_GONE)
