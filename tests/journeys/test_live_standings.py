"""Standings on somebody's own phone follow the tables without being touched."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.members.actions import change_settings, create_club
from league.members.models import Club, User
from league.play.actions import record_hand
from league.seating.actions import draft_round, publish
from league.sessions.actions import start_session
from league.sessions.attendance import arrive
from tests.builders import TEST, a_user, members_of
from tests.journeys.at_the_table import look_again
from tests.seating.nights import a_night
from tests.seating.nights import published as published_round

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hand_saved_at_a_table_moves_the_standings_on_a_visitor_s_phone(
    open_page: Callable[..., Page],
) -> None:
    now = timezone.now()
    rules = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "nanaimo-four-handed"}
    where = {"slug": "thursday", "time_zone": "UTC"}
    club = create_club(name="Thursday Euchre", **where, presets=rules, by=TEST)
    change_settings(club, by=TEST, visibility=Club.Visibility.STANDINGS)
    night = start_session(club, by=TEST, at=now)
    for member in members_of(club, 4):
        arrive(night, member, by=TEST, at=now)
    table = publish(draft_round(night, by=TEST, seed=1), by=TEST, at=now).tables.get()

    phone = open_page("phone")
    phone.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    expect(phone.get_by_text("No hand has been entered yet")).to_be_visible()
    expect(phone.locator(".live .when")).to_have_text(
        re.compile("now|ago")
    )  # when it was up to date
    expect(phone.locator(".live .when")).to_be_visible()

    hand = {
        "dealer": table.first_dealer,
        "contract": {"seat": 0, "trump": "h", "round": 1, "alone": False},
        "outcome": "march",
    }
    record_hand(table, hand, client_id="from-the-table", by=TEST, at=now)
    expect(phone.locator("table.standings tbody tr")).to_have_count(4)
    maker = table.seats.get(position=0).member
    row = phone.locator("table.standings tbody tr", has_text=maker.name)
    row.locator("summary").click()
    expect(row.get_by_text("1 game unfinished or not confirmed.")).to_be_visible()

    phone.reload()  # the search is there once there is a table
    phone.get_by_text("Search", exact=True).click()
    phone.get_by_label("Name").press_sequentially(maker.name)
    rows = phone.locator("table.standings tbody tr").filter(visible=True)
    expect(rows).to_have_count(1)


def test_a_member_s_seat_appears_by_itself_on_the_clubs_page(
    open_page: Callable[..., Page], sign_in: Callable[[Page, User], None]
) -> None:
    night, members = a_night(8)
    ann = members[0]
    ann.user = a_user("ann", club=night.club, rank="member")
    ann.save()
    phone = open_page("phone")
    sign_in(phone, ann.user)
    phone.goto(reverse("club", args=[night.club.slug]))
    seat = phone.locator("#open-sessions")
    expect(seat).to_contain_text("Your seat appears here once the tables are published.")
    published_round(night)
    look_again(phone)
    expect(seat).to_contain_text("You: table")
