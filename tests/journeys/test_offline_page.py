"""The table's page while hands wait in the phone: as online, a whole hand is on one screen."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_offline import status, tap
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ed Varga", "Hettie Sloane", "George Tull", "Constantine O'Dea")


def test_the_tricks_stand_above_save_while_hands_wait(open_page):
    table = a_game_table()
    for seat, name in zip(table.seats.order_by("position"), NAMES, strict=True):
        seat.member.name = name
        seat.member.save()
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    for hand in range(6):
        tap(page, hand % 4)
        status(page, f"Waiting ({hand + 1})")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    for width, height in ((390, 844), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        tricks = page.locator("#hand .choice.three").bounding_box()
        bar = page.locator(".save-bar").bounding_box()
        assert tricks["y"] + tricks["height"] <= bar["y"]
        doubt = "Score not yet sent to the club's computer"
        expect(page.locator("#preview")).to_have_text(doubt)


def test_offline_a_call_for_the_organiser_says_where_it_was_pressed_that_it_was_not_sent(
    open_page, axe
):
    table = a_game_table()
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    call = page.get_by_role("button", name="Call the organiser")
    for hand in range(2):  # with nothing waiting, and with a hand
        call.click()
        notice = page.get_by_role("alert")
        expect(notice).to_have_text(
            "Not sent: no connection to the club's computer. Check the Wi-Fi, then try again."
        )
        expect(notice).to_be_in_viewport()
        status(page, "Waiting (1)" if hand else "Offline · all saved")
        axe(page)
        tap(page, 0)
        status(page, f"Waiting ({hand + 1})")
    page.context.set_offline(False)
    status(page, "Saved")
    call.click()
    expect(page.locator("#news")).to_contain_text("The organiser has been called to this table.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_offline_an_undo_says_below_its_box_that_it_was_not_sent_until_it_can_be(open_page):
    table = a_game_table()
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").click()
    notice, box = page.locator("[data-not-sent]"), page.locator("#last-hand")
    expect(notice).to_contain_text("Not sent: no connection")
    assert notice.bounding_box()["width"] == box.bounding_box()["width"]
    assert notice.bounding_box()["y"] >= box.bounding_box()["y"] + box.bounding_box()["height"]
    page.context.set_offline(False)
    expect(notice).to_have_count(0)


def test_offline_a_link_does_not_leave_the_page_for_an_error_of_the_browser(open_page):
    table = a_game_table()
    write(table, *[(0, 5)] * 5)
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    page.get_by_role("link", name="Standings").click()
    expect(page.locator("[data-toast]")).to_contain_text("Stay on this page")
    expect(page.locator(".end-head")).to_contain_text("Rose & Ted won")
    page.context.set_offline(False)
    page.get_by_role("link", name="Standings").click()
    page.wait_for_url("**/standings")


def test_offline_with_nothing_waiting_the_line_says_so_and_not_to_reload(open_page, axe):
    page = open_page("small phone")
    open_table(page, a_game_table())
    status(page, "Saved")
    who = page.locator("#who-made").bounding_box()
    page.context.set_offline(True)
    status(page, "Offline · all saved")
    expect(page.locator("#sync [data-when=offline] svg")).to_be_visible()
    reload = page.get_by_text("Don't reload", exact=True)
    expect(reload).to_be_visible()  # this site has no https
    assert page.locator("#who-made").bounding_box() == who  # no key has moved
    axe(page)
    tap(page, 0)
    status(page, "Waiting (1)")
    expect(reload).to_be_visible()
    page.context.set_offline(False)
    status(page, "Saved")
    expect(reload).to_be_hidden()


def test_where_a_reload_works_offline_nothing_warns_of_it(open_page, settings):
    settings.OFFLINE_SHELL = True
    page = open_page("phone", own=True)
    open_table(page, a_game_table())
    page.context.set_offline(True)
    status(page, "Offline · all saved")
    expect(page.get_by_text("Don't reload", exact=True)).to_have_count(0)
