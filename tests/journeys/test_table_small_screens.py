"""A table on small screens: keys apart, suits in words, nothing cut, the tricks above Save."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.play.questions import questions_of
from league.sessions.actions import start_clock
from scoring import ruleset
from tests.builders import TEST, a_game_table, a_user
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


def test_five_hundred_on_a_small_phone_has_room_between_bids_and_suits_in_words(open_page):
    page = open_page("phone", viewport={"width": 360, "height": 740})
    for players, preset, won in (
        (4, "five-hundred-four", {"makers": 8}),
        (3, "five-hundred-three", [8, 1, 1]),
    ):
        table = with_long_names(a_game_table(preset, players=players, slug=preset))
        write_records(table, BID | {"tricks_won": won}, at=timezone.now())
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


WHOLE_NAMES = (
    "Wilhelmina Featherstonehaugh", "Ann Leclerc-Fitzgerald", "Percy Ollerenshaw",
    "Bartholomew Jorgensen", "Christopher Whitehorse", "May Hartmann", "Sam Montgomery-Cox",
    "Ruth Mustermann",
)  # fmt: skip
# For each number of players those that ask for most: bids, suits, or tricks of each player.
FULLEST = (
    "ghost-hand-three", "five-hundred-three", "five-hundred-four", "bid-midwest-double-deck",
    "bid-kokomo-kitty", "buck-euchre-bid", "bid-hoosier-five-player", "bid-hoosier-six-player",
    "bid-racehorse-eight", "bid-hoosier-eight-player",
)  # fmt: skip


def second_hand(preset):
    """A table of long names whose first hand is written down."""
    rules = ruleset(preset)
    table, questions = a_game_table(preset, players=rules.players, slug=preset), questions_of(rules)
    for seat, name in zip(table.seats.select_related("member"), WHOLE_NAMES, strict=False):
        seat.member.name = name
        seat.member.save()
    tricks = questions.bids[0] if questions.bids else 7
    contract = {"seat": 1, "tricks": tricks, "trump": questions.trumps[0]}
    won = [0, tricks, questions.tricks - tricks, *[0] * (rules.players - 3)]
    taken = won if questions.by_seat else {"makers": tricks}
    write_records(table, {"contract": contract, "tricks_won": taken}, at=timezone.now())
    return table


def test_an_organiser_s_phone_shows_every_key_of_the_fullest_bid_games_above_save(
    open_page, sign_in
):
    page = open_page("phone")
    below = []
    for preset in FULLEST:
        table = second_hand(preset)
        sign_in(page, a_user(preset, club=table.session.club))
        page.goto(reverse("table_entry", args=[table.public_id]))
        expect(page.locator("#last-hand")).to_be_visible()
        for key in ("[name=maker][value='0']", "[name=bid]", "[name=tricks]"):
            page.locator(f"#hand {key}").first.dispatch_event("click")
            below += [] if last_key_above_save(page) else [(preset, key)]
            if key == "[name=bid]" and not page.locator("[name=tricks]").count():
                break
    assert below == []


def test_above_a_hand_the_name_of_the_game_is_in_whole_words(open_page):
    table = a_game_table("pepper", slug="pepper")
    page = open_page("phone")
    opened(page, table)
    name = page.locator("#round-clock")
    name.evaluate("one => (one.textContent = 'Hoosier Bid Euchre (four\u00a0players)')")
    line = name.bounding_box()["height"]
    name.evaluate("one => (one.textContent = 'Hoosier Bid Euchre')")
    assert (line, line < 28) == (name.bounding_box()["height"], True)
    assert name.evaluate("one => getComputedStyle(one).whiteSpace") == "normal"


def test_the_links_below_a_hand_are_as_high_as_a_finger(open_page):
    page = open_page("phone")
    opened(page, a_game_table())
    links = page.locator(".helptext a")
    assert links.count() == 2
    assert all(link.bounding_box()["height"] >= 44 for link in links.all())


def test_when_the_time_is_up_the_tricks_still_stand_above_save(open_page):
    table = with_long_names(a_game_table())
    hand = {"contract": {"seat": 0, "trump": "h"}, "tricks_won": {"makers": 3}}
    write_records(table, hand, at=timezone.now())
    start_clock(table.session, by=TEST, at=timezone.now() - timedelta(minutes=9), minutes=5)
    page = open_page("phone")
    opened(page, table)
    expect(page.locator(".time-up")).to_be_visible()
    assert page.locator(".time-up").bounding_box()["height"] < 64  # one line
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


def test_of_a_bid_table_a_scorekeeper_reads_the_ways_back_and_the_question(open_page, sign_in):
    page = open_page("phone")
    for preset in ("five-hundred-three", "five-hundred-four"):
        table = a_game_table(preset, players=ruleset(preset).players, slug=preset)
        sign_in(page, a_user(preset, club=table.session.club))
        page.goto(reverse("table_entry", args=[table.public_id]))
        for width, height in ((390, 844), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            head = page.locator("#score").bounding_box()
            assert text_of(page, ".way-back a >> nth=0")["top"] > head["height"] + 2
            question = page.locator("#who-made")
            assert question.evaluate("one => getComputedStyle(one).clipPath") == "none"
            no_key_stands_on(page, text_of(page, "#who-made"))


def no_key_stands_on(page, said):
    for seat in page.locator("[data-round] label").all():
        box = seat.bounding_box()
        is_beside = box["x"] >= said["right"] or box["x"] + box["width"] <= said["left"]
        is_below = box["y"] - 3 >= said["bottom"]  # its letter stands on the edge
        assert is_beside or is_below or box["y"] + box["height"] <= said["top"]
