"""Hands written down while the network is away: kept in the phone, sent in order, exactly once."""

import re

import pytest
from playwright.sync_api import expect

from league.play.models import Hand
from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = "#queue .list li"
STATUS = "#sync"
KEPT = """async () => {
    const { waiting } = await import('/static/js/queue-store.js');
    return await waiting();
}"""


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    return page


def tap(page, maker, outcome="made"):
    """Tap a hand and press Save, whatever becomes of it."""
    page.locator(f"#hand label:has(input[name=maker][value='{maker}'])").first.click()
    if maker != "passed":
        page.locator(f"#hand label:has(input[name=outcome][value={outcome}])").click()
    page.locator("[data-save]").click()


def status(page, words):
    """What the line says once the page knows what waits: before that it is there, but not shown."""
    expect(page.locator("body[data-queue-read]")).to_have_count(1)
    expect(page.locator(STATUS)).to_have_text(words)


def stored():
    """The hands on the server: number, dealer and maker, in order."""
    hands = Hand.objects.filter(current=True).order_by("number")
    return [(h.number, h.record["dealer"], h.record["contract"]["seat"]) for h in hands]


def test_while_hands_wait_the_page_says_what_cannot_be_done_and_keeps_no_name(phone):
    """The menu would come before the hands that wait: why stands in its place."""
    unsent = phone.locator("#score").get_by_text("Score not yet sent")
    menu, why = phone.locator(".game-menu"), phone.locator("[data-while-waiting]")
    expect(unsent).to_be_hidden()
    expect(why).to_be_hidden()
    phone.context.set_offline(True)
    tap(phone, 0, "march")
    status(phone, "Waiting (1)")
    expect(unsent).to_be_visible()
    expect(menu).to_be_hidden()
    expect(why).to_have_text(
        "Misdeals, penalties, corrections and conceding need a connection: "
        "enter them once your hands are sent."
    )
    (kept,) = phone.evaluate(KEPT)
    assert set(kept) == {"order", "table", "fields"}
    assert set(kept["fields"]) == {"client_id", "number", "maker", "outcome", "dealer"}
    assert not re.search("Rose|Ann|Ted|Bill|csrf", str(kept))
    phone.locator("#hand label:has(input[name=maker][value='1'])").first.click()
    expect(phone.locator("#preview")).to_have_text("How many tricks?")
    expect(phone.locator("[data-save]")).to_be_disabled()  # half a hand does not wait
    expect(unsent).to_be_visible()
    status(phone, "Waiting (1)")
    phone.context.set_offline(False)
    status(phone, "Saved")
    expect(unsent).to_be_hidden()
    expect(menu).to_be_visible()
    expect(why).to_be_hidden()


def test_five_hands_offline_arrive_in_order_and_once(phone, table, axe):
    phone.context.set_offline(True)
    for hand in range(5):
        tap(phone, hand % 4)
        status(phone, f"Waiting ({hand + 1})")
    expect(phone.locator(WAITING)).to_have_count(5)
    plain = phone.locator(f"{WAITING} b").first
    expect(plain).to_have_css("text-decoration-line", "none")  # no link: nothing opens there
    expect(phone.locator("#preview")).to_have_text("Score not yet sent to the club's computer")
    expect(phone.locator(".score-bar")).to_contain_text("hand 6")
    axe(phone)
    assert stored() == []
    phone.context.set_offline(False)
    status(phone, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 3, 3), (5, 0, 0)]
    expect(phone.locator("#last-hand")).to_contain_text("Hand 5")
    expect(phone.locator("#queue")).to_be_hidden()
    assert phone.evaluate(KEPT) == []


def test_the_page_never_says_saved_before_the_server_has_and_undoes_a_waiting_hand_by_itself(phone):
    """Every text the status line shows is written down while a hand waits and goes out."""
    phone.evaluate(
        """() => {
            window.told = [];
            const note = () => window.told.push(document.querySelector("#sync").textContent.trim());
            new MutationObserver(note).observe(
                document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    phone.context.set_offline(True)
    tap(phone, 0)
    status(phone, "Waiting (1)")
    tap(phone, 3)
    status(phone, "Waiting (2)")
    sentences = phone.evaluate("window.told")
    assert "Saved" not in sentences[sentences.index("Sending…") :]
    assert phone.locator(STATUS).get_attribute("role") == "status"
    expect(phone.locator("#sync [data-when=waiting] svg")).to_be_visible()
    expect(phone.locator("#sync [data-when=saved] svg")).to_be_hidden()
    phone.get_by_role("button", name="Undo").click()
    status(phone, "Waiting (1)")
    expect(phone.locator(".score-bar")).to_contain_text("hand 2")
    tap(phone, 1)
    status(phone, "Waiting (2)")
    phone.context.set_offline(False)
    status(phone, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1)]


def test_waiting_hands_survive_a_reload_and_go_out_by_themselves(phone, table):
    """On plain http a reload needs the network: the hand's way alone is blocked here."""
    phone.route("**/hand", lambda route: route.abort())
    for maker in (0, 1, 2):
        tap(phone, maker)
    status(phone, "Waiting (3)")
    phone.reload()
    status(phone, "Waiting (3)")
    expect(phone.locator(WAITING).nth(1)).to_contain_text("Hand 2 Ann · 3 – 4 made")
    expect(phone.locator(".score-bar")).to_contain_text("hand 4")
    expect(phone.locator(".choice.seated label", has_text="dealer")).to_contain_text("Bill")
    phone.unroute("**/hand")
    phone.reload()
    status(phone, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1), (3, 2, 2)]


SAVED = f"{STATUS}[data-state=saved]"
NOTHING_KEPT = f"async () => (await ({KEPT})()).length === 0"
THIRTY = """async ([table, numbers]) => {
    const { keep } = await import('/static/js/queue-store.js');
    for (const number of numbers) {
        const client_id = `thirty-hands-${number}`;
        const dealer = String((number - 1) % 4);
        const fields = { client_id, number: String(number), dealer, maker: 'passed' };
        await keep({ table, fields });
    }
}"""


def test_thirty_hands_kept_out_of_order_are_replayed_in_order_twice_and_stored_once(phone, table):
    numbers = [*range(30, 0, -2), *range(1, 30, 2)]
    for _again in range(2):
        phone.evaluate(THIRTY, [table.public_id, numbers])
        phone.reload()
        expect(phone.locator(SAVED)).to_be_visible()
        expect(phone.locator("#last-hand")).to_contain_text("Hand 30")
        phone.wait_for_function(NOTHING_KEPT)
        hands = Hand.objects.order_by("number")
        assert [hand.number for hand in hands] == [*range(1, 31)]
        assert [hand.client_id for hand in hands] == [f"thirty-hands-{n}" for n in range(1, 31)]


def test_two_tabs_that_send_at_once_store_each_hand_once(phone, table):
    other = phone.context.new_page()
    open_table(other, table)
    phone.evaluate(THIRTY, [table.public_id, [1, 2, 3, 4]])
    for page in (phone, other):
        page.evaluate("dispatchEvent(new Event('online'))")
        page.evaluate("setTimeout(() => location.reload(), 0)")
    for page in (phone, other):
        expect(page.locator("#last-hand")).to_contain_text("Hand 4")
    assert Hand.objects.count() == 4


def test_an_answer_lost_after_the_server_stored_the_hand_does_no_harm(phone):
    lost = []

    def lose_the_answer(route):
        if len(lost) < 2:
            lost.append(route.fetch(max_redirects=0))
            return route.abort()
        return route.fallback()

    phone.route("**/hand", lose_the_answer)
    tap(phone, 0)
    status(phone, "Waiting (1)")
    assert Hand.objects.count() == 1
    tap(phone, 1)
    expect(phone.locator(STATUS)).to_have_text("Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1)]


ONLY_WHAT_IS_DUE_AT_ONCE = """() => {
    const later = window.setTimeout;
    window.setTimeout = (call, pause, ...more) => (pause > 100 ? 0 : later(call, pause, ...more));
}"""


def test_a_network_that_is_back_while_a_hand_is_on_its_way_is_used_at_once(phone):
    """And not after the pause that follows the attempt that failed."""
    held = []
    phone.route("**/hand", lambda way: way.continue_() if held else held.append(way))
    phone.evaluate(ONLY_WHAT_IS_DUE_AT_ONCE)
    with phone.expect_request("**/hand"):
        tap(phone, 0)
    phone.evaluate("dispatchEvent(new Event('online'))")
    held[0].abort()
    status(phone, "Saved")
    assert stored() == [(1, 0, 0)]


def test_a_hand_passed_out_moves_the_deal_as_the_rules_say(open_page):
    table = a_game_table(slug="redeal", passout_dealer="same")
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    tap(page, "passed")
    status(page, "Waiting (1)")
    dealer = page.locator(".choice.seated label", has_text="dealer")
    expect(dealer).to_contain_text("Rose")
    tap(page, 1)
    status(page, "Waiting (2)")
    expect(dealer).to_contain_text("Ann")


def test_saved_is_not_shown_while_nobody_has_looked_what_waits(open_page, table):
    page = open_page("phone")
    page.route("**/js/queue-store*.js", lambda route: route.abort())
    open_table(page, table)
    expect(page.locator(STATUS)).to_have_attribute("data-state", "saved")
    expect(page.locator(STATUS)).to_be_hidden()


@pytest.mark.parametrize(("motion", "felt"), [("no-preference", [40]), ("reduce", [])])
def test_a_saved_hand_is_felt_unless_less_motion_is_asked_for(open_page, table, motion, felt):
    page = open_page("phone", reduced_motion=motion)
    page.add_init_script(
        "window.felt = []; navigator.vibrate = (for_ms) => window.felt.push(for_ms)"
    )
    open_table(page, table)
    tap(page, 1)
    expect(page.locator("#last-hand")).to_contain_text("Hand 1")
    assert page.evaluate("window.felt") == felt
