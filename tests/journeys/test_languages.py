"""The main screens have room for every language: longer words, and from right to left."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page

from league.exchange.demo import evenings
from league.members.models import User
from tests.journeys.screens import SCREENS, other_screens
from tests.languages import pseudo
from tests.languages.conftest import catalogue_of_nobody, nobodys  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

# Text that is cut off: wider than its box, which shows nothing beside it.
CLIPPED = """() => [...document.querySelectorAll("main *, header *, nav *")].filter((e) => {
  const style = getComputedStyle(e);
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  return own && e.clientWidth > 8 && e.checkVisibility() && style.overflowX !== "visible" &&
    style.overflowX !== "auto" && style.overflowX !== "scroll" && e.scrollWidth > e.clientWidth + 1;
}).map((e) => `${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 60)}`)"""


@pytest.mark.usefixtures("nobodys")
def test_the_main_screens_fit_in_every_language(
    open_page: Callable[..., Page],
    sign_in: Any,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    """40 % longer at 320 pixels, as it is and mirrored; French and German at 390."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("fr-ca", "Français"), ("de", "Deutsch")]
    monkeypatch.setattr(evenings, "CAME_BEFORE", (11,))
    call_command("demo", verbosity=0)
    screens = [*SCREENS, *other_screens()]
    found = []
    for code, device, looked_at in (
        (pseudo.CODE, "small phone", screens),
        (pseudo.MIRRORED, "small phone", SCREENS),
        ("fr-ca", "phone", SCREENS),
        ("de", "phone", SCREENS),
    ):
        page = open_page(device, locale=code)
        guest = open_page(device, locale=code)
        sign_in(page, User.objects.get(username="rose"))
        for screen in looked_at:
            shown = page if screen.signed_in else guest
            shown.goto(screen.address())
            assert shown.locator("html").get_attribute("lang") == code
            found += [f"{code}, {screen.name}: {trouble}" for trouble in _troubles(shown)]
    assert found == []


def _troubles(page: Page) -> list[str]:
    assert page.viewport_size is not None
    wide, width = page.evaluate("document.documentElement.scrollWidth"), page.viewport_size["width"]
    too_wide = [f"{wide} px wide on {width}"] if wide > width else []
    return [*too_wide, *page.evaluate(CLIPPED)]
