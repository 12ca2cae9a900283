"""Ways that might end in nothing, in a real browser: late arrivals, codes that moved on, a sign-in
that expired, a list pasted as it comes."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.members.actions import change_settings
from league.members.models import Club
from league.play.auth import card_link
from league.seating.actions import make_cards_up_to
from league.seating.models import Seat, Table
from league.seating.queries import draft_of, live_tables
from league.sessions.actions import close_session, start_session
from league.sessions.attendance import arrive
from league.sessions.links import wall_link
from league.sessions.models import Session
from league.sessions.queries import present
from tests.builders import TEST, a_session, a_table, a_user, members_of
from tests.journeys.at_the_table import look_again, open_table
from tests.seating.nights import AT, a_game, a_night, a_seating_club, draft, published

pytestmark = pytest.mark.django_db(transaction=True)
PHONES = "http://192.168.1.7"


def at(name: str, night: Session, *more: str) -> str:
    return reverse(name, args=[night.club.slug, night.public_id, *more])


@pytest.fixture
def desk(open_page: Any, sign_in: Any) -> Any:
    """`desk(club)`: a page of an organiser."""

    def desk(club: Club, device: str = "desktop", **options: Any) -> Page:
        page: Page = open_page(device, **options)
        sign_in(page, a_user(club=club))
        return page

    return desk


def test_late_arrivals_while_a_draft_is_open_are_in_the_redraw(desk: Any) -> None:
    night, _members = a_night(7)
    late = members_of(night.club, 9)[7:]
    draft(night)
    page = desk(night.club)
    page.goto(at("seating", night))
    for member in late:
        arrive(night, member, by=TEST, at=AT)
    look_again(page)
    expect(page.get_by_text("arrived after this draw and would wait")).to_be_visible()
    page.get_by_role("button", name="Redraw for 9").click()
    expect(page.get_by_text("arrived after this draw")).to_have_count(0)
    for member in late:
        expect(page.locator(f"[data-member='{member.public_id}']")).to_be_visible()
    drawn = Seat.objects.filter(table__round=draft_of(night))
    assert {seat.member_id for seat in drawn} == {member.pk for member in present(night)}


def test_codes_made_at_127_0_0_1_warn_and_offer_the_address_that_phones_reach(
    desk: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOST = "0.0.0.0"
    monkeypatch.setattr("league.network.own_addresses", lambda *_: [PHONES.rpartition("/")[2]])
    night, _members = a_night(4)
    table = published(night).tables.get()
    page = desk(night.club)
    for name in ("wall_made", "door_code", "print_cards", "table_desk"):
        where = at(name, night, *([table.public_id] if name == "table_desk" else []))
        page.goto(where)
        expect(page.get_by_text("Codes made here would not work.")).to_be_visible()
        port = page.evaluate("location.port")
        expect(page.get_by_role("link", name=PHONES)).to_have_attribute(
            "href", f"{PHONES}:{port}{where}"
        )


def test_a_short_code_is_typed_another_card_scanned_and_next_week_the_same_card_opens_the_table(
    open_page: Any,
) -> None:
    night, members = a_night(8)
    first, second = published(night).tables.order_by("number")
    make_cards_up_to(night.club, 3, by=TEST)
    cards = {card.number: card for card in night.club.table_cards.all()}
    page = open_page("phone")
    page.goto(reverse("table_door"))
    page.get_by_label("The code on the table card").fill(cards[1].typed.replace("-", "").lower())
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(f"**{reverse('table_entry', args=[first.public_id])}")

    page.goto(card_link(cards[3]))
    expect(page.get_by_text("Nobody is playing at table 3 now.")).to_be_visible()
    page.evaluate("link => location.assign(link)", card_link(cards[2]))
    page.wait_for_url(f"**{reverse('table_entry', args=[second.public_id])}")

    close_session(night, by=TEST, at=AT)
    next_week = a_table(a_session(night.club), members[:4], first.ruleset)
    page.goto(card_link(cards[1]))
    page.wait_for_url(f"**{reverse('table_entry', args=[next_week.public_id])}")


def test_the_link_of_the_wall_is_short_and_its_button_copies_it(desk: Any, open_page: Any) -> None:
    night, _members = a_night(4)
    published(night)
    page = desk(night.club, permissions=["clipboard-read", "clipboard-write"])
    page.goto(at("wall_made", night))
    assert len(wall_link(night)) <= 20
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(wall_link(night))
    wall = open_page("wall")
    wall.goto(copied)
    expect(wall.get_by_text("Rose").first).to_be_visible()


def sign_in_again(page: Page) -> None:
    expect(page.get_by_text("Your sign-in has expired.")).to_be_visible()
    page.locator("input[name=login]").fill("olive")
    page.locator("input[name=password]").fill("correct horse battery")
    page.locator("input[name=password]").press("Enter")


def test_a_form_sent_after_the_sign_in_expired_is_sent_once_signed_in_again(
    desk: Any, axe: Any
) -> None:
    night, _members = a_night(4)
    published(night)
    page = desk(night.club, "phone")
    page.goto(at("final_scores", night))
    sides = page.locator(".final-score")
    for side, score in zip(sides.all(), ("10", "9"), strict=True):
        side.locator("input").fill(score)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.locator("main form button.primary").first.click()
    sign_in_again(page)
    axe(page)
    page.get_by_role("button", name="Send it now").click()
    expect(page.get_by_text("Saved 1 final score.")).to_be_visible()
    assert night.games.get().totals == [10, 9]


def test_a_public_clubs_tonight_leads_a_visitor_to_public_pages_only(open_page: Any) -> None:
    club = a_seating_club()
    change_settings(club, by=TEST, visibility=Club.Visibility.STANDINGS)
    now = timezone.now()
    night = start_session(club, by=TEST, at=now)
    for member in members_of(club, 4):
        arrive(night, member, by=TEST, at=now)
    a_game(published(night).tables.get(), hands=3)
    page = open_page("phone")
    page.goto(reverse("club", args=[club.slug]))
    page.locator("a.panel", has=page.get_by_role("heading", name=night.name)).click()
    page.wait_for_url(f"**{at('session_standings', night)}")
    links = page.eval_on_selector_all("main a[href]", "links => links.map(link => link.href)")
    answers = {link: page.request.get(link).url for link in links}
    assert not [link for link, url in answers.items() if "/login/" in url]


PASTED = """Name, E-mail, Phone
1. Rose, rose@example.org, (902) 555-0101
2) Ann
- Lind, Vera <vera@example.org>
• Marsh, Otto\t+1 902 555 0102
"""


def test_a_list_pasted_with_numbers_bullets_and_columns_checks_in_its_players(desk: Any) -> None:
    night = a_session(a_seating_club())
    members_of(night.club, 2)
    page = desk(night.club, "phone")
    page.goto(at("checkin", night))
    if not page.get_by_label("One name per line").is_visible():
        page.get_by_text("Paste a list of names").click()
    page.get_by_label("One name per line").fill(PASTED)
    page.locator("#paste-names").get_by_role("button", name="Check them in").click()
    question = page.get_by_role("alert")
    expect(question).to_contain_text("2 names are new to the club")
    for said in ("rose@example.org", "(902) 555-0101", "+1 902 555 0102", "Name, E-mail, Phone"):
        expect(question).to_contain_text(said)
    question.get_by_role("button", name="Check them in").first.click()
    expect(page.get_by_text(re.compile("^Checked in"))).to_be_visible()
    assert {one.name for one in present(night)} == {"Rose", "Ann", "Vera Lind", "Otto Marsh"}


def test_a_player_is_checked_in_to_a_second_open_session_after_a_question(desk: Any) -> None:
    night, members = a_night(4)
    other = a_session(night.club, name="Beginners")
    page = desk(night.club, "phone")
    page.goto(at("checkin", other))
    page.locator("button.key", has_text=members[0].name).click()
    expect(page.get_by_role("alert")).to_contain_text("Check in here too?")
    assert not present(other)
    page.get_by_role("button", name=f"Yes, check {members[0].name} in here").click()
    expect(page.get_by_text("1 checked in")).to_be_visible()
    assert [one.pk for one in present(other)] == [members[0].pk]


def test_once_a_tables_code_is_replaced_the_old_card_and_the_open_phone_say_so(
    desk: Any, open_page: Any
) -> None:
    night, _members = a_night(4)
    table: Table = published(night).tables.get()
    make_cards_up_to(night.club, 1, by=TEST)
    old_card = card_link(night.club.table_cards.get())
    phone = open_page("phone")
    open_table(phone, table)
    page = desk(night.club)
    page.goto(at("table_desk", night, table.public_id))
    page.get_by_text("Replace this code").first.click()
    page.get_by_role("button", name="Replace this code").click()
    page.wait_for_load_state()
    expect(page.locator(".typed-code")).not_to_have_text("")
    look_again(phone)
    expect(phone.get_by_text("You don't have access to this table")).to_be_visible()
    expect(phone.get_by_text("Its code may have been replaced")).to_be_visible()
    phone.goto(old_card)
    expect(phone.get_by_text("No table has this code.")).to_be_visible()
    phone.goto(card_link(night.club.table_cards.get()))
    phone.wait_for_url(f"**{reverse('table_entry', args=[table.public_id])}")


def test_standings_are_held_back_and_released_with_one_press_each(
    desk: Any, open_page: Any
) -> None:
    night, _members = a_night(4)
    Club.objects.update(visibility=Club.Visibility.STANDINGS)
    a_game(published(night).tables.get(), hands=3)
    page, phone = desk(night.club), open_page("phone")
    for one in (page, phone):
        one.goto(at("session_standings", night))
    page.get_by_role("button", name="Hold standings until the prize-giving").click()
    expect(page.get_by_text("Only organisers see these standings")).to_be_visible()
    look_again(phone)
    expect(phone.get_by_text("held back until the prize-giving").first).to_be_visible()
    page.get_by_role("button", name="Release the standings").click()
    expect(page.get_by_text("Only organisers see these standings")).to_have_count(0)
    look_again(phone)
    expect(phone.get_by_text("held back until the prize-giving")).to_have_count(0)


def test_when_every_table_is_done_the_next_round_is_made_with_all_twelve(desk: Any) -> None:
    night, _members = a_night(12)
    published(night)
    page = desk(night.club)
    page.goto(at("board", night))
    for table in live_tables(night):
        a_game(table, hands=5)
    Session.objects.filter(pk=night.pk).update(revision=99)
    look_again(page)
    page.get_by_role("button", name="Next round with all 12").click()
    expect(page.get_by_role("button", name="Publish")).to_be_visible()
    assert Seat.objects.filter(table__round=draft_of(night)).count() == 12
