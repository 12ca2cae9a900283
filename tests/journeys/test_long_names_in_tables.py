"""A very long name leaves the figures of standings in sight, on paper and on a phone."""

import pytest
from django.urls import reverse

from tests.builders import a_user
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
