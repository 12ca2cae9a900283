"""Phones that press at the same instant, on a real database file with real threads."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from unittest.mock import patch

import pytest
from django.db import IntegrityError, OperationalError, connection

from league.errors import Refused
from league.play.actions import correct_hand, record, record_hand, undo_last_hand
from league.play.game_log import open_game_log
from league.play.models import Game, Hand
from league.play.recount import differences, with_everything
from league.seating.models import Table
from tests.builders import EIGHT, TEST, a_game_table, game_at
from tests.play.hands import log_of, made, write

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*orders):
    """Run the orders in threads that begin together: what each answered, or was refused with."""
    barrier = Barrier(len(orders))

    def run(order):
        try:
            barrier.wait(timeout=20)
            return order()
        except Refused as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(orders)) as threads:
        return list(threads.map(run, orders))


def fresh(table):
    """The table as another phone's request would load it."""
    return Table.objects.select_related("session__club", "ruleset").get(pk=table.pk)


def entering(table, client_id, tricks=3, number=1, dealer=0):
    def order():
        return record_hand(
            fresh(table),
            made(0, tricks, dealer),
            client_id=client_id,
            number=number,
            by=TEST,
            at=EIGHT,
        )

    return order


def outcome(answer):
    return answer.code if isinstance(answer, Refused) else "saved"


def equal_to_a_recount():
    return [found.what for found in differences(with_everything(Game.objects.all()))] == []


@pytest.fixture
def table():
    return a_game_table()


def test_the_same_hand_sent_ten_times_at_once_is_one_hand_and_ten_successes(table):
    answers = at_once(*[entering(table, "one-and-same")] * 10)
    assert Counter(map(outcome, answers)) == {"saved": 10}
    assert Hand.objects.count() == 1
    assert len({hand.pk for hand in answers}) == 1
    assert equal_to_a_recount()


def test_two_phones_with_different_hands_are_one_success_and_one_clash(table):
    for number in range(1, 6):
        dealer = (number - 1) % 4
        answers = at_once(
            entering(table, f"phone-a-{number}", 3, number, dealer),
            entering(table, f"phone-b-{number}", 4, number, dealer),
        )
        assert Counter(map(outcome, answers)) == {"saved": 1, "hand-there": 1}
        saved = next(answer for answer in answers if not isinstance(answer, Refused))
        assert Hand.objects.get(number=number).record == saved.record
    assert equal_to_a_recount()


def test_a_correction_that_races_the_next_hand_loses_neither(table):
    write(table, (0, 5))
    for number in range(2, 6):
        version = Hand.objects.get(number=1, current=True).version
        tricks = 3 if version % 2 else 5

        def correcting(version=version, tricks=tricks):
            return correct_hand(
                fresh(table),
                1,
                made(0, tricks),
                reason="counted again",
                expected_version=version,
                client_id=f"correct-{version:03}",
                by=TEST,
                at=EIGHT,
            )

        dealer = (number - 1) % 4
        answers = at_once(correcting, entering(table, f"next-{number:04}", 3, number, dealer))
        assert Counter(map(outcome, answers)) == {"saved": 2}
        assert equal_to_a_recount()
    versions = Hand.objects.filter(number=1).order_by("version").values_list("version", "current")
    assert list(versions) == [(1, False), (2, False), (3, False), (4, False), (5, True)]


def test_two_corrections_of_one_version_are_one_success_and_one_told_that_it_is_stale(table):
    write(table, (0, 5))

    def correcting(tricks):
        return lambda: correct_hand(
            fresh(table),
            1,
            made(0, tricks),
            reason="counted again",
            expected_version=1,
            client_id=f"correct-{tricks}",
            by=TEST,
            at=EIGHT,
        )

    answers = at_once(correcting(3), correcting(2))
    assert Counter(map(outcome, answers)) == {"saved": 1, "stale": 1}
    assert equal_to_a_recount()


def test_undo_pressed_on_two_phones_at_once_takes_back_one_hand(table):
    write(table, (0, 5), (1, 5))

    def undoing():
        return undo_last_hand(fresh(table), number=2, version=1, by=TEST, at=EIGHT)

    answers = at_once(undoing, undoing)
    assert Counter(map(outcome, answers)) == {"saved": 2}
    assert log_of(table).next_number == 2
    assert equal_to_a_recount()


@contextmanager
def without_the_lock():
    """The control: the same orders, with nothing locked and a wait where the race would be."""
    gate = Barrier(2)

    def open_at_once(table, *, open_only=True):
        game_at(table)
        log = open_game_log(table)
        gate.wait(timeout=20)
        return log

    atomic = record.record_hand.__wrapped__
    with patch.object(record, "lock_game_log", open_at_once):
        yield atomic


def test_control_without_the_lock_the_two_phones_do_collide(table):
    """Only the database's own constraint is left to stop the second hand: the race is real."""
    game_at(table)
    with without_the_lock() as unlocked:

        def entering_unlocked(client_id, tricks):
            def order():
                try:
                    return unlocked(
                        fresh(table),
                        made(0, tricks),
                        client_id=client_id,
                        number=1,
                        by=TEST,
                        at=EIGHT,
                    )
                except (IntegrityError, OperationalError) as collision:
                    return Refused("collision", str(collision))

            return order

        answers = at_once(entering_unlocked("phone-a-1", 3), entering_unlocked("phone-b-1", 4))
    assert Counter(map(outcome, answers)) == {"saved": 1, "collision": 1}
