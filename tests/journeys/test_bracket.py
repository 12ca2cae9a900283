"""The bracket in a browser: whole on a desk's screen, by rounds on a phone, scores in one piece."""

from django.urls import reverse

from league.play.game_log import open_game_log
from tests.builders import a_user, game_at
from tests.tournaments.playing import of_pairs, published, tables, write_one

FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SCORES = """() => [...document.querySelectorAll('.tree-score')]
    .map((e) => [e.textContent.trim(), e.getBoundingClientRect().height,
                 e.scrollWidth - e.clientWidth])
    .filter(([text]) => text)"""
CUT_OFF = """() => {
    const tree = document.querySelector('.tree-scroll');
    return tree.scrollWidth - tree.clientWidth;
}"""


def wins_by_ten(table):
    """The first side makes a point a hand until it has won, 10 to nothing."""
    game_at(table)
    while not (log := open_game_log(table)).state.over:
        write_one(table, log, 0, 3)


def test_a_bracket_is_whole_on_a_wide_screen_and_goes_by_rounds_on_a_phone(open_page, axe, sign_in):
    cup = of_pairs(16, "knockout")
    published(cup)
    wins_by_ten(tables(cup)[0])
    address = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    desk = open_page("wall")
    sign_in(desk, a_user(club=cup.club))
    desk.goto(address)
    assert desk.evaluate(CUT_OFF) <= 0
    axe(desk)
    scores = desk.evaluate(SCORES)
    assert {text for text, *_ in scores} >= {"10"}
    assert all(height < 30 and over <= 0 for _text, height, over in scores)
    phone = open_page("phone")
    sign_in(phone, a_user("meg", club=cup.club))
    phone.goto(address)
    assert phone.evaluate(FITS)
    phone.get_by_role("link", name="Final", exact=True).click()
    assert phone.get_by_role("heading", name="Final", exact=True).evaluate(
        "e => e.getBoundingClientRect().left < innerWidth"
    )
    axe(phone)


def test_a_swiss_on_a_phone_shows_points_and_the_first_tie_break_and_the_rest_on_a_tap(
    open_page, sign_in
):
    cup = of_pairs(8, "swiss")
    published(cup)
    for table in tables(cup):
        wins_by_ten(table)
    phone = open_page("phone")
    sign_in(phone, a_user(club=cup.club))
    phone.goto(reverse("tournament_standings", args=[cup.club.slug, cup.public_id]))
    table = phone.locator(".of-tournament")
    assert table.evaluate("t => t.parentElement.scrollWidth <= t.parentElement.clientWidth")
    table.locator("summary").first.click()
    assert table.get_by_text("The points of opponents beaten (Sonneborn-Berger)").first.is_visible()
    phone.get_by_text("How ranking works").click()
    assert phone.get_by_text("The match points of every opponent beaten").is_visible()


def test_a_large_bracket_begins_where_the_page_does_on_a_small_desk(open_page, sign_in):
    cup = of_pairs(16, "double")
    published(cup)
    desk = open_page("desktop")
    sign_in(desk, a_user(club=cup.club))
    desk.goto(reverse("tournament_standings", args=[cup.club.slug, cup.public_id]))
    left = "one => one.getBoundingClientRect().left"
    page = desk.locator("h1").evaluate(left)
    assert {part.evaluate(left) for part in desk.locator(".tree-scroll").all()} == {page}
    assert desk.evaluate(FITS)
