"""The choices of a clash fit what is on the site by now, and no tap on them is lost."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import strike_hand, undo_last_hand
from league.play.models import Hand
from tests.builders import TEST, a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_offline import status, stored, tap
from tests.journeys.test_offline_clash import TROUBLE, choose
from tests.play.hands import write, write_records

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(open_page, table):
    """A phone on which hand 5 waits: at 8 points, it would pay Ann & Bill one."""
    write(table, *[(0, 5)] * 4)
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    tap(page, 1)
    status(page, "Waiting (1)")
    return page


def theirs(table, outcome="made"):
    """Another phone enters hand 5."""
    write_records(table, {"contract": {"seat": 0}, "outcome": outcome}, at=timezone.now())


def back_online(page):
    page.context.set_offline(False)
    status(page, "Needs attention")
    return page.locator(f"{TROUBLE} button:visible")


def test_mine_can_take_the_place_of_a_hand_that_won_the_game(phone, table):
    theirs(table, "march")
    expect(back_online(phone)).to_have_text(["Use mine instead", "Keep theirs"])
    choose(phone, "Use mine instead")
    status(phone, "Saved")
    assert stored()[-1] == (5, 0, 1)
    expect(phone.locator(".score-number")).to_have_text(["8", "1"])


def test_a_hand_that_was_deleted_there_is_not_called_theirs(phone, table):
    theirs(table)
    about = {"reason": "Twice", "expected_version": 1, "client_id": "gone"}
    strike_hand(table, 5, **about, by=TEST, at=timezone.now())
    expect(back_online(phone)).to_have_text(["Edit mine", "Use mine instead", "Remove mine"])
    expect(phone.locator(TROUBLE)).to_contain_text("Hand 5 was deleted")
    choose(phone, "Use mine instead")
    status(phone, "Saved")
    assert stored()[-1] == (5, 0, 1)


def test_a_hand_whose_place_is_ahead_by_now_can_be_used_in_the_next(phone, table):
    Hand.objects.filter(number__gt=2).update(current=False, undone_at=timezone.now())
    expect(back_online(phone)).to_have_text(["Use mine as hand 3", "Edit mine", "Remove mine"])
    choose(phone, "Use mine as hand 3")
    status(phone, "Saved")
    assert stored()[-1] == (3, 2, 1)


def test_a_clash_that_is_asked_about_again_stays_on_the_page_until_there_is_an_answer(phone, table):
    """A page drawn while the hand was on its way again said "Waiting" and offered nothing."""
    theirs(table)
    back_online(phone)
    pages, hands = [], []  # requests that are held back
    phone.route("**/t/*/", lambda route: pages.append(route))
    hold_next(phone, pages)
    phone.route("**/hand", lambda route: hands.append(route))
    hold_next(phone, hands)
    phone.evaluate("document.querySelector('[data-table]').id = 'before'")
    for page in pages:
        page.continue_()
    expect(phone.locator("#before")).to_have_count(0)
    phone.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))")
    assert phone.locator(TROUBLE).is_visible()


def hold_next(phone, held):
    """The phone sends again, until a request of this kind is held back."""
    while not held:
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        phone.wait_for_timeout(100)


def test_a_tap_while_the_queue_is_busy_counts_once_it_is_not(phone, table):
    theirs(table)
    back_online(phone)
    held = []
    phone.route("**/hand", lambda route: held.append(route))
    hold_next(phone, held)
    choose(phone, "Use mine instead")
    phone.unroute("**/hand")  # what was held goes on
    status(phone, "Saved")
    assert stored()[-1] == (5, 0, 1)


def test_a_clash_is_gone_when_the_other_phone_takes_its_hand_back(phone, table):
    """It said that theirs had won long after their undo, and "Keep theirs" lost my hand."""
    write(table, (0, 5), at=timezone.now())
    phone.context.set_offline(False)
    status(phone, "Needs attention")
    undo_last_hand(table, by=TEST, at=timezone.now(), number=5, version=1)
    status(phone, "Saved")
    assert stored()[-1] == (5, 0, 1)


def test_a_clash_is_gone_when_it_is_taken_back_before_the_page_shows_it(phone, table):
    """The page that came after the answer had the undo already, so no news asked again."""
    theirs(table)
    back_online(phone)
    pages = []
    phone.route("**/t/*/", lambda route: pages.append(route))
    hold_next(phone, pages)
    undo_last_hand(table, by=TEST, at=timezone.now(), number=5, version=1)
    phone.unroute("**/t/*/")  # what was held goes on
    status(phone, "Saved")
    assert stored()[-1] == (5, 0, 1)
