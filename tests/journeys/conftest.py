"""A real browser on a real server: fixtures `open_page`, `sign_in` and `axe`.

    def test_the_organiser_seats_eleven(open_page, sign_in):
        page = open_page("desktop")
        sign_in(page, a_user(club=club))
        page.goto("/c/thursday/")

Every page is watched: a script error, a breach of the content security policy or a request to
any other host fails the test at its end.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from tests.journeys.barriers import barriers

DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "small phone": {
        "viewport": {"width": 320, "height": 568},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "wall": {"viewport": {"width": 1920, "height": 1080}},
}
# Neither the browser itself nor a page may reach anybody else while tests run.
QUIET = [
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
]


PATIENCE = 90_000  # milliseconds: a busy machine is slow, and only a fault waits as long as this
expect.set_options(timeout=PATIENCE)


def chromium_path(playwright: Playwright) -> str:
    candidates = [
        os.environ.get("RIGHT_BOWER_CHROMIUM"),
        "/usr/bin/chromium-headless-shell",
        "/usr/bin/chromium",
        "/usr/bin/google-chrome",
        playwright.chromium.executable_path,
    ]
    for path in candidates:
        if path and Path(path).exists():
            return path
    pytest.fail("No Chromium found for the browser tests: bin/test finds or installs one.")


@pytest.fixture(scope="session")
def launched() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """One browser for all files of a process, and the event loop that its driver runs in here."""
    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=chromium_path(playwright), args=[*QUIET, *root]
        )
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(launched: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser, for a test file. Meanwhile this thread has an event loop, and Django would
    refuse the ORM to the tests: other files see no loop, and have no such permission."""
    browser, loop = launched
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        asyncio._set_running_loop(loop)
        yield browser
        asyncio._set_running_loop(None)


class Window(NamedTuple):
    """A page that stays open for the next test, what it did wrong, and what empties it."""

    page: Page
    troubles: list[str]
    devtools: CDPSession


@pytest.fixture(scope="session")
def windows() -> dict[str, Window]:
    """One window of each device. To open one, with nothing fetched yet, takes as much of the
    processor as a whole short test."""
    return {}


@pytest.fixture
def open_page(
    browser: Browser, live_server: Any, windows: dict[str, Window]
) -> Iterator[Callable[..., Page]]:
    """`open_page("phone", **context_options)`: a page on a device of its own, with own cookies.

    A test that gives its page a clock, a script or listeners, which nothing takes away from it
    again, opens it with `own=True`.
    """
    contexts: list[BrowserContext] = []
    troubles: list[str] = []
    used: list[str] = []

    def open_page(device: str = "desktop", *, own: bool = False, **options: Any) -> Page:
        if own or device in used or options.keys() - {"viewport"}:
            page = opened(device, troubles, **options)
            contexts.append(page.context)
            return page
        if device not in windows:
            its_troubles: list[str] = []
            page = opened(device, its_troubles)
            windows[device] = Window(page, its_troubles, page.context.new_cdp_session(page))
        used.append(device)
        page = windows[device].page
        page.set_viewport_size(options.get("viewport") or DEVICES[device]["viewport"])
        return page

    def opened(device: str, troubles: list[str], **options: Any) -> Page:
        settings_of_device = {"base_url": live_server.url, "reduced_motion": "reduce"}
        settings_of_device["locale"] = "en-GB"  # the words the tests look for
        context = browser.new_context(**(settings_of_device | DEVICES[device] | options))
        context.set_default_timeout(PATIENCE)
        watch(context, live_server.url, troubles)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    for device in used:
        window = windows.pop(device)  # and back only when it is empty
        empty(window, live_server.url)
        windows[device] = window
        troubles += window.troubles
        window.troubles.clear()
    assert troubles == []


NOTHING = "/static/img/favicon.svg"
"""On the site: for a page of nobody the browser would start another process."""


def empty(window: Window, home: str) -> None:
    """Leave nothing of a test in it: no page, no cookies, nothing kept, no answers of its own."""
    page, context = window.page, window.page.context
    for other in context.pages:
        if other != page:
            other.close()
    context.set_offline(False)
    context.unroute_all()
    page.unroute_all()
    page.emulate_media(media="null", color_scheme="light", reduced_motion="reduce")
    page.goto(NOTHING)
    page.mouse.move(0, 0)
    context.clear_cookies()
    kept = {"origin": home, "storageTypes": "all"}
    window.devtools.send("Storage.clearDataForOrigin", kept)


def watch(context: BrowserContext, home: str, troubles: list[str]) -> None:
    """Write into `troubles` what a page does that none of ours may."""
    host = urlsplit(home).netloc

    def note(request: Request) -> None:
        url = urlsplit(request.url)
        if url.netloc != host and url.scheme not in {"data", "blob"}:
            troubles.append(f"asked another host: {request.url}")

    context.on("request", note)  # a route would see the same, but without the browser's cache
    context.on("weberror", lambda error: troubles.append(f"script error: {error.error}"))
    context.on(
        "console",
        lambda message: (
            troubles.append(message.text) if "Content Security Policy" in message.text else None
        ),
    )


@pytest.fixture
def sign_in(live_server: Any) -> Callable[[Page, Any], None]:
    """`sign_in(page, user)`: the page's device carries the user's session from now on."""

    def sign_in(page: Page, user: Any) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        page.context.add_cookies(
            [{"name": cookie.key, "value": cookie.value, "url": live_server.url, "httpOnly": True}]
        )

    return sign_in


@pytest.fixture
def axe() -> Callable[..., None]:
    """`axe(page, colours=True)`: fails with a list when the page as it is now has a barrier."""

    def axe(page: Page, **how: bool) -> None:
        assert barriers(page, **how) == [], page.url

    return axe
