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


@pytest.mark.parametrize("name", ["print_standings", "tournament_print"])
@pytest.mark.parametrize("is_long", [True, False])
def test_printed_standings_of_a_swiss_fit_upright_paper(open_page, sign_in, swiss, name, is_long):
    if not is_long:
        swiss.club.members.filter(name=LONG).update(name="Maria Featherstone")
    page = open_page("desktop", viewport=A4)
    sign_in(page, a_user(club=swiss.club))
    what = swiss if name == "tournament_print" else swiss.session
    page.goto(reverse(name, args=[swiss.club.slug, what.public_id]))
    page.emulate_media(media="print")
    assert page.evaluate(OUTSIDE) == []
    names = page.locator("tbody th").evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(names) > 170, names


@pytest.mark.parametrize("device", ["phone", "small phone"])
@pytest.mark.parametrize("name", ["session_standings", "tournament", "tournament_standings"])
def test_a_very_long_name_leaves_the_figures_in_sight_on_a_phone(
    open_page, sign_in, swiss, name, device
):
    page = open_page(device)
    sign_in(page, a_user(club=swiss.club))
    what = swiss.session if name == "session_standings" else swiss
    page.goto(reverse(name, args=[swiss.club.slug, what.public_id]))
    wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    assert page.locator(".table-scroll:has(.standings)").evaluate_all(wide) == [0]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
