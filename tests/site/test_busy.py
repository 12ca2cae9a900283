"""A database that cannot answer now: 503, when to try again, and the form kept."""

import errno

import pytest
from django.db import OperationalError, connection
from django.urls import reverse

from league.database import is_busy
from tests.builders import a_game_table
from tests.play.hands import log_of
from tests.play.test_entry_page import a_hand, at, come_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(client):
    client.raise_request_exception = False
    table = a_game_table()
    return come_in(client, table), table


def break_saving(monkeypatch, error):
    def broken(*args, **kwargs):
        raise error

    monkeypatch.setattr("league.play.views.entry.record_hand", broken)


def trouble():
    """An error of the moment on the database under test."""
    sqlite = connection.vendor == "sqlite"
    return OperationalError("database is locked" if sqlite else "terminating connection")


def test_a_hand_that_meets_a_busy_database_gets_503_and_its_form_back(phone, monkeypatch):
    client, table = phone
    break_saving(monkeypatch, trouble())
    answer = client.post(at("save_hand", table), a_hand(trump="h"))
    page = answer.content.decode()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert f'action="{at("save_hand", table)}"' in page
    assert '<input type="hidden" name="client_id" value="client-id-1">' in page
    assert '<input type="hidden" name="trump" value="h">' in page
    assert log_of(table) is None


def test_the_form_that_comes_back_saves_the_hand_once_the_database_answers(phone, monkeypatch):
    client, table = phone
    with monkeypatch.context() as busy:
        break_saving(busy, trouble())
        client.post(at("save_hand", table), a_hand())
    assert client.post(at("save_hand", table), a_hand()).status_code == 302
    assert len(log_of(table).hands) == 1


def test_a_mistake_of_ours_stays_a_500(phone, monkeypatch):
    client, table = phone
    break_saving(monkeypatch, ValueError("a mistake of ours"))
    assert client.post(at("save_hand", table), a_hand()).status_code == 500


@pytest.mark.sqlite
def test_a_query_that_cannot_be_right_is_no_trouble_of_the_moment():
    assert is_busy(OperationalError("database or disk is full"))
    assert is_busy(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_busy(OSError(errno.ENOENT, "No such file or directory"))
    assert not is_busy(OperationalError("no such column: league_hand.colour"))


def test_what_is_secret_is_not_written_into_the_page(client, monkeypatch):
    def broken(*args, **kwargs):
        raise trouble()

    monkeypatch.setattr("league.play.views.codes.read_code", broken)
    client.raise_request_exception = False
    answer = client.post(reverse("table_door"), {"code": "the-tables-own-secret"})
    assert answer.status_code == 503
    assert "the-tables-own-secret" not in answer.content.decode()
