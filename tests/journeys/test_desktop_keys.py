"""Every answer of a hand has a key at a desk, and "?" lists them."""

import pytest
from playwright.sync_api import expect

from tests.builders import a_game_table
from tests.journeys.test_other_games import opened

pytestmark = pytest.mark.django_db(transaction=True)


def typed(page, keys):
    for key in keys:
        page.keyboard.press(key)


def listed(page):
    """What "?" lists: by its keys, what each does."""
    page.keyboard.press("?")
    rows = page.locator("#keys dt").all_inner_texts(), page.locator("#keys dd").all_inner_texts()
    page.keyboard.press("Escape")
    return dict(zip(*rows, strict=True))


def test_ten_tricks_and_the_special_bids_have_keys_of_their_own(open_page, axe):
    page = open_page("desktop")
    opened(page, a_game_table("five-hundred-four", slug="five-hundred"))
    typed(page, "2xh")
    expect(page.locator("[name=bid][value='10h']")).to_be_checked()
    typed(page, "x")
    expect(page.locator("[name=tricks][value='10']")).to_be_checked()
    typed(page, ["Escape", *"2m0"])
    expect(page.locator("#hand .special").get_by_role("radio")).to_be_checked()
    expect(page.locator("[name=tricks][value='0']")).to_be_checked()
    keys = listed(page)
    assert keys["M"] == "Misère"
    assert keys["X"] == "ten"
    page.keyboard.press("?")
    axe(page)


def test_what_is_no_seat_has_a_key_and_what_a_game_lacks_is_not_listed(open_page):
    page = open_page("desktop")
    opened(page, a_game_table("buck-euchre", players=4, slug="buck"))
    typed(page, "c")
    expect(page.locator("[name=maker][value=dirty_clubs]")).to_be_checked()
    keys = listed(page)
    assert keys["C"] == "Clubs turned up"
    assert keys.keys().isdisjoint({"M", "X"})
