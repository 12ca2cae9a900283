"""On a phone nothing that is read or tapped is cut, covered or pushed away by its neighbours."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import call_time
from league.seating.actions import depart
from league.seating.queries import live_tables
from league.sessions.actions import start_clock
from league.sessions.models import Session
from tests.builders import TEST, a_game_table, a_user
from tests.journeys.at_the_table import open_table
from tests.play.hands import write
from tests.seating.nights import a_night, published

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Bartholomew Featherstonehaugh-Breathnach"
LINES = """name => {
    const text = document.createRange();
    text.selectNodeContents(name);
    return new Set([...text.getClientRects()].map(({ y }) => Math.round(y / 8))).size;
}"""
SEATS_UNDER_THE_CHIP = """() => {
    const chip = document.querySelector(".round .dealer").getBoundingClientRect();
    return [...document.querySelectorAll(".round label")]
        .map((seat) => seat.getBoundingClientRect())
        .filter((seat) => seat.top < chip.bottom && seat.bottom > chip.top
            && seat.left < chip.right && seat.right > chip.left).length;
}"""


def test_that_the_time_is_up_is_one_line_beside_the_open_fold(open_page):
    table = a_game_table()
    write(table, (0, 3), at=timezone.now())
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=20)
    Session.objects.update(clock_ends_at=timezone.now() - timedelta(minutes=1))
    page = open_page("phone")
    open_table(page, table)
    page.locator(".time-up summary").click()
    expect(page.get_by_role("button", name="Yes, end the game now")).to_be_visible()
    assert page.locator(".time-up > b").evaluate(LINES) == 1


def test_save_stays_as_long_as_the_hand_is_on_the_screen_with_the_menu_open(open_page):
    table = a_game_table()
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone", viewport={"width": 390, "height": 664})
    open_table(page, table)
    page.locator("label:has(#maker-1)").click()
    page.locator("label:has([name=outcome][value=made])").click()
    page.locator(".game-menu > summary").click()
    page.evaluate("document.querySelector('[name=outcome]').closest('fieldset').scrollIntoView()")
    expect(page.locator("#save")).to_be_visible()
    page.evaluate("document.querySelector('.game-menu').scrollIntoView()")
    expect(page.locator("#save")).to_be_hidden()


def test_a_long_name_that_has_left_stays_in_its_card_and_the_board_s_bar_is_low(open_page, sign_in):
    night, _members = a_night(12)
    published(night)
    one, other, third = live_tables(night)
    leaver = one.current_seats[0].member
    leaver.name = LONG
    leaver.save()
    for table in (one, other, third):
        write(table, (0, 3), at=timezone.now())
    depart(night, leaver, by=TEST, at=timezone.now())
    call_time(other, by=TEST, at=timezone.now())
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("board", args=[night.club.slug, night.public_id]))
    card, box = page.locator("#table-1").bounding_box(), page.locator(".slip.open").bounding_box()
    assert box["x"] > card["x"]
    assert box["x"] + box["width"] < card["x"] + card["width"]
    sentence = page.locator(".release p")
    assert sentence.evaluate(LINES) <= 2
    call_time(third, by=TEST, at=timezone.now())
    page.reload()
    assert sentence.evaluate(LINES) <= 2
    assert page.locator(".release").bounding_box()["height"] < 90


@pytest.mark.parametrize("height", [664, 844])
def test_the_dealer_s_chip_touches_only_the_dealer_s_seat(open_page, height):
    table = a_game_table("five-hundred-four")
    table.first_dealer = 2
    table.save()
    page = open_page("phone", viewport={"width": 390, "height": height})
    open_table(page, table)
    assert page.evaluate(SEATS_UNDER_THE_CHIP) == 1
