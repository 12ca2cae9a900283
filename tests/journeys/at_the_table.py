"""What fingers do on the table's phone: each function taps as a person would, and counts."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from playwright.sync_api import Error, Page, expect

from league.play.auth import give_cookie, table_link
from league.seating.models import Table

HOST = "127.0.0.1"  # of the live server (pyproject.toml)
SPEAKS_OF = r"""number => RegExp(`Hand ${number}\\b`).test(
    document.querySelector("#last-hand")?.textContent)"""


def scan(page: Page, table: Table) -> None:
    """Follow the table's code, as a camera does."""
    page.goto(table_link(table), wait_until="commit")  # the page goes on by itself, maybe at once
    page.wait_for_url("**/t/*/")
    expect(page.locator("[data-table]")).to_be_visible()


def open_table(page: Page, table: Table) -> None:
    """Open the table's page as a phone that has scanned its code: one page less than `scan`."""
    given = HttpResponse()
    give_cookie(given, table)
    for cookie in given.cookies.values():
        kept = {"name": cookie.key, "value": cookie.value, "path": cookie["path"]}
        page.context.add_cookies([{**kept, "domain": HOST, "httpOnly": True}])
    address = reverse("table_entry", args=[table.public_id])
    try:
        page.goto(address)
    except Error as error:
        # The page before went on to its next game at that very moment: open it again.
        if "ERR_ABORTED" not in error.message:
            raise
        page.goto(address)
    expect(page.locator("[data-table]")).to_be_visible()


def look_again(page: Page) -> None:
    """Look at the page as at a phone that was dark: it fetches its news at once, and not within the
    four seconds in which it does by itself."""
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")


def tap_hand(page: Page, maker: int | None, *, outcome: str = "", alone: bool = False) -> int:
    """Tap an ordinary hand and save it; how many taps it took."""
    number = page.locator("#hand input[name=number]").input_value()
    taps = [f"label:has(input[name=maker][value='{'passed' if maker is None else maker}'])"]
    if alone:
        taps.append("label:has(input[name=alone])")
    if outcome:
        taps.append(f"label:has(input[name=outcome][value={outcome}])")
    for tap in taps:
        page.locator(f"#hand {tap}").first.click()
    return len(taps) + save(page, number)


def save(page: Page, number: str) -> int:
    """Press the button in the thumb zone; the page then speaks of that hand as the last."""
    page.locator("[data-save]").click()
    page.wait_for_function(
        SPEAKS_OF, arg=number
    )  # looks at every frame; an expectation now and then
    return 1


def type_cards(page: Page, record: Mapping[str, Any]) -> None:
    """Write down a whole hand: the calls, the up-card, every hand as dealt and every card."""
    number = page.locator("#hand input[name=number]").input_value()
    for summary in page.locator("#hand details:not([data-first-dealer]) > summary").all():
        if not summary.locator("xpath=..").get_attribute("open"):
            summary.click()
    if record.get("upcard"):
        page.locator("#hand [name=upcard]").select_option(record["upcard"])
    page.locator("#hand [name=auction]").fill(calls_said(record))
    for seat, cards in enumerate(record.get("hands") or ()):
        page.locator(f"#hand [name=hand{seat}]").fill(" ".join(cards or ()))
    for seat, cards in enumerate(record.get("discards") or ()):
        page.locator(f"#hand [name=discard{seat}]").fill(" ".join(cards or ()))
    for trick, played in enumerate(record["tricks"], 1):
        page.locator(f"#hand [name=trick{trick}]").fill(" ".join(played["cards"]))
    save(page, number)


def calls_said(record: Mapping[str, Any]) -> str:
    """The auction as the page takes it: "pass, order up alone"."""
    said = []
    for call in record["auction"]:
        words = call["call"].replace("-", " ")
        if call["call"] == "name":
            words += f" {call['trump']}"
        said.append(f"{words} alone" if call.get("alone") else words)
    return ", ".join(said)


def score_shown(page: Page) -> list[int]:
    """The big numbers at the head of the page."""
    return [int(text) for text in page.locator("#score .score-number").all_inner_texts()]
