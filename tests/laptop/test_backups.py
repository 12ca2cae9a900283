"""Backups by themselves: when, how many stay, checked by restoring, and never in anybody's way."""

import os
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime

import pytest

from league.laptop import backups
from league.laptop.backups import BackupScheduler, BadBackup, backups_to_keep, make_backup, unpack
from league.laptop.place import Place

AT = datetime(2026, 11, 22, 20, 41, tzinfo=UTC)
TABLES = """
    CREATE TABLE league_auditentry (id INTEGER PRIMARY KEY, action TEXT DEFAULT 'record hand');
    CREATE TABLE league_round (id INTEGER PRIMARY KEY, published_at TEXT);
    CREATE TABLE league_session (id INTEGER PRIMARY KEY, state TEXT);
    CREATE TABLE league_club (id INTEGER PRIMARY KEY);
    CREATE TABLE league_member (id INTEGER PRIMARY KEY);
    CREATE TABLE league_hand (id INTEGER PRIMARY KEY);
    CREATE TABLE league_user (id INTEGER PRIMARY KEY);
    INSERT INTO league_user VALUES (1);
    INSERT INTO league_hand VALUES (1), (2);
"""


@pytest.fixture
def club(tmp_path):
    place = Place(tmp_path / "data")
    place.make()
    with closing(sqlite3.connect(place.database)) as db:
        db.executescript("PRAGMA journal_mode=WAL;" + TABLES)
    return place


def write(place, *statements):
    with closing(sqlite3.connect(place.database)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


CHANGE = "INSERT INTO league_auditentry DEFAULT VALUES"
ROUND = "INSERT INTO league_round (published_at) VALUES ('now')"


def test_a_backup_is_made_after_every_round_and_not_after_every_hand(club):
    scheduler = BackupScheduler(club)
    assert scheduler.back_up_if_due(0.0) is None  # nothing has changed
    write(club, CHANGE, ROUND)
    assert scheduler.back_up_if_due(15.0) is not None
    write(club, CHANGE, "INSERT INTO league_hand DEFAULT VALUES")
    assert scheduler.back_up_if_due(30.0) is None
    write(club, CHANGE, ROUND)
    assert scheduler.back_up_if_due(45.0) is not None


def test_a_long_round_is_backed_up_after_ten_minutes_and_the_last_hands_at_close(club):
    scheduler = BackupScheduler(club)
    write(club, CHANGE)
    assert scheduler.back_up_if_due(0.0) is not None
    write(club, CHANGE)
    assert scheduler.back_up_if_due(599.0) is None
    assert scheduler.back_up_if_due(600.0) is not None
    write(club, CHANGE)
    assert scheduler.back_up_if_due(601.0, at_close=True) is not None
    assert scheduler.back_up_if_due(602.0, at_close=True) is None


def test_what_no_phone_keeps_is_backed_up_within_a_minute(club):
    scheduler = BackupScheduler(club)
    write(club, CHANGE)
    assert scheduler.back_up_if_due(0.0) is not None
    write(club, "INSERT INTO league_auditentry (action) VALUES ('correct hand')")
    assert scheduler.back_up_if_due(59.0) is None
    assert scheduler.back_up_if_due(60.0) is not None
    write(club, CHANGE)
    assert scheduler.back_up_if_due(120.0) is None


def test_what_comes_out_is_what_went_in_while_somebody_is_writing(club, tmp_path):
    with closing(sqlite3.connect(club.database)) as writer:
        writer.execute("INSERT INTO league_hand VALUES (3)")
        made = make_backup(club, at=AT)
        writer.rollback()
    assert made.name == "right-bower-2026-11-22-204100.zip"
    assert made.stat().st_mode & 0o077 == 0
    assert unpack(made, tmp_path / "again.sqlite3") == ""
    assert backups.counts(tmp_path / "again.sqlite3")["league_hand"] == 2
    assert [file.name for file in club.backups.iterdir()] == [made.name]


def test_two_processes_make_a_backup_at_once_and_what_was_cut_short_is_cleared_away(club):
    club.backups.mkdir()
    others, *old = (
        club.backups / name
        for name in ("1-copying.sqlite3", "2-checking.sqlite3", "3-copying.sqlite3.unfinished")
    )
    for file in (others, *old):
        file.write_bytes(b"half")
    for file in old:
        os.utime(file, (0, 0))
    made = make_backup(club, at=AT)
    assert {file.name for file in club.backups.iterdir()} == {made.name, others.name}


def test_a_copy_goes_to_the_second_place_and_a_missing_stick_is_only_noted(club, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    backups.choose_second_place(club, stick)
    made = make_backup(club, at=AT)
    assert (stick / backups.IN_SECOND_PLACE / made.name).read_bytes() == made.read_bytes()
    backups.choose_second_place(club, tmp_path / "pulled out")
    assert make_backup(club, at=AT) is not None
    assert '"second": "missing"' in (club.folder / "backup-status.json").read_text()


def test_a_stick_plugged_in_late_gets_the_newest_backup_though_nothing_has_changed(club, tmp_path):
    stick = tmp_path / "stick"
    backups.choose_second_place(club, stick)
    scheduler = BackupScheduler(club)
    write(club, CHANGE)
    made = scheduler.back_up_if_due(0.0)
    stick.mkdir()
    assert scheduler.back_up_if_due(1.0, at_close=True) is None
    assert (stick / backups.IN_SECOND_PLACE / made.name).exists()
    assert backups.status(club)["second"] == "copied"


def test_a_copy_is_all_on_the_stick_before_it_has_its_name_and_leaves_nothing_on_a_full_one(
    club, tmp_path, monkeypatch
):
    there = []

    def full(_file):
        there.extend(file.name for file in (tmp_path / backups.IN_SECOND_PLACE).iterdir())
        raise OSError(28, "No space left on device")

    backups.choose_second_place(club, tmp_path)
    monkeypatch.setattr(backups.os, "fsync", full)
    made = make_backup(club, at=AT)
    assert there == [f"{made.name}.unfinished"]
    assert list((tmp_path / backups.IN_SECOND_PLACE).iterdir()) == []
    assert backups.status(club)["second"] == "failed"


def test_a_copy_of_the_database_that_fails_leaves_nothing_behind(club, tmp_path):
    club.database.write_bytes(b"no database")
    with pytest.raises(sqlite3.DatabaseError):
        backups.copy_database(club.database, tmp_path / "copy.sqlite3")
    assert list(tmp_path.glob("copy*")) == []


def test_where_none_can_be_made_play_goes_on_and_the_status_says_so(club, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "copy_database", full)
    assert make_backup(club, at=AT) is None
    assert '"made": false' in (club.folder / "backup-status.json").read_text()


def names(*days):
    return [f"right-bower-{day}-{time}.zip" for day in days for time in ("200000", "213000")]


def test_the_last_evening_stays_whole_ten_evenings_with_their_last_and_then_each_month():
    evenings = [f"2026-{month:02}-{day:02}" for month in (9, 10, 11) for day in (3, 10, 17, 24)]
    stay = backups_to_keep(names(*evenings))
    assert set(names("2026-11-24")) <= stay
    assert "right-bower-2026-11-17-213000.zip" in stay
    assert "right-bower-2026-11-17-200000.zip" not in stay
    assert "right-bower-2026-09-10-213000.zip" in stay  # September's last before the ten
    assert "right-bower-2026-09-03-213000.zip" not in stay
    assert len(stay) == 10 + 1 + 1
    assert backups_to_keep([]) == set()


def test_no_other_file_is_ever_deleted(club):
    make_backup(club, at=AT)
    (club.backups / "before-update-2026-01-01-000000.sqlite3").touch()
    (club.backups / "my own.zip").touch()
    backups.thin_out(club.backups)
    assert len(list(club.backups.iterdir())) == 3


@pytest.mark.parametrize("content", [b"", b"PK", b"hello" * 99, b"SQLite format 3\x00 no more"])
def test_a_file_that_is_no_backup_is_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BadBackup):
        unpack(tmp_path / "file", tmp_path / "out.sqlite3")


def test_a_damaged_or_foreign_zip_is_refused(club, tmp_path):
    made = make_backup(club, at=AT)
    whole = made.read_bytes()
    made.write_bytes(whole[:60] + bytes(40) + whole[100:])
    with pytest.raises(BadBackup):
        unpack(made, tmp_path / "out.sqlite3")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("photos.txt", "none")
    with pytest.raises(BadBackup, match="not-one"):
        unpack(tmp_path / "other.zip", tmp_path / "out.sqlite3")


def test_a_plain_copy_of_the_database_is_a_backup_too(club, tmp_path):
    backups.copy_database(club.database, tmp_path / "copy.sqlite3")
    unpack(tmp_path / "copy.sqlite3", tmp_path / "out.sqlite3")
    assert backups.counts(tmp_path / "out.sqlite3")["league_hand"] == 2


def test_a_plain_copy_that_was_cut_short_by_a_byte_is_refused(club, tmp_path):
    backups.copy_database(club.database, tmp_path / "copy.sqlite3")
    with (tmp_path / "copy.sqlite3").open("r+b") as copy:
        copy.truncate((tmp_path / "copy.sqlite3").stat().st_size - 1)
    with pytest.raises(BadBackup, match="broken"):
        unpack(tmp_path / "copy.sqlite3", tmp_path / "out.sqlite3")


def test_sticks_and_synced_folders_are_offered(tmp_path):
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    synced = ["OneDrive - Elm Hall", "Library/CloudStorage/Dropbox"]
    for name in synced:
        (tmp_path / "home" / name).mkdir(parents=True)
    found = backups.possible_places(tmp_path / "home", [tmp_path / "media"])
    assert found == [tmp_path / "media" / "STICK", *(tmp_path / "home" / name for name in synced)]


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_of_any_kind_is_refused(club, tmp_path, how):
    with zipfile.ZipFile(tmp_path / "made.zip", "w", how) as made:
        made.writestr("club.sqlite3", bytes(range(256)) * 400)
    whole = (tmp_path / "made.zip").read_bytes()
    (tmp_path / "made.zip").write_bytes(whole[:80] + bytes(4) + whole[84:])
    with pytest.raises(BadBackup):
        unpack(tmp_path / "made.zip", tmp_path / "out.sqlite3")


def test_a_small_file_that_unpacks_into_much_is_refused_unread(club, tmp_path):
    made = make_backup(club, at=AT)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("recovery.json", "1" * 1_000_000)
    with pytest.raises(BadBackup, match="not-one"):
        unpack(made, tmp_path / "out.sqlite3")


def test_a_view_in_a_tables_place_is_refused_uncounted(club, tmp_path):
    unpack(make_backup(club, at=AT), tmp_path / "out.sqlite3")
    with closing(sqlite3.connect(tmp_path / "out.sqlite3")) as db:
        db.execute("CREATE VIEW endless AS SELECT 1")
        db.commit()
    with pytest.raises(BadBackup, match="not-one"):
        unpack(tmp_path / "out.sqlite3", tmp_path / "again.sqlite3")
