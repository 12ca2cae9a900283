"""A table on small screens: keys apart, suits in words, nothing cut, the tricks above Save."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.builders import a_game_table, a_user
from tests.journeys.test_other_games import last_key_above_save, opened
from tests.play.hands import write_records

pytestmark = pytest.mark.django_db(transaction=True)
LONG_NAMES = ("Rose Whitfield", "Ann Leclerc", "Percy Ollerenshaw", "Bill Okafor")
BID = {"contract": {"seat": 0, "tricks": 7, "trump": "h"}}
ROW_GAPS = """() => {
    const keys = [...document.querySelectorAll(".cells label")];
    const tops = keys.map((key) => key.getBoundingClientRect());
    const rows = [...new Map(tops.map((box) => [Math.round(box.top), box])).values()];
    return rows.slice(1).map((box, row) => Math.round(box.top - rows[row].bottom));
}"""
IS_WHOLE = (
    "(line) => line.scrollHeight <= line.clientHeight + 3 && line.scrollWidth <= line.clientWidth"
)


def with_long_names(table):
    for seat, name in zip(table.seats.select_related("member"), LONG_NAMES, strict=False):
        seat.member.name = name
        seat.member.save()
    return table


@pytest.mark.parametrize(
    ("preset", "won"), [("five-hundred-four", {"makers": 8}), ("five-hundred-three", [8, 1, 1])]
)
def test_five_hundred_on_a_small_phone_has_room_between_bids_and_suits_in_words(
    open_page, preset, won
):
    players = 3 if preset.endswith("three") else 4
    table = with_long_names(a_game_table(preset, players=players, slug=preset))
    write_records(table, BID | {"tricks_won": won}, at=timezone.now())
    page = open_page("phone", viewport={"width": 360, "height": 740})
    opened(page, table)
    assert set(page.evaluate(ROW_GAPS)) == {8}
    expect(page.locator(".cell-suits").filter(has_text="diamonds")).to_be_visible()
    assert page.locator("#last-hand p").evaluate(IS_WHOLE)
    page.locator("label:has([name=maker][value='1'])").tap()
    page.locator("label:has([name=bid][value='7d'])").tap()
    expect(page.locator("[data-trick-keys] label, [data-splits] .key").last).to_be_in_viewport()
    assert last_key_above_save(page)


def test_a_scorekeeper_s_phone_shows_the_tricks_above_save_too(open_page, sign_in):
    table = with_long_names(a_game_table())
    page = open_page("phone")
    sign_in(page, a_user("scorer", club=table.session.club))
    page.goto(reverse("table_entry", args=[table.public_id]))
    expect(page.locator(".way-back")).to_be_visible()
    assert last_key_above_save(page)
    hand = {"contract": {"seat": 0, "trump": "h"}, "tricks_won": {"makers": 3}}
    write_records(table, hand, at=timezone.now())
    page.reload()
    assert last_key_above_save(page)


def test_in_german_with_letters_twice_as_large_the_last_hand_and_save_are_whole(open_page):
    table = with_long_names(a_game_table())
    hand = {"contract": {"seat": 0, "trump": "h"}, "tricks_won": {"makers": 3}}
    write_records(table, hand, at=timezone.now())
    page = open_page("small phone", locale="de-DE")
    opened(page, table)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.locator("#last-hand p").bounding_box()["width"] > 120
    page.locator("label:has([name=maker][value='1'])").tap()
    page.locator("label:has([name=outcome][value=made])").tap()
    expect(page.locator("#preview small")).to_contain_text("nach diesem Spiel")
    assert page.locator(".save-bar").bounding_box()["height"] < 170
    save = page.locator("[data-save]").bounding_box()
    assert save["x"] >= 0
    assert save["x"] + save["width"] <= 320
    assert save["y"] + save["height"] <= 568
    opened(page, with_long_names(a_game_table("five-hundred-four", slug="five")))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for name in page.locator("#score dt").all():
        assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")


def text_of(page, selector):
    """The box of the words themselves, without the space around them."""
    return page.locator(selector).evaluate(
        "one => { const range = document.createRange(); range.selectNodeContents(one);"
        "const { top, bottom, left, right } = range.getBoundingClientRect();"
        "return { top, bottom, left, right }; }"
    )


@pytest.mark.parametrize("size", [(390, 844), (360, 740)])
def test_of_a_bid_table_a_scorekeeper_reads_the_ways_back_and_the_question(
    open_page, sign_in, size
):
    for players, preset in ((3, "five-hundred-three"), (4, "five-hundred-four")):
        table = a_game_table(preset, players=players, slug=preset)
        page = open_page("phone", viewport=dict(zip(("width", "height"), size, strict=True)))
        sign_in(page, a_user(preset, club=table.session.club))
        page.goto(reverse("table_entry", args=[table.public_id]))
        head = page.locator("#score").bounding_box()
        assert text_of(page, ".way-back a >> nth=0")["top"] > head["height"] + 2
        question = page.locator("#who-made")
        assert question.evaluate("one => getComputedStyle(one).clipPath") == "none"
        said = text_of(page, "#who-made")
        for seat in page.locator("[data-round] label").all():
            box = seat.bounding_box()
            is_beside = box["x"] >= said["right"] or box["x"] + box["width"] <= said["left"]
            is_below = box["y"] - 3 >= said["bottom"]  # its letter stands on the edge
            assert is_beside or is_below or box["y"] + box["height"] <= said["top"]
