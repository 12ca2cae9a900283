"""Every phone is a second copy: what a restored server has lost comes back, in order and once."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.members.models import AuditEntry
from league.play.actions import correct_hand, recount_table
from league.play.models import Game, Hand
from league.play.returned_hands import returned_tables
from tests.builders import TEST, a_game_table
from tests.journeys.at_the_table import open_table, tap_hand
from tests.journeys.test_offline_reload import until

pytestmark = pytest.mark.django_db(transaction=True)

FORGET_COPIES = """async () => {
    const { copies, dropCopies } = await import('/static/js/queue-store.js');
    await dropCopies((await copies()).map(({ id }) => id));
}"""
COPIES = """async () => {
    const { copies } = await import('/static/js/queue-store.js');
    return await copies();
}"""

HAS_COPIES = """async (count) => {
    const { copies } = await import('/static/js/queue-store.js');
    return (await copies()).length === Number(count);
}"""


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(open_page, table):
    """A phone whose four hands the server has acknowledged."""
    page = open_page("phone")
    open_table(page, table)
    for maker in (0, 1, 2, 3):
        tap_hand(page, maker, outcome="made")
    return page


def restore_to(table, number):
    """The server as it was after this hand: what came later it has never seen."""
    Hand.objects.filter(number__gt=number).delete()
    recount_table(table, at=timezone.now())


def stored():
    hands = Hand.objects.filter(current=True).order_by("number")
    return [(hand.number, hand.record["contract"]["seat"]) for hand in hands]


def test_lost_hands_come_back_by_themselves_in_order_and_once_and_only_from_copies_without_names(
    phone, table
):
    kept = phone.evaluate(COPIES)
    assert len(kept) == 4
    assert {*kept[0]} == {
        *("id", "table", "session", "number", "people", "fields", "receipt", "at")
    }
    assert not any(name in str(kept) for name in ("Rose", "Ann", "Ted", "Bill"))
    before = [(hand.client_id, hand.record) for hand in Hand.objects.order_by("number")]
    restore_to(table, 1)
    phone.reload()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 4")
    expect(phone.locator("#sync")).to_have_text("Saved")
    assert [(h.client_id, h.record) for h in Hand.objects.order_by("number")] == before
    came = AuditEntry.objects.filter(action="record hand", new__came_back=True)
    assert came.count() == 3
    phone.reload()
    expect(phone.locator("body[data-queue-read]")).to_have_count(1)
    assert stored() == [(1, 0), (2, 1), (3, 2), (4, 3)]

    # As after a round is published, when a backup is made: no game is stored there yet.
    Game.objects.all().delete()
    phone.reload()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 4")
    assert stored() == [(1, 0), (2, 1), (3, 2), (4, 3)]

    phone.evaluate(FORGET_COPIES)  # nothing else brings them back
    restore_to(table, 1)
    phone.reload()
    expect(phone.locator("body[data-queue-read]")).to_have_count(1)
    expect(phone.locator("#last-hand")).to_contain_text("Hand 1")
    assert stored() == [(1, 0)]


def test_a_table_that_is_not_in_the_backup_is_reported_by_its_phone(phone, table, settings):
    settings.LAPTOP = "club"
    table.delete()
    phone.reload()
    expect(phone.locator("[data-noted]")).to_contain_text("The organiser can see its hands")
    (lost,) = returned_tables(at=timezone.now())
    assert [hand.number for hand in lost.hands] == [1, 2, 3, 4]
    assert lost.names == ["Rose", "Ann", "Ted", "Bill"]


def test_a_hand_that_the_page_calls_saved_is_a_copy_already(open_page, table):
    """The laptop may be gone before the phone has loaded the script that looks after copies."""
    page = open_page("phone")
    page.route("**/second-copy*.js", lambda route: route.abort())
    open_table(page, table)
    page.locator("body[data-queue-read]").wait_for()
    tap_hand(page, 0, outcome="made")
    (copy,) = page.evaluate(COPIES)
    assert (copy["fields"]["number"], bool(copy["receipt"])) == ("1", True)


def test_a_phone_that_goes_on_with_the_next_hand_brings_those_before_it(phone, table):
    restore_to(table, 2)
    phone.locator("#hand label:has(input[name=maker][value='0'])").first.click()
    phone.locator("#hand label:has(input[name=outcome][value=made])").click()
    phone.locator("[data-save]").click()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 5")
    assert stored() == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 0)]


def test_a_hand_whose_correction_is_lost_comes_back_as_it_was_entered(phone, table):
    """Without it those after it could not be entered either."""
    hand = Hand.objects.get(number=3)
    corrected = {**hand.record, "outcome": "march"}
    correct_hand(table, 3, corrected, reason="Misread", expected_version=1, client_id="corrected-3",
                 as_organiser=True, by=TEST, at=timezone.now())  # fmt: skip
    phone.reload()
    tap_hand(phone, 0, outcome="made")
    until(phone, HAS_COPIES, "5")
    restore_to(table, 1)
    phone.reload()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 5")
    assert stored() == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 0)]
    assert Hand.objects.get(number=3).outcome == "made"


def test_a_hand_that_was_undone_does_not_come_back(phone, table):
    phone.locator("#last-hand button", has_text="Undo").click()
    expect(phone.locator("[data-undone]")).to_contain_text("Hand 4 undone")
    until(phone, HAS_COPIES, "3")
    restore_to(table, 2)
    phone.reload()
    expect(phone.locator("#last-hand")).to_contain_text("Hand 3")
    assert stored() == [(1, 0), (2, 1), (3, 2)]
