"""The clock of a board that stays open: when it runs out, the board says by itself who is late."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.play.actions import record_hand
from league.seating.actions import draft_round, publish
from league.sessions.actions import start_clock
from league.sessions.models import Session
from tests.builders import TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.journeys.at_the_table import open_table

pytestmark = pytest.mark.django_db(transaction=True)
MARCH = {
    "contract": {"seat": 0, "trump": "h", "round": 1, "alone": False},
    "outcome": "march",
}


def a_night_with_a_clock() -> Session:
    """One table plays, and the round has twenty minutes."""
    club = a_club()
    rulesets_of(club)
    night = a_session(club, members_of(club, 4))
    a_table_that_plays(night)
    return start_clock(night, by=TEST, at=timezone.now(), minutes=20)


def a_table_that_plays(night: Session) -> None:
    now = timezone.now()
    table = publish(draft_round(night, by=TEST, seed=1), by=TEST, at=now).tables.get()
    hand = {"dealer": table.first_dealer, **MARCH}
    record_hand(table, hand, client_id="first", by=TEST, at=now)


def test_the_board_fetches_its_parts_again_when_the_time_is_up(
    open_page: Callable[..., Page], sign_in: Callable[[Page, Any], None]
) -> None:
    night = a_night_with_a_clock()
    page = open_page("desktop", own=True)
    sign_in(page, a_user(club=night.club))
    page.clock.install()
    page.goto(reverse("board", args=[night.club.slug, night.public_id]))
    expect(page.get_by_role("link", name="Late 0")).to_be_visible()

    # Twenty minutes go by, in which nobody saves anything: the revision is the same.
    over = timezone.now() - timedelta(minutes=1)
    Session.objects.filter(pk=night.pk).update(clock_ends_at=over)
    page.clock.fast_forward("21:00")
    expect(page.get_by_text("Time!")).to_be_visible()
    expect(page.get_by_role("link", name="Late 1")).to_be_visible()
    expect(page.get_by_role("link", name="End all games at their score…")).to_be_visible()
    expect(page.get_by_role("button", name="Nudge")).to_be_visible()


def test_the_clock_shows_its_figures_at_once_after_a_refresh(
    open_page: Callable[..., Page], sign_in: Callable[[Page, Any], None]
) -> None:
    club = a_club()
    night = start_clock(a_session(club), by=TEST, at=timezone.now(), minutes=20)
    page = open_page("desktop")
    sign_in(page, a_user(club=club))
    page.goto(reverse("board", args=[club.slug, night.public_id]))
    expect(page.locator("[data-clock-figures]")).not_to_have_text("–:––")
    refreshed = """() => {
      const figures = document.querySelector("[data-clock-figures]");
      figures.textContent = "–:––"; // as the server sends it
      document.dispatchEvent(new CustomEvent("live:refreshed"));
      return figures.textContent;
    }"""
    assert page.evaluate(refreshed) != "–:––"


def test_a_table_s_phone_offers_to_end_the_game_when_the_time_is_up(
    open_page: Callable[..., Page],
) -> None:
    night = a_night_with_a_clock()
    phone = open_page("phone")
    open_table(phone, night.tables.get())
    ways_out = phone.locator("#news").get_by_text("End the game: time called")
    expect(phone.get_by_text("Round until")).to_be_visible()
    expect(ways_out).to_be_hidden()

    over = timezone.now() - timedelta(minutes=1)
    Session.objects.filter(pk=night.pk).update(clock_ends_at=over)
    now = {"endsAt": "by another start", "secondsLeft": "0"}  # sooner than in twenty minutes
    phone.evaluate(
        "now => Object.assign(document.querySelector('[data-seconds-left]').dataset, now)", now
    )
    expect(ways_out).to_be_visible()
