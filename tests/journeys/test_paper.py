"""Paper as Chromium prints it: how many pages of A4 and of Letter each print takes."""

import re
import zlib
from random import Random

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.members.models import Member
from league.seating.actions import make_cards_up_to
from tests.builders import (
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
    rulesets_of,
)
from tests.journeys.test_large_letters import BROKEN
from tests.standings.played import Sheet, recorded
from tests.teams.leagues import with_fixtures
from tests.tournaments.playing import of_pairs, play_round, published

pytestmark = pytest.mark.django_db(transaction=True)
SIZES = ("A4", "Letter")
TABLES_OF_25 = (4, 4, 4, 4, 3, 3, 3)


def pages(page, size):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size, prefer_css_page_size=False)))


@pytest.fixture
def printed(open_page, sign_in):
    """Opens a page of a club as its organiser; answers how many sheets of each size it takes."""
    page = open_page("desktop")

    def sheets(club, name, *more, query=""):
        sign_in(page, a_user(f"{name}-{club.slug}", club=club))
        page.goto(reverse(name, args=[club.slug, *more]) + query)
        return {size: pages(page, size) for size in SIZES}

    return sheets


def an_evening_of_25(rounds=3):
    """Tables of three and of four, so that every measure is in use and many a tie is broken."""
    club = a_club()
    names = [one.name for one in members_of(club, 25)]
    night, rng = a_session(club, state="closed"), Random(25)
    for number in range(1, rounds + 1):
        rng.shuffle(names)
        start, sheets = 0, []
        for size in TABLES_OF_25:
            seats, start = tuple(names[start : start + size]), start + size
            other = rng.randrange(3, 10)
            score = (10, other) * 2 if size == 4 else (15, other, other + 2)
            sheets.append(Sheet(seats, score, target=10 if size == 4 else 15))
        recorded(night, sheets, round_number=number)
    return night


def test_the_standings_and_the_fairness_of_25_players_are_one_sheet_each(printed):
    night = an_evening_of_25()
    for name in ("print_standings", "certificate"):
        assert printed(night.club, name, night.public_id) == {"A4": 1, "Letter": 1}


def test_the_season_of_a_league_of_eight_teams_is_one_sheet(printed):
    league = with_fixtures(8)
    assert printed(league.club, "team_fixtures_print", league.public_id) == {"A4": 1, "Letter": 1}


def test_the_house_rules_are_a_sheet_for_each_table_size_and_as_large_as_other_text_on_a_phone(
    printed, open_page, sign_in
):
    """They were 12 pixels high, although members read them there."""
    club = a_club()
    rulesets_of(club)
    assert printed(club, "rules_print") == {"A4": 3, "Letter": 3}
    page = open_page("phone")
    sign_in(page, a_user(club=club, rank="member"))
    page.goto(reverse("rules_print", args=[club.slug]))
    texts = page.locator(".rules-sheet :is(p, th, td, li, h3)")
    size = "them => Math.min(...them.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
    assert texts.evaluate_all(size) >= 16
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_forty_players_print_on_one_sheet(printed):
    club = a_club()
    members_of(club, 40)
    assert printed(club, "members") == {"A4": 1, "Letter": 1}


def test_a_page_printed_without_its_print_button_names_the_club(open_page, sign_in):
    night = an_evening_of_25(rounds=1)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("session_standings", args=[night.club.slug, night.public_id]))
    page.emulate_media(media="print")
    expect(page.get_by_text(night.club.name, exact=True)).to_be_visible()
    expect(page.locator(".menu")).to_be_hidden()


def test_a_warning_above_what_is_printed_is_no_wider_than_the_paper(open_page, sign_in):
    night = seven_tables("standard-four-handed", 4)
    page = open_page("desktop")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("print_cards", args=[night.club.slug, night.public_id]))
    warning, paper = page.locator("main > .notice"), page.locator(".cards-of-four").first
    expect(warning).to_be_visible()  # phones can't reach the test's own address
    assert warning.bounding_box()["width"] == paper.bounding_box()["width"]


LONG = ("Bartholomew Featherstone", "Wilhelmina Oberholtzer", "Anne-Marie Saint-Jacques")


def seven_tables(preset, players, called=LONG):
    """The tables of an evening, most of them of players with long names."""
    club = a_club(slug=preset)
    rules, night = a_ruleset(club, preset), a_session(club, state="open")
    for table in range(7):
        names = [f"{called[seat % 3]} {'NESWBC'[seat]}{table}" for seat in range(players)]
        a_table(night, [Member.objects.create(club=club, name=name) for name in names], rules)
    return night


@pytest.mark.parametrize(
    ("preset", "players"),
    [("standard-four-handed", 4), ("five-hundred-three", 3)],
)
def test_a_score_sheet_on_a_phone_breaks_no_name_within_a_word(open_page, sign_in, preset, players):
    night = seven_tables(preset, players, ("Ruth Fitzgerald", "Whitehorse Jorgensen", "Hartmann"))
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("print_sheets", args=[night.club.slug, night.public_id]))
    assert page.evaluate(BROKEN, ".score-sheet :is(th, strong, .tick-row span)") == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_seating_chart_of_seven_tables_is_one_sheet_in_14_points(printed, open_page, sign_in):
    names = ("Rose Whitfield", "Bill Okafor", "Ann Leclerc")
    night = seven_tables("standard-four-handed", 4, names)
    assert printed(night.club, "print_chart", night.public_id) == {"A4": 1, "Letter": 1}
    page = open_page("desktop")
    sign_in(page, a_user("looks", club=night.club))
    page.goto(reverse("print_chart", args=[night.club.slug, night.public_id]))
    for part in (".chart-tables", ".chart-names"):
        size = page.locator(part).evaluate("one => getComputedStyle(one).fontSize")
        assert float(size.removesuffix("px")) * 72 / 96 == pytest.approx(14, abs=0.1)


def test_each_of_seven_tables_has_one_sheet_to_score_on_and_the_tickets_of_all_are_one(printed):
    """A slip a game: its table and round, both pairs, boxes for points and initials."""
    for preset, players in (("auction-euchre-six", 6), ("standard-four-handed", 4)):
        night = seven_tables(preset, players)
        assert printed(night.club, "print_sheets", night.public_id) == {"A4": 7, "Letter": 7}
    assert printed(night.club, "print_tickets", night.public_id) == {"A4": 1, "Letter": 1}


def test_seven_table_cards_are_two_sheets(printed):
    club = a_club()
    rulesets_of(club)
    night = a_session(club, state="open")
    make_cards_up_to(club, 7, by=TEST)
    found = printed(club, "print_cards", night.public_id, query="?to=7")
    assert found == {"A4": 2, "Letter": 2}


def test_a_swiss_of_nine_pairs_is_two_sheets(printed):
    cup = of_pairs(9, "swiss", games=1)
    published(cup)
    play_round(cup)
    found = printed(cup.club, "tournament_print", cup.public_id)
    assert max(found.values()) <= 2, found


def test_a_bracket_of_long_names_and_its_match_for_third_place_are_one_sheet(open_page, sign_in):
    cup = of_pairs(32, "knockout", third_place=True)
    for number, member in enumerate(Member.objects.all()):
        member.name = f"{('Christopher', 'Annabelle')[number % 2]} Thistlethwaite-{number}"
        member.save()
    published(cup)
    page = open_page("desktop")
    sign_in(page, a_user(club=cup.club))
    page.goto(reverse("tournament_print", args=[cup.club.slug, cup.public_id]))
    page.evaluate("for (const one of document.querySelectorAll('.sheet:not(.wide)')) one.remove()")
    assert page.get_by_role("heading", name="Third place").count() == 1
    assert {size: pages(page, size) for size in SIZES} == {"A4": 1, "Letter": 1}


def test_a_bracket_s_preview_is_as_wide_as_its_paper_where_upright_too_it_breaks_no_name(
    open_page, sign_in
):
    """In its box it scrolls, and on paper it has its lines."""
    cup = of_pairs(9, "knockout")
    for number, entry in enumerate(cup.entries.select_related("member", "partner")):
        for member, name in ((entry.member, "Gallagher"), (entry.partner, "Hutchinson")):
            member.name = f"{name} {number}"
            member.save()
    for seed in (1, 2, 3):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    address = reverse("tournament_print", args=[cup.club.slug, cup.public_id])
    for device, width in (("phone", 390), ("desktop", 1280)):
        page = open_page(device, viewport={"width": width, "height": 800})
        sign_in(page, a_user(device, club=cup.club))
        page.goto(address)
        tree = page.locator(".tree").first.bounding_box()["width"]
        assert tree == pytest.approx(280 / 25.4 * 96, abs=1)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.emulate_media(media="print")
    for width in (720, 1060):
        page.set_viewport_size({"width": width, "height": 1000})
        assert page.evaluate(BROKEN, ".tree-name") == []
        line = "e => getComputedStyle(e, '::after').display"
        assert page.locator(".tree-place.pairs").first.evaluate(line) != "none"
        tree = page.locator(".tree").first
        assert tree.evaluate("e => e.scrollWidth <= e.clientWidth && e.clientWidth <= innerWidth")


def letters(raw):
    """The sizes of letters on each sheet of a PDF, in points."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", raw, re.S)
    texts = [zlib.decompress(one) for one in streams if one.startswith(b"\x78")]
    sizes = [re.findall(rb"/F\d+ ([\d.]+) Tf", text) for text in texts]
    return [{round(float(size) * 72 / 96) for size in found} for found in sizes if found]


def test_a_small_bracket_fills_its_landscape_sheet_with_large_letters(open_page, sign_in):
    """The rule for upright paper, asked of the other sheets, printed names at 8 points."""
    cup = of_pairs(8, "knockout")
    published(cup)
    page = open_page("desktop")
    sign_in(page, a_user(club=cup.club))
    page.goto(reverse("tournament_print", args=[cup.club.slug, cup.public_id]))
    page.evaluate("for (const one of document.querySelectorAll('.sheet:not(.wide)')) one.remove()")
    for size in SIZES:
        (sheet,) = letters(page.pdf(format=size))
        assert min(sheet) >= 10
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1062, "height": 733})
    assert page.locator(".tree").bounding_box()["height"] > 500
