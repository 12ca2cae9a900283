"""The pages about games in a real browser: no barrier, from phone to desktop."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import (
    concede,
    correct_hand,
    dispute_game,
    note_misdeal,
    rule_penalty,
    strike_hand,
)
from league.play.models import Game
from scoring import ruleset
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.journeys.at_the_table import open_table
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db(transaction=True)
BY = {"by": TEST, "at": EIGHT}


@pytest.fixture
def table():
    """A game with everything a sheet can show."""
    table = a_game_table()
    write(table, (0, 5), (1, 3), (2, 5), (1, 2))
    said = BY | {"expected_version": 1, "reason": "counted again"}
    correct_hand(table, 2, made(1, 5, 1, trump="h"), client_id="correct-1", **said)
    strike_hand(table, 3, client_id="strike-01", **said)
    rule_penalty(table, by_seat=1, client_id="renege-01", form="deduct", **BY)
    note_misdeal(table, client_id="misdeal-1", **BY)
    return table


def pages(table):
    club, session = table.session.club.slug, table.session.public_id
    return [
        reverse("game", args=[club, Game.objects.get().public_id]),
        reverse("tables_to_enter", args=[club, session]),
        reverse("disputes", args=[club, session]),
        reverse("table_correct", args=[table.public_id, 2]),
        reverse("table_entry", args=[table.public_id]),
    ]


def test_an_organisers_pages_have_no_barrier(open_page, sign_in, axe, table):
    page = open_page("desktop")
    sign_in(page, a_user(club=table.session.club))
    for address in pages(table):
        page.goto(address)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        axe(page)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{address} is {wide}px wide on {width}"


def test_every_kind_of_game_has_a_page_without_barrier(open_page, axe):
    page = open_page("small phone")
    for preset in ("nanaimo-two-handed", "bid-barrie", "bid-racehorse-eight"):
        open_table(page, a_game_table(preset, players=ruleset(preset).players, slug=preset))
        page.locator("details.more summary").first.click()
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, preset


def test_a_score_typed_and_a_winner_tapped_choose_their_option(open_page, sign_in, table):
    dispute_game(concede(table, 1, **BY).table, reason="No march", counted=True, **BY)
    page = open_page("phone")
    sign_in(page, a_user(club=table.session.club))
    page.goto(pages(table)[0])
    option = page.locator("[name=decision]:checked")
    expect(option).to_have_count(0)
    page.locator("[name=total0]").press_sequentially("9")
    expect(option).to_have_value("score")
    page.locator(".winners label").first.click()
    expect(option).to_have_value("decided")
    page.get_by_label("The score stands").check()
    page.locator(".winners label").first.click()  # once more: it is tapped already
    expect(option).to_have_value("decided")


def test_what_was_missing_of_a_decision_is_no_longer_said_once_it_is_there(
    open_page, sign_in, table
):
    dispute_game(concede(table, 1, **BY).table, reason="No march", counted=True, **BY)
    page = open_page("phone")
    sign_in(page, a_user(club=table.session.club))
    page.goto(pages(table)[0])
    page.get_by_role("button", name="Decide", exact=True).click()
    errors = page.locator(".errorlist")
    expect(errors).to_have_text(["Choose a decision.", "Add a short reason."])
    page.locator(".winners label").first.click()
    expect(errors).to_have_text(["Add a short reason."])
    page.locator("#settle-reason").fill("I saw it")
    expect(errors).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)  # the summary says the same


def test_a_reason_ready_to_tap_leaves_what_was_typed(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.goto(f"{page.url}hands/1")
    reason = page.get_by_label("Reason for the change")
    page.get_by_role("button", name="Wrong tricks").click()
    page.get_by_role("button", name="Wrong player").click()
    expect(reason).to_have_value("Wrong player")
    reason.fill("Ted saw it")
    page.get_by_role("button", name="Wrong tricks").click()
    expect(reason).to_have_value("Ted saw it, Wrong tricks")


def test_a_table_of_totals_alone_asks_for_the_final_score(open_page, axe):
    table = a_game_table()
    table.totals_only = True
    table.save()
    page = open_page("phone")
    open_table(page, table)
    axe(page)
    page.get_by_label("Rose & Ted").fill("10")
    page.get_by_label("Ann & Bill").fill("8")
    page.get_by_role("button", name="Finish game").click()
    page.get_by_text("Rose & Ted won 10").wait_for()
    assert Game.objects.get().winners == [0, 2]


def test_a_mistake_on_the_phone_is_put_right_there(open_page, axe):
    table = a_game_table()
    write(table, (0, 5), (1, 5), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.get_by_text("Earlier hands, misdeal").click()
    assert page.locator(".game-menu h2").first.inner_text() == "Fix an earlier hand"
    page.get_by_role("link", name="Correct hand 1").click()
    page.get_by_label("Reason for the change").fill("we miscounted")
    page.locator('label:has(input[name=tricks][value="3"])').click()
    page.get_by_text("The score is then").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Table 1 · hand 3").first.wait_for()
    assert Game.objects.get().score == [1, 2]


def test_points_typed_by_an_organiser_show_the_score_they_make(open_page, sign_in, table):
    page = open_page("phone")
    sign_in(page, a_user(club=table.session.club))
    page.goto(pages(table)[0])
    page.get_by_text("Add or take points").click()
    page.get_by_label("Rose & Ted", exact=True).last.fill("-1")
    expect(page.locator("[data-points] [data-effect]")).to_contain_text("Rose & Ted −1")
    expect(page.locator("[data-points] [data-effect]")).to_contain_text("The score is then")
