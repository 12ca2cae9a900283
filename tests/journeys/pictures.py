"""Takes the pictures in docs/img: `bin/screenshots`. The demo club on a server, in a browser.

As small WebP pictures, so that what the documentation shows is what the site looks like.
"""

import base64
import os
import tempfile
from pathlib import Path
from typing import Any

import django

from tests.real_server import ROOT, prepare, serving, settings_for

FOLDER = ROOT / "docs" / "img"
SIZES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
SHOWN = {"phone": ("table", "board", "standings"), "desktop": ("check-in", "board")}
QUALITY = 70
FIRST_CLUB = {"club": "Cedar Street", "name": "Ruth Delgado", "password": "velvet-orbit-lantern-42"}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = settings_for(Path(folder) / "club.sqlite3")
        os.environ.update(environment)
        prepare(environment, "demo")
        django.setup()
        with serving(environment) as home:
            _take_all(home)
        new = settings_for(Path(folder) / "new.sqlite3", LAPTOP="club", DATA_FOLDER=folder)
        prepare(new)
        with serving(new) as home:
            _take_first_start(home)


def _take_first_start(home: str) -> None:
    """The pages of docs/laptop.md, of a laptop that has no club yet and then has one."""
    from playwright.sync_api import sync_playwright

    from tests.journeys.conftest import QUIET, chromium_path

    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(playwright), args=[*QUIET, *root]
        )
        page = browser.new_page(base_url=home, viewport={"width": 1280, "height": 440})
        page.goto("/start/", wait_until="networkidle")
        _keep(page, FOLDER / "laptop-first.webp")
        page.goto("/start/club/")
        for name, typed in FIRST_CLUB.items():
            page.fill(f"[name={name}]", typed)
        page.get_by_role("button", name="Create club").click()
        page.goto("/computer/", wait_until="networkidle")
        page.set_viewport_size({"width": 900, "height": 700})
        _keep(page, FOLDER / "laptop-computer.webp")
        browser.close()


def _take_all(home: str) -> None:
    from playwright.sync_api import sync_playwright

    from tests.journeys.conftest import QUIET, chromium_path
    from tests.journeys.screens import SCREENS

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    FOLDER.mkdir(parents=True, exist_ok=True)
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(playwright), args=[*QUIET, *root]
        )
        for size, device in SIZES.items():
            signed_in, guest = (
                browser.new_context(
                    base_url=home, reduced_motion="reduce", locale="en-GB", **device
                )
                for _ in range(2)
            )
            _sign_in(signed_in, home)
            for screen in (one for one in SCREENS if one.name in SHOWN[size]):
                page = (signed_in if screen.signed_in else guest).new_page()
                page.goto(screen.address(), wait_until="networkidle")
                _keep(page, FOLDER / f"{screen.name}-{size}.webp")
                page.close()
        browser.close()


def _keep(page: Any, path: Path) -> None:
    """What the window shows, as WebP: a fifth of a PNG's size."""
    browser = page.context.new_cdp_session(page)
    taken = browser.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path.write_bytes(base64.b64decode(taken["data"]))


def _sign_in(context: Any, home: str) -> None:
    from django.conf import settings
    from django.test import Client

    from league.members.models import User

    client = Client()
    client.force_login(User.objects.get(username="bill"))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": home}])


if __name__ == "__main__":
    main()
