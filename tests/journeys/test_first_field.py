"""Where there is a keyboard, a page made for one form begins in its first field."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.access_table import PAGES, Scene

pytestmark = pytest.mark.django_db(transaction=True)
# These are read first; their forms are one of several things to do there.
READ_FIRST = {
    "board", "paper", "roles", "role_link", "team_cup", "team_match", "tournament_entries",
}  # fmt: skip
FORM = re.compile(r'<form[^>]*method="?post')
# That the script begins in such a form, test_look.py tries on the page to sign in.
SCRIPT, BEGINS_ITSELF = "js/site.js", "data-begin>"
BEGINS = "!!document.activeElement.closest('main form, main .field')"
FIRST_FIELD = """() => [...document.querySelectorAll("main form[method=post] :is(textarea, select,"
    + " input:not([type=hidden], [type=checkbox], [type=radio]))")].some((field) =>
    field.checkVisibility() && field.getBoundingClientRect().bottom < innerHeight)"""


def must_be_looked_at(answer):
    """Whether the page itself has a form to send, and none that the script begins in: no other is
    opened in the browser."""
    page = answer.content.decode() if "html" in answer.headers.get("content-type", "") else ""
    main = page.partition("<main")[2]
    return FORM.search(main) and not (SCRIPT in page and BEGINS_ITSELF in main)


def test_every_page_made_for_a_form_begins_in_its_first_field(open_page, sign_in):
    scene = Scene("standings")
    page, client = open_page("desktop"), Client()
    sign_in(page, scene.owner)
    client.force_login(scene.owner)
    begun = set()
    for name, one in PAGES.items():
        address = reverse(name, kwargs={"slug": scene.club.slug, **one.ids(scene)})
        if one.method == "get" and must_be_looked_at(client.get(address)):
            page.goto(address)
            if page.evaluate(FIRST_FIELD) and not page.evaluate(BEGINS):
                begun.add(name)
    assert sorted(begun) == sorted(READ_FIRST)
