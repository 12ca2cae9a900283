"""What waits in the phone and cannot be stored as it is: both sides shown, and a choice made."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.play.actions import correct_hand
from league.play.models import Hand
from league.seating.models import Table
from tests.builders import TEST, a_game_table
from tests.journeys.at_the_table import open_table
from tests.journeys.test_offline import KEPT, status, stored, tap
from tests.play.hands import write, write_records

pytestmark = pytest.mark.django_db(transaction=True)
TROUBLE = "#queue .trouble"


def made_by(seat):
    """A hand as the page records it."""
    return {"contract": {"seat": seat}, "outcome": "made"}


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def clashing(open_page, table):
    """A phone back online with two hands, the first of which another phone has entered."""
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    tap(page, 0)
    status(page, "Waiting (1)")
    tap(page, 1)
    status(page, "Waiting (2)")
    write_records(table, {"contract": {"seat": 3}, "outcome": "march"})
    page.context.set_offline(False)
    status(page, "Needs attention")
    return page


def choose(page, words):
    page.locator(TROUBLE).get_by_role("button", name=words).click()


def edit_mine(page, maker=0):
    """Open my hand again: the answers stand in the form once what was on its way has arrived."""
    choose(page, "Edit mine")
    expect(page.locator(f"#hand [name=maker][value='{maker}']")).to_be_checked()


def test_both_hands_stand_side_by_side_and_nothing_is_sent_past_them_until_mine_is_dropped(
    clashing, axe
):
    trouble = clashing.locator(TROUBLE)
    expect(trouble).to_contain_text("Someone else entered hand 1")
    expect(trouble.locator("[data-mine]")).to_contain_text("Rose: made · Rose & Ted +1")
    expect(trouble.locator("[data-theirs]")).to_contain_text("Bill: march · Ann & Bill +2")
    expect(clashing.locator("#sync [data-when=attention] svg")).to_be_visible()
    assert Hand.objects.count() == 1
    assert len(clashing.evaluate(KEPT)) == 2
    expect(clashing.locator("[data-while-waiting]")).to_be_hidden()  # it is the clash that waits
    expect(clashing.locator(".score-number")).to_have_text(["0", "2"])  # as the club has it
    expect(clashing.locator("#score[data-counted]")).to_have_count(0)
    axe(clashing)
    clashing.reload()  # and there it still is
    status(clashing, "Needs attention")
    expect(clashing.locator("[data-theirs]")).to_contain_text("Bill: march")
    assert len(clashing.evaluate(KEPT)) == 2
    choose(clashing, "Keep theirs")
    status(clashing, "Saved")
    assert stored() == [(1, 0, 3), (2, 1, 1)]


def test_mine_replaces_theirs_as_a_correction_unless_it_is_too_late_and_then_nothing_is_lost(
    clashing,
):
    choose(clashing, "Use mine instead")
    expect(clashing.locator(TROUBLE)).to_contain_text("time for corrections is over")
    assert len(clashing.evaluate(KEPT)) == 2
    Hand.objects.update(entered_at=timezone.now())
    choose(clashing, "Use mine instead")
    status(clashing, "Saved")
    assert stored() == [(1, 0, 0), (2, 1, 1)]
    assert Hand.objects.get(number=1, current=True).reason == "Entered differently on two phones"
    expect(clashing.locator(".score-number")).to_have_text(["1", "1"])


def test_mine_can_be_sent_as_the_next_hand_and_the_rest_and_the_deal_move_on(clashing):
    choose(clashing, "Both were played – add mine as hand 2")
    status(clashing, "Saved")
    assert stored() == [(1, 0, 3), (2, 1, 0), (3, 2, 1)]
    assert not Hand.objects.filter(out_of_turn=True).exists()


def test_a_hand_dealt_out_of_turn_is_asked_about(open_page, table):
    write(table, (0, 3))
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    page.locator("#hand details.more > summary").first.click()
    page.locator("#hand label:has([name=dealer][value='3'])").click()
    tap(page, 1)
    status(page, "Waiting (1)")
    page.context.set_offline(False)
    status(page, "Needs attention")
    expect(page.locator(TROUBLE)).to_contain_text("Is this right?")
    expect(page.get_by_role("button", name="Remove mine")).to_be_visible()  # no other here
    choose(page, "Yes, save it")
    status(page, "Saved")
    assert stored() == [(1, 0, 0), (2, 3, 1)]


def test_mine_can_be_opened_again_and_is_saved_as_the_bar_says_or_waits_where_it_is_too_late(
    clashing,
):
    edit_mine(clashing)
    expect(clashing.locator("#hand [name=number]")).to_have_value("1")
    expect(clashing.locator(".score-bar > span").first).to_contain_text("hand 1")
    expect(clashing.locator("#preview")).to_contain_text("The score is then 1 – 0")
    tap(clashing, 2, "march")
    expect(clashing.locator(TROUBLE)).to_contain_text("time for corrections is over")
    expect(clashing.locator(f"{TROUBLE} [data-mine]")).to_contain_text("Ted · 5 march")
    assert stored() == [(1, 0, 3)]
    Hand.objects.update(entered_at=timezone.now())
    edit_mine(clashing, 2)
    clashing.locator("[data-save]").click()
    status(clashing, "Saved")
    assert stored() == [(1, 0, 2), (2, 1, 1)]
    assert Hand.objects.get(number=1, current=True).reason == "Entered differently on two phones"


def test_the_form_is_empty_where_mine_was_opened_again_and_then_something_else_chosen(
    open_page, table
):
    page = open_page("phone")
    open_table(page, table)
    for words, after in (("Keep theirs", 2), ("Both were played – add mine as hand 3", 4)):
        write(table, (3, 5))
        tap(page, 0)
        edit_mine(page)
        choose(page, words)
        status(page, "Saved")
        expect(page.locator("#hand [name=maker]:checked")).to_have_count(0)
        expect(page.locator("#hand [name=number]")).to_have_value(str(after))


def test_a_clash_online_is_shown_too_and_left_by_another_form_and_an_equal_hand_is_the_same(
    open_page, table
):
    page = open_page("phone")
    open_table(page, table)
    write_records(table, {"contract": {"seat": 3}, "outcome": "march"})
    tap(page, 0)
    status(page, "Needs attention")
    expect(page.locator("[data-theirs]")).to_contain_text("Bill: march")
    edit_mine(page)
    page.get_by_role("button", name="Call the organiser").click()
    expect(page.get_by_role("button", name="Cancel the call")).to_be_visible()
    expect(page.locator(f"{TROUBLE} [data-mine]")).to_contain_text("Rose: made")
    status(page, "Needs attention")
    assert page.locator("#hand [name=maker][value='0']").is_checked()
    assert page.locator("#hand [name=number]").input_value() == "1"
    tap(page, 3, "march")
    status(page, "Saved")
    assert stored() == [(1, 0, 3)]


def test_the_same_hand_from_two_phones_online_is_said_too_for_the_last_of_several(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    write_records(table, made_by(0))
    tap(page, 0)
    status(page, "Saved")
    already = page.locator(".toast")
    expect(already).to_contain_text("Someone else entered hand 1 the same way: Test, ")
    expect(already).to_contain_text("It counts once.")
    page.context.set_offline(True)
    for maker in (1, 2):
        tap(page, maker)
    status(page, "Waiting (2)")
    write_records(table, made_by(1), made_by(2))
    page.context.set_offline(False)
    status(page, "Saved")
    expect(already).to_contain_text("Someone else entered hand 3 the same way: Test, ")
    assert Hand.objects.count() == 3


def test_a_hand_that_the_rules_refuse_waits_to_be_mended(open_page, axe):
    table = a_game_table(slug="stuck", stick_the_dealer=True)
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    page.locator("#hand details.more > summary").first.click()
    page.locator("#hand [name=auction]").fill("pass, pass")
    tap(page, 1)
    status(page, "Waiting (1)")
    page.context.set_offline(False)
    status(page, "Needs attention")
    axe(page)
    edit_mine(page, 1)
    page.locator("#hand [name=auction]").fill("")
    page.locator("[data-save]").click()
    status(page, "Saved")
    assert stored() == [(1, 0, 1)]


def test_after_the_end_of_the_game_a_waiting_hand_is_told_and_dropped_by_choice(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    tap(page, 0)
    status(page, "Waiting (1)")
    write(table, *[(0, 5)] * 5)
    Hand.objects.filter(number=1).update(record={"dealer": 0, "contract": None})
    page.context.set_offline(False)
    status(page, "Needs attention")
    assert Hand.objects.count() == 5
    choose(page, "Keep theirs")
    expect(page.locator("#queue")).to_be_hidden()
    assert page.evaluate(KEPT) == []


def test_a_revoked_code_keeps_the_hands_and_says_so(open_page, table, axe):
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    tap(page, 0)
    status(page, "Waiting (1)")
    Table.objects.filter(pk=table.pk).update(link_version=table.link_version + 1)
    page.context.set_offline(False)
    status(page, "Needs attention")
    expect(page.locator(TROUBLE)).to_contain_text("Your hands are saved on this phone")
    axe(page)
    page.reload()
    expect(page.locator("main")).to_contain_text("1 hand is saved on this phone")
    axe(page)
    assert not Hand.objects.exists()
    table.refresh_from_db()
    open_table(page, table)
    status(page, "Saved")
    assert stored() == [(1, 0, 0)]


def test_a_phone_says_that_another_has_changed_its_last_hand(open_page, table, axe):
    page = open_page("phone")
    open_table(page, table)
    tap(page, 0)
    expect(page.locator("#last-hand")).to_contain_text("Rose: made")
    correct_hand(
        table,
        1,
        {"dealer": 0, "contract": {"seat": 1}, "outcome": "made"},
        reason="Entered differently on two phones",
        expected_version=1,
        client_id="other-phone",
        by=TEST,
        at=timezone.now(),
    )
    said = page.locator("#messages")
    expect(said).to_contain_text(
        "Hand 1 was changed on another phone: it was “Rose: made”, now “Ann: made”."
    )
    axe(page)
    page.reload()  # from now on it is known
    expect(said).to_be_empty()
