"""The table in two tabs of one phone: what waits in the phone is the same for both."""

import pytest
from playwright.sync_api import expect

from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table, tap_hand
from tests.journeys.test_offline import KEPT, status, stored, tap
from tests.journeys.test_offline_clash import TROUBLE, choose
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tabs(open_page):
    """Two tabs of one phone, offline, with the same table."""
    table = a_game_table()
    first = open_page("phone")
    open_table(first, table)
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator("body[data-queue-read]")).to_have_count(1)
    first.context.set_offline(True)
    return table, first, second


def test_a_hand_of_one_tab_is_shown_in_the_other_and_the_next_one_comes_after_it(tabs):
    _table, first, second = tabs
    tap(first, 0)
    status(first, "Waiting (1)")
    status(second, "Waiting (1)")
    expect(second.locator("#hand [name=number]")).to_have_value("2")
    second.context.set_offline(False)
    status(second, "Saved")
    tap_hand(second, 1, outcome="made")
    status(second, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1)]


def test_a_hand_undone_in_one_tab_waits_no_more_in_the_other(tabs):
    _table, first, second = tabs
    tap(first, 0)
    status(second, "Waiting (1)")
    first.locator("#queue").get_by_role("button", name="Undo").click()
    status(second, "Offline · all saved")
    expect(second.locator(".score-bar")).to_contain_text("hand 1")


def test_a_hand_saved_in_a_tab_that_has_not_heard_of_it_comes_after_the_other_s(tabs):
    _table, first, second = tabs
    tap(first, 0)
    status(first, "Waiting (1)")
    tap(second, 1)
    status(second, "Waiting (2)")
    second.context.set_offline(False)
    status(second, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1)]


def test_a_clash_sorted_out_in_one_tab_is_no_question_in_the_other(tabs):
    table, first, second = tabs
    tap(first, 0)
    status(first, "Waiting (1)")
    write(table, (3, 5))
    first.context.set_offline(False)
    status(first, "Needs attention")
    status(second, "Needs attention")
    choose(second, "Keep theirs")
    status(second, "Saved")
    expect(first.locator(TROUBLE)).to_have_count(0)
    status(first, "Saved")
    assert first.evaluate(KEPT) == []
    assert stored() == [(1, 0, 3)]


def test_after_a_hand_was_undone_offline_the_bar_speaks_of_no_waiting_score(tabs):
    _table, first, _second = tabs
    tap(first, 0)
    status(first, "Waiting (1)")
    first.locator("#queue").get_by_role("button", name="Undo").click()
    status(first, "Offline · all saved")
    first.context.set_offline(False)
    expect(first.locator("#preview")).to_have_text("Choose who made trump, and the tricks.")
