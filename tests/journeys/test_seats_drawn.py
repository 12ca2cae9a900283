"""The table as the phone draws it: from its own seat, with the dealer, on one screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table, tap_hand

pytestmark = pytest.mark.django_db(transaction=True)

ROUND = "[data-round]"
PRESETS = {4: "standard-four-handed", 3: "nanaimo-three-handed", 2: "nanaimo-two-handed"}


def marked(name: str, mark: str) -> re.Pattern[str]:
    """What a slip says: somebody, and the sign beside the name."""
    return re.compile(rf"{name}\s*{mark}")


def at_place(page: Page, place: int):
    """The slip drawn there, clockwise from the bottom."""
    return page.locator(f"{ROUND} [data-place='{place}']")


def test_each_phone_draws_the_table_from_its_own_seat_and_remembers_it(open_page, axe):
    table = a_game_table()
    bills, other = open_page("phone"), open_page("phone")
    for page in (bills, other):
        open_table(page, table)
    bills.get_by_role("button", name="Your seat").press("Enter")
    axe(bills)
    bills.locator("#my-seat").get_by_role("button", name="Bill").press("Enter")
    expect(at_place(bills, 0)).to_contain_text(marked("Bill", "you"))
    expect(at_place(bills, 1)).to_contain_text(marked("Rose", "dealer"))
    bills.reload()
    expect(at_place(bills, 0)).to_contain_text(marked("Bill", "you"))
    tap_hand(bills, 0, outcome="made")
    # and in what the server sends then
    expect(at_place(bills, 0)).to_contain_text(marked("Bill", "you"))
    expect(at_place(bills, 2)).to_contain_text(marked("Ann", "dealer"))
    expect(at_place(bills, 3)).to_contain_text(marked("Ted", "leads"))
    expect(at_place(other, 0)).to_contain_text("Rose")
    bills.get_by_role("button", name="Your seat").click()
    bills.get_by_role("button", name="None of these").click()
    expect(at_place(bills, 0)).to_contain_text("Rose")
    expect(bills.locator(f"{ROUND} .you")).to_have_count(0)


def test_the_signs_follow_a_dealer_who_was_put_right(open_page):
    page = open_page("phone")
    open_table(page, a_game_table())
    page.locator("[data-first-dealer] summary").click()
    page.locator("label:has([name=dealer][value='3'])").click()
    expect(at_place(page, 3)).to_contain_text(marked("Bill", "dealer"))
    expect(at_place(page, 0)).to_contain_text(marked("Rose", "leads"))


@pytest.mark.parametrize("players", PRESETS)
def test_a_whole_hand_is_on_one_screen(open_page, players):
    page = open_page("phone")
    open_table(page, a_game_table(PRESETS[players], players=players))
    tap_hand(page, 0, outcome="made")
    for width, height in ((390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        tricks = page.locator("#hand .choice.three").bounding_box()
        bar = page.locator(".save-bar").bounding_box()
        assert tricks["y"] + tricks["height"] <= bar["y"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_table_s_page_has_the_switch_of_colours(open_page):
    page = open_page("phone")
    open_table(page, a_game_table())
    page.get_by_role("button", name="Theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_switch_for_vibration_is_kept_on_the_phone(open_page):
    page = open_page("phone", reduced_motion="reduce")
    page.add_init_script("window.felt = []; navigator.vibrate = (ms) => window.felt.push(ms)")
    open_table(page, a_game_table())
    switch = page.get_by_label("Vibrate when a hand is saved")
    expect(switch).not_to_be_checked()
    switch.click()
    page.reload()
    expect(switch).to_be_checked()
    tap_hand(page, 0, outcome="made")
    assert page.evaluate("window.felt") == [40]
