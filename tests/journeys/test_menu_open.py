"""A table's phone on which the menu of rarer things is open: it follows what happens elsewhere."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.seating.actions import answer_call, call_organiser, settle_call, substitute
from league.sessions.actions import start_clock
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_game_table, members_of
from tests.journeys.at_the_table import look_again, open_table, score_shown
from tests.journeys.test_table_slips import seated_again
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(open_page, table):
    """The page of a table with its menu open."""
    page = open_page("phone")
    open_table(page, table)
    page.locator(".game-menu > summary").click()
    return page


def choose_who_reneged(phone):
    phone.locator(".game-menu label:has([name=by_seat][value='1'])").click()
    return phone.locator(".game-menu [name=by_seat][value='1']")


def kit_plays_for_ann(table):
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    substitute(table, 1, kit, by=TEST)


def test_a_substitute_is_shown_and_the_menu_stays_open_and_in_its_place(phone, table):
    before = phone.evaluate("scrollY")
    kit_plays_for_ann(table)
    look_again(phone)
    expect(phone.locator("#hand")).to_contain_text("Kit")
    expect(phone.locator(".game-menu")).to_contain_text("Kit")
    expect(phone.get_by_role("button", name="Record misdeal")).to_be_visible()
    assert phone.evaluate("scrollY") >= before


def test_another_phone_s_hand_is_shown_also_after_a_call_from_this_one(phone, table):
    phone.get_by_role("button", name="Call the organiser").click()
    expect(phone.locator("#score")).to_contain_text("Organiser called")
    table.refresh_from_db()
    answer_call(table, by=TEST, at=timezone.now())
    write(table, (0, 5), at=timezone.now())
    look_again(phone)
    expect(phone.locator("#last-hand")).to_contain_text("Hand 1")
    expect(phone.locator("#score")).to_contain_text("Organiser coming")
    assert score_shown(phone) == [2, 0]


def test_the_next_round_is_shown_by_itself(phone, table):
    seated_again(table)
    look_again(phone)
    expect(phone.locator("#messages")).to_contain_text("Now at table 1: Bill & Ann")
    assert table.public_id not in phone.url


def test_with_something_chosen_a_line_says_at_once_that_the_players_have_changed(phone, table):
    chosen = choose_who_reneged(phone)
    kit_plays_for_ann(table)
    look_again(phone)
    expect(phone.locator("#news")).to_contain_text("This table has changed. Show it")
    expect(phone.get_by_role("link", name="Show it")).to_be_in_viewport()
    expect(chosen).to_be_checked()
    phone.get_by_role("link", name="Show it").click()
    expect(phone.locator("#hand")).to_contain_text("Kit")


def test_with_something_chosen_the_head_and_the_button_follow_a_call_to_its_end(phone, table):
    chosen = choose_who_reneged(phone)
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=100)
    head, button = phone.locator("#score"), phone.locator("#call button")
    call_organiser(table, by=TEST, at=timezone.now())
    look_again(phone)
    expect(head).to_contain_text("Organiser called · Round until")
    expect(button).to_have_text("Cancel the call")
    table.refresh_from_db()
    answer_call(table, by=TEST, at=timezone.now())
    look_again(phone)
    expect(head).to_contain_text("Organiser coming · Round until")
    settle_call(table, by=TEST)
    look_again(phone)
    expect(head).not_to_contain_text("Organiser")
    expect(head).to_contain_text("Round until")
    expect(button).to_have_text("Call the organiser")
    expect(chosen).to_be_checked()
    expect(phone.locator("#news .notice")).to_have_count(0)
