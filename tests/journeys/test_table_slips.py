"""Slips of the thumb at the table, and what happens elsewhere while its phone lies there."""

import re

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import expect

from league.members.models import Member
from league.play.actions import call_time, dispute_game, settle_game
from league.play.models import Hand
from league.seating.actions import answer_call, substitute
from league.seating.models import Round, Seat, Table
from league.sessions.actions import start_clock, stop_clock
from league.sessions.attendance import arrive
from league.sessions.models import Session
from tests.builders import EIGHT, TEST, a_game_table, members_of
from tests.journeys.at_the_table import look_again, open_table, score_shown, tap_hand
from tests.journeys.test_table_phone import UNDER_THE_BAR
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return a_game_table()


def test_a_second_tap_on_save_does_nothing_and_another_phone_s_hand_is_shown_by_itself(
    open_page, table
):
    page = open_page("phone")
    open_table(page, table)
    expect(page.locator("[data-save]")).to_be_disabled()
    tap_hand(page, 0, outcome="made")
    page.wait_for_timeout(350)
    page.locator("[data-save]").click(force=True)
    page.wait_for_timeout(500)
    expect(page.locator("#sync")).to_have_text("Saved")
    expect(page.locator(".notice.bad")).to_have_count(0)
    assert Hand.objects.count() == 1
    write(table, (0, 5))
    expect(page.locator("#last-hand")).to_contain_text("Hand 2")
    assert score_shown(page) == [3, 0]


def test_two_quick_taps_on_undo_take_back_one_hand_that_can_be_put_back(open_page, table, axe):
    write(table, (0, 3), (1, 5), (0, 4), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-undone]")).to_contain_text("Hand 3 undone")
    for button in page.locator("#last-hand button, [data-undone] button").all():
        button.dispatch_event("click")  # a quick second tap, wherever the thumb is
    page.wait_for_timeout(500)
    assert Hand.objects.filter(current=True).count() == 2
    axe(page)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#last-hand")).to_contain_text("Hand 3")
    expect(page.locator("#messages")).to_contain_text("Hand 3 is back.")
    assert score_shown(page) == [2, 2]
    assert Hand.objects.filter(current=True).count() == 3


def test_a_substitute_is_shown_by_itself(open_page, table):
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    substitute(table, 1, kit, by=TEST)
    look_again(page)
    expect(page.locator("#hand")).to_contain_text("Kit")
    expect(page.locator(".newcomer")).to_contain_text("plays from hand 2.")
    expect(page.locator(".newcomer")).to_contain_text("Kit")
    tap_hand(page, 0, outcome="made")
    expect(page.locator(".newcomer")).to_have_count(0)


def test_that_the_players_of_a_disputed_game_play_on_is_said(open_page, table):
    now = timezone.now()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (0, 3), at=now)
    call_time(table, by=TEST, at=now)
    dispute_game(table, reason="It is only nine", by=TEST, at=now)
    page = open_page("phone")
    open_table(page, table)
    expect(page.locator(".end-head")).to_contain_text("disputed")
    settle_game(table, "play_on", reason="Heard both sides", by=TEST, at=now)
    look_again(page)
    expect(page.locator("#hand")).to_be_visible()
    said = "decided: “Heard both sides”. Play on: 1\u2009–\u20090."
    expect(page.locator("#messages")).to_contain_text(said)
    expect(page.locator("[data-toast]")).to_be_empty()


def test_an_organiser_called_leaves_the_keys_in_their_place_and_when_the_round_ends_in_sight(
    open_page,
):
    table = a_game_table("nanaimo-four-handed-standard")  # a long name, as most games have
    write(table, (0, 3), at=timezone.now())
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=100)
    page = open_page("small phone")
    open_table(page, table)
    head, before = page.locator("#score"), page.locator("#hand").bounding_box()["y"]
    expect(head).to_contain_text("Round until")
    page.get_by_role("button", name="Call the organiser").click()
    expect(head).to_contain_text("Organiser called")
    expect(head.locator("time")).to_contain_text("Round until")
    assert page.locator("#hand").bounding_box()["y"] == before
    table.refresh_from_db()
    answer_call(table, by=TEST, at=timezone.now())
    look_again(page)
    expect(head).to_contain_text("Organiser coming")
    expect(head.locator("time")).to_contain_text("Round until")
    assert page.locator("#hand").bounding_box()["y"] == before
    stop_clock(table.session, by=TEST)
    look_again(page)
    expect(head).not_to_contain_text("Round until")
    expect(head).to_contain_text("Organiser coming")
    page.get_by_role("button", name="Cancel the call").click()
    expect(head).not_to_contain_text("Organiser")


def test_while_a_hand_is_deleted_nothing_else_can_be_saved(open_page, table):
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.goto(f"{page.url}hands/1")
    assert page.locator(".score-bar").bounding_box()["height"] >= 44
    expect(page.locator("[data-save]")).to_be_visible()
    page.locator("summary", has_text="Delete this hand").click()
    expect(page.locator("[data-save]")).to_be_hidden()


def test_the_next_game_is_shown_by_itself_with_who_sits_here_and_who_deals(open_page, table, axe):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    expect(page.locator(".end-head")).to_contain_text("Rose & Ted won")
    page.get_by_role("link", name="Standings").click()
    expect(page.locator("main")).to_contain_text("Rose")
    axe(page)
    page.go_back()
    page.locator(".game-menu > summary").click()  # somebody looks whether the score is wrong
    seated_again(table)
    look_again(page)
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator("#messages")).to_contain_text(
        "Now at table 1: Bill & Ann – Ted & Rose. Bill deals first."
    )
    assert "Where everyone plays next" not in page.locator("#messages").text_content()
    assert table.public_id not in page.url
    assert page.evaluate(UNDER_THE_BAR) == []


def test_a_phone_that_goes_on_at_its_table_says_in_its_width_where_the_others_go(open_page, table):
    for name in ("Rose", "Ann"):
        long_name = f"{name} Bartholomew-Featherstonehaugh"
        table.session.club.members.filter(name=name).update(name=long_name)
    write(table, *[(0, 5)] * 5)
    page = open_page("phone")
    open_table(page, table)
    seated_again(table, number=3)
    seat_others_at(table)
    look_again(page)
    expect(page.locator("#messages")).to_contain_text(
        re.compile("Where everyone plays next: Rose .*, table 3 · Ann .*, table 3")
    )
    expect(page.locator("#messages .one-line")).to_have_count(0)  # nobody has to tap to read it
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_phone_opened_after_the_game_says_where_everyone_plays_next(open_page, table):
    write(table, *[(0, 5)] * 5)
    seated_again(table, number=3)
    page = open_page("phone")
    open_table(page, table)
    places = page.get_by_role("listitem")
    expect(places.filter(has_text="Rose")).to_contain_text("Table 3")


def seat_others_at(table):
    """Four other people at this table's number, in the latest round."""
    club = table.session.club
    others = [Member.objects.create(club=club, name=name) for name in ("Una", "Vic", "Wes", "Xia")]
    next_table = Table.objects.create(
        session=table.session, round=Round.objects.latest("pk"), number=table.number, players=4,
        is_live=True, ruleset=table.ruleset,
    )  # fmt: skip
    for position, member in enumerate(others):
        Seat.objects.create(
            session=table.session, table=next_table, position=position, member=member, seated=True
        )
    Session.objects.filter(pk=table.session_id).update(revision=F("revision") + 1)


def seated_again(table, number=1):
    """The same people at a table of the next round, Bill where Rose sat."""
    session = table.session
    people = [seat.member for seat in table.seats.order_by("-position")]
    with transaction.atomic():
        table.seats.update(seated=False)
        Table.objects.filter(pk=table.pk).update(is_live=False)
        round_ = Round.objects.create(session=session, number=2, state="published", seed=2)
        again = Table.objects.create(
            session=session, round=round_, number=number, players=4, is_live=True,
            ruleset=table.ruleset,
        )  # fmt: skip
        for position, member in enumerate(people):
            Seat.objects.create(
                session=session, table=again, position=position, member=member, seated=True
            )
        Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)


def test_a_key_held_while_another_phone_s_hand_arrives_is_pressed_all_the_same(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.locator("#hand label:has(input[name=maker][value='2'])").hover()
    with page.expect_response("**/news*"):
        page.mouse.down()
        write(table, (0, 5))
        look_again(page)
    page.mouse.up()
    expect(page.locator("#news .notice")).to_be_visible()
    expect(page.locator("#hand [name=maker][value='2']")).to_be_checked()


def test_offline_the_score_goes_on_counting_to_the_end_of_the_game(open_page, table, axe):
    write(table, *[(0, 5)] * 4)
    page = open_page("phone")
    open_table(page, table)
    page.context.set_offline(True)
    for hand, (maker, outcome) in enumerate([(1, "march"), (0, "made"), (0, "made")], 1):
        page.locator(f"#hand label:has(input[name=maker][value='{maker}'])").first.click()
        page.locator(f"#hand label:has(input[name=outcome][value={outcome}])").click()
        won = "Ann & Bill +2" if maker else "Rose & Ted +1"
        expect(page.locator("#preview")).to_have_text(won)
        page.locator("[data-save]").click()
        expect(page.locator("#sync")).to_have_text(f"Waiting ({hand})")
        if hand == 1:
            expect(page.locator("#queue")).to_contain_text("not yet sent to the club's computer")
            assert score_shown(page) == [8, 2]
            expect(page.locator(".needs")).to_have_text(["needs 2", "needs 8"])
            expect(page.locator("#last-hand")).to_be_hidden()
            expect(page.locator("[data-save]")).to_be_disabled()
            expect(page.locator("#main > h1")).to_have_text("Table 1 · hand 6")
    assert score_shown(page) == [10, 2]
    expect(page.locator("#queue")).to_contain_text("3 hands waiting")
    expect(page.locator("#queue [data-reached]")).to_contain_text(
        "Rose & Ted won – not yet sent to the club's computer. Keep this phone here"
    )
    expect(page.locator("#queue")).to_be_focused()
    expect(page.locator("#main > h1")).to_have_text("Table 1 · hand 7")
    for part in ("#hand", "[data-save]"):  # no more hands in this game
        expect(page.locator(part)).to_be_hidden()
    page.locator("#queue").get_by_role("button", name="Undo").click()
    expect(page.locator("#hand")).to_be_visible()
    page.locator("#hand label:has(input[name=maker][value='0'])").first.click()
    page.locator("#hand label:has(input[name=outcome][value=made])").click()
    page.locator("[data-save]").click()
    expect(page.locator("#hand")).to_be_hidden()
    axe(page)
    page.context.set_offline(False)
    expect(page.locator(".end-head")).to_contain_text("Rose & Ted won")
    expect(page.locator("#queue")).to_be_hidden()


def test_rarer_things_answer_with_a_sentence(open_page, table):
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    for said, *menu in (
        ("Misdeal recorded", "Record misdeal"),
        ("Time called", "End the game: time called", "Yes, end the game now"),
    ):
        open_table(page, table)
        page.locator(".game-menu > summary").click()
        for words in menu:
            page.locator(".game-menu :is(button, summary)").filter(has_text=words).click()
        expect(page.locator("#messages")).to_contain_text(said)


def test_a_corrected_hand_is_said_to_be_once_there_is_a_network_to_send_it(open_page, table):
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.locator(".game-menu > summary").click()
    page.get_by_role("link", name="Correct hand 1").click()
    page.locator("label:has(input[name=tricks][value='5'])").click()
    page.locator("[data-save]").click()  # refused for want of a reason
    expect(page.locator("[role=alert]")).to_be_visible()
    expect(page.locator("label:has(input[name=tricks])")).to_have_count(6)
    expect(page.locator("#preview")).to_contain_text("Rose & Ted +2")
    page.get_by_role("button", name="Wrong tricks").click()
    expect(page.locator("#hand .errorlist, #hand [aria-invalid]")).to_have_count(0)
    page.context.set_offline(True)
    page.locator("[data-save]").click()
    expect(page.locator("[data-not-sent]")).to_contain_text("Not sent: no connection.")
    page.context.set_offline(False)
    page.locator("[data-save]").click()
    expect(page.locator("#messages")).to_contain_text("Hand 1 corrected.")
    changed = re.compile("1. Rose: march.*changed by .*: Wrong tricks", re.DOTALL)
    expect(page.locator(".game-menu li")).to_contain_text(changed)
    expect(page.locator(".game-menu li s")).to_have_text("Rose: made, 3 tricks")


def test_a_dispute_sent_without_a_network_stays_on_its_page(open_page, table):
    club = table.session.club
    club.confirm = club.Confirm.OPPONENT
    club.save()
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.get_by_role("link", name="Confirm or dispute as Ann & Bill").click()
    page.locator("summary", has_text="No, something is wrong").click()
    page.get_by_label("What is wrong?").fill("hand 2 was ours")
    page.context.set_offline(True)
    page.get_by_role("button", name="Dispute the result").click()
    expect(page.get_by_role("alert")).to_contain_text("Not sent: no connection.")
    expect(page.get_by_label("What is wrong?")).to_have_value("hand 2 was ours")
    page.context.set_offline(False)
    page.get_by_role("button", name="Dispute the result").click()
    expect(page.get_by_role("heading", name="This result is disputed")).to_be_visible()


def test_a_renege_is_saved_with_its_hand_only_once_its_payment_is_chosen(open_page, table):
    page = open_page("phone")
    open_table(page, table)
    page.locator("#hand label:has(input[name=maker][value='0'])").first.click()
    page.locator("#hand summary", has_text="Trump, up-card").click()
    page.locator("#hand summary", has_text="Renege in this hand").click()
    page.locator("label:has([name=renege_by][value='1'])").click()
    preview = page.locator("#preview")
    expect(preview).to_have_text("Choose how the renege is paid.")
    page.locator("[data-save]").click()
    missing = page.locator("#hand .errorlist")
    expect(missing).to_have_text("Choose how the renege is paid.")
    expect(missing).to_be_in_viewport()
    expect(page.locator("label:has([name=renege_form][value=deduct])")).to_be_in_viewport()
    page.locator("label:has([name=renege_form][value=deduct])").click()
    expect(preview).to_contain_text("Ann & Bill −2")
    page.locator("[data-save]").click()
    expect(page.locator("#last-hand")).to_contain_text("Renege by Ann")


def test_a_penalty_says_what_is_missing_until_it_is_there_and_conceding_who_does(open_page, table):
    write(table, (0, 3), at=timezone.now())
    page = open_page("phone")
    open_table(page, table)
    page.locator(".game-menu > summary").click()
    page.locator("label:has([name=by_seat][value='1'])").click()
    page.get_by_role("button", name="Apply penalty").click()
    missing = page.locator("[data-penalty] .errorlist")
    expect(missing).to_have_text("Choose how the renege is paid.")
    expect(missing).to_be_in_viewport()
    expect(page.locator("label:has([name=by_seat]:checked)")).to_be_in_viewport()
    page.locator("label:has([name=form][value=deduct])").click()
    expect(missing).to_have_count(0)
    expect(page.locator("[data-effect]")).to_contain_text("Ann & Bill −2")
    page.get_by_role("button", name="Concede", exact=True).click()
    expect(page.get_by_text("Choose a side.")).to_be_in_viewport()
    expect(page.get_by_text("Choose a side.")).to_have_count(1)
    expect(page.get_by_role("heading", name="Concede the game")).to_be_visible()
