"""The code at the door in a real browser: what a phone sends, the site must take."""

from playwright.sync_api import expect

from league.sessions.links import door_link
from league.sessions.models import Attendance
from tests.builders import a_club, a_session, members_of


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
    page = open_page("phone")
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
