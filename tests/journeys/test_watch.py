"""The watch kept on every page in a journey sees what it must."""

import pytest
from playwright.sync_api import Error

from tests.journeys.conftest import watch


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
