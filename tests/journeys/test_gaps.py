"""Between two keys of a table's phone a thumb finds room: neither is pressed for the other."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.seating.models import Table
from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_other_games import opened
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)
CROWDED = ("bid-racehorse-eight", "call-ace-six")
TABLES_OF_BIDS = ("five-hundred-three", "five-hundred-four")  # 25 and more keys on one screen
SIZES = ((320, 640), (360, 740), (390, 844))  # the last is the size the next game opens in
# Pixels between every two keys that can be seen, as far as they are fewer than asked for.
TOO_CLOSE = """(least) => {
    const keys = [...document.querySelectorAll(
        "#table :is(a, button, summary, label:has(input:not([type=number])))")]
        .filter((key) => key.checkVisibility({ visibilityProperty: true }) && key.clientHeight)
        .filter((key) => !key.closest(".save-bar"))
        .map((key) => [key, key.getBoundingClientRect(), key.ariaLabel || key.innerText]);
    return keys.flatMap(([one, a, name], place) => keys.slice(place + 1)
        .filter(([other]) => !one.contains(other))
        .map(([_other, b, name2]) => [Math.max(
            a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom), name, name2])
        .filter(([gap]) => gap < least - 0.5));
}"""


def stand_apart(page, preset):
    """Two keys stand eight pixels apart, six on the smallest phone."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        least = 6 if width == 320 or (width == 360 and preset in CROWDED) else 8
        if preset in TABLES_OF_BIDS:
            least = 3
        assert page.evaluate(TOO_CLOSE, least) == [], (preset, width)


def test_two_keys_stand_apart(open_page):
    """Those of other games: test_still_keys.py, which has them open."""
    page = open_page("phone")
    opened(page, a_game_table())
    stand_apart(page, "standard-four-handed")


REASONS = """() => {
    const boxes = [...document.querySelectorAll("[data-reasons] button, #hand [name=reason]")]
        .map((one) => one.getBoundingClientRect());
    const line = boxes.pop();
    const across = boxes.slice(1).map((box, place) => box.left - boxes[place].right);
    return [...across, line.top - boxes[0].bottom];
}"""


def test_the_reasons_of_a_correction_stand_apart_and_from_the_line_below(open_page):
    table = a_game_table()
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone", viewport={"width": 360, "height": 740})
    open_table(page, table)
    page.goto(reverse("table_correct", args=[table.public_id, 1]))
    expect(page.locator("[data-reasons] button").first).to_be_visible()
    assert min(page.evaluate(REASONS)) >= 7.5


ABOVE_HELP = """() => {
    const parts = [...document.querySelectorAll("#main > *")];
    const above = parts.filter((part) => part.clientHeight).at(-1);
    const below = [...document.querySelectorAll(".pad-foot > *")].find((one) => one.clientHeight);
    return below.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
}"""


def test_below_a_finished_game_the_help_follows_without_a_gap(open_page):
    page = open_page("phone")
    for confirm in ("none", "opponent", "organiser"):
        table = a_game_table(slug=confirm)
        table.session.club.confirm = confirm
        table.session.club.save()
        write(table, *[(0, 5)] * 5, at=timezone.now())
        for is_live in (True, False):
            Table.objects.update(is_live=is_live)
            open_table(page, table)
            for width, height in (*SIZES, (1280, 800)):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(ABOVE_HELP) < 30, (confirm, is_live, width)
