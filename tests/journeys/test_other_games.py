"""Bid games on a table's phone: four taps a hand, on one screen, in words and not in codes."""

from itertools import pairwise

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from league.play.models import Hand
from scoring import ruleset
from tests.builders import a_game_table, a_user
from tests.journeys.at_the_table import open_table
from tests.journeys.test_table_phone import Thumb
from tests.play.hands import write_records

pytestmark = pytest.mark.django_db(transaction=True)
# How a hand that waits in the phone is listed.
IN_WORDS = """async (answers) => {
    const { inWords } = await import("/static/js/play-form.js");
    return inWords(document.querySelector("[data-hand]"), answers, "tricks: %s");
}"""
BID = {"seat": 1, "tricks": 7, "trump": "d"}


def opened(page, table):
    open_table(page, table)
    return Thumb(page)


# All keys are measured by the page itself, at once: to ask it of each key takes ten times as long.
LAST_KEY_ABOVE_SAVE = """() => {
    const keys = [...document.querySelectorAll(
        "#hand > fieldset :is(label, button, input[type=number])")];
    const seen = keys.filter((key) => key.checkVisibility({ visibilityProperty: true }))
        .map((key) => key.getBoundingClientRect()).filter((box) => box.height);
    const bar = document.querySelector(".save-bar").getBoundingClientRect().y;
    return [seen.length, Math.max(...seen.map((box) => box.bottom)) <= bar];
}"""
KEYS_TOO_LOW = """() => [...document.querySelectorAll(
    "#hand > fieldset .choice label, #hand .step")]
    .filter((key) => key.checkVisibility({ visibilityProperty: true }) && key.clientHeight)
    .filter((key) => key.getBoundingClientRect().height < 48 || key.scrollWidth > key.clientWidth)
    .map((key) => key.innerText)"""

SCORE_NUMBERS = """() => [...document.querySelectorAll(".score-number")]
    .map((number) => number.getBoundingClientRect().toJSON())"""


LEGIBLE = 0.2 * 390  # pixels: at arm's length
BESIDE = 0.13 * 390  # where three to five stand beside one another above many keys


def digits(page):
    """The height of the smallest number of the score, which stands whole in the window's width."""
    for place in page.evaluate(SCORE_NUMBERS):
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= page.viewport_size["width"]
    return page.evaluate(
        "Math.min(...[...document.querySelectorAll('.score-number')]"
        ".map((number) => parseFloat(getComputedStyle(number).fontSize)))"
    )


def last_key_above_save(page):
    """Whether every key of the hand can be seen without scrolling."""
    keys, above = page.evaluate(LAST_KEY_ABOVE_SAVE)
    assert keys > 5
    return above


def keys_too_low(page):
    """The keys that a thumb could miss, and those whose words do not fit."""
    return page.evaluate(KEYS_TOO_LOW)


def test_a_hand_of_a_bid_game_is_four_taps_on_one_screen(open_page, axe):
    pepper = a_game_table("pepper", slug="pepper")
    page = open_page("phone")
    thumb = opened(page, pepper)
    first, second = [side.bounding_box()["y"] for side in page.locator(".score-side").all()]
    assert (first, digits(page)) == (second, LEGIBLE)  # beside one another
    page.set_viewport_size({"width": 320, "height": 640})
    assert digits(page) >= 0.2 * 320
    thumb.tap("Ann")
    thumb.tap("Big pepper")
    assert last_key_above_save(page)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("[data-trick-keys] [data-mark] input")).to_have_value("6")
    assert last_key_above_save(page)
    page.locator("[data-trick-keys] label").filter(has_text="6").click()
    page.get_by_text("Ann & Bill +12").wait_for()
    thumb.tap("Save")
    page.get_by_text("Ann: Big pepper, took 6").first.wait_for()
    assert thumb.taps + 1 == 4
    axe(page)
    typed = {
        "2": "[name=maker][value='1']",
        "3": "[name=bid][value='3']",
        "4": "[name=tricks][value='4']",
    }
    for key, field in typed.items():
        page.keyboard.press(key)
        expect(page.locator(field)).to_be_checked()
    for key in ("b", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("[name=bid][value='4']")).to_be_checked()

    three = a_game_table("five-hundred-three", players=3, slug="five-hundred")
    thumb = opened(page, three)
    expect(page.locator("[data-splits]")).to_have_css("border-style", "none")  # no empty box
    thumb.tap("Ted")
    page.locator("label:has(input[value='7d'])").click()
    said = page.evaluate(IN_WORDS, {"maker": "2", "bid": "7d", "won0": "2", "won1": "1"})
    assert said == "Ted · bid 7 diamonds · tricks: Rose 2, Ann 1"
    page.locator("details").filter(has_text="Calls, cards, renege").locator("summary").first.click()
    page.locator("#id_auction").fill("pass")
    key = page.get_by_role("button", name="Rose 2, Ann 1, Ted 7")
    key.click()  # leaves the line: the key under the thumb stays
    expect(key).to_have_attribute("aria-pressed", "true")
    page.locator("#id_auction").fill("")
    thumb.tap("2–1–7")
    assert last_key_above_save(page)
    page.get_by_text("Rose +20, Ann +10, Ted +180").wait_for()
    thumb.tap("Save")
    page.get_by_text("Ted bid 7 in diamonds, took 7").first.wait_for()
    assert thumb.taps + 1 == 4
    axe(page)

    buck = a_game_table("buck-euchre-bid", slug="buck")
    thumb = opened(page, buck)
    thumb.tap("Rose")
    thumb.tap("3")
    expect(page.get_by_role("button", name="All 5")).to_be_visible()
    page.locator("input[name=out1]").check()  # the others may have taken some: nothing is said yet
    expect(page.get_by_role("button", name="All 5")).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Bill: one trick more").click()
    expect(page.get_by_label("Ann: one trick more")).to_be_hidden()  # out: nothing to count
    expect(page.get_by_role("button", name="The rest: 4")).to_be_visible()
    page.get_by_text("Rose −4, Ted +5, Bill −1").wait_for()
    thumb.tap("Save")
    page.get_by_text("Table 1 · hand 2").first.wait_for()
    hand = Hand.objects.get(game__table=buck)
    assert (hand.record["out"], hand.record["tricks_won"]) == ([1], [4, 0, 0, 1])


def test_what_is_asked_next_comes_into_sight(open_page):
    """The keys of the tricks from under the bar, and each one's tricks where nobody has bid."""
    page = open_page("phone", viewport={"width": 390, "height": 700})
    thumb = opened(page, a_game_table("five-hundred-four", slug="four"))
    assert not last_key_above_save(page)
    thumb.tap("Ann")
    page.locator("label:has(input[value='7d'])").click()
    expect(page.locator("[data-trick-keys] label").last).to_be_in_viewport()
    assert last_key_above_save(page)
    thumb = opened(page, a_game_table("five-hundred-three", players=3, slug="three"))
    thumb.tap("Nobody bid")
    expect(page.get_by_label("Ann: one trick more")).to_be_visible()
    save = page.get_by_role("button", name="Save", exact=True)
    for player, won in (("Ann", 4), ("Rose", 4), ("Ted", 2)):
        expect(save).to_be_disabled()  # each counts what he took: nobody is left with the rest
        for _ in range(won):
            page.get_by_label(f"{player}: one trick more").click()
    expect(save).to_be_enabled()
    page.context.set_offline(True)
    page.locator("[name=won2]").fill("3")
    page.locator("[name=won2]").blur()
    expect(save).to_be_disabled()
    page.get_by_text("Everyone's tricks must add up to 10.").wait_for()


def test_a_quick_second_tap_meets_no_other_key_where_the_page_has_moved(open_page):
    """On a short phone the tricks come into sight, and the keys move up under the finger."""
    page = open_page("phone", own=True, viewport={"width": 390, "height": 640})
    thumb = opened(page, a_game_table("five-hundred-four", slug="four"))
    thumb.tap("Ann")
    key = page.locator("label:has([name=bid][value='6h'])")  # above the one for seven
    box = key.bounding_box()
    finger = (box["x"] + box["width"] / 2, box["y"] + box["height"] - 6)
    moment = page.context.new_cdp_session(page)
    moment.send("Animation.enable")
    moment.send("Animation.setPlaybackRate", {"playbackRate": 0})  # however slow the machine is
    page.touchscreen.tap(*finger)
    page.touchscreen.tap(*finger)
    assert key.bounding_box()["y"] < box["y"] - 40
    expect(page.locator("[name=bid]:checked")).to_have_value("6h")
    moment.send("Animation.setPlaybackRate", {"playbackRate": 1})
    page.wait_for_function("() => !document.querySelector('#hand').getAnimations().length")
    page.touchscreen.tap(*finger)
    expect(page.locator("[name=bid]:checked")).not_to_have_value("6h")


ASKING_MOST = ("five-hundred-three", "bid-hoosier-five-player")
SECOND_HANDS = {
    "five-hundred-four": {"contract": BID, "tricks_won": {"makers": 8}},
    "five-hundred-three": {"contract": BID, "tricks_won": [1, 7, 2]},
    "bid-hoosier-five-player": {"contract": BID, "tricks_won": [1, 7, 1, 1, 0]},
    "buck-euchre": {"contract": {"seat": 1}, "out": [0], "tricks_won": [0, 3, 1, 1]},
}


def test_every_key_of_the_first_two_hands_stands_above_save(open_page, sign_in):
    """Measured at 390 x 844, then with the box of the hand before and its Undo on the page."""
    page = open_page("phone", viewport={"width": 390, "height": 844})
    for preset, record in SECOND_HANDS.items():
        table = a_game_table(preset, players=ruleset(preset).players, slug=preset)
        first = table.seats.get(position=0).member
        first.name = "Percy Ollerenshaw"
        first.save()
        thumb = opened(page, table)
        least = BESIDE if preset in ASKING_MOST else LEGIBLE
        assert digits(page) >= least, preset
        if preset == "buck-euchre":  # room for both at once
            assert last_key_above_save(page)
        thumb.tap("Ann")
        assert last_key_above_save(page) or table.players > 4, preset
        page.set_viewport_size({"width": 320, "height": 568})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, preset
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator("[data-first-dealer] > summary").click()
        dealer = page.locator("[data-first-dealer] label").first
        assert dealer.evaluate("(key) => key.scrollWidth <= key.clientWidth"), preset
        write_records(table, record, at=timezone.now())
        thumb = opened(page, table)
        expect(page.locator("#last-hand button")).to_be_visible()
        assert digits(page) >= least, preset
        if preset == "buck-euchre":
            page.locator("#hand details.more > summary").first.click()
            expect(page.locator("label:has([name=trump])").first).to_be_visible()
            thumb.tap("Clubs turned up")  # which is trump
            expect(page.locator("label:has([name=trump])").first).to_be_hidden()
            page.locator("#hand details.more > summary").first.click()
        thumb.tap("Ann")
        if preset != "buck-euchre":
            page.locator("label[data-needs]").first.click()
        assert last_key_above_save(page), preset
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert keys_too_low(page) == [], preset
        expect(page.locator(".score-side .needs").first).to_be_visible()
        if preset != "buck-euchre":
            signs = page.locator(".cell-suits, .trumps").filter(has_text="diamonds")
            expect(signs).to_be_visible()
        numbers = page.evaluate(SCORE_NUMBERS)
        for box, after in pairwise(numbers):
            below = box["y"] + box["height"] <= after["y"]
            assert below or box["x"] + box["width"] < after["x"], preset
        page.goto(reverse("table_correct", args=[table.public_id, 1]))
        reason = page.locator("#hand > .field:has([name=reason])").bounding_box()
        bar = page.locator(".save-bar").bounding_box()
        if "hundred" not in preset:  # their tables of bids leave no room: the page scrolls
            assert reason["y"] + reason["height"] <= bar["y"], (preset, reason, bar)
        sign_in(page, a_user(preset, club=table.session.club))
        game = table.games.get().public_id
        page.goto(reverse("game", args=[table.session.club.slug, game]))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        sheet = page.locator(".table-scroll")
        assert sheet.evaluate("(box) => box.scrollWidth <= box.clientWidth"), preset
        page.context.clear_cookies()


def test_a_whole_hand_of_call_ace_for_six_stands_above_save_with_long_names_too(open_page):
    """The bar says there in three lines what the hand makes of six scores."""
    table = a_game_table("call-ace-six", players=6)
    for seat in table.seats.select_related("member"):
        seat.member.name += " Ollerenshaw"
        seat.member.save()
    page = open_page("phone", viewport={"width": 390, "height": 844})
    thumb = opened(page, table)
    for _hand in range(2):
        assert last_key_above_save(page)
        thumb.tap("Ann")
        page.locator("label:has([name=partner][value=nobody])").click()
        page.locator("label:has([name=outcome][value=made])").click()
        page.locator("#preview small").wait_for()
        assert last_key_above_save(page)
        assert keys_too_low(page) == []
        page.locator("[data-save]").click()
        expect(page.locator("#last-hand button")).to_be_visible()
