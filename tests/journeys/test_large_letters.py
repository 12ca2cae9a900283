"""Letters twice as large by a style of the page, as a reading mode sets it, on a wide screen."""

import pytest
from django.urls import reverse

from tests.builders import a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db(transaction=True)
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
LARGE = "document.documentElement.style.fontSize = '200%'"


def test_the_menu_folds_where_its_letters_need_the_room(open_page, sign_in):
    page = open_page("desktop")
    sign_in(page, a_user(club=a_club(slug="lights")))
    page.goto("/c/lights/")
    menu, standings = page.locator(".menu-button"), page.locator(".menu").get_by_text("Standings")
    assert (menu.is_visible(), standings.is_visible()) == (False, True)
    page.evaluate(LARGE)
    assert page.evaluate(FITS)
    assert (menu.is_visible(), standings.is_visible()) == (True, False)
    menu.click()
    assert standings.is_visible()
    page.locator(".menu-close").click()
    assert not standings.is_visible()


def test_a_wide_table_scrolls_inside_the_page(open_page):
    club = a_club(slug="lights", visibility="standings")
    night = a_session(club)
    names = tuple(member.name for member in members_of(club, 4))
    recorded(night, [Sheet(names, (10, 6, 10, 6))])
    page = open_page("desktop")
    page.goto(reverse("session_standings", args=["lights", night.public_id]))
    page.evaluate(LARGE)
    assert page.evaluate("document.querySelector('.ranked').offsetWidth") > 1280
    assert page.evaluate(FITS)
