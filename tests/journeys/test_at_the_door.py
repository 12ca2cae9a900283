"""The code at the door in a real browser: what a phone sends, the site must take."""

from django.urls import reverse
from playwright.sync_api import expect

from league.sessions.links import door_link
from league.sessions.models import Attendance
from league.sessions.queries import present
from tests.builders import a_club, a_session, a_table, a_user, members_of
from tests.seating.nights import a_night


def test_somebody_scans_the_code_at_the_door_and_is_here(open_page, axe):
    club = a_club()
    members_of(club, 4)
    session = a_session(club)
    page = open_page("phone")
    page.goto(door_link(session))
    axe(page)
    with page.expect_navigation() as answer:
        page.get_by_role("button", name="Ted").click()
    assert answer.value.status == 200
    assert Attendance.objects.get(session=session).member.name == "Ted"


def test_the_code_in_the_address_is_told_to_nobody(open_page):
    session = a_session(a_club())
    page = open_page("phone", own=True)
    page.goto(door_link(session))
    referers = []
    page.on("request", lambda request: referers.append(request.headers.get("referer", "")))
    page.get_by_label("Type your name").fill("Lou")
    with page.expect_navigation():
        page.get_by_role("button", name="Check me in").click()
    assert referers
    assert not any("/door/" in referer for referer in referers[:1])


def test_the_field_for_the_code_on_a_card_is_ready_to_type_in(open_page):
    page = open_page("phone")
    page.goto("/t/")
    expect(page.get_by_label("The code on the table card")).to_be_focused()


def test_a_double_click_on_leaving_lets_one_player_leave(open_page, sign_in):
    """Before the first tables a player who leaves is off the list, and the next name moves up."""
    night, _people = a_night(5)  # all checked in, none seated
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("checkin", args=[night.club.slug, night.public_id]))
    page.get_by_text("Sit out or leave").click()
    box = page.get_by_role("button", name="Leaving").nth(1).bounding_box()
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(page.locator(".tally")).to_contain_text("4")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(500)
    assert present(night).count() == 4


def test_the_choice_of_table_sizes_is_whole_on_a_phone_when_some_already_play(open_page, sign_in):
    night, people = a_night(11)
    a_table(night, people[:4], night.club.rulesets.get(players=4))
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("checkin", args=[night.club.slug, night.public_id]))
    expect(page.locator(".tally")).to_contain_text("7 ready for the next tables")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        box = page.locator("#sizes").bounding_box()
        assert 100 < box["width"] < width - box["x"], width
