"""Who reads from a copy of the database, tried with a copy that lags a whole name behind."""

import sqlite3

import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from league.database import REPLICA, PublicPages
from league.members.models import Club
from league.play.auth import table_code
from league.seating.models import Table
from league.sqlite import SAFE_OPTIONS
from tests.builders import a_game_table, a_user
from tests.members.test_access import ADDRESSES
from tests.play.hands import write

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def lagging(tmp_path, settings):
    """A club that has been renamed and has gone on playing since its database was copied."""
    table = a_game_table()
    Club.objects.update(visibility="standings", name="As It Was")
    write(table, (0, 3))
    path = tmp_path / "copy.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    Club.objects.update(name="As It Is")
    write(table, (0, 5))
    how = {"NAME": str(path), "OPTIONS": SAFE_OPTIONS}
    settings.DATABASES[REPLICA] = settings.DATABASES["default"] | how
    connections[REPLICA].connect()  # by hand: a test's case allows the one database it knows
    settings.DATABASE_ROUTERS = ["league.database.PublicPages"]
    yield path
    connections[REPLICA].close()
    del connections[REPLICA], settings.DATABASES[REPLICA]


def seen(client, name="standings", *more):
    """Which name of the club a page shows."""
    page = client.get(reverse(name, args=["thursday", *more])).content.decode()
    return [name for name in ("As It Was", "As It Is") if name in page]


def test_a_visitor_who_is_nobody_reads_the_public_pages_from_the_copy(lagging, client):
    night = Table.objects.get().session
    assert seen(client) == ["As It Was"]
    assert seen(client, "session_standings", night.public_id) == ["As It Was"]
    assert seen(client, "game", Table.objects.get().games.get().public_id) == ["As It Was"]


def test_members_and_the_table_s_phone_read_what_they_have_written(lagging, client):
    client.force_login(a_user("olive", club=Club.objects.get()))
    assert seen(client) == ["As It Is"]
    phone = Client()
    phone.post(reverse("table_door"), {"code": table_code(Table.objects.get())})
    assert seen(phone) == ["As It Is"]


def test_a_page_that_is_not_public_is_not_read_from_it(lagging, client):
    opened = client.get(reverse("members", args=["thursday"]))
    assert opened.status_code == 302
    assert ADDRESSES["members"].callback.least_rank == "member"


def test_what_was_read_late_is_not_kept_for_those_who_read_now(lagging, client):
    night = Table.objects.get().session
    assert seen(client, "session_standings", night.public_id) == ["As It Was"]
    owner = Client()
    owner.force_login(a_user("olive", club=Club.objects.get()))
    address = reverse("session_standings", args=["thursday", night.public_id])
    late, now = client.get(address).content.decode(), owner.get(address).content.decode()
    assert ('data-revision="1"' in late) == ('data-revision="1"' not in now)


def test_nothing_is_written_to_the_copy_and_no_migration_runs_there(lagging, client):
    before = sqlite3.connect(lagging).execute("PRAGMA data_version").fetchone()
    client.get(reverse("standings", args=["thursday"]))
    assert sqlite3.connect(lagging).execute("PRAGMA data_version").fetchone() == before
    router = PublicPages()
    assert router.allow_migrate(REPLICA, "league") is False
    assert router.allow_migrate("default", "league") is None
    assert router.db_for_write(Club) == "default"


def test_a_copy_that_does_not_answer_is_passed_over(lagging, client, caplog):
    with sqlite3.connect(lagging) as copy:
        copy.execute("DROP TABLE league_club")
    assert seen(client) == ["As It Is"]
    assert "The copy of the database does not answer" in caplog.text


def test_what_was_read_from_the_copy_is_saved_to_the_database_itself(lagging):
    club = Club.objects.using(REPLICA).get()
    club.currency = "$"
    club.save(update_fields=["currency"])
    assert Club.objects.get().currency == "$"
    assert Club.objects.using(REPLICA).get().currency == ""
