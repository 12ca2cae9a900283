"""The organiser's evening in a real browser: eleven seated by taps, swaps, the room kept live."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.members.models import Member
from league.play.models import Game
from league.seating.models import Seat
from league.seating.queries import live_tables
from league.sessions.actions import start_clock
from league.sessions.attendance import arrive
from league.sessions.links import door_link, wall_link
from league.sessions.models import Session
from league.sessions.queries import present
from tests.builders import TEST, a_user, members_of
from tests.journeys.at_the_table import look_again
from tests.journeys.barriers import barriers
from tests.seating.nights import AT, a_game, a_night, a_seating_club, draft, published

pytestmark = pytest.mark.django_db(transaction=True)


def at(name: str, night: Session, *more: str) -> str:
    return reverse(name, args=[night.club.slug, night.public_id, *more])


@pytest.mark.parametrize(("device", "script"), [("phone", True), ("desktop", False)])
def test_eleven_are_seated_in_few_taps(
    open_page: Any, sign_in: Any, device: str, script: bool
) -> None:
    club = a_seating_club()
    members_of(club, 11)
    page = open_page(device, java_script_enabled=script)
    sign_in(page, a_user(club=club))
    page.goto(reverse("sessions", args=[club.slug]))
    taps = 0

    page.get_by_role("button", name="New session").click()
    taps += 1
    for name in Member.objects.filter(club=club).values_list("name", flat=True):
        page.get_by_role("button", name=name, exact=True).click()
        if not script:  # with one, names may be tapped faster than the site answers
            expect(page.locator(".key[aria-pressed=true]", has_text=name).first).to_be_visible()
        taps += 1
    page.get_by_role("button", name="Make tables for 11").click()
    page.get_by_role("button", name="Publish").click()
    taps += 2
    expect(page.get_by_text("Published. Phones and the wall show it now.")).to_be_visible()

    assert [table.players for table in live_tables(club.sessions.get())] == [4, 4, 3]
    assert Seat.objects.filter(seated=True).count() == 11
    assert taps == 14


def test_everybody_from_last_time_makes_it_four_taps(open_page: Any, sign_in: Any) -> None:
    night, _members = a_night(11)
    Session.objects.filter(pk=night.pk).update(held_on="2020-01-02")
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("sessions", args=[night.club.slug]))
    page.get_by_role("button", name="New session").click()
    page.get_by_role("button", name="Check in everyone from last time").click()
    page.get_by_role("button", name="Make tables for 11").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published. Phones and the wall show it now.")).to_be_visible()
    assert Seat.objects.filter(seated=True).count() == 11


@pytest.mark.parametrize("script", [True, False])
def test_two_people_change_places_by_two_taps_and_back(
    open_page: Any, sign_in: Any, script: bool
) -> None:
    night, _members = a_night(8)
    drawn = draft(night)
    page = open_page("phone", java_script_enabled=script)
    sign_in(page, a_user(club=night.club))
    page.goto(at("seating", night))
    one = Seat.objects.get(table__round=drawn, table__number=1, position=0).member.name
    other = Seat.objects.get(table__round=drawn, table__number=2, position=1).member.name
    slip = page.locator(".floor a.slip", has_text=re.compile(rf"^\s*{one}\s*$"))
    page.evaluate("scrollBy(0, 200)")
    slip.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    slip.click()
    expect(page.locator(".slip.held")).to_have_text(one)
    assert not script or page.evaluate("scrollY") == before
    page.locator(".floor button.slip", has_text=other).click()
    expect(page.get_by_text(f"Swapped {one} and {other}.")).to_be_visible()
    assert Seat.objects.get(table__round=drawn, table__number=2, position=1).member.name == one
    expect(page.locator(".place").nth(1)).to_contain_text(one)
    page.get_by_role("button", name=re.compile("Swap .* back")).click()
    expect(page.locator(".place").nth(0)).to_contain_text(one)
    assert Seat.objects.get(table__round=drawn, table__number=1, position=0).member.name == one


def test_a_slip_is_dragged_onto_another(open_page: Any, sign_in: Any) -> None:
    night, _members = a_night(8)
    drawn = draft(night)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(at("seating", night))
    one = Seat.objects.get(table__round=drawn, table__number=1, position=0).member
    other = Seat.objects.get(table__round=drawn, table__number=2, position=1).member
    slip = page.locator(f"[data-member='{one.public_id}']")
    slip.drag_to(page.locator(f"[data-member='{other.public_id}']"))
    expect(page.get_by_text(f"Swapped {one.name} and {other.name}.")).to_be_visible()
    assert Seat.objects.get(table__round=drawn, table__number=2, position=1).member == one


def test_the_board_follows_what_the_tables_do_and_keeps_the_organisers_ticks(
    open_page: Any, sign_in: Any
) -> None:
    night, _members = a_night(8)
    published(night)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(at("board", night))
    expect(page.get_by_text("not started")).to_have_count(2)
    a_game(live_tables(night)[0], state="confirmed", hands=5)
    Session.objects.filter(pk=night.pk).update(revision=99)
    look_again(page)
    expect(page.locator(".board-tile.state-done")).to_have_count(1)
    first, second = (page.locator(f"input[name=table][value='{n}']") for n in (1, 2))
    first.uncheck()
    first.blur()
    a_game(live_tables(night)[1], state="confirmed", hands=5)
    Session.objects.filter(pk=night.pk).update(revision=100)
    look_again(page)
    expect(page.locator(".board-tile.state-done")).to_have_count(2)
    expect(first).not_to_be_checked()
    expect(second).to_be_checked()
    tile = page.locator(".board-tile").first  # all of it leads to its table
    tile.click(position={"x": 60, "y": tile.bounding_box()["height"] - 6})
    expect(page.get_by_role("heading", name="Table 1")).to_be_visible()


def test_on_the_board_the_winners_sign_stands_beside_their_names(
    open_page: Any, sign_in: Any
) -> None:
    night, members = a_night(4)
    for member, name in zip(members, ("Harold", "Nelson", "Gerald", "Arthur"), strict=True):
        Member.objects.filter(pk=member.pk).update(name=name)
    published(night)
    game = a_game(live_tables(night)[0], state="confirmed", hands=5)
    Game.objects.filter(pk=game.pk).update(score=[10, 6], winners=[0, 2])
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(at("board", night))
    won = page.locator(".tile-score .won")
    expect(won).to_have_text(re.compile("won"))
    assert won.bounding_box()["height"] < 40  # one line


def test_seven_tables_take_three_screens_of_a_phone(open_page: Any, sign_in: Any) -> None:
    night, _members = a_night(28)
    published(night)
    a_game(live_tables(night)[0], state="confirmed", hands=5)
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(at("board", night))
    expect(page.locator(".board-tile")).to_have_count(7)
    expect(page.locator(".board-tile .tile-score dt")).to_have_count(14)
    high = "all => all.map(one => one.getBoundingClientRect().height)"
    assert max(page.locator(".board-tile").evaluate_all(high)) < 220
    assert page.evaluate("document.documentElement.scrollHeight") < 3 * 844
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    below = "all => all.map(one => one.getBoundingClientRect().bottom)"
    bar = page.locator(".release").bounding_box()
    assert bar is not None
    assert max(page.locator(".board-tile").evaluate_all(below)) <= bar["y"]
    page.evaluate("window.scrollTo(0, 0)")
    assert page.locator(".board-tile").first.bounding_box()["y"] < 260
    page.get_by_role("button", name="Clock").click()
    expect(page.get_by_role("button", name="Start the clock")).to_be_visible()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert max(page.locator(".board-tile").evaluate_all(below)) <= 800 - bar["height"]


def test_the_walls_letters_are_as_large_as_its_tables_leave_room_for(open_page: Any) -> None:
    night, members = a_night(28)
    for number, member in enumerate(members):
        member.name = f"Player{number} Whitehorse"
        member.save()
    published(night)
    page = open_page("wall", viewport={"width": 1280, "height": 800})
    page.goto(wall_link(night))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".wall-table")).to_have_count(7)
    expect(page.locator(".wall-tables")).to_have_attribute("style", re.compile("--columns"))
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    name = page.locator(".wall-side").first.evaluate(size)
    assert name >= 27
    for small in (".wall-table > small", ".wall-foot", ".wall-head p"):
        assert page.locator(small).first.evaluate(size) >= min(name, 0.0225 * 1280), small
    panel = page.locator(".wall-tables").bounding_box()
    ends = "all => all.map(one => one.getBoundingClientRect().bottom)"
    assert panel is not None
    bottom = max(page.locator(".wall-table").evaluate_all(ends))
    assert panel["y"] + panel["height"] - 60 < bottom <= panel["y"] + panel["height"] + 1


def test_the_wall_keeps_what_it_has_when_the_connection_is_lost(open_page: Any) -> None:
    night, _members = a_night(8)
    published(night)
    start_clock(night, by=TEST, at=AT, minutes=20)
    page = open_page("wall")
    page.goto(wall_link(Session.objects.get()))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".wall-table").first).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator(".live")).to_contain_text("Connection lost")
    assert page.locator(".wall-table").count() == 2
    Game.objects.all().delete()
    a_game(live_tables(night)[0], state="playing", hands=2)
    Session.objects.filter(pk=night.pk).update(revision=99)
    page.context.set_offline(False)
    expect(page.get_by_text("hand 3")).to_be_attached()


def test_at_the_door_one_tap_is_enough_and_the_organiser_sees_it(
    open_page: Any, sign_in: Any
) -> None:
    club = a_seating_club()
    members_of(club, 3)
    night = club.sessions.create(name="Tonight", held_on="2026-11-19")
    desk = open_page("desktop")
    sign_in(desk, a_user(club=club))
    desk.goto(at("checkin", night))
    page = open_page("phone")
    page.goto(door_link(night))
    page.get_by_role("button", name="Rose").click()
    expect(page.get_by_text("is checked in")).to_be_visible()
    assert night.attendances.get().member.name == "Rose"
    look_again(desk)
    expect(desk.locator(".seat-bar")).to_contain_text("1 checked in")


def test_names_are_found_while_typing_and_news_from_the_door_leave_question_and_list_alone(
    open_page: Any, sign_in: Any
) -> None:
    night, _members = a_night(5)
    Member.objects.create(club=night.club, name="Rose Winter")
    vera = Member.objects.create(club=night.club, name="Vera")
    desk = open_page("desktop")
    sign_in(desk, a_user(club=night.club))
    desk.goto(at("checkin", night))
    find = desk.get_by_label("Find a name")
    find.press_sequentially("win", delay=20)
    expect(desk.get_by_role("button", name="Rose Winter")).to_be_visible()
    find.fill("")
    find.press_sequentially("olg", delay=20)
    expect(desk.get_by_text("Nobody has that name.")).to_be_visible()
    find.press_sequentially("a")
    desk.get_by_role("button", name="Add “olga” as a guest").click()
    expect(desk.get_by_text("Checked in olga as a guest.")).to_be_visible()
    expect(desk.get_by_role("button", name="Make tables for 6")).to_be_visible()
    find.press_sequentially("Rose Wynter")
    desk.get_by_role("button", name="Add “Rose Wynter” as a guest").click()
    question = desk.get_by_text("Is it the same person?")
    expect(question).to_be_visible()
    desk.get_by_text("Paste a list of names").click()
    desk.get_by_label("One name per line").fill("Otto")
    desk.get_by_label("Find a name").focus()
    arrive(night, vera, by=TEST, at=AT)
    look_again(desk)
    expect(desk.locator(".seat-bar")).to_contain_text("7 checked in")
    expect(question).to_be_visible()
    expect(desk.get_by_label("One name per line")).to_have_value("Otto")


def test_two_in_a_row_rest_without_opening_the_list_again(open_page: Any, sign_in: Any) -> None:
    night, _members = a_night(5)
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(at("checkin", night))
    page.locator("#here-now > summary").click()
    for name in ("Ann", "Rose"):
        row = page.locator("#here-now li", has_text=name)
        row.get_by_role("button", name="Sit out").click()
        expect(row.get_by_role("button", name="Back in play")).to_be_visible()
    assert night.attendances.filter(resting=True).count() == 2


def test_a_late_arrival_is_put_in_for_somebody_who_went_home(open_page: Any, sign_in: Any) -> None:
    night, _members = a_night(4)
    published(night)
    table = live_tables(night)[0]
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(at("table_desk", night, table.public_id))
    page.get_by_role("button", name="Save substitute").click()
    expect(page.get_by_text("Vera plays from hand 1.")).to_be_visible()
    assert Seat.objects.get(member=vera, seated=True).table_id == table.pk


def opened(page: Page, address: str) -> None:
    """Without barriers on a desktop, and not too wide for a small phone."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address)
    assert barriers(page) == [], address
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, address


def test_what_is_printed_and_drafted_has_no_barriers_and_fits_a_small_phone(
    open_page: Any, sign_in: Any
) -> None:
    """Of the other pages test_ten_screens.py looks for barriers, test_long_words.py whether they
    hold a long name."""
    night, _members = a_night(11)
    Member.objects.filter(name="Rose").update(name="Maximiliana Featherstonehaugh-Oberhauser")
    published(night)
    for table, state in zip(live_tables(night), ("playing", "confirmed", "disputed"), strict=True):
        a_game(table, state=state, hands=4)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    for name in ("print_cards", "print_chart"):
        opened(page, at(name, night))
    for name in ("seasons", "season_new", "seating_requests"):
        opened(page, reverse(name, args=[night.club.slug]))
    draft(night)
    drafted = Seat.objects.filter(table__round__state="draft").first()
    opened(page, at("seating", night) + f"?pick={drafted.member.public_id}")


EMPTY = ("session", "checkin", "seating", "board", "wall")


def test_the_pages_of_an_evening_where_nobody_is_have_no_barriers_and_fit(
    open_page: Any, sign_in: Any
) -> None:
    night, _members = a_night(0)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    for name in EMPTY:
        opened(page, at(name, night))


def test_an_answer_that_comes_while_a_name_is_pressed_does_not_lose_the_tap(
    open_page: Any, sign_in: Any
) -> None:
    night, here = a_night(4)
    ann, bea = members_of(night.club, 6)[4:]
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(at("checkin", night))
    held: list[Any] = []
    page.route("**/checkin/arrive", lambda route: held.append(route), times=1)
    with page.expect_request("**/checkin/arrive"):
        page.get_by_role("button", name=ann.name, exact=True).click()
    page.get_by_role("button", name=bea.name, exact=True).hover()
    page.mouse.down()
    with page.expect_event("requestfinished", lambda request: request.url.endswith("/checkin/")):
        held[0].continue_()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.mouse.up()
    expect(page.get_by_role("button", name="Make tables for 6")).to_be_visible()
    assert set(present(night)) == {*here, ann, bea}
