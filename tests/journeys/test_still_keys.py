"""On a table's phone no key moves while a hand is tapped: a finger on its way meets what it saw."""

import pytest
from playwright.sync_api import expect

from scoring import ruleset
from tests.builders import a_game_table
from tests.journeys.test_gaps import stand_apart
from tests.journeys.test_other_games import opened

pytestmark = pytest.mark.django_db(transaction=True)
MOST = 4  # pixels
# The shapes of page that ask most: what stands beside or below one another differs in each.
GAMES = (
    "five-hundred-four",
    "five-hundred-three",
    "bid-hoosier-five-player",
    "buck-euchre-bid",
    "bid-racehorse-eight",
    "call-ace-six",
)
SMALLER = {"width": 360, "height": 740}
# A table of bids leaves no room there: after the bid the page, not a key, moves to the tricks, and
# takes no quick second tap (test_other_games).
PLACES = """() => Object.fromEntries([...document.querySelectorAll(
    "#hand > fieldset :is(label:has(input:not([type=number])), button), #hand summary, #save")]
    .filter((key) => key.checkVisibility({ visibilityProperty: true }) && key.clientHeight)
    .map((key) => [key, key.querySelector("input") ?? key, key.getBoundingClientRect()])
    .map(([key, input, box]) => [
        input.name ? `${input.name} ${input.value}` : key.ariaLabel || key.innerText,
        [box.x, box.y + (innerHeight < 800 && key.closest(".valued") ? scrollY : 0)]]))"""
STEPS = (
    "[name=maker][value='1']",
    "[name=bid]",
    "[name=trump]",
    "[name=partner][value=nobody]",
    "[data-splits] button",
    "[data-step='1']",
    "[name=tricks][value='4'], [name=outcome][value=made]",
)


def moved(before, after):
    """The keys that are elsewhere than before the tap, each with how far."""
    far = {key: [abs(a - b) for a, b in zip(before[key], after[key], strict=True)]
           for key in before.keys() & after.keys()}  # fmt: skip
    return {key: way for key, way in far.items() if max(way) > MOST}


def tap_a_hand(page, preset):
    """Tap what the game asks, in its order; after each tap every key stands where it stood."""
    places = page.evaluate(PLACES)
    for step in STEPS:
        key = page.locator(f"#hand > fieldset :is({step})").filter(visible=True)
        if not key.count():
            continue
        box = key.first.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function("() => !document.querySelector('#hand').getAnimations().length")
        before, places = places, page.evaluate(PLACES)
        assert moved(before, places) == {}, (preset, step)
    expect(page.locator("#preview small")).to_contain_text("after this hand")
    assert moved(before, page.evaluate(PLACES)) == {}, preset  # what it pays is more lines


def test_keys_stand_apart_and_none_moves_from_the_first_tap_of_a_hand_to_the_last(open_page):
    """The first hand on a usual phone, the second, with the box of the first, on a smaller one."""
    page = open_page("phone")
    for preset in GAMES:
        page.set_viewport_size({"width": 390, "height": 844})
        opened(page, a_game_table(preset, players=ruleset(preset).players, slug=preset))
        stand_apart(page, preset)  # ends at the size it began with
        tap_a_hand(page, preset)
        page.locator("[data-save]").tap()
        expect(page.locator("#last-hand button")).to_be_visible()
        expect(page.locator("[data-save]")).to_be_disabled()
        page.set_viewport_size(SMALLER)
        tap_a_hand(page, preset)


def test_save_waits_for_a_whole_hand_and_says_what_is_missing(open_page):
    page = open_page("phone")
    thumb = opened(page, a_game_table("bid-hoosier-five-player", players=5))
    save, said = page.locator("[data-save]"), page.locator("#preview")
    expect(save).to_be_disabled()
    thumb.tap("Ann")
    expect(said).to_have_text("What was bid?")
    expect(save).to_be_disabled()
    everything = page.get_by_role("button", name="All 10")
    expect(everything).to_be_disabled()  # of what bid?
    page.locator("[name=bid][value='4']").check(force=True)
    expect(said).to_have_text("How many tricks?")
    expect(save).to_be_disabled()
    everything.tap()
    expect(save).to_be_enabled()
    fewer, more = (page.get_by_label(f"Rose: one trick {way}") for way in ("less", "more"))
    for key in (fewer, more):  # nothing to take back, nothing left to take
        expect(key).to_have_attribute("aria-disabled", "true" if key is fewer else "false")
