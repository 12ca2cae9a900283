"""The watch kept on every page in a journey sees what it must, and a shared window is emptied."""

import pytest
from playwright.sync_api import Error

from tests.journeys.conftest import empty, watch


@pytest.fixture
def watched(browser, live_server):
    troubles = []
    context = browser.new_context(base_url=live_server.url, locale="en-GB")
    watch(context, live_server.url, troubles)
    yield context.new_page(), troubles
    context.close()


def test_a_request_to_another_host_is_stopped_and_reported(watched):
    page, troubles = watched
    with pytest.raises(Error):
        page.goto("http://elsewhere.example/")
    assert troubles == ["asked another host: http://elsewhere.example/"]


def test_an_inline_style_is_reported(watched):
    page, troubles = watched
    page.goto("/")
    with page.expect_console_message():
        page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert "Content Security Policy" in troubles[0]


def test_an_error_in_a_script_is_reported(watched):
    page, troubles = watched
    page.goto("/")
    with page.context.expect_event("weberror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('slipped') }) }")
    assert troubles == ["script error: slipped"]


KEPT = """async () => [
    localStorage.length, sessionStorage.length, (await indexedDB.databases()).length,
    document.cookie, matchMedia("(prefers-color-scheme: dark)").matches]"""
KEEP = """() => {
    localStorage.one = sessionStorage.one = document.cookie = "one=1";
    return new Promise((done) => (indexedDB.open("one").onsuccess = done)).then(() => {});
}"""


def test_a_window_has_nothing_of_the_test_before(open_page, windows, live_server):
    page = open_page("phone")
    page.goto("/static/img/icon-192.png")
    before = page.evaluate(KEPT)
    page.evaluate(KEEP)
    page.emulate_media(color_scheme="dark")
    assert all(now != then for now, then in zip(page.evaluate(KEPT), before, strict=True))
    page.route("**/*", lambda route: route.abort())
    page.context.new_page()
    page.context.set_offline(True)
    empty(windows["phone"], live_server.url)
    page.goto("/static/img/icon-192.png")
    assert page.evaluate(KEPT) == before == [0, 0, 0, "", False]
    assert page.context.pages == [page]
