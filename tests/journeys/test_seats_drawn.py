"""The table as the phone draws it: from its own seat, with the dealer, on one screen."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.builders import a_game_table, a_user
from tests.journeys.at_the_table import open_table, tap_hand
from tests.play.hands import write

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
    expect(at_place(other, 0)).to_contain_text("Ted")
    bills.get_by_role("button", name="Your seat").click()
    bills.get_by_role("button", name="None of these").click()
    expect(at_place(bills, 0)).to_contain_text("Ted")
    expect(bills.locator(f"{ROUND} .you")).to_have_count(0)


def test_against_a_player_alone_who_leads_follows_the_rules(open_page):
    """The mark went away, though another may have led: eldest hand's partner was alone."""
    page = open_page("phone")
    leads = page.locator(f"{ROUND} label").filter(has=page.locator(".leads:visible"))
    for preset, leaders in (
        ("standard-four-handed", {"Ann": "Ann", "Ted": "Ann", "Bill": "Ted", "Rose": "Ann"}),
        ("guide-four-handed", {"Ann": "Ted", "Ted": "Bill", "Bill": "Rose", "Rose": "Ann"}),
    ):
        open_table(page, a_game_table(preset, slug=preset))
        page.locator("#hand label:has(input[name=alone])").click()
        expect(leads).to_have_count(0)  # nobody is chosen yet
        for maker, leader in leaders.items():
            page.locator(f"{ROUND} label", has_text=maker).click()
            expect(leads).to_contain_text(leader)
        page.locator("#hand label:has(input[name=alone])").click()
        expect(leads).to_contain_text("Ann")


def test_after_a_game_a_phone_answers_for_its_own_side_until_it_is_passed_on(open_page, axe):
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("button", name="Your seat").click()
    page.locator("#my-seat").get_by_role("button", name="Rose").click()
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page.reload()
    own = page.get_by_role("link", name="Dispute as Rose & Ted")
    other = page.get_by_role("link", name="Confirm or dispute as Ann & Bill")
    expect(own).to_be_visible()
    expect(other).to_be_hidden()
    passes = page.get_by_role("button", name="Pass the phone to the other side")
    expect(passes).to_have_class(re.compile("primary"))  # who won has no more to do
    assert passes.bounding_box()["y"] < own.bounding_box()["y"]
    assert passes.bounding_box()["height"] > own.bounding_box()["height"]
    axe(page)
    own.click()
    page.get_by_role("link", name="Correct a hand").click()
    expect(page.get_by_role("link", name="Correct hand 5")).to_be_visible()
    passes.click()
    expect(own).to_be_hidden()
    other.click()
    page.get_by_role("button", name="Yes, confirm this score").click()
    expect(page.get_by_text("Confirmed. Where you play next appears here.")).to_be_visible()


def test_partners_are_asked_for_in_the_order_in_which_the_table_is_drawn(open_page):
    page = open_page("phone")
    open_table(page, a_game_table("call-ace-five", players=5))
    makers = page.locator(f"{ROUND} label > span:first-of-type").all()
    boxes = {maker.inner_text(): maker.locator("..").bounding_box() for maker in makers}
    drawn = sorted(boxes, key=lambda name: (boxes[name]["y"], boxes[name]["x"]))
    partners = page.locator("[data-partner] label")
    expect(partners).to_have_text([*drawn, "Nobody – alone"])


LETTER = "seat => getComputedStyle(seat, '::before').content.replaceAll('\"', '')"
CENTRE = """seat => {
    const { x, y, width, height } = seat.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
COMPASS = {4: "NESW", 3: "NEW", 2: "NS"}


def drawn_as_a_map(page: Page, seats: str, players: int) -> None:
    """Each seat has its letter; North is above, West at the left."""
    lie = {}
    for seat in page.locator(seats).all():
        lie[seat.evaluate(LETTER)] = seat.evaluate(CENTRE)
    assert "".join(lie) == COMPASS[players]
    assert lie["N"][1] == min(y for _x, y in lie.values())
    assert lie.get("S", lie["N"])[1] == max(y for _x, y in lie.values()) or players == 3
    if players > 2:
        assert lie["W"][0] == min(x for x, _y in lie.values()) < lie["E"][0]


def test_a_drawing_that_is_nobodys_has_north_above_and_the_compass_on_its_seats(open_page, sign_in):
    phone = open_page("phone")
    wall = open_page("wall", viewport={"width": 1920, "height": 1200})  # lower ones have no room
    for players, preset in PRESETS.items():
        table = a_game_table(preset, players=players, slug=preset)
        open_table(phone, table)
        drawn_as_a_map(phone, f"{ROUND} label", players)
        session = table.session
        sign_in(wall, a_user(preset, club=session.club, rank="organiser"))
        own = (session.club.slug, session.public_id)
        for address in (
            reverse("board", args=own),
            reverse("table_desk", args=(*own, table.public_id)),
        ):
            wall.goto(address)
            expect(wall.locator(".seats .seat").first).to_be_visible()
            drawn_as_a_map(wall, ".seats .seat", players)


def test_the_keys_of_the_four_seats_are_their_letters(open_page):
    page = open_page("desktop")
    open_table(page, a_game_table())
    for letter in "NESW":
        page.keyboard.press(letter)
        chosen = page.locator(f"{ROUND} label:has(:checked)")
        assert chosen.evaluate(LETTER) == letter


def test_a_whole_hand_is_on_one_screen(open_page):
    page = open_page("phone")
    for players, preset in PRESETS.items():
        open_table(page, a_game_table(preset, players=players, slug=preset))
        tap_hand(page, 0, outcome="made")
        for width, height in ((1280, 720), (320, 640), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            tricks = page.locator("#hand .choice.three").bounding_box()
            bar = page.locator(".save-bar").bounding_box()
            assert tricks["y"] + tricks["height"] <= bar["y"], (preset, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_switches_of_colours_and_for_vibration_are_kept_on_the_phone(open_page):
    page = open_page("phone", own=True)
    page.add_init_script("window.felt = []; navigator.vibrate = (ms) => window.felt.push(ms)")
    open_table(page, a_game_table())
    switch = page.get_by_label("Vibrate when a hand is saved")
    expect(switch).not_to_be_checked()
    switch.click()
    page.get_by_role("button", name="Theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(switch).to_be_checked()
    tap_hand(page, 0, outcome="made")
    assert page.evaluate("window.felt") == [40]


def test_a_choice_moves_no_key_its_tick_touches_no_name_and_signs_follow_a_dealer_put_right(
    open_page,
):
    page = open_page("phone")
    open_table(page, a_game_table())
    for choice in ("label:has([name=alone])", "label:has([name=maker][value='1'])"):
        before = page.locator("#hand .choice.three").bounding_box()
        page.locator(f"#hand {choice}").first.click()
        assert page.locator("#hand .choice.three").bounding_box() == before
    inset = page.locator(f"{ROUND} label:has(:checked)").evaluate(
        "seat => parseFloat(getComputedStyle(seat, '::after').bottom)"
    )
    assert inset < 0  # it stands on the key's lower edge: above it is the question
    page.locator("[data-first-dealer] summary").click()
    page.locator("label:has([name=dealer][value='3'])").click()
    expect(at_place(page, 1)).to_contain_text(marked("Bill", "dealer"))
    expect(at_place(page, 2)).to_contain_text(marked("Rose", "leads"))
