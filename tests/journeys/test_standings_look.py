"""Four pots fit one screen, a tap on the plot of an evening says its value, a framed table fits."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.members.models import Member
from league.play.auth import table_link
from league.seasons.models import Season
from league.standings.actions import add_pot
from league.standings.labels import CHOICES
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded
from tests.tournaments.playing import of_pairs, play_round, published, tables

pytestmark = pytest.mark.django_db(transaction=True)


def test_pots_fit_their_columns_and_a_tap_on_the_plot_says_the_value(open_page, sign_in):
    club = a_club(keeps_pots=True)
    people = members_of(club, 4)
    nights = [a_session(club, held_on=f"2026-11-{day}") for day in (5, 12)]
    for night in nights:
        recorded(night, [Sheet(tuple(one.name for one in people), (10, 6, 10, 6))])
    for name in ("Entry", "Prize", "Loners", "Bonus"):
        add_pot(nights[0], name=name, source="entry", amount=Decimal("12.50"), payout="places",
                shares=["60", "40"], by=TEST, at=EIGHT)  # fmt: skip
    page = open_page("desktop")
    sign_in(page, a_user("olive", club=club, rank="owner"))
    page.goto(reverse("session_pots", args=[club.slug, nights[0].public_id]))
    bottoms = "all => all.map(one => one.getBoundingClientRect().bottom)"
    assert max(page.locator(".pot").evaluate_all(bottoms)) < 800
    page.set_viewport_size({"width": 1024, "height": 768})
    for fold in page.locator(".pot details.more > summary").all():
        fold.click()
    tables = page.locator(".pot .table-scroll")
    wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    assert tables.evaluate_all(wide) == [0, 0, 0, 0]
    page.goto(reverse("member_record", args=[club.slug, people[0].public_id]))
    dot = page.locator(".trend .dot").last
    expect(dot.locator("text")).to_be_hidden()
    dot.locator("circle").last.click()
    expect(dot.locator("text")).to_be_visible()
    expect(dot.locator("text")).to_have_text("12 Nov 2026: +1")


def test_the_table_framed_on_another_site_fits_a_narrow_column(open_page):
    club = a_club(visibility="standings")
    people = tuple(one.name for one in members_of(club, 7))
    night = a_session(club)
    recorded(night, [Sheet(people[:4], (10, 6, 10, 6)), Sheet(people[4:], (10, 6, 7))])
    page = open_page("small phone")
    page.goto(reverse("session_embed", args=[club.slug, night.public_id]))
    expect(page.get_by_role("columnheader", name="Wins above average")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_tournaments_standings_fit_the_phone_of_a_table_with_every_figure_that_decides(open_page):
    """Names broke into four lines, and the figure that decides lay beyond the edge."""
    cup = of_pairs(9, "round_robin")
    for number, member in enumerate(cup.club.members.order_by("pk")):
        member.name = f"{('Alan', 'Brenda', 'Lorraine', 'Kenneth')[number % 4]} {chr(65 + number)}."
        member.save()
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    table = tables(cup).first()
    page = open_page("phone")
    page.goto(table_link(table))
    page.goto(reverse("table_standings", args=[table.public_id]))
    expect(page.get_by_role("columnheader", name="Diff.")).to_be_visible()
    beyond = "one => one.scrollWidth - one.clientWidth"
    assert page.locator(".table-scroll").evaluate(beyond) == 0
    names = page.locator(".of-places tbody th[scope=row]")
    heights = "all => all.map(one => one.getBoundingClientRect().height)"
    assert max(names.evaluate_all(heights)) < 80  # two lines


def test_four_figures_that_decide_fit_the_smallest_phone(open_page):
    cup = of_pairs(14, "swiss", rounds=4)
    for number, member in enumerate(cup.club.members.order_by("pk")):
        member.name = f"{('Alan', 'Brenda', 'Lorraine', 'Kenneth')[number % 4]} {number}"
        member.save()
    for seed in (31, 32, 33):
        published(cup, seed)
        play_round(cup, seed)
    table = tables(cup).first()
    page = open_page("small phone")
    page.goto(table_link(table))
    page.goto(reverse("table_standings", args=[table.public_id]))
    expect(page.locator(".of-places thead .number")).to_have_count(4)
    beyond = "one => one.scrollWidth - one.clientWidth"
    assert page.locator(".table-scroll").evaluate(beyond) == 0


TOUCHED = """link => {
    const box = link.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return [hit === link, box.height >= 44 && box.width >= 44];
}"""


def test_on_a_phone_the_name_leads_to_its_player_and_the_rest_of_the_line_opens(open_page, sign_in):
    club = a_club()
    people = tuple(one.name for one in members_of(club, 4))
    night = a_session(club)
    recorded(night, [Sheet(people, (10, 6, 10, 6))])
    page = open_page("phone", viewport={"width": 360, "height": 844})
    sign_in(page, a_user(club=club))
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    row = page.get_by_role("row").filter(has_text="Rose")
    assert row.locator(".name a").evaluate(TOUCHED) == [True, True]
    row.locator(".in-view").last.click(force=True)  # what lies above the figures is pressed
    link = row.get_by_role("link", name="Rose’s page")
    assert link.evaluate(TOUCHED) == [True, True]
    row.locator(".name a").click()
    page.wait_for_url(f"**{reverse('member_record', args=[club.slug, people_id(club, 'Rose')])}")


def people_id(club, name):
    return club.members.get(name=name).public_id


@pytest.mark.parametrize("tables_in_round_two", [3, 2])  # as many games for everyone, or not
def test_whole_lines_and_ones_own_in_one_line_are_on_a_phones_first_screen(
    open_page, sign_in, tables_in_round_two
):
    club = a_club()
    people = [one.name for one in members_of(club, 12)]
    night = a_session(club)
    tables = [people[begin : begin + 4] for begin in (0, 4, 8)]
    for number, count in ((1, 3), (2, tables_in_round_two)):
        played = [Sheet(tuple(four), (10, one, 10, one)) for one, four in enumerate(tables)]
        recorded(night, played[:count], round_number=number)
        tables = [[four[0], *four[2:], four[1]] for four in tables]
    reader = a_user(club=club)
    club.members.filter(name=people[-1]).update(user=reader)
    page = open_page("phone")
    sign_in(page, reader)
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    for width, height, least in ((390, 844, 10), (360, 740, 9)):
        page.set_viewport_size({"width": width, "height": height})
        mine = page.locator(".my-place").bounding_box()
        assert mine["height"] < 50
        ends = page.locator(".ranked tbody tr").evaluate_all(ENDS)
        assert sum(end <= mine["y"] + 1 for end in ends) >= least
    assert page.locator(".ranked .moved").filter(visible=True).count() > 0


def test_on_a_phone_headings_are_of_one_style_a_shared_place_is_whole_and_figures_stand_apart(
    open_page,
):
    """Place was small and bold, Player large and plain."""
    club = a_club(visibility="standings")
    people = tuple(one.name for one in members_of(club, 23))
    night = a_session(club)
    fours = [Sheet(people[begin : begin + 4], (10, 6, 10, 6)) for begin in range(0, 20, 4)]
    recorded(night, [*fours, Sheet(people[20:], (10, 6, 7))])
    page = open_page("phone")
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    style = """all => all.map((one) => getComputedStyle(one))
        .map((one) => [one.fontSize, one.fontWeight].join())"""
    heads = page.locator(".ranked thead th > a").filter(visible=True)
    assert heads.count() > 3
    assert len(set(heads.evaluate_all(style))) == 1
    places = page.locator(".ranked tbody .rank abbr")
    assert max(len(text) for text in places.all_inner_texts()) == 3
    lines = "all => all.map((one) => one.getClientRects().length)"
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        assert set(places.evaluate_all(lines)) == {1}
        assert min(page.locator(".ranked tbody tr").evaluate_all(BETWEEN_FIGURES)) >= 8


def test_a_phone_shows_what_decided_and_by_how_many_places_a_player_moved(open_page):
    club = a_club(visibility="standings")
    people = [f"Doug Prentic{letter}" for letter in "abcdefghijklmno"]
    for member, name in zip(members_of(club, 15), people, strict=True):
        Member.objects.filter(pk=member.pk).update(name=name)
    night = a_session(club)
    for number in (1, 2):
        fours = [people[begin : begin + 4] for begin in (0, 4, 8)]
        sheets = [Sheet(tuple(four), (10, 5 + row, 10, 5 + row)) for row, four in enumerate(fours)]
        recorded(night, [*sheets, Sheet(tuple(people[12:]), (10, 6, 7))], round_number=number)
        people = [*people[5:], *people[:5]]
    page = open_page("phone")
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    for width, height, least in ((390, 844, 10), (360, 740, 9)):
        page.set_viewport_size({"width": width, "height": height})
        heads = page.locator(".ranked thead .in-view").filter(visible=True)
        assert [head.inner_text().strip() for head in heads.all()] == ["Won", "± avg.", "Points"]
        assert page.evaluate("document.documentElement.scrollWidth") == width
        ends = page.locator(".ranked tbody tr").evaluate_all(ENDS)
        assert sum(end <= height for end in ends) >= least
        assert set(page.locator(".ranked .name a").evaluate_all(LINES)) == {1}
    moves = page.locator(".ranked .moved > [aria-hidden]").filter(visible=True)
    assert all(
        re.fullmatch(r"[▲▼] \d+", " ".join(move.inner_text().split())) for move in moves.all()
    )
    assert moves.count() > 3
    sign = "one => getComputedStyle(one, '::after').content"
    assert "▾" not in page.locator(".ranked summary").first.evaluate(sign)


def test_names_on_the_smallest_phone_are_large_enough_to_read_and_no_word_is_broken(open_page):
    club = a_club(visibility="standings")
    people = ["Stan Whitehorse", "Cal Jorgensen", *(f"Doug Prentic{n}" for n in "abcde")]
    for member, name in zip(members_of(club, 7), people, strict=True):
        Member.objects.filter(pk=member.pk).update(name=name)
    night = a_session(club)
    recorded(
        night, [Sheet(tuple(people[:4]), (12, 5, 12, 5)), Sheet(tuple(people[4:]), (10, 6, 7))]
    )
    page = open_page("phone", viewport={"width": 320, "height": 640})
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    names = page.locator(".ranked .name a")
    sizes = names.evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 14
    assert max(names.evaluate_all(LINES)) <= 2
    heads = page.locator(".ranked thead .in-view").filter(visible=True)
    assert [head.inner_text().strip() for head in heads.all()] == ["Won", "Points"]
    assert not page.get_by_text("± avg.: wins compared").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("scope", ["session", "season"])
def test_on_a_phone_what_decided_a_place_covers_no_name_by_whatever_measure(open_page, scope):
    club = a_club(visibility="standings", names_in_public="full")
    people = ["Bartholomew Featherstone", "Jo Ho", *(f"Reginald Worthing{n}" for n in "abcdefghi")]
    for member, name in zip(members_of(club, 11), people, strict=True):
        Member.objects.filter(pk=member.pk).update(name=name)
    points = ["4", "3", "2", "1"]
    season = Season.objects.create(club=club, starts_on="2026-09-01", place_points=points)
    night = a_session(club, season=season)
    tables = [(people[:4], (10, 7, 10, 7)), (people[4:8], (10, 4, 10, 4)), (people[8:], (10, 6, 5))]
    recorded(night, [Sheet(tuple(players), score) for players, score in tables])
    page = open_page("phone")
    one = night if scope == "session" else season
    page.goto(reverse(f"{scope}_standings", args=[club.slug, one.public_id]))
    decided = page.locator(".ranked .name > small").filter(visible=True)
    assert decided.count() >= 4
    for _code, measure in CHOICES:
        decided.evaluate_all("(all, text) => all.forEach((one) => one.textContent = text)",
                             f"on {measure}")  # fmt: skip
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 844})
            overlaps = page.locator(".ranked tbody tr").evaluate_all(OVERLAPS)
            assert overlaps == [], (measure, width)


ENDS = "rows => rows.map((row) => row.getBoundingClientRect().bottom)"
OVERLAPS = """rows => {
    const texts = ":scope > :is(.rank, .in-view), .name > *";
    const boxes = rows.flatMap((row) => [...row.querySelectorAll(texts)]
        .filter((one) => getComputedStyle(one).display !== "none")
        .map((one) => {
            const text = document.createRange();
            text.selectNodeContents(one);
            return [one.textContent.trim(), ...[...text.getClientRects()]];
        }));
    const lines = boxes.flatMap(([text, ...rects], box) => rects.map((rect) => [text, box, rect]));
    const apart = (one, two) => one.right <= two.left + 1 || two.right <= one.left + 1
        || one.bottom <= two.top + 4 || two.bottom <= one.top + 4; // the space between lines
    return lines.flatMap(([text, box, rect], place) => lines.slice(place + 1)
        .filter(([, other, second]) => other !== box && !apart(rect, second))
        .map(([other]) => `${text} / ${other}`));
}"""
LINES = """names => names.map((name) => {
    const text = document.createRange();
    text.selectNodeContents(name);
    return text.getClientRects().length;
})"""
BETWEEN_FIGURES = """rows => rows.map((row) => {
    const shown = [...row.querySelectorAll(".in-view")].filter((cell) => cell.checkVisibility());
    const [first, second] = shown.map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect();
    });
    return second.left - first.right;
})"""


def test_the_page_itself_prints_every_column_on_one_sheet(open_page, sign_in):
    """As the Print button's sheet does: on paper a phone's narrow table would lose columns."""
    club = a_club()
    people = [one.name for one in members_of(club, 11)]
    night = a_session(club)
    four, three = tuple(people[:4]), tuple(people[4:7])
    recorded(night, [Sheet(four, (10, 6, 10, 6)), Sheet(three, (10, 6, 7))])
    page = open_page("desktop")
    sign_in(page, a_user("olive", club=club, rank="owner"))
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 1000})  # A4 within its margins
    heads = page.locator(".ranked thead th:not(.about)")
    cells = page.locator(".ranked tbody tr").first.locator("> :not(.about)")
    ends = "all => all.map(one => Math.round(one.getBoundingClientRect().right))"
    assert heads.evaluate_all(ends) == cells.evaluate_all(ends)
    assert all(cell.is_visible() for cell in cells.all())


def test_twenty_five_players_take_a_screen_and_a_half_of_a_desk_level_and_with_wide_reasons(
    open_page,
):
    """“Live” stood lower than “Search” beside the heading."""
    club = a_club(visibility="standings")
    people = [one.name for one in members_of(club, 25)]
    night = a_session(club)
    fours = [Sheet(tuple(people[begin : begin + 4]), (10, 6, 10, 6)) for begin in range(0, 16, 4)]
    threes = [Sheet(tuple(people[begin : begin + 3]), (10, 6, 7)) for begin in (16, 19, 22)]
    recorded(night, [*fours, *threes])
    page = open_page("desktop", viewport={"width": 1280, "height": 900})
    page.goto(reverse("session_standings", args=[club.slug, night.public_id]))
    rows = page.locator(".ranked tbody tr")
    assert rows.count() == 25
    assert rows.last.evaluate("row => row.getBoundingClientRect().bottom") <= 1.5 * 900
    middles = """all => all.map((one) => one.getBoundingClientRect())
        .map((box) => (box.top + box.bottom) / 2)"""
    level = page.locator(".page-head > :is(h1, .live), .page-head > .find summary")
    assert level.count() == 3
    live_to_search = level.evaluate_all(middles)
    assert max(live_to_search) - min(live_to_search) <= 2
    rows.nth(1).locator("summary").click()
    assert rows.nth(1).locator(".why > div").bounding_box()["width"] > 400
    assert page.locator(".table-scroll").evaluate("one => one.scrollWidth - one.clientWidth") == 0
