"""A process writes only into a database of its own version, and says so when it is another."""

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.recorder import MigrationRecorder

from league import database
from league.members.audit import log_action
from league.members.models import Club
from league.play.actions import record
from league.play.models import Hand
from tests.builders import TEST, a_game_table
from tests.play.test_entry_page import a_hand, at, come_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_agreed(monkeypatch):
    monkeypatch.setattr(database, "_checked", {})


@pytest.fixture
def phone(client):
    client.raise_request_exception = False
    table = a_game_table()
    come_in(client, table)
    return lambda: client.post(at("save_hand", table), a_hand()).status_code


def migrated(app="league", name="9999_later"):
    MigrationRecorder(connection).record_applied(app, name)


def test_the_migrations_of_a_process_are_those_of_all_its_apps():
    apps = {app for app, _ in database.own_migrations()}
    assert {"league", "auth", "sessions", "account"} <= apps
    assert ("league", "0001_initial") in database.own_migrations()
    assert database.is_ours()


def test_a_hand_is_not_written_into_a_database_of_a_later_version(phone, client):
    assert client.get("/readyz").status_code == 200
    migrated()
    assert client.get("/readyz").status_code == 503
    assert phone() == 503
    assert not Hand.objects.exists()


def test_nor_into_one_that_is_not_migrated_yet(phone):
    MigrationRecorder(connection).record_unapplied("league", "0001_initial")
    migrated("sessions", "9999_later")  # the number of the last one is another
    assert phone() == 503


def test_what_apps_left_behind_that_are_no_longer_there_says_nothing(phone):
    migrated("an_app_of_before", "0007_its_last")
    assert phone() == 302


def test_it_is_seen_in_the_middle_of_a_process_s_life(phone):
    assert phone() == 302
    migrated()
    assert phone() == 503  # the same hand again, too: whoever locks the session is asked
    with pytest.raises(database.OtherVersion):
        log_action(Club.objects.get(), TEST, "go on")


def test_an_action_that_waited_for_the_migration_is_asked_again_when_all_is_written(
    phone, monkeypatch
):
    """On PostgreSQL a hand can wait for the very table that is being changed, and then go on."""

    def keep_late(*args, **kwargs):
        keep(*args, **kwargs)
        migrated()

    keep = record.save_derived
    monkeypatch.setattr(record, "save_derived", keep_late)
    assert phone() == 503
    assert not Hand.objects.exists()


def test_an_error_of_the_database_is_503_where_the_version_is_another_and_else_500(
    phone, monkeypatch
):
    def broken(*args, **kwargs):
        raise IntegrityError("NOT NULL constraint failed: league_hand.of_the_next_version")

    monkeypatch.setattr("league.play.views.entry.record_hand", broken)
    assert phone() == 500
    migrated()
    assert phone() == 503
