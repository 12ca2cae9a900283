"""Letters twice as large by a style of the page, as a reading mode sets it, on a wide screen."""

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import write_totals
from scoring import ruleset
from tests.builders import TEST, a_club, a_game_table, a_session, a_user, members_of
from tests.journeys.test_other_games import opened
from tests.play.hands import write
from tests.standings.played import Sheet, recorded
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_pages import address

pytestmark = pytest.mark.django_db(transaction=True)
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
LARGE = "document.documentElement.style.fontSize = '200%'"
# Words in sight that stand on two lines.
BROKEN = r"""(parts) => [...document.querySelectorAll(parts)].filter((one) => one.checkVisibility())
    .flatMap((one) => [...one.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .flatMap((node) => [...node.textContent.matchAll(/[^\s-]+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1;
    }).map((word) => word[0]))"""


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
    page.locator(".menu").get_by_role("button", name="Close").click()
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


def test_no_word_of_a_club_s_name_breaks_in_the_header(open_page):
    club = a_club("Wolverhampton Euchre Club", slug="wolves", visibility="standings")
    page = open_page("phone", viewport={"width": 320, "height": 640})
    page.goto(reverse("club", args=[club.slug]))
    page.evaluate(LARGE)
    assert page.evaluate(BROKEN, ".brand span") == []
    assert page.evaluate(FITS)


def test_no_name_breaks_within_a_word_on_the_table_s_phone(open_page):
    page = open_page("phone")
    names = ("Bartholomew Smith", "Wilhelmina Jones", "Bartholomew Fox", "Christopher Lee")
    for preset in ("standard-four-handed", "pepper", "call-ace-four", "nanaimo-three-handed"):
        table = a_game_table(preset, players=ruleset(preset).players, slug=preset)
        for seat, name in zip(table.seats.order_by("position"), names, strict=False):
            seat.member.name = name
            seat.member.save()
        opened(page, table)
        page.evaluate(LARGE)
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        for width, height in ((390, 844), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN, "#score dt, .choice label > span") == [], preset
            assert page.evaluate(FITS), preset


def test_a_match_card_fits_a_small_phone(open_page, sign_in):
    league = with_fixtures(2)
    page = open_page("phone")
    page.set_viewport_size({"width": 320, "height": 700})
    sign_in(page, a_user(club=league.club))
    league.teams.update(name=Concat(Value("Lighthouse "), "name"))
    page.goto(address("team_card", league, matches(league)[0].public_id))
    assert page.evaluate(BROKEN, ".card-game label") == []
    assert page.evaluate(  # a name such as "Dot Gallagher" is whole
        "[...document.querySelectorAll('.line-up select')].every((one) => one.clientWidth > 150)"
    )
    page.evaluate(LARGE)
    assert page.evaluate(FITS)
    assert page.evaluate(
        "[...document.querySelectorAll('.line-up select, .card-game label')]"
        ".every((one) => one.clientWidth > 100)"
    )


def test_the_points_of_a_league_s_table_stay_in_sight(open_page):
    league = with_fixtures(4)
    written(matches(league)[0])
    type(league.club).objects.update(visibility="standings")
    page = open_page("phone")
    page.goto(address("team_league", league))
    page.evaluate(LARGE)
    fits = "document.querySelector('.table-scroll').scrollWidth"
    fits += " <= document.querySelector('.table-scroll').clientWidth"
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(fits)
        expect(page.locator(".league-table tbody td.number strong").first).to_be_visible()


def test_the_figures_of_a_player_s_hands_stay_in_sight(open_page):
    table = a_game_table()
    write(table, *[(0, 3)] * 9)
    club = table.round.session.club
    type(club).objects.update(visibility="standings")
    page = open_page("phone")
    rose = table.seats.get(position=0).member
    page.goto(reverse("member_record", args=[club.slug, rose.public_id]))
    page.evaluate(LARGE)
    wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert set(page.locator(".beside .table-scroll").evaluate_all(wide)) == {0}


def test_a_large_score_to_confirm_stays_inside_the_page(open_page):
    page = open_page("phone", viewport={"width": 360, "height": 740})
    table = a_game_table("five-hundred-four", slug="five-hundred")
    write_totals(table, [520, -300], no_hands=True, by=TEST, at=timezone.now())
    opened(page, table)
    page.goto(reverse("table_confirm", args=[table.public_id, 1]))
    page.evaluate(LARGE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_with_large_letters_the_tricks_come_into_sight_once_the_maker_is_chosen(open_page):
    page = open_page("phone")
    opened(page, a_game_table())
    page.evaluate(LARGE)
    keys = page.locator("#hand label:has([name=outcome])")
    bar = "document.querySelector('.save-bar').getBoundingClientRect().top"
    assert keys.first.bounding_box()["y"] > page.evaluate(bar)
    page.locator("#hand label:has([name=maker][value='2'])").click()
    expect(page.locator("#preview")).to_have_text("How many tricks?")
    for key in keys.all():
        box = key.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= page.evaluate(bar)
