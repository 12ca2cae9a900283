"""A copy of the database is whole, checked, private, and never takes another's place."""

import sqlite3
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from league.management.commands.backup import write_copy
from tests.builders import a_club


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "club.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE hand (number INTEGER)")
        db.execute("INSERT INTO hand VALUES (1)")
        db.commit()
    return path


def hands_in(path):
    with closing(sqlite3.connect(path)) as db:
        return [number for (number,) in db.execute("SELECT number FROM hand ORDER BY number")]


def test_a_copy_holds_what_was_committed_while_somebody_else_is_writing(database, tmp_path):
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("INSERT INTO hand VALUES (2)")
        writer.commit()
        writer.execute("INSERT INTO hand VALUES (3)")  # not committed
        write_copy(database, tmp_path / "copy.sqlite3")
        writer.rollback()
    assert hands_in(tmp_path / "copy.sqlite3") == [1, 2]


def test_a_copy_is_one_file_that_only_its_owner_may_read(database, tmp_path):
    (tmp_path / "copies").mkdir()
    write_copy(database, tmp_path / "copies" / "copy.sqlite3")
    (copy,) = (tmp_path / "copies").iterdir()
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_copy_with_a_fault_does_not_appear_under_its_name(database, tmp_path):
    with closing(sqlite3.connect(database)) as db:
        db.execute("CREATE INDEX by_number ON hand (number)")
        db.execute("PRAGMA writable_schema=ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'by_number'")
        db.commit()
    with pytest.raises((CommandError, sqlite3.DatabaseError)):
        write_copy(database, tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_copy_of_nothing_is_refused(tmp_path):
    with pytest.raises(CommandError, match="There is no database"):
        write_copy(tmp_path / "club.sqlite3", tmp_path / "copy.sqlite3")
    assert list(tmp_path.iterdir()) == []


def test_an_older_copy_is_never_overwritten(database, tmp_path, settings):
    settings.ON_SQLITE = True
    (tmp_path / "copy.sqlite3").write_text("older")
    with pytest.raises(CommandError, match="already there"):
        call_command("backup", str(tmp_path / "copy.sqlite3"))
    assert (tmp_path / "copy.sqlite3").read_text() == "older"


def test_on_postgresql_the_command_names_the_right_tool(settings, tmp_path):
    settings.ON_SQLITE = False
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", str(tmp_path / "copy.sqlite3"))


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_the_command_copies_the_sites_own_database(tmp_path, capsys):
    a_club("Thursday Euchre")
    call_command("backup", str(tmp_path / "copies" / "copy.sqlite3"))
    assert "checked" in capsys.readouterr().out
    with closing(sqlite3.connect(tmp_path / "copies" / "copy.sqlite3")) as db:
        assert db.execute("SELECT name FROM league_club").fetchall() == [("Thursday Euchre",)]
