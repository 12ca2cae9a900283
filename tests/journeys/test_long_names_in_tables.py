"""A very long name leaves the figures of standings in sight, on paper and on a phone."""

import pytest
from django.urls import reverse

from league.members.models import Club, Member
from league.play.auth import table_link
from tests.builders import a_club, a_ruleset, a_session, a_user, members_of
from tests.seating.nights import a_night, a_seating_club
from tests.seating.nights import published as seats_published
from tests.standings.played import Sheet, recorded
from tests.tournaments.playing import of_pairs, play_round, published

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Hubert Wolfeschlegelsteinhausenbergerdorff"
A4 = {"width": 695, "height": 1000}
"""An A4 sheet without its margins, in pixels."""
OUTSIDE = """() => [...document.querySelectorAll("main :is(th, td)")]
    .filter(cell => cell.offsetWidth)
    .filter(cell => cell.getBoundingClientRect().right > innerWidth
        || cell.scrollWidth > cell.clientWidth + 1)
    .map(cell => cell.textContent.trim())"""


@pytest.fixture
def swiss():
    """A Swiss of pairs of which one round is played, with one very long surname."""
    cup = of_pairs(6, "swiss")
    published(cup)
    play_round(cup)
    member = cup.club.members.order_by("pk").first()
    member.name = LONG
    member.save()
    return cup


def of(name, swiss):
    """The address of a page of the tournament, or of its session."""
    what = swiss if name.startswith("tournament") else swiss.session
    return reverse(name, args=[swiss.club.slug, what.public_id])


def test_printed_standings_of_a_swiss_fit_upright_paper(open_page, sign_in, swiss):
    page = open_page("desktop", viewport=A4)
    sign_in(page, a_user(club=swiss.club))
    page.emulate_media(media="print")
    for name in (LONG, "Maria Featherstone"):
        swiss.club.members.filter(name=LONG).update(name=name)
        for print_ in ("print_standings", "tournament_print"):
            page.goto(of(print_, swiss))
            assert page.evaluate(OUTSIDE) == []
            names = page.locator("tbody th").evaluate_all("all => all.map(one => one.clientWidth)")
            assert min(names) > 170, names


def test_a_very_long_name_leaves_the_figures_in_sight_on_a_phone(open_page, sign_in, swiss):
    page = open_page("phone")
    sign_in(page, a_user(club=swiss.club))
    for name in ("session_standings", "tournament", "tournament_standings"):
        page.goto(of(name, swiss))
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
            assert page.locator(".table-scroll:has(.standings)").evaluate_all(wide) == [0]
            assert page.evaluate("document.documentElement.scrollWidth") == width, name


@pytest.mark.parametrize("players", [3, 4, 5])
def test_on_a_score_sheet_a_very_long_name_takes_no_room_from_the_others(
    open_page, sign_in, players
):
    club = a_seating_club()
    rules = a_ruleset(club, "bid-hoosier-five-player")
    club.rulesets.filter(pk=rules.pk).update(is_default=True)
    Club.objects.update(seating_policy="fives_sixes" if players == 5 else club.seating_policy)
    night, people = a_night(players, Club.objects.get())
    Member.objects.filter(pk=people[0].pk).update(name=LONG)
    seats_published(night)
    page = open_page("desktop", viewport=A4)
    sign_in(page, a_user(club=club))
    page.emulate_media(media="print")
    page.goto(reverse("print_sheets", args=[club.slug, night.public_id]))
    assert page.evaluate(OUTSIDE) == []
    heads = page.locator("thead tr:first-child th")
    sides = 2 if players == 4 else players
    widths = heads.evaluate_all("all => all.map(one => one.offsetWidth)")[-sides:]
    assert max(widths) - min(widths) <= 2


def test_a_very_long_name_pushes_no_figure_out_of_sight_at_a_table_and_on_another_site(open_page):
    club = a_club(visibility="standings", names_in_public="full")
    members_of(club, 4)
    Member.objects.filter(name="Rose").update(name=LONG.replace(" ", ""))
    night = a_session(club)
    recorded(night, [Sheet((LONG.replace(" ", ""), "Ann", "Ted", "Bill"), (10, 6, 10, 6))])
    table = night.tables.get()
    page = open_page("phone", viewport={"width": 360, "height": 800})
    page.goto(table_link(table))
    for where in (
        reverse("table_standings", args=[table.public_id]),
        reverse("session_embed", args=[club.slug, night.public_id]),
    ):
        page.goto(where)
        assert page.evaluate(OUTSIDE) == []
        assert page.locator("td.number").last.bounding_box()["x"] < 360
