"""Writing down hands: exactly once, in order, and never against the rules."""

import sys

import pytest

from league.errors import Refused
from league.members.models import AuditEntry
from league.play.actions import correct_hand, record_hand, redo_hand, undo_last_hand
from league.play.models import Game, Hand, Result
from league.sessions.models import Session
from tests.architecture.source import ROOT
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import log_of, made, passed_out, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return a_game_table()


def refused(code, *args, **kwargs):
    with pytest.raises(Refused) as caught:
        record_hand(*args, by=TEST, at=EIGHT, **kwargs)
    assert caught.value.code == code
    return caught.value


def test_a_hand_gives_the_makers_their_points_and_passes_the_deal(table):
    write(table, (2, 5))
    game = Game.objects.get()
    assert (game.score, game.hands_played, game.state) == ([2, 0], 1, "playing")
    assert log_of(table).state.next_dealer == 1


def test_a_hand_raises_the_revision_once_and_leaves_one_audit_entry(table):
    before = Session.objects.get().revision
    write(table, (2, 5))
    assert Session.objects.get().revision == before + 1
    assert AuditEntry.objects.filter(action="record hand").count() == 1


def test_the_same_client_id_again_answers_the_same_hand_and_writes_nothing(table):
    first = record_hand(table, made(), client_id="once-once", by=TEST, at=EIGHT)
    again = record_hand(table, made(), client_id="once-once", by=TEST, at=EIGHT)
    assert (again.pk, Hand.objects.count()) == (first.pk, 1)
    assert AuditEntry.objects.filter(action="record hand").count() == 1


def test_the_same_client_id_with_another_hand_is_refused(table):
    record_hand(table, made(), client_id="once-once", by=TEST, at=EIGHT)
    trouble = refused("same-id", table, made(tricks=5), client_id="once-once")
    assert (trouble.status, Hand.objects.count()) == (409, 1)


@pytest.mark.parametrize(("tricks", "same"), [(3, True), (5, False)])
def test_a_second_phone_is_told_who_entered_the_hand_when_and_whether_it_is_the_same(
    table, tricks, same
):
    write(table, (0, 3))
    trouble = refused("hand-there", table, made(tricks=tricks), client_id="other-phone", number=1)
    assert trouble.status == 409
    assert trouble.details["same"] is same
    assert trouble.message == (
        "Someone else entered hand 1 "
        + ("the same way" if same else "differently")
        + ": Test, just now (8 p.m.)."
    )


def test_a_hand_whose_forerunner_is_missing_is_refused(table):
    assert refused("hand-missing", table, made(), client_id="too-early", number=2).status == 409
    assert not Hand.objects.exists()


def test_an_impossible_hand_is_refused_at_its_field_in_the_players_names(table):
    wrong = made(tricks=3, outcome="march")
    trouble = refused("tricks-mismatch", table, wrong, client_id="impossible")
    assert list(trouble.fields) == ["outcome"]
    assert not Hand.objects.exists()


def test_an_unlikely_hand_is_saved_once_somebody_says_that_it_was_so(table):
    trouble = refused("unlikely", table, made(tricks=0), client_id="unlikely1")
    assert trouble.fields["confirm_unlikely"] == ["Rose made trump and took no trick."]
    hand = record_hand(
        table, made(tricks=0), client_id="unlikely1", by=TEST, at=EIGHT, confirm_unlikely=True
    )
    assert hand.points == [0, 2, 0, 2]


def test_a_dealer_out_of_turn_is_asked_about_and_then_kept(table):
    write(table, (0, 3))
    trouble = refused("unlikely", table, made(dealer=2), client_id="out-of-turn")
    assert trouble.fields["confirm_unlikely"] == ["It was Ann's deal, but Ted dealt."]
    record_hand(
        table, made(dealer=2), client_id="out-of-turn", by=TEST, at=EIGHT, confirm_unlikely=True
    )
    assert log_of(table).conflicts() == []
    assert log_of(table).state.next_dealer == 3


def test_who_deals_first_is_the_tables_to_say_and_nothing_is_asked(table):
    first = record_hand(table, made(dealer=2), client_id="first-hand", by=TEST, at=EIGHT)
    assert not first.out_of_turn
    assert log_of(table).state.next_dealer == 3
    correct_hand(
        table, 1, made(dealer=1), reason="Ann dealt", expected_version=1,
        client_id="corrected", by=TEST, at=EIGHT,
    )  # fmt: skip
    assert (Game.objects.get().first_dealer, log_of(table).state.next_dealer) == (1, 2)


def test_a_hand_passed_out_scores_nothing_and_passes_the_deal(table):
    record_hand(table, passed_out(), client_id="passed-out", by=TEST, at=EIGHT)
    assert Game.objects.get().score == [0, 0]
    assert log_of(table).state.next_dealer == 1


def test_a_hand_passed_out_is_refused_where_the_dealer_is_stuck():
    table = a_game_table(stick_the_dealer=True)
    refused("call-not-allowed", table, passed_out(), client_id="passed-out")


def test_a_game_that_has_been_won_takes_no_more_hands(table):
    write(table, *[(0, 5)] * 5)
    assert Game.objects.get().winners == [0, 2]
    trouble = refused("game-over", table, made(dealer=1), client_id="too-late1")
    assert (trouble.status, Hand.objects.count()) == (409, 5)


def test_undo_takes_back_the_last_hand_and_gives_its_number_again(table):
    write(table, (0, 5), (1, 5))
    undo_last_hand(table, by=TEST, at=EIGHT, number=2, version=1)
    assert Game.objects.get().score == [2, 0]
    again = record_hand(table, made(dealer=1), client_id="second-try", by=TEST, at=EIGHT)
    assert (again.number, again.version) == (2, 2)


def test_undo_pressed_twice_takes_back_one_hand(table):
    write(table, (0, 5), (1, 5))
    for _press in range(2):
        undo_last_hand(table, by=TEST, at=EIGHT, number=2, version=1)
    assert Game.objects.get().score == [2, 0]


def test_an_undone_hand_is_put_back_once_as_a_new_version(table):
    write(table, (0, 5), (1, 5))
    undo_last_hand(table, by=TEST, at=EIGHT, number=2, version=1)
    for _press in range(2):
        back = redo_hand(table, number=2, version=1, client_id="redo-0001", by=TEST, at=EIGHT)
    assert (back.number, back.version, Game.objects.get().score) == (2, 2, [2, 2])


def test_a_hand_is_not_put_back_where_another_took_its_place(table):
    write(table, (0, 5), (1, 5))
    undo_last_hand(table, by=TEST, at=EIGHT, number=2, version=1)
    record_hand(table, made(dealer=1), client_id="second-try", by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="entered hand"):
        redo_hand(table, number=2, version=1, client_id="redo-0001", by=TEST, at=EIGHT)


def test_undo_takes_back_the_hand_that_won_the_game(table):
    write(table, *[(0, 5)] * 5)
    undo_last_hand(table, by=TEST, at=EIGHT, number=5, version=1)
    game = Game.objects.get()
    assert (game.state, game.score, game.winners) == ("playing", [8, 0], [])
    assert not Result.objects.filter(finished=True).exists()


def test_a_hand_that_is_not_the_last_cannot_be_undone(table):
    write(table, (0, 5), (1, 5))
    with pytest.raises(Refused, match="no longer the last"):
        undo_last_hand(table, by=TEST, at=EIGHT, number=1, version=1)


def test_nothing_is_entered_once_the_session_is_closed(table):
    write(table, (0, 5))
    Session.objects.update(state="closed")
    assert refused("session-not-open", table, made(dealer=1), client_id="midnight1").status == 409


def test_points_that_a_client_sends_are_checked_and_never_trusted(table):
    wrong = made(points=[9, 0, 9, 0])
    refused("points-mismatch", table, wrong, client_id="greedy-one")


def test_three_players_score_each_for_themselves():
    table = a_game_table("nanaimo-three-handed", players=3)
    write(table, (0, 2))
    assert Game.objects.get().score == [0, 2, 2]


def test_nothing_is_entered_at_a_table_whose_people_have_moved_on(table):
    write(table, (0, 5))
    table.seats.update(seated=False)
    trouble = refused("table-ended", table, made(dealer=1), client_id="too-late1")
    assert (trouble.status, Hand.objects.count()) == (409, 1)


def test_a_saved_hand_passes_through_at_most_25_of_our_files(table):
    """Counted are the files of which a function runs; so few can be read in one sitting."""
    write(table, (2, 5))  # what is read once a process
    files = set()
    ours = (str(ROOT / "league"), str(ROOT / "scoring"))

    def note(frame, event, _argument):
        if event == "call" and frame.f_code.co_filename.startswith(ours):
            files.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        record_hand(table, made(dealer=1), client_id="followed", by=TEST, at=EIGHT)
    finally:
        sys.setprofile(None)
    assert 10 < len(files) <= 25
