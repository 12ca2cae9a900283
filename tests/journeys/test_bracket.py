"""The bracket in a browser: whole on a desk's screen, by rounds on a phone, scores in one piece."""

from django.urls import reverse

from league.play.game_log import open_game_log
from tests.builders import a_club, a_user, game_at
from tests.journeys.test_large_letters import BROKEN, LARGE
from tests.tournaments.playing import of_pairs, play_round, published, tables, write_one

FORMATS = ("swiss", "knockout")
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
    assert table.get_by_text("The points of opponents beaten").first.is_visible()
    phone.get_by_text("How ranking works").click()
    assert phone.get_by_text("The match points of every opponent beaten").is_visible()


def test_on_a_phone_a_tie_break_with_a_long_name_pushes_no_column_of_a_swiss_off_the_screen(
    open_page, sign_in
):
    cup = of_pairs(8, "swiss", rounds=4)
    for seed in (2, 3, 4):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    phone = open_page("phone", viewport={"width": 360, "height": 740})
    sign_in(phone, a_user(club=cup.club))
    for name in ("tournament", "tournament_standings"):
        phone.goto(reverse(name, args=[cup.club.slug, cup.public_id]))
        table = phone.locator(".of-tournament")
        assert table.get_by_text("Opponents' match points without the lowest:").first.is_visible()
        heads = table.locator("thead th").filter(visible=True)
        assert [head.inner_text() for head in heads.all()][2:] == ["Match pts", "Opp. match pts"]
        assert table.evaluate("t => t.parentElement.scrollWidth <= t.parentElement.clientWidth")


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


def test_a_phone_opens_the_bracket_at_the_round_that_is_on(open_page, sign_in):
    cup = of_pairs(8, "knockout")
    published(cup)
    for table in tables(cup):
        wins_by_ten(table)
    published(cup)
    phone = open_page("phone")
    sign_in(phone, a_user(club=cup.club))
    for name in ("tournament", "tournament_standings"):
        phone.goto(reverse(name, args=[cup.club.slug, cup.public_id]))
        phone.wait_for_function(
            "document.querySelector('[data-now]').getBoundingClientRect().left < innerWidth / 3"
        )
        assert phone.locator("[data-now] h3").inner_text() == "Semi-finals"


def test_a_cross_table_says_that_it_goes_on_only_where_it_does_and_its_place_stays(
    open_page, sign_in
):
    cup = of_pairs(7, "swiss")
    published(cup)
    user = a_user(club=cup.club)
    hint = "Slide sideways to see all of it."
    address = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    desk = open_page("desktop")
    sign_in(desk, user)
    desk.goto(address)
    assert not desk.get_by_text(hint).is_visible()
    phone = open_page("phone")
    sign_in(phone, user)
    phone.goto(address)
    assert phone.get_by_text(hint).is_visible()
    box = phone.locator(".table-scroll:has(> .cross)")
    edge = "e => getComputedStyle(e).borderInlineEndColor"
    before = box.evaluate(edge)
    box.evaluate("e => { e.scrollLeft = e.scrollWidth; }")
    phone.wait_for_timeout(200)
    assert box.evaluate(edge) == "rgba(0, 0, 0, 0)" != before
    left = "e => e.getBoundingClientRect().left"
    assert box.locator("tbody .rank").first.evaluate(left) == box.evaluate(left)


def test_letters_twice_as_large_on_a_small_phone_break_no_name_of_a_bracket(open_page, sign_in):
    cup = of_pairs(4, "knockout", third_place=True)
    cup.club.members.filter(name="Ann").update(name="Lorna Featherstone")
    published(cup)
    wins_by_ten(tables(cup)[0])
    phone = open_page("phone", viewport={"width": 320, "height": 640})
    sign_in(phone, a_user(club=cup.club))
    phone.goto(reverse("tournament_standings", args=[cup.club.slug, cup.public_id]))
    phone.evaluate(LARGE)
    assert phone.evaluate(BROKEN, ".tree-name") == []
    assert phone.evaluate(FITS)


def test_in_german_on_the_smallest_phone_both_figures_are_in_view(open_page, sign_in):
    swiss, knockout = (of_pairs(4, format, club=a_club(slug=format)) for format in FORMATS)
    for cup in (swiss, knockout):
        for seed in (2, 3):
            published(cup, seed=seed)
            play_round(cup, seed=seed)
    phone = open_page("small phone", locale="de-DE")
    for cup in (swiss, knockout):
        sign_in(phone, a_user(cup.club.slug, club=cup.club))
        phone.goto(reverse("tournament_standings", args=[cup.club.slug, cup.public_id]))
        table = phone.locator(".of-tournament")
        assert table.evaluate("t => t.parentElement.scrollWidth <= t.parentElement.clientWidth")
        assert phone.locator(".why summary").count()
        for words in phone.locator(".cross caption .about").all():
            assert words.evaluate("e => e.getBoundingClientRect().right <= innerWidth")


def test_a_double_bracket_of_six_is_whole_on_a_small_desk_and_of_one_size_on_paper(
    open_page, sign_in
):
    cup = of_pairs(6, "double")
    published(cup)
    desk = open_page("desktop", viewport={"width": 1280, "height": 800})
    sign_in(desk, a_user(club=cup.club))
    desk.goto(reverse("tournament_standings", args=[cup.club.slug, cup.public_id]))
    whole = "all => all.every(one => one.scrollWidth <= one.clientWidth)"
    assert desk.locator(".tree-scroll").evaluate_all(whole)
    desk.goto(reverse("tournament_print", args=[cup.club.slug, cup.public_id]))
    sizes = "all => all.map(one => getComputedStyle(one).fontSize)"
    letters = desk.locator(".tree-name, .tree-score small").evaluate_all(sizes)
    assert len({*letters}) == 1, letters
