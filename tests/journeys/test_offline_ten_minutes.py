"""F13: a phone without a network for ten minutes, reloaded there, back online; and all of it again.

RIGHT_BOWER_OFFLINE_HANDS says how many hands wait each time (6 without it; the long run has 30).
"""

import os
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from playwright.sync_api import expect

from league.play.actions import record
from league.play.game_log import GameLog
from league.play.models import Hand
from league.play.views import entry
from tests.builders import a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_offline import KEPT, status, tap
from tests.journeys.test_offline_reload import IS_KEPT, until

pytestmark = pytest.mark.django_db(transaction=True)
TEN_MINUTES = timedelta(minutes=10)
HANDS = int(os.environ.get("RIGHT_BOWER_OFFLINE_HANDS", "6"))
# What the line that tells of the sync ever showed, over reloads too.
REMEMBER = """() => {
    const look = () => {
        const line = document.querySelector('#sync');
        if (!line?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
        const said = line.innerText.trim();
        const told = JSON.parse(sessionStorage.getItem('told') ?? '[]');
        if (said && said !== told.at(-1)) told.push(said);
        sessionStorage.setItem('told', JSON.stringify(told));
    };
    const note = () => requestAnimationFrame(look); // what was never painted nobody read
    new MutationObserver(note).observe(document, {
        subtree: true, childList: true, characterData: true });
}"""
# The page's scripts are kept as well: the page itself comes first. Not what news alone loads
# (idiomorph): news needs the network anyway.
IS_WHOLE = r"""async () => {
    const drawn = performance.getEntriesByType('resource').map(({ name }) => name);
    const assets = drawn.filter((url) => /^\/static\/js\/.*\.js$/.test(new URL(url).pathname));
    const kept = await Promise.all(assets.map((url) => caches.match(url, { ignoreVary: true })));
    return assets.length > 0 && kept.every(Boolean);
}"""
TOLD = "() => JSON.parse(sessionStorage.getItem('told'))"


@pytest.fixture
def clock():
    """The server's. What time the phone has is nobody's business."""
    with time_machine.travel(datetime.now(UTC), tick=True) as clock:
        yield clock


@pytest.fixture
def phone(open_page, settings):
    settings.OFFLINE_SHELL = True
    page = open_page("phone", own=True)
    page.add_init_script(f"({REMEMBER})()")
    open_table(page, a_game_table(target=500))
    return page


def shows(page, words):
    """Sixty hands, on a busy computer, take their time to go out."""
    expect(page.locator("#sync")).to_have_text(words)


def stay_offline(page):
    """Half the hands before a reload and half after it; what was said meanwhile."""
    page.context.set_offline(True)
    page.evaluate("() => sessionStorage.removeItem('told')")
    for number in range(1, HANDS + 1):
        tap(page, number % 4, ["made", "march", "euchred"][number % 3])
        shows(page, f"Waiting ({number})")
        if number == HANDS // 2:
            page.reload()
            shows(page, f"Waiting ({number})")
    return page.evaluate(TOLD)


def test_f13_hands_of_ten_minutes_offline_arrive_once_in_order_and_are_not_called_saved_before(
    phone, clock
):
    for again in range(2):
        until(phone, IS_KEPT, f"hand {again * HANDS + 1}")
        until(phone, IS_WHOLE)
        sentences = stay_offline(phone)
        assert "Saved" not in sentences[sentences.index("Waiting (1)") :]
        assert Hand.objects.count() == again * HANDS
        clock.shift(TEN_MINUTES)
        phone.context.set_offline(False)
        shows(phone, "Saved")
        hands = Hand.objects.order_by("pk")
        assert [hand.number for hand in hands] == [*range(1, (again + 1) * HANDS + 1)]
        makers = [hand.record["contract"]["seat"] for hand in hands]
        assert makers == [number % 4 for number in range(1, HANDS + 1)] * (again + 1)
    assert phone.evaluate(KEPT) == []


def test_f13_control_a_site_that_knows_no_ids_never_gets_to_say_saved(phone, monkeypatch):
    monkeypatch.setattr(GameLog, "sent_as", lambda book, client_id: None)
    monkeypatch.setattr(record, "_refuse_number", lambda *args: None)
    record_hand = entry.record_hand
    monkeypatch.setattr(
        entry, "record_hand", lambda *a, **k: record_hand(*a, **{**k, "confirm_unlikely": True})
    )
    lost = []

    def lose_the_answer(route):
        if lost:
            return route.fallback()
        lost.append(route.fetch(max_redirects=0))
        return route.abort()

    phone.route("**/hand", lose_the_answer)
    with phone.expect_response(lambda answer: answer.status == 500):
        tap(phone, 0)
    status(phone, "Waiting (1)")
    assert Hand.objects.count() == 1
