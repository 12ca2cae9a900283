"""The board in a browser: every state of a table has a colour of its own."""

import pytest
from django.urls import reverse

from league.seating.queries import live_tables
from tests.builders import a_user
from tests.seating.nights import a_game, a_night, published

pytestmark = pytest.mark.django_db(transaction=True)
STATES = ("playing", "finished", "confirmed", "disputed")
COLOURS = """parts => parts.map((one) => {
    const { backgroundColor, borderColor } = getComputedStyle(one);
    return [backgroundColor, borderColor].join();
})"""


def test_every_state_of_a_table_has_a_colour_of_its_own(open_page, sign_in):
    """Not started and playing were the same beige, done and to be confirmed the same green."""
    night, _members = a_night(20)
    published(night)
    for table, state in zip(live_tables(night), STATES, strict=False):
        a_game(table, state=state, hands=3)
    page = open_page("phone")
    sign_in(page, a_user(club=night.club))
    page.goto(reverse("board", args=[night.club.slug, night.public_id]))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for parts in (".board-tile", ".board-tile .board-state .badge:first-child"):
            colours = page.locator(parts).evaluate_all(COLOURS)
            assert len(set(colours)) == len(colours) == 5, (theme, parts)
