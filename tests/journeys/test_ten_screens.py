"""The main screens with a living club in them, and others on a phone: no barrier, nothing too
wide."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page

from league.exchange.demo import evenings
from league.members.models import User
from tests.journeys.barriers import barriers
from tests.journeys.screens import SCREENS, Screen, other_screens

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_main_screens_have_no_barrier_and_fit(
    open_page: Callable[..., Page], sign_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A breach of the content security policy fails in `open_page` itself."""
    monkeypatch.setattr(evenings, "CAME_BEFORE", (11,))
    call_command("demo", verbosity=0)
    found = []
    for device in ("desktop", "phone", "small phone"):
        page = open_page(device)
        sign_in(page, User.objects.get(username="rose"))
        guest = open_page(device)
        for screen in SCREENS:
            shown = page if screen.signed_in else guest
            found += [f"{device}: {trouble}" for trouble in _looked_at(shown, screen)]
    page = open_page("phone")
    sign_in(page, User.objects.get(username="rose"))
    for screen in other_screens():
        found += [f"phone: {trouble}" for trouble in _looked_at(page, screen)]
    assert found == []


def _looked_at(page: Page, screen: Screen) -> list[str]:
    answer = page.goto(screen.address())
    troubles = []
    if answer is not None and answer.status != 200:
        troubles.append(f"{screen.name}: status {answer.status}")
    size = page.viewport_size  # a phone's window grows with what is in it, so ask the device
    wide = page.evaluate("document.documentElement.scrollWidth")
    if size is not None and wide > size["width"]:
        troubles.append(f"{screen.name}: {wide} px wide on {size['width']}")
    if size is None or size["width"] > 320:  # narrower it is the same page, and must fit
        troubles += [f"{screen.name}: {barrier}" for barrier in barriers(page)]
    return troubles
