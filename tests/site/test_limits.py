"""The limiter counts every try once, whoever else counts at the moment, and stays small."""

import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
import time_machine
from django.db import connection
from django.test import RequestFactory

from league import limits
from league.errors import Refused
from league.limits import Limit, add, counted, forget, give_back, network, refuse_over, wait_for
from league.members.models import LimitCount
from tests.builders import EIGHT

pytestmark = pytest.mark.django_db
THREE = Limit(most=3, within=60)
SLOWED = Limit(most=3, within=3600, wait=2, longest=10)


@pytest.fixture
def clock():
    with time_machine.travel(EIGHT, tick=False) as clock:
        yield clock


def test_a_limit_allows_so_many_tries_and_says_how_long_the_next_has_to_wait(clock):
    assert [wait_for("a", THREE) for _ in range(3)] == [0, 0, 0]
    clock.shift(20)
    assert [wait_for("a", THREE), wait_for("b", THREE)] == [40, 0]
    clock.shift(40)
    assert [wait_for("a", THREE), counted("a")] == [0, 1]


def test_a_refused_try_is_not_counted(clock):
    for _ in range(9):
        wait_for("a", THREE)
    assert counted("a") == 3


def test_with_a_wait_tries_are_slowed_down_more_and_more_and_never_shut_out(clock):
    waits = []
    for _ in range(8):
        assert wait_for("a", SLOWED) == 0
        waits.append(wait_for("a", SLOWED) if counted("a") >= 3 else 0)
        clock.shift(waits[-1])
    assert waits == [0, 0, 2, 4, 8, 10, 10, 10]


@pytest.mark.parametrize("limit", [THREE, SLOWED, Limit(1, 9, 1, 1), Limit(2, 9, 3, 1000)])
def test_python_and_the_database_reckon_the_same_waits(clock, limit):
    now = int(EIGHT.timestamp())
    for tries in range(1, 40):
        limits._counted("a", limit, 1, always=True)
        row = LimitCount.objects.get()
        assert (row.counted, row.opens_at) == (tries, now + limit.wait_after(tries))


def test_a_refusal_says_in_words_and_in_seconds_when_to_try_again(clock):
    long = Limit(most=1, within=600)
    for limit, words in ((THREE, "in 60 seconds."), (long, "in 10 minutes.")):
        for _ in range(limit.most):
            refuse_over(words, limit)
        with pytest.raises(Refused, match=f"Too many of them. Try again {words}") as refused:
            refuse_over(words, limit, "Too many of them.")
        assert refused.value.status == 429
        assert refused.value.details == {"retry_after": limit.within}


def test_a_try_that_is_given_back_was_not_counted(clock):
    for _ in range(3):
        wait_for("a", THREE)
    give_back("a")
    assert [wait_for("a", THREE), wait_for("a", THREE)] == [0, 60]
    forget("a")
    give_back("a")
    assert counted("a") == 0


@pytest.mark.django_db(transaction=True)
def test_tries_counted_at_once_are_all_counted():
    def counting():
        try:
            for _ in range(25):
                add("a", 600)
        finally:
            connection.close()

    at_once(counting, 6)
    assert counted("a") == 6 * 25


@pytest.mark.django_db(transaction=True)
def test_at_once_control_a_counter_that_reads_and_then_writes_loses_tries():
    add("a", 600)
    here = Barrier(6)

    def counting():
        try:
            row = LimitCount.objects.get()
            here.wait()
            row.counted += 1
            row.save()
        finally:
            connection.close()

    at_once(counting, 6)
    assert counted("a") < 1 + 6


@pytest.mark.django_db(transaction=True)
def test_of_tries_at_once_no_more_are_allowed_than_the_limit_says():
    allowed, here = [], Barrier(6)

    def trying():
        try:
            here.wait()
            allowed.extend(wait_for("a", Limit(20, 600)) == 0 for _ in range(10))
        finally:
            connection.close()

    at_once(trying, 6)
    assert sum(allowed) == 20


@pytest.mark.django_db(transaction=True)
def test_at_once_control_a_limiter_that_looks_and_then_counts_allows_more():
    allowed, here = [], Barrier(6)
    for _ in range(19):
        add("a", 600)

    def trying():
        try:
            free = counted("a") < 20
            here.wait()
            allowed.append(free)
            add("a", 600)
        finally:
            connection.close()

    at_once(trying, 6)
    assert sum(allowed) > 1


def at_once(work, times):
    threads = [Thread(target=work) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_counts_whose_time_is_over_are_removed(clock):
    add("long ago", 60)
    add("still", 3600)
    clock.shift(timedelta(minutes=5))
    limits.sweep()
    assert LimitCount.objects.count() == 1
    assert counted("still") == 1


def test_a_flood_of_keys_neither_fills_the_database_nor_pushes_out_what_is_tried(
    clock, monkeypatch
):
    monkeypatch.setattr(limits, "MOST_ROWS", 200)
    while wait_for("guessed", THREE) == 0:
        pass
    for number in range(1000):
        wait_for(f"flood {number}", THREE)
    assert LimitCount.objects.count() <= 200 + limits.SWEEP_EVERY
    assert wait_for("guessed", THREE) == 60


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.7:4711", "192.0.2.7"),
        ("[2001:db8:1:2::1]:4711", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_an_address_is_an_ipv4_address_or_the_64_of_an_ipv6_one(address, counts_as):
    assert network(address) == counts_as


def test_what_a_client_says_of_its_address_and_ours_is_not_believed():
    request = RequestFactory().get(
        "/", REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR="10.1.1.1", HTTP_HOST="localhost:99"
    )
    assert limits.network_of(request) == "192.0.2.7"


def test_the_table_of_counts_holds_no_names_and_no_addresses():
    add("wrong:olive@club.example:192.0.2.7", 60)
    assert re.fullmatch("[0-9a-f]{64}", LimitCount.objects.get().name)
