"""The table's phone in a real browser: four taps a hand, with and without scripts, axe clean."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import settle_game
from league.play.auth import table_link
from league.play.models import Game, Hand
from league.seating.models import Table
from league.sessions.actions import close_session, open_session
from scoring import ruleset
from tests.builders import EIGHT, TEST, a_game_table
from tests.journeys.at_the_table import look_again, open_table
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)


class Thumb:
    """Taps what can be seen, and counts."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, words, exact=True):
        key = self.page.locator("label:not([data-first-dealer] label), button").filter(visible=True)
        pattern = re.compile(rf"^\s*{words}") if exact else re.compile(words)
        key.filter(has_text=pattern).first.click()
        self.taps += 1


def test_an_ordinary_hand_is_four_taps_at_most_with_save(open_page, axe):
    table = a_game_table()
    page = open_page("phone")
    open_table(page, table)
    thumb = Thumb(page)
    thumb.tap("Ted")
    thumb.tap("Alone")
    thumb.tap("5")
    page.get_by_text("Rose & Ted +4").wait_for()
    thumb.tap("Save")
    page.get_by_text("Table 1 · hand 2").first.wait_for()
    assert thumb.taps == 4
    assert Hand.objects.get().points == [4, 0, 4, 0]
    axe(page)


def test_nothing_is_wider_than_the_phone_and_large_letters_leave_two_seats_in_sight(open_page):
    table = a_game_table()
    write(table, (0, 3), (1, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    undo = page.locator("#last-hand button").bounding_box()
    box = page.locator("#last-hand").bounding_box()
    assert box["height"] < 2.5 * undo["height"]
    assert page.locator("[name=maker]").nth(1).bounding_box()["y"] < 720
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 320, "height": 568})
    page.locator("details.more summary").first.click()
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) <= 320
    page.locator("#last-hand button").click()
    expect(page.get_by_role("button", name="Undo hand 1")).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(width) <= 320


SIZES = ((390, 844), (360, 740), (320, 640))
TAKEN_BY_THE_BAR = """() => {
    const bar = document.querySelector(".save-bar").getBoundingClientRect();
    const wide = document.documentElement.scrollWidth <= innerWidth;
    return [bar.height / innerHeight, wide];
}"""


@pytest.mark.parametrize("preset", ["standard-four-handed", "five-hundred-four"])
def test_letters_twice_as_large_leave_most_of_the_screen_to_the_keys(open_page, preset):
    page = open_page("phone")
    open_table(page, a_game_table(preset, slug=preset))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        taken, fits = page.evaluate(TAKEN_BY_THE_BAR)
        assert taken < 1 / 4
        assert fits
        assert page.locator("#score").bounding_box()["height"] < 0.47 * height
    for key in ("[name=maker]", ":is([name=bid][value='7h'], [name=outcome])", "[name=tricks]"):
        for first in page.locator(f"#hand > fieldset {key}").all()[:1]:
            first.dispatch_event("click")
    expect(page.locator("#preview span")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        taken, fits = page.evaluate(TAKEN_BY_THE_BAR)
        assert taken < 1 / 3
        assert fits


SHORTER = ("Rose Whitfield", "Stan Whitehorse", "Ann Leclerc", "Bev Lindqvist")
NAMES = ("Demelza", "Maureen", "Wojciech", "Constantine")
WORDS_BROKEN = """
[...document.querySelectorAll("[data-first-dealer] label > span")].filter((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
    return lines.size > name.textContent.trim().split(/\\s+/).length;
}).map((name) => name.textContent)"""


def test_who_deals_first_is_one_line_and_breaks_no_name(open_page):
    table = a_game_table()
    for seat, name in zip(table.seats.order_by("position"), NAMES, strict=True):
        seat.member.name = name
        seat.member.save()
    page = open_page("phone")
    open_table(page, table)
    first = page.locator("[data-first-dealer]")
    expect(first.locator("summary")).to_contain_text("Demelza deals first")
    first.locator("summary").click()
    assert page.evaluate(WORDS_BROKEN) == []
    assert first.locator("label").first.bounding_box()["height"] >= 48
    first.locator("label", has_text="Wojciech").click()
    expect(first.locator("summary")).to_contain_text("Wojciech deals first")
    expect(page.locator("label:has(.dealer)")).to_contain_text("Wojciech")


UNDER_THE_BAR = """() => [...document.querySelectorAll("#hand > fieldset :is(label, button)")]
    .filter((key) => key.getBoundingClientRect().bottom
        > document.querySelector(".save-bar").getBoundingClientRect().y)
    .map((key) => key.innerText)"""


def test_every_key_stands_above_save_on_a_small_phone_that_is_offline(open_page):
    table = a_game_table()
    for seat, name in zip(table.seats.order_by("position"), NAMES, strict=True):
        seat.member.name = name
        seat.member.save()
    page = open_page("phone", viewport={"width": 320, "height": 640})
    open_table(page, table)
    page.context.set_offline(True)
    thumb = Thumb(page)
    thumb.tap("Maureen")
    thumb.tap("5")
    thumb.tap("Save")
    expect(page.locator("#queue")).to_be_visible()
    assert page.evaluate(UNDER_THE_BAR) == []
    page.context.set_offline(False)
    expect(page.locator("#last-hand button")).to_be_visible()
    assert page.evaluate(UNDER_THE_BAR) == []


def test_every_key_stands_above_save_where_the_organiser_waits_for_the_scores(open_page):
    table = a_game_table()
    for seat, name in zip(table.seats.order_by("position"), SHORTER, strict=True):
        seat.member.name = name
        seat.member.save()
    write(table, (0, 3), at=timezone.now())
    Table.objects.update(asked_at=timezone.now())
    page = open_page("phone", viewport={"width": 360, "height": 740})
    open_table(page, table)
    expect(page.get_by_text("The organiser is waiting for your scores.")).to_be_visible()
    assert page.evaluate(UNDER_THE_BAR) == []


def test_the_hand_after_the_first_stands_above_save_on_the_smallest_phone(open_page):
    table = a_game_table("nanaimo-four-handed-standard")
    for seat, name in zip(table.seats.order_by("position"), SHORTER, strict=True):
        seat.member.name = name
        seat.member.save()
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone", viewport={"width": 320, "height": 568})
    open_table(page, table)
    assert page.evaluate(UNDER_THE_BAR) == []
    page.context.set_offline(True)
    thumb = Thumb(page)
    thumb.tap("Ann Leclerc")
    thumb.tap("5")
    thumb.tap("Save")
    expect(page.locator("#queue")).to_be_visible()
    assert page.evaluate(UNDER_THE_BAR) == []


def test_a_laptop_shows_all_keys_of_a_bid_game_at_once(open_page):
    page = open_page("desktop", viewport={"width": 1280, "height": 800})
    for preset in ("five-hundred-four", "bid-six-handed", "pepper-eight"):
        open_table(page, a_game_table(preset, players=ruleset(preset).players, slug=preset))
        assert page.evaluate(UNDER_THE_BAR) == []


def test_on_the_smallest_phone_no_bid_breaks_and_two_special_ones_share_a_row(open_page):
    page = open_page("phone", viewport={"width": 320, "height": 568})
    open_table(page, a_game_table("five-hundred-four"))
    cells = page.locator(".cells label")
    assert {cell.bounding_box()["height"] for cell in cells.all()} == {48}
    open_table(page, a_game_table("pepper", slug="pepper"))
    little, big = [bid.bounding_box()["y"] for bid in page.locator(".special").all()]
    assert little == big


def test_the_code_is_gone_from_the_address_and_never_reached_the_server(open_page):
    table = a_game_table()
    page = open_page("phone", own=True)
    requests = []
    page.on("request", lambda request: requests.append((request.url, request.headers)))
    open_table(page, table)
    code = table_link(table).partition("#")[2]
    assert code not in page.url
    # The browser shows its own fragment in `request.url`; what it sends has none.
    assert not any(code in url.partition("#")[0] for url, _headers in requests)
    assert not any(code in headers.get("referer", "") for _url, headers in requests)


def test_everything_works_without_scripts(open_page, axe):
    table = a_game_table()
    page = open_page("phone", java_script_enabled=False)
    page.goto("/t/")
    page.get_by_label("The code on the table card").fill(table_link(table))
    page.get_by_role("button", name="Open the table").click()
    thumb = Thumb(page)
    thumb.tap("Ann")
    thumb.tap("3 – 4")
    thumb.tap("Save")
    page.get_by_text("Hand 1 · Ann: made").wait_for()
    assert Game.objects.get().score == [0, 1]
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Table 1 · hand 1").first.wait_for()
    assert Game.objects.get().score == [0, 0]


def test_undo_is_one_tap_also_after_the_hand_that_won(open_page, axe):
    table = a_game_table()
    write(table, *[(0, 5)] * 4)
    page = open_page("phone")
    open_table(page, table)
    thumb = Thumb(page)
    thumb.tap("Rose")
    thumb.tap("5")
    page.get_by_text("Rose & Ted win").wait_for()
    thumb.tap("Finish game")
    page.get_by_text("Rose & Ted won 10").wait_for()
    axe(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Table 1 · hand 5").first.wait_for()
    assert Game.objects.get().state == "playing"


def test_the_other_side_confirms_or_disputes_from_their_side(open_page, axe):
    table = a_game_table()
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    write(table, *[(0, 5)] * 5)
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("heading", name="Finish the game: confirm the score").wait_for()
    page.get_by_role("link", name="Confirm or dispute as Ann & Bill").click()
    page.get_by_role("heading", name="Is this right?").wait_for()
    own, other = [score.bounding_box() for score in page.locator(".their-side .score").all()]
    assert own["y"] < other["y"]
    assert own["height"] > other["height"]
    axe(page)
    yes = page.get_by_role("button", name="Yes, confirm this score")
    expect(yes).to_be_visible()
    page.get_by_text("No, something is wrong").click()
    expect(yes).to_be_hidden()  # one answer at a time
    page.get_by_label("What is wrong?").fill("We had two points more")
    page.get_by_role("button", name="Dispute the result").click()
    page.get_by_text("This result is disputed").wait_for()
    assert Game.objects.get().state == "disputed"
    axe(page)
    settle_game(table, "score", score=[10, 2], reason="both sheets", by=TEST, at=EIGHT)
    look_again(page)
    page.get_by_role("heading", name="Rose & Ted won 10\u2009–\u20092").wait_for()
    page.get_by_role("button", name="Call the organiser").click()
    page.get_by_text("The organiser has been called").wait_for()
    axe(page)
    close_session(table.session, by=TEST, at=EIGHT)
    look_again(page)
    page.get_by_role("heading", name="The organiser has closed this session.").wait_for()
    axe(page)
    open_session(table.session, by=TEST, at=EIGHT)
    look_again(page)
    page.get_by_role("heading", name="Rose & Ted won 10\u2009–\u20092").wait_for()


def test_where_nothing_can_be_kept_the_page_says_so_and_holds_the_answers(open_page):
    """Some private windows have no IndexedDB; where there is one: test_offline.py."""
    table = a_game_table()
    page = open_page("phone", own=True)
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    open_table(page, table)
    thumb = Thumb(page)
    thumb.tap("Rose")
    thumb.tap("5")
    page.context.set_offline(True)
    thumb.tap("Save")
    page.get_by_text("Not sent: no connection").wait_for()
    assert not Hand.objects.exists()
    page.context.set_offline(False)
    thumb.tap("Send again")
    page.get_by_text("Table 1 · hand 2").first.wait_for()
    assert Hand.objects.count() == 1


def test_a_scorekeeper_types_a_hand_without_a_mouse(open_page):
    table = a_game_table()
    page = open_page("desktop")
    open_table(page, table)
    for key in ("2", "a", "5"):
        page.keyboard.press(key)
    page.get_by_text("Ann & Bill +4").wait_for()
    page.keyboard.press("Enter")
    page.get_by_text("Table 1 · hand 2").first.wait_for()
    assert Hand.objects.get().points == [0, 4, 0, 4]
    page.keyboard.press("Control+z")
    page.get_by_text("Table 1 · hand 1").first.wait_for()
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()  # after a moment
    page.keyboard.press("Control+Shift+z")
    page.get_by_text("Table 1 · hand 2").first.wait_for()
    assert Hand.objects.filter(current=True).count() == 1
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()


def test_a_whole_hand_is_tapped_card_by_card(open_page, axe):
    table = a_game_table()
    page = open_page("phone")
    open_table(page, table)
    Thumb(page).tap("Ann")
    page.get_by_text("Trump, up-card, cards, renege").click()
    page.locator('label:has(input[name=trump][value="h"])').click()
    page.get_by_text("Every card").click()
    suits = [f"{rank}{suit}" for suit in "hdc" for rank in "AKQJ"]
    played = [*suits[:11], "Tc", "As", "Ks", "Qs", "Ts", "9h", "9c", "9s", "9d"]
    for card in played:
        page.locator(f'[data-card="{card}"]').click()
    assert page.locator("#id_trick5").input_value() == "9h 9c 9s 9d"
    axe(page)
