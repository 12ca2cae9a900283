"""A name of one very long word is broken where it cannot fit: no page is wider than a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.play.auth import table_link
from league.seating.queries import live_tables
from tests.builders import a_club, a_session, a_user, members_of
from tests.play.hands import write
from tests.seating.nights import a_game, a_night, draft, published
from tests.standings.played import Sheet, recorded
from tests.teams.leagues import with_fixtures

pytestmark = pytest.mark.django_db(transaction=True)
WORD = "Donaudampfschifffahrtselektrizitaetenh"
OF_SESSION = (
    "session",
    "board",
    "seating",
    "session_standings",
    "wall",
    "checkin",
    "certificate",
    "paper",
)
WIDER = "() => document.documentElement.scrollWidth > window.innerWidth"
OUT_OF_ITS_SEAT = """() => [...document.querySelectorAll(".slip, .tile-score dt")]
    .filter((name) => name.checkVisibility() && name.scrollWidth > name.clientWidth + 1)
    .map((name) => name.textContent.trim())"""


def test_a_word_of_38_letters_stays_in_its_place(open_page, sign_in):
    night, members = a_night(8)
    members[0].name = WORD
    members[0].save()
    published(night)
    table = live_tables(night)[0]
    write(table, (0, 3), (1, 5))
    at = [night.club.slug, night.public_id]
    game = reverse("game", args=[night.club.slug, table.games.get().public_id])
    desks = [reverse("table_desk", args=[*at, one.public_id]) for one in live_tables(night)]
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    for address in [
        *(reverse(name, args=at) for name in OF_SESSION),
        *desks,
        game,
        table_link(table),
    ]:
        page.goto(address)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert not page.evaluate(WIDER), address
            assert page.evaluate(OUT_OF_ITS_SEAT) == [], address


def test_a_long_surname_in_a_draft_has_letters_that_can_be_read(open_page, sign_in):
    night, members = a_night(8)
    members[0].name = "Christopher Featherstonehaugh"
    members[0].save()
    draft(night)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("seating", args=[night.club.slug, night.public_id]))
    sizes = "all => all.map(name => parseFloat(getComputedStyle(name).fontSize))"
    assert min(page.locator(".seat > .slip").evaluate_all(sizes)) >= 12
    assert page.evaluate(OUT_OF_ITS_SEAT) == []


def test_the_long_lines_of_a_leagues_results_as_text_break_on_a_phone(open_page, sign_in):
    league = with_fixtures(teams=4, fixture_rules={"starts_at": "19:30"})
    page = open_page("phone")
    sign_in(page, a_user(club=league.club))
    page.goto(reverse("team_results_text", args=[league.club.slug, league.public_id]))
    wider = "text => Math.max(text.scrollWidth, text.offsetWidth) > text.parentElement.clientWidth"
    assert not page.locator("#results").evaluate(wider)
    assert not page.evaluate(WIDER)


LINES_OF_WORDS = """names => names.flatMap((name) => {
    const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
    return [...text.data.matchAll(/[\\p{L}-]+/gu)].map((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map((line) => line.top)).size;
    });
})"""


def test_a_surname_of_seventeen_letters_is_not_broken_in_the_standings(open_page):
    club = a_club(visibility="standings", names_in_public="full")
    people = [one.name for one in members_of(club, 7)]
    club.members.filter(name=people[0]).update(name="Henry Featherstonehaugh")
    people[0] = "Henry Featherstonehaugh"
    night = a_session(club)
    fours, threes = tuple(people[:4]), tuple(people[4:])
    recorded(night, [Sheet(fours, (10, 6, 10, 6)), Sheet(threes, (10, 6, 7))])
    page = open_page("phone")
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    names = page.locator(".ranked .name a")
    assert "Henry Featherstonehaugh" in names.all_inner_texts()
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert set(names.evaluate_all(LINES_OF_WORDS)) == {1}


def test_a_club_of_four_words_has_two_lines_in_the_header_and_one_long_word_stays_there(open_page):
    club = a_club("Legion Hall Thursday Euchre", visibility="standings")
    page = open_page("phone")
    page.goto(reverse("club", args=[club.slug]))
    name = page.locator(".brand span")
    lines = "name => name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight)"
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert round(name.evaluate(lines)) == 2
        assert set(name.evaluate_all(LINES_OF_WORDS)) == {1}
    type(club).objects.update(name=WORD)
    page.reload()
    for width in (320, 160):  # half of 320 is its width with letters of 200 %
        page.set_viewport_size({"width": width, "height": 400})
        assert not page.evaluate(WIDER)
        assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth || !name.clientWidth")
        assert name.evaluate("(name) => name.getBoundingClientRect().right <= window.innerWidth")


def test_with_letters_twice_as_large_the_board_is_no_wider_than_a_phone(open_page, sign_in):
    """Half a phone's width with plain letters is the same to a layout in rem."""
    night, _members = a_night(12)
    published(night, sizes=[4, 4, 3])
    one, other, _short = live_tables(night)
    a_game(one, state="finished", hands=5)
    a_game(other, state="playing", hands=3)
    page = open_page("phone", viewport={"width": 195, "height": 422})
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("board", args=[night.club.slug, night.public_id]))
    expect(page.get_by_role("button", name="Seat at table 3")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 195
    name = page.locator(".bench-list .slip").first
    assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")
