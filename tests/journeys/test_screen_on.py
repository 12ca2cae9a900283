"""The screen stays on while hands are entered, where the device can; else the page says so."""

import pytest
from playwright.sync_api import expect

from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table

pytestmark = pytest.mark.django_db(transaction=True)

LOCK = """
  window.requests = 0;
  Object.defineProperty(navigator, "wakeLock", {value: {async request() {
    window.requests += 1;
    window.held = new EventTarget();
    window.held.release = async () => window.held.dispatchEvent(new Event("release"));
    return window.held;
  }}});
"""
LOW_BATTERY = """
  Object.defineProperty(navigator, "wakeLock", {value: {async request() {
    throw new DOMException("", "NotAllowedError");
  }}, configurable: true});
"""
CHARGED = f"() => {{ {LOCK} document.dispatchEvent(new Event('visibilitychange')); }}"
WITHOUT = "delete Navigator.prototype.wakeLock"
GONE_AND_BACK = """async () => {
  await window.held.release();  // what a browser does when another app comes to the front
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def table_on(page, script):
    page.add_init_script(script)
    open_table(page, a_game_table())
    return page


def test_the_screen_is_kept_on_by_a_tap_and_again_when_one_comes_back(open_page):
    page = table_on(open_page("phone", own=True), LOCK)
    box = page.get_by_label("Keep the screen on")
    expect(box).not_to_be_checked()
    assert page.evaluate("window.requests") == 0  # nobody chose it
    box.check()
    page.wait_for_function("window.requests === 1")
    page.evaluate(GONE_AND_BACK)
    page.wait_for_function("window.requests === 2")
    page.reload()
    expect(box).to_be_checked()
    page.wait_for_function("window.requests === 1")
    box.uncheck()
    page.evaluate(GONE_AND_BACK)
    assert page.evaluate("window.requests") == 1


@pytest.mark.parametrize(
    ("script", "sentence"),
    [(LOW_BATTERY, "its battery may be low"), (WITHOUT, "This browser cannot")],
)
def test_a_device_that_cannot_keep_the_screen_on_is_not_said_to(open_page, script, sentence):
    page = table_on(open_page("phone", own=True), script)
    box = page.get_by_label("Keep the screen on")
    if box.is_visible():
        box.click()
        expect(box).not_to_be_checked()
    expect(page.get_by_text(sentence)).to_be_visible()


def test_what_was_refused_for_a_low_battery_is_tried_again_when_one_comes_back(open_page):
    page = table_on(open_page("phone", own=True), LOW_BATTERY)
    box = page.get_by_label("Keep the screen on")
    box.click()
    expect(page.get_by_text("its battery may be low")).to_be_visible()
    page.evaluate(CHARGED)
    expect(box).to_be_checked()
    expect(page.get_by_text("its battery may be low")).to_be_hidden()


def test_the_switch_stands_above_the_help_next_to_the_table(open_page):
    page = table_on(open_page("phone", own=True), LOCK)
    switch = page.get_by_label("Keep the screen on").bounding_box()
    assert switch["y"] < page.get_by_text("Offline help").bounding_box()["y"]
