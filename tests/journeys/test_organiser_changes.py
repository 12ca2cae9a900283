"""What an organiser changes or another phone disputes while a phone lies open at the table."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.members.audit import Actor
from league.play.actions import confirm_game, correct_hand, dispute_game, settle_game
from league.seating.queries import live_tables
from league.sessions.actions import close_session
from tests.builders import TEST, a_game_table, a_user
from tests.journeys.at_the_table import look_again, open_table, tap_hand
from tests.play.hands import made, write
from tests.seating.nights import a_night, published

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (1, 3), *[(0, 5)] * 5, at=timezone.now())
    return table


def olive_corrects(table, number, record):
    olive = Actor("Olive", a_user("olive", club=table.session.club))
    how = {"expected_version": 1, "client_id": f"correct-{number}", "reason": "wrong tricks"}
    correct_hand(table, number, record, by=olive, at=timezone.now(), as_organiser=True, **how)


def open_confirm_page(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("link", name="Confirm or dispute as Ann & Bill").click()
    expect(page.get_by_role("button", name="Yes, confirm this score")).to_be_visible()
    return page


def test_a_confirmed_game_that_is_back_in_play_says_so_until_the_next_hand(open_page, table, axe):
    confirm_game(table, seat=1, by=TEST, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    expect(page.locator(".end")).to_contain_text("Confirmed.")
    olive_corrects(table, 6, made(0, 3, dealer=1))
    look_again(page)
    said = page.locator("#messages")
    text = "Olive corrected hand 6: “wrong tricks”. Play on: 9\u2009–\u20091."
    expect(said).to_contain_text(text)
    expect(page.locator("[data-toast]")).to_be_empty()
    axe(page)
    page.reload()
    expect(said).to_contain_text(text)
    tap_hand(page, 1, outcome="made")
    expect(said).not_to_contain_text("Olive")


def test_a_disputed_game_that_a_correction_brings_back_names_the_hand_and_the_reason(
    open_page, table
):
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    expect(page.locator(".end-head")).to_contain_text("disputed")
    olive_corrects(table, 6, made(0, 3, dealer=1))
    look_again(page)
    expect(page.locator("#messages")).to_contain_text(
        "Olive corrected hand 6: “wrong tricks”. Play on"
    )
    expect(page.locator("[data-toast]")).to_be_empty()


def test_the_heads_of_an_open_session_and_its_board_follow_its_first_hand_and_its_closing(
    open_page, sign_in
):
    night, _members = a_night(4)
    published(night)
    page, board = open_page("desktop"), open_page("desktop")
    olive = a_user("olive", club=night.club)
    for one, name in ((page, "session"), (board, "board")):
        sign_in(one, olive)
        one.goto(reverse(name, args=[night.club.slug, night.public_id]))
    close = page.locator(".page-head").get_by_role("link", name="Close the session…")
    scores = board.locator(".page-head").get_by_role("link", name="Final scores")
    expect(scores).to_be_visible()
    expect(close).to_have_count(0)
    write(live_tables(night)[0], (0, 3))
    expect(close).to_be_visible()
    close_session(night, by=TEST, at=timezone.now())
    expect(close).to_have_count(0)
    expect(page.locator(".page-head .badge")).to_have_text("Closed")
    expect(scores).to_have_count(0)


def test_an_open_confirm_page_follows_a_corrected_score_and_leads_away_from_a_dispute(
    open_page, table, axe
):
    page = open_confirm_page(open_page, table)
    axe(page)
    olive_corrects(table, 1, made(1, 5))
    look_again(page)
    expect(page.locator(".their-side")).to_contain_text("2")
    expect(page.locator("main")).to_contain_text("Olive corrected hand 1")
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    look_again(page)
    expect(page.get_by_role("heading", name="This result is disputed")).to_be_visible()
    expect(page.get_by_role("button", name="Yes, confirm this score")).to_have_count(0)


def test_an_open_confirm_page_leads_to_what_an_organiser_decided(open_page, table):
    page = open_confirm_page(open_page, table)
    settle_game(table, "stands", reason="Both sheets agree", by=TEST, at=timezone.now())
    look_again(page)
    expect(page.locator(".end")).to_contain_text(": “Both sheets agree”")
