"""Where there is a keyboard, a page made for one form begins in its first field."""

import pytest
from django.urls import reverse

from tests.access_table import PAGES, Scene

pytestmark = pytest.mark.django_db(transaction=True)
# These are read first; their forms are one of several things to do there.
READ_FIRST = {
    "board", "paper", "roles", "role_link", "team_cup", "team_match",
    "tournament_entries", "tournament_late",
}  # fmt: skip
BEGINS = "!!document.activeElement.closest('main form, main .field')"
FIRST_FIELD = """() => [...document.querySelectorAll("main form[method=post] :is(textarea, select,"
    + " input:not([type=hidden], [type=checkbox], [type=radio]))")].some((field) =>
    field.checkVisibility() && field.getBoundingClientRect().bottom < innerHeight)"""


def test_every_page_made_for_a_form_begins_in_its_first_field(open_page, sign_in):
    scene = Scene("standings")
    page = open_page("desktop")
    sign_in(page, scene.owner)
    begun = set()
    for name, one in PAGES.items():
        address = reverse(name, kwargs={"slug": scene.club.slug, **one.ids(scene)})
        if one.method == "get" and "html" in page.request.get(address).headers["content-type"]:
            page.goto(address)
            if page.evaluate(FIRST_FIELD) and not page.evaluate(BEGINS):
                begun.add(name)
    assert sorted(begun) == sorted(READ_FIRST)
