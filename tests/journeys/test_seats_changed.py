"""A round unpublished and published again: each phone follows, with the hands that wait in it."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.models import Hand
from league.seating.actions import publish, swap, take_back
from league.seating.models import Seat
from league.seating.queries import live_tables
from league.sessions.actions import close_session
from tests.builders import TEST
from tests.journeys.at_the_table import look_again, open_table, scan, tap_hand
from tests.journeys.test_offline import KEPT, status, tap
from tests.seating.nights import a_night, published

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def round_():
    night, _members = a_night(8)
    return published(night)


@pytest.fixture
def phone(open_page, round_):
    page = open_page("phone")
    open_table(page, live_tables(round_.session)[0])
    return page


def unpublish(round_):
    return take_back(round_, by=TEST, at=timezone.now())


def publish_with_a_swap(draft):
    """The players on the first seats of both tables change places."""
    one, other = Seat.objects.filter(table__round=draft, position=0).order_by("table__number")
    swap(draft, one.member, other.member, by=TEST)
    publish(draft, by=TEST, at=timezone.now())
    return other.member.name


def test_a_phone_follows_when_seats_are_unpublished_swapped_and_published(phone, round_):
    draft = unpublish(round_)
    look_again(phone)
    expect(
        phone.get_by_role("heading", name="The seats at this table have changed")
    ).to_be_visible()
    name = publish_with_a_swap(draft)
    expect(phone.locator("#messages")).to_contain_text(name)
    expect(phone.locator("[data-round]")).to_contain_text(name)
    tap_hand(phone, 0, outcome="made")
    assert Hand.objects.get().game.table == live_tables(round_.session)[0]


def back_after(phone, change):
    """The phone keeps a hand offline while the seats change, and is back online."""
    phone.context.set_offline(True)
    tap(phone, 1)
    status(phone, "Waiting (1)")
    changed = change()
    phone.context.set_offline(False)
    expect(
        phone.get_by_role("heading", name="The seats at this table have changed")
    ).to_be_visible()
    return changed


def test_hands_from_before_are_read_in_words_and_sent_where_the_same_players_sit(phone, round_):
    back_after(phone, lambda: publish(unpublish(round_), by=TEST, at=timezone.now()))
    (seat, *_others) = round_.tables.get(number=1).seats.filter(position=1)
    expect(phone.locator("[data-hands] li")).to_have_text(
        f"Hand 1 · {seat.member.name} · 3 – 4 made"
    )
    phone.get_by_role("button", name="Send to the new table").click()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 1")
    assert Hand.objects.get().game.table == live_tables(round_.session)[0]


def test_hands_from_before_are_not_sent_to_other_players_but_can_be_deleted(phone, round_):
    name = back_after(phone, lambda: publish_with_a_swap(unpublish(round_)))
    expect(phone.get_by_text("Other players sit here now")).to_be_visible()
    expect(phone.get_by_role("button", name="Send to the new table")).to_have_count(0)
    phone.locator("summary", has_text="Delete").click()
    phone.get_by_role("button", name="Delete").click()
    expect(phone.locator("[data-round]")).to_contain_text(name)
    assert phone.evaluate(KEPT) == []
    assert not Hand.objects.exists()


def test_hands_of_a_closed_session_are_read_in_words(phone, round_):
    phone.context.set_offline(True)
    tap(phone, 1)
    status(phone, "Waiting (1)")
    close_session(round_.session, by=TEST, at=timezone.now())
    phone.context.set_offline(False)
    expect(phone.locator("[data-hands] li")).to_have_text(re.compile(r"Hand 1 · \w+ · 3 – 4 made"))


def test_a_phone_that_scans_its_new_table_is_led_to_the_hands_that_wait_for_the_old_one(
    phone, round_
):
    phone.context.set_offline(True)
    tap(phone, 1)
    status(phone, "Waiting (1)")
    phone.goto("about:blank")
    publish_with_a_swap(unpublish(round_))
    phone.context.set_offline(False)
    scan(phone, live_tables(round_.session)[1])
    expect(phone.locator("#messages")).to_contain_text("Hands from another table")
    phone.get_by_role("link", name="Show them").click()
    expect(phone.locator("[data-hands] li")).to_contain_text("Hand 1")
