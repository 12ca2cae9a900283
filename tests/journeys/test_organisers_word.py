"""What an open phone makes of the organiser's clock, of another side's dispute, of a new score."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import correct_hand, dispute_game
from league.sessions.actions import start_clock
from tests.builders import TEST, a_game_table
from tests.journeys.at_the_table import look_again, open_table
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    return table


def sit(page, name):
    page.get_by_role("button", name="Your seat").click()
    page.locator("#my-seat").get_by_role("button", name=name).click()


def test_an_open_phone_gets_the_clock_and_says_by_itself_that_time_is_up(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.locator("#hand label", has_text="Alone").click()  # a hand begun stays as it is
    start_clock(table.session, by=TEST, at=timezone.now() - timedelta(seconds=51), minutes=1)
    look_again(page)
    expect(page.locator("#round-clock")).to_contain_text("Round until")
    expect(page.locator("#round-clock")).to_have_text("Time! Finish the hand.", timeout=15_000)
    expect(page.locator("#hand [name=alone]")).to_be_checked()


def test_a_dispute_of_the_other_side_is_folded_away(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    sit(page, "Rose")
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    page.reload()
    take_back = page.get_by_role("button", name="Take the dispute back as Ann & Bill")
    expect(page.get_by_text("Pass the phone to Ann & Bill")).to_be_visible()
    expect(take_back).to_be_hidden()
    page.get_by_text("Pass the phone to Ann & Bill").click()
    take_back.click()
    expect(page.locator("#messages")).to_contain_text("Dispute taken back.")


def test_a_dispute_of_one_s_own_side_is_taken_back_at_once(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    sit(page, "Ann")
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page.reload()
    passes = page.get_by_role("button", name="To dispute, pass the phone to the other side")
    expect(passes).to_be_visible()  # this phone is where it is confirmed
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    look_again(page)
    take_back = page.get_by_role("button", name="Take the dispute back as Ann & Bill")
    expect(take_back).to_be_visible()
    expect(page.get_by_text("Pass the phone to Ann & Bill")).to_be_hidden()


def test_a_score_that_changes_under_the_thumb_is_said_and_locks_the_button(open_page, table):
    write(table, (1, 3), *[(0, 5)] * 5, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("link", name="Confirm or dispute as Ann & Bill").click()
    confirm = page.get_by_role("button", name="Yes, confirm this score")
    expect(confirm).to_be_enabled()
    how = {"reason": "wrong", "expected_version": 1, "client_id": "one"}
    correct_hand(table, 1, made(1, 5), by=TEST, at=timezone.now(), **how)
    look_again(page)
    notice = page.get_by_text("Hand 1 was corrected. The score has changed. Check it again.")
    expect(notice).to_be_visible()
    expect(confirm).to_be_disabled(timeout=1_000)
    expect(confirm).to_be_enabled()
