"""The main screens with a living club in them, and others on a phone: no barrier, and they fit."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from league.members.models import User
from tests.journeys.barriers import barriers
from tests.journeys.screens import SCREENS, Screen, other_screens

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def test_the_main_screens_have_no_barrier_and_fit(
    open_page: Callable[..., Page],
    sign_in: Any,
    load_demo: Callable[[], None],
) -> None:
    """A breach of the content security policy fails in `open_page` itself."""
    load_demo()
    found = []
    page, guest = open_page("phone", own=True), open_page("phone", own=True)
    sign_in(page, User.objects.get(username="rose"))
    for screen in other_screens():
        found += _looked_at(page, screen)
    # In German what scripts write is longer, too; tests/languages looks at every page without.
    for shown in (page, guest):
        shown.set_extra_http_headers({"Accept-Language": "de"})
    for screen in SCREENS:
        found += _looked_at(page if screen.signed_in else guest, screen, widths=(320, 1280))
    assert found == []


def _looked_at(page: Page, screen: Screen, *, widths: tuple[int, ...] = ()) -> list[str]:
    """As a phone shows it; narrower and wider it is the same page, and must fit."""
    answer = page.goto(screen.address())
    troubles = [f"status {answer.status}"] if answer is not None and answer.status != 200 else []
    assert page.viewport_size is not None
    troubles += barriers(page)
    troubles += _too_wide(page, (page.viewport_size["width"], *widths))
    return [f"{screen.name}: {trouble}" for trouble in troubles]


def _too_wide(page: Page, widths: tuple[int, ...]) -> list[str]:
    """Where it is wider than the device: a phone's window grows with what is in it."""
    own, troubles = page.viewport_size, []
    assert own is not None
    for width in widths:
        page.set_viewport_size({"width": width, "height": own["height"]})
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            troubles.append(f"{wide} px wide on {width}")
    page.set_viewport_size(own)
    return troubles
