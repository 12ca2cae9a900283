"""After a hand is saved: where the focus goes, what headings and keys say, what goes by itself."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.play.models import Hand
from tests.builders import a_game_table
from tests.journeys.test_other_games import opened

pytestmark = pytest.mark.django_db(transaction=True)


def saved_hand(page, maker="0"):
    page.locator(f"#hand label:has([name=maker][value='{maker}'])").click()
    page.locator("#hand label:has([name=outcome][value=made])").click()
    page.locator("[data-save]").click()


def test_after_save_the_focus_is_where_the_next_hand_begins(open_page, axe):
    page = open_page("phone")
    opened(page, a_game_table())
    head = page.get_by_role("heading", name="Who made trump?")
    saved_hand(page)
    expect(page.locator("#last-hand")).to_contain_text("Hand 1")
    expect(head).to_be_focused()
    assert page.evaluate("scrollY") == 0
    axe(page)
    page.keyboard.press("Tab")  # on from there
    expect(page.get_by_role("button", name="Your seat")).to_be_focused()
    page.context.set_offline(True)
    saved_hand(page)
    expect(page.locator("#queue")).to_be_visible()
    expect(head).to_be_focused()


def test_the_tricks_are_named_for_maker_and_partner(open_page):
    page = open_page("phone", viewport={"width": 390, "height": 844})
    opened(page, a_game_table("call-ace-four"))
    heading = page.locator("[data-tricks-of]")
    page.locator("label:has([name=maker][value='0'])").click()
    expect(heading).to_have_text("Tricks for Rose")
    page.locator("label:has([name=partner][value='2'])").click()
    expect(heading).to_have_text("Tricks for Rose & Ted")
    page.locator("label:has([name=maker][value='2'])").click()  # nobody is their own partner
    expect(heading).to_have_text("Tricks for Ted")
    page.locator("label:has([name=partner][value=nobody])").click()
    expect(heading).to_have_text("Tricks for Ted")


def test_what_was_said_offline_goes_when_the_phone_is_back_online(open_page):
    page = open_page("phone")
    page.goto("/")
    opened(page, a_game_table())
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<a href=\"/help/\">Help</a>')")
    page.context.set_offline(True)
    page.get_by_role("link", name="Help", exact=True).last.click()
    expect(page.locator("[data-toast]")).to_contain_text("No connection.")
    page.context.set_offline(False)
    expect(page.locator("[data-toast]")).to_be_empty(timeout=2000)


def test_times_name_the_club_s_zone_where_the_phone_s_is_another(open_page):
    table = a_game_table()
    table.session.club.time_zone = "America/Toronto"
    table.session.club.save()
    for zone, is_named in (("America/Toronto", False), ("Europe/Paris", True)):
        page = open_page("phone", timezone_id=zone)
        opened(page, table)
        expect(page.get_by_text("Times shown are Toronto time")).to_be_visible(visible=is_named)
        page.goto(reverse("table_confirm", args=[table.public_id, 1]))
        expect(page.get_by_text("Times shown are Toronto time")).to_be_visible(visible=is_named)


def test_three_lie_on_the_phone_as_on_the_seating_chart_north_above(open_page):
    for preset in ("five-hundred-three", "guide-cutthroat-three-handed"):
        page = open_page("phone")
        opened(page, a_game_table(preset, players=3, slug=preset))
        north, east, west = (
            page.locator(f"label:has([name=maker][value='{seat}'])").bounding_box()
            for seat in range(3)
        )
        assert north["y"] < min(east["y"], west["y"]), preset
        assert west["x"] + west["width"] <= east["x"], preset


def typed(page, keys):
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function("() => !document.querySelector('[data-save]').disabled")
    page.keyboard.press("Enter")
    expect(page.locator("#last-hand")).to_contain_text("Hand 1")
    return Hand.objects.latest("pk").record


def test_bids_suits_partners_and_splits_are_typed_too(open_page):
    page = open_page("desktop")
    opened(page, a_game_table("five-hundred-three", players=3, slug="three"))
    record = typed(page, "37h21")
    assert record["contract"] == {"seat": 2, "tricks": 7, "trump": "h"}
    assert record["tricks_won"] == [2, 1, 7]
    opened(page, a_game_table("five-hundred-four", slug="four"))
    record = typed(page, "s8s9")  # South, eight, spades
    assert record["contract"] == {"seat": 2, "tricks": 8, "trump": "s"}
    opened(page, a_game_table("pepper", slug="pepper"))
    record = typed(page, "14t4")
    assert record["contract"] == {"seat": 0, "tricks": 4, "trump": "nt"}
    opened(page, a_game_table("call-ace-four", slug="ace"))
    assert typed(page, "135")["partner"] == 2
    page.keyboard.press("?")
    expect(page.get_by_text("the partner (0 is nobody)")).to_be_visible()


def test_save_is_out_of_the_way_while_the_menu_fills_the_screen(open_page):
    page = open_page("phone")
    opened(page, a_game_table())
    saved_hand(page)
    expect(page.locator("#last-hand")).to_contain_text("Hand 1")
    save, menu = page.locator("[data-save]"), page.locator(".game-menu > summary")
    menu.click()
    page.get_by_role("button", name="Apply penalty").scroll_into_view_if_needed()
    expect(save).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")  # back at the hand
    expect(save).to_be_visible()
    menu.scroll_into_view_if_needed()
    menu.click()
    expect(save).to_be_visible()
