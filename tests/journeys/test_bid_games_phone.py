"""Bid games on small phones: scores of many signs, and points without the network."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import call_time
from scoring import ruleset
from tests.builders import TEST, a_game_table
from tests.journeys.at_the_table import look_again, open_table
from tests.journeys.test_large_letters import BROKEN
from tests.journeys.test_other_games import digits, last_key_above_save, opened
from tests.journeys.test_table_slips import seat_others_at, seated_again
from tests.play.hands import write_records

pytestmark = pytest.mark.django_db(transaction=True)
MADE = {"contract": {"seat": 2, "trump": "h"}, "tricks_won": {"makers": 3}}
CALLED = MADE | {"partner": 3}
LONG_NAMES = ("Noreen", "Ines", "Margaret", "May", "Sam", "Ruth")
# Numbers of the score that are wider than their side, broken, or too near the next; words of it
# that are broken.
TROUBLES = """() => {
    const box = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect();
    };
    const numbers = [...document.querySelectorAll(".score-number")].map((one) => [one, box(one)]);
    const near = numbers.flatMap(([one, a], place) => numbers.slice(place + 1)
        .filter(([, b]) => Math.abs(a.top - b.top) < a.height / 2 && a.right > b.left - 12)
        .map(([other]) => `${one.textContent} near ${other.textContent}`));
    const lines = (one) => box(one).height / parseFloat(getComputedStyle(one).fontSize);
    const wide = (one) => one.scrollWidth > one.clientWidth + 1;
    const broken = numbers.filter(([one]) => lines(one) > 2.5 || wide(one))
        .map(([one]) => `${one.textContent} broken`);
    const narrow = [...document.querySelectorAll(".score-side .needs")]
        .filter((one) => one.clientWidth && box(one).width < 30 || lines(one) > 4.5)
        .map((one) => `${one.textContent.trim()} in ${one.clientWidth} px`);
    const cut = [...document.querySelectorAll(".score-side dt")]
        .filter((one) => wide(one) || one.scrollHeight > one.clientHeight + 2)
        .map((one) => `${one.textContent} cut`);
    return [...near, ...broken, ...narrow, ...cut];
}"""
NUMBERS = """(numbers) => {
    const shown = [...document.querySelectorAll(".score-number")];
    shown.forEach((one, place) => (one.textContent = numbers[place % numbers.length]));
    const signs = Math.max(...numbers.map((number) => number.length));
    document.querySelector(".score-sides").dataset.signs = signs;
}"""
SCORES = (("0", "9"), ("−15", "11"), ("210", "−220"), ("−480", "470"), ("−1020", "1040"))
SIZES = ((390, 844), (360, 740), (320, 640))


def named(table):
    for seat, name in zip(table.seats.select_related("member"), LONG_NAMES, strict=False):
        seat.member.name = f"{name} Novak"
        seat.member.save()
    return table


def test_a_score_of_many_signs_stands_whole_and_apart_beside_what_is_needed(open_page):
    page = open_page("phone")
    found = []
    for preset in ("pepper", "five-hundred-four", "five-hundred-three", "call-ace-four"):
        table = named(a_game_table(preset, players=ruleset(preset).players, slug=preset))
        opened(page, table)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for numbers in SCORES[: 3 if preset == "call-ace-four" else None]:
                page.evaluate(NUMBERS, numbers)
                found += [(preset, width, numbers, one) for one in page.evaluate(TROUBLES)]
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.set_viewport_size({"width": 360, "height": 740})
        page.evaluate(NUMBERS, SCORES[2])
        found += [(preset, "letters twice as large", one) for one in page.evaluate(TROUBLES)
                  if "cut" not in one]  # fmt: skip
    assert not found, "\n".join(map(str, found))


def bid(thumb, page, bid, tricks):
    thumb.tap("Ann")
    for key in (f"[name=bid][value='{bid}']", f"[name=tricks][value='{tricks}']"):
        page.locator(f"label:has({key})").click()


def test_a_bid_game_keeps_score_without_the_network(open_page):
    """What a bid pays is on the page; the server counts again when it gets the hands."""
    page = open_page("phone")
    thumb = opened(page, a_game_table("pepper", slug="pepper"))
    page.context.set_offline(True)
    bid(thumb, page, "3", 2)
    expect(page.locator("#preview")).to_have_text("Rose & Ted +4, Ann & Bill −6")
    thumb.tap("Save")
    expect(page.locator(".score-number")).to_have_text(["4", "−6"])
    bid(thumb, page, "big_pepper", 6)
    page.locator("label:has([name=trump][value=nt])").click()
    thumb.tap("Save")
    expect(page.locator(".score-number")).to_have_text(["4", "6"])
    page.context.set_offline(False)
    expect(page.locator("#sync[data-state=saved]")).to_be_visible()
    expect(page.locator(".score-number")).to_have_text(["4", "6"])
    five = a_game_table("five-hundred-four", slug="four", target=100)
    thumb = opened(page, five)
    page.context.set_offline(True)
    bid(thumb, page, "7d", 8)
    expect(page.locator("#preview")).to_have_text("Rose & Ted +20, Ann & Bill +180")
    thumb.tap("Save")
    expect(page.locator(".score-number")).to_have_text(["20", "180"])
    expect(
        page.locator("#queue [data-reached]")
    ).to_have_text(  # won only by a bid: the server judges
        "The target is reached. Once your hands are sent, you see who won or whether play goes on."
    )
    expect(page.locator("#hand")).to_be_visible()


def test_games_for_single_players_keep_score_without_the_network(open_page):
    """Each player's own tricks, none of them left to the next hand; and a called partner."""
    page = open_page("phone")
    thumb = opened(page, a_game_table("five-hundred-three", players=3, slug="three"))
    page.context.set_offline(True)
    thumb.tap("Ted")
    page.locator("label:has(input[value='7d'])").click()
    thumb.tap("2–1–7")
    expect(page.locator("#preview")).to_have_text("Rose +20, Ann +10, Ted +180")
    thumb.tap("Save")
    expect(page.locator("#sync")).to_have_text("Waiting (1)")
    expect(page.locator("[data-splits] button")).to_have_count(0)  # as after a save online
    expect(page.locator("#won1")).to_be_hidden()
    thumb.tap("Nobody bid")
    page.locator("[name=won1]").fill("4")
    page.locator("[name=won2]").fill("6")
    page.locator("[name=won2]").blur()
    expect(page.locator("#preview")).to_have_text("Ann +40, Ted +60")
    thumb.tap("Save")
    expect(page.locator(".score-number")).to_have_text(["20", "50", "240"])
    page.context.set_offline(False)
    expect(page.locator("#sync[data-state=saved]")).to_be_visible()
    expect(page.locator(".score-number")).to_have_text(["20", "50", "240"])
    thumb = opened(page, a_game_table("call-ace-four", slug="ace"))
    page.context.set_offline(True)
    for partner, said in (("2", "Rose +2, Ted +2"), ("nobody", "Rose +4")):
        page.locator("label:has([name=maker][value='0'])").click()
        page.locator(f"label:has([name=partner][value='{partner}'])").click()
        page.locator("label:has([name=outcome][value=march])").click()
        expect(page.locator("#preview")).to_have_text(said)
        thumb.tap("Save")
    expect(page.locator(".score-number")).to_have_text(["6", "0", "2", "0"])
    page.context.set_offline(False)
    expect(page.locator("#sync[data-state=saved]")).to_be_visible()
    expect(page.locator(".score-number")).to_have_text(["6", "0", "2", "0"])


def test_tricks_typed_from_paper_are_seen(open_page):
    """As the key that says the same, or player by player where no key does."""
    page = open_page("desktop")
    opened(page, a_game_table("five-hundred-three", players=3, slug="three"))
    for key in "17h12":
        page.keyboard.press(key)
    expect(page.locator("[data-splits] [aria-pressed=true]")).to_have_text(["7–1–2"])
    expect(page.locator("#won1")).to_be_hidden()
    page.keyboard.press("Escape")
    for key in "17h60":
        page.keyboard.press(key)
    expect(page.locator("#won1")).to_have_value("6")
    expect(page.locator("#won1")).to_be_visible()


def test_four_scores_are_as_large_as_the_keys_leave_room_for_and_a_called_partner_s_side_is_named(
    open_page,
):
    """As the keys name it."""
    page = open_page("phone", viewport={"width": 360, "height": 740})
    thumb = opened(page, named(a_game_table("call-ace-four", slug="ace")))
    assert digits(page) > 46
    assert last_key_above_save(page)
    thumb.tap("Ines Novak")
    page.locator("[data-partner] label").filter(has_text="Noreen").click()
    expect(page.locator("[data-tricks-of]")).to_have_text("Tricks for Ines & Noreen")


ROWS = """(keys) => Object.values(Object.groupBy([...document.querySelectorAll(keys)],
    (key) => key.getBoundingClientRect().top)).map((row) => row.length)"""


def test_no_key_of_the_tricks_is_alone_in_its_row_and_both_scores_are_level(open_page):
    page = open_page("phone")
    table = a_game_table("pepper", slug="pepper")
    for seat in table.seats.filter(position__in=(0, 2)).select_related("member"):
        seat.member.name = ("Rosemary", "Theodore")[seat.position // 2]
        seat.member.save()
    opened(page, table)
    assert page.evaluate(ROWS, ".score-number") == [2]
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(ROWS, "[data-trick-keys] label") == [4, 3]


def test_undo_is_as_high_as_a_key_where_there_is_room(open_page):
    table = a_game_table("pepper", slug="pepper")
    hand = {"contract": {"seat": 0, "tricks": 3, "trump": "h"}, "tricks_won": {"makers": 4}}
    write_records(table, hand, at=timezone.now())
    page = open_page("phone")
    opened(page, table)
    assert page.locator("#last-hand button").bounding_box()["height"] >= 48
    assert last_key_above_save(page)


def test_a_long_name_is_not_broken_within_a_word_in_a_third_of_a_small_phone(open_page):
    table = a_game_table("five-hundred-four")
    names = (
        "Bo Featherstonehaugh",
        "Wilhelmina Mustermann",
        "Al Montgomery-Cox",
        "Bartholomew Lee",
    )
    for seat, name in zip(table.seats.order_by("position"), names, strict=True):
        seat.member.name = name
        seat.member.save()
    page = open_page("phone", viewport={"width": 360, "height": 740})
    opened(page, table)
    assert page.evaluate(BROKEN, NAMES) == []


NAMES = ".choice label > span:first-of-type"


def test_no_name_is_broken_within_a_word_where_a_partner_or_a_dealer_is_chosen(open_page):
    page = open_page("phone")
    names = ("Wilhelmina Featherstonehaugh", "Bartholomew Jorgensen", "Ann Fitzgerald")
    for preset in ("call-ace-four", "call-ace-six", "standard-four-handed"):
        table = a_game_table(preset, players=ruleset(preset).players, slug=preset)
        for seat, name in zip(table.seats.order_by("position"), names, strict=False):
            seat.member.name = name
            seat.member.save()
        write_records(table, CALLED if "ace" in preset else MADE, at=timezone.now())
        opened(page, table)
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        for seat in (0, 1):
            keys = page.locator(f"#hand input:is([name=dealer], [name=partner])[value='{seat}']")
            for key in keys.all():
                key.dispatch_event("click")
            assert keys.count()
            assert page.evaluate(BROKEN, NAMES) == [], preset


QUESTIONS = """() => [...document.querySelectorAll(
    "#who-made, .when-bid > legend:not(.only-heard)")]
    .map((line) => getComputedStyle(line).clipPath)"""


def test_a_phone_of_740_pixels_shows_what_is_asked_and_with_letters_twice_as_large_too(open_page):
    page = open_page("phone", viewport={"width": 360, "height": 740})
    opened(page, a_game_table("pepper", slug="pepper"))
    assert page.evaluate(QUESTIONS) == ["none"] * 3
    assert last_key_above_save(page)
    page.locator("label:has([name=maker][value='0'])").first.click()
    page.locator("label:has([name=bid]):visible").first.click()
    page.locator("label:has([name=tricks][value='4'])").first.click()
    page.locator("[data-save]").click()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(QUESTIONS) == ["none"] * 3  # trump, which need not be noted, too
    last = page.locator("#last-hand p")
    expect(last).to_contain_text("+")
    assert last.evaluate("line => line.scrollHeight < line.clientHeight + 9")  # with its points


def test_what_was_bid_is_asked_in_sight_where_there_is_room(open_page):
    page = open_page("phone")
    for preset, width, height in (
        ("pepper", 375, 667),
        ("bid-six-handed", 360, 740),
        ("bid-racehorse-eight", 375, 667),
    ):
        page.set_viewport_size({"width": width, "height": height})
        opened(page, a_game_table(preset, players=ruleset(preset).players, slug=preset))
        assert page.evaluate(QUESTIONS)[1] == "none", preset
        assert last_key_above_save(page), preset


def test_four_seats_stand_together_and_what_is_no_seat_apart(open_page):
    page = open_page("phone", viewport={"width": 360, "height": 740})
    for preset in ("pepper", "buck-euchre-bid"):  # one key beside the seats; two
        opened(page, a_game_table(preset, slug=preset))
        boxes = [
            [box.bounding_box() for box in page.locator(f"#hand {keys}").all()]
            for keys in (".round label", ".beside label")
        ]
        seats, others = [[(round(b["x"]), round(b["y"])) for b in each] for each in boxes]
        assert len({x for x, _y in seats}) == len({y for _x, y in seats}) == 2, seats
        assert min(x for x, _y in others) > max(x for x, _y in seats)
        assert {y for _x, y in others} <= {y for _x, y in seats}
        assert all(box["height"] >= 48 and box["width"] > 90 for each in boxes for box in each)


def test_on_a_short_screen_partners_stand_side_by_side_as_in_the_score(open_page):
    page = open_page("phone")
    opened(page, a_game_table("five-hundred-four"))
    rows = [page.locator(f"[data-place='{place}']").bounding_box()["y"] for place in range(4)]
    assert rows[0] == rows[2] < rows[1] == rows[3]


def test_where_the_others_play_next_leaves_every_key_of_the_first_hand_in_view(open_page):
    table = a_game_table("five-hundred-four")
    call_time(table, by=TEST, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    seated_again(table, number=3)
    seat_others_at(table)
    look_again(page)
    expect(page.locator("#messages")).to_contain_text("Where everyone plays next")
    assert last_key_above_save(page)
