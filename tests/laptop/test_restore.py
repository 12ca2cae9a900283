"""Another computer: the same club with the same codes, from one file and six words."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from league.laptop import actions, backups, command
from league.laptop.place import Place
from league.members.audit import Actor, log_action
from league.members.models import Club, User
from tests.builders import TEST, a_club, a_session, a_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
AT = datetime(2026, 11, 22, 20, 41, tzinfo=UTC)
PASSWORD = "velvet-orbit-lantern-42"


@pytest.fixture(autouse=True)
def restarted(monkeypatch):
    said = []
    monkeypatch.setattr(actions, "restart", lambda: said.append("restarted"))
    return said


@pytest.fixture
def lost(laptop, tmp_path):
    """The backup of a laptop that is gone, with the words of its sheet; here is nothing."""
    laptop.SECRET_KEY = "the key of the laptop that was lost"
    old = Place(tmp_path / "old")
    old.make()
    laptop.DATA_FOLDER = old.folder
    club = a_club("Cedar Street")
    a_user("ruth", club=club, rank="owner")
    a_session(club, revision=7)
    words = actions.new_sheet()
    backups.copy_database(Path(connection.settings_dict["NAME"]), old.database)
    made = backups.make_backup(old, at=AT)
    User.objects.all().delete()
    laptop.SECRET_KEY = "the key of this laptop"
    laptop.DATA_FOLDER = tmp_path / "new"
    Place(laptop.DATA_FOLDER).make()
    return made, " ".join(words)


def restore(browser, file, words=""):
    upload = SimpleUploadedFile("backup.zip", file.read_bytes())
    return browser.post("/start/restore/", {"file": upload, "words": words})


def test_the_same_club_and_the_same_key_come_back(at_it, lost, laptop, restarted):
    file, words = lost
    answer = restore(at_it, file, words)
    assert "Printed codes still work" in answer.content.decode()
    assert restarted == ["restarted"]
    here = Place(laptop.DATA_FOLDER)
    here.key()
    assert command.install_restored(here)
    assert here.key() == "the key of the laptop that was lost"
    with closing(sqlite3.connect(here.database)) as db:
        assert db.execute("SELECT name FROM league_club").fetchall() == [("Cedar Street",)]
        # Else a phone whose page looked just before the backup would keep what it has sent since.
        assert db.execute("SELECT revision FROM league_session").fetchone()[0] >= 1007
    assert (here.folder / backups.RECOVERY).exists()
    assert not command.install_restored(here)


def test_a_backup_of_this_version_is_restored_without_migrating_it(
    at_it, lost, restarted, monkeypatch
):
    monkeypatch.setattr(actions, "_migrate", lambda _staging: False)
    restore(at_it, lost[0])
    assert restarted == ["restarted"]


def test_a_backup_larger_than_any_other_file_is_taken_here(at_it, lost, laptop, restarted):
    file, words = lost
    laptop.FILE_UPLOAD_MAX_MEMORY_SIZE = file.stat().st_size // 2
    assert restore(at_it, file, words).status_code == 400
    laptop.LARGER_UPLOADS = {"/start/restore/": 200_000_000}
    restore(at_it, file, words)
    assert restarted == ["restarted"]


def test_without_the_words_the_club_comes_back_with_new_codes(at_it, lost, laptop):
    answer = restore(at_it, lost[0])
    assert "Print new table codes" in answer.content.decode()
    here = Place(laptop.DATA_FOLDER)
    own = here.key()
    assert command.install_restored(here)
    assert here.key() == own


def test_a_second_backup_restored_before_the_start_takes_no_key_of_the_first(at_it, lost, laptop):
    file, words = lost
    here = Place(laptop.DATA_FOLDER)
    own = here.key()
    restore(at_it, file, words)
    assert "Print new table codes" in restore(at_it, file).content.decode()
    assert command.install_restored(here)
    assert here.key() == own


def test_a_database_that_does_things_by_itself_is_no_backup(at_it, lost, laptop):
    hostile = laptop.DATA_FOLDER / "hostile.sqlite3"
    backups.unpack(lost[0], hostile)
    with closing(sqlite3.connect(hostile)) as db:
        db.execute(
            "CREATE TRIGGER gone AFTER INSERT ON league_user BEGIN DELETE FROM league_club; END"
        )
        db.commit()
    assert "not a backup" in restore(at_it, hostile).content.decode()


def test_wrong_words_and_files_are_refused_at_their_fields_and_nothing_is_left(
    at_it, lost, laptop, restarted, tmp_path
):
    answer = restore(at_it, lost[0], "abandon ability able about above absent")
    assert answer.status_code in (409, 422)
    assert "words" in answer.context["form"].errors
    (tmp_path / "photo").write_bytes(b"no backup")
    assert "file" in restore(at_it, tmp_path / "photo").context["form"].errors
    assert restarted == []
    assert not command.install_restored(Place(laptop.DATA_FOLDER))


def test_a_backup_of_a_newer_version_is_refused(at_it, lost, laptop):
    unpacked = laptop.DATA_FOLDER / "newer.sqlite3"
    backups.unpack(lost[0], unpacked)
    with closing(sqlite3.connect(unpacked)) as db:
        db.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('league', '9999', '')"
        )
        db.commit()
    assert "newer version" in restore(at_it, unpacked).content.decode()


def test_nobody_restores_over_a_club_or_from_another_computer(at_it, phone, lost, restarted):
    assert restore(phone, lost[0]).status_code == 404
    a_user("sam")
    assert restore(at_it, lost[0])["Location"] == "/"
    assert restarted == []


def test_a_forgotten_password_is_set_again_with_the_words_and_only_with_them(at_it, laptop):
    owner = a_user("ruth", club=a_club(), rank="owner")
    words = " ".join(actions.new_sheet())
    form = {"username": "ruth", "words": "abandon ability able about above absent"}
    refused = at_it.post("/computer/password/", form | {"password": PASSWORD})
    assert "words" in refused.context["form"].errors
    done = at_it.post("/computer/password/", form | {"words": words, "password": PASSWORD})
    assert done["Location"] == "/accounts/login/"
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_words_are_not_guessed_in_a_row(at_it, laptop):
    a_user("ruth", club=a_club(), rank="owner")
    form = {"username": "ruth", "words": "one two three four five six", "password": PASSWORD}
    answers = [at_it.post("/computer/password/", form).status_code for _ in range(12)]
    assert answers[-1] == 429


def test_the_sheet_is_shown_once_and_nobody_but_the_owner_makes_one(at_it, laptop, monkeypatch):
    club, backed_up = a_club(), []
    sheet_there = lambda place, **_: backed_up.append((place.folder / backups.RECOVERY).exists())  # noqa: E731
    monkeypatch.setattr(actions, "make_backup", sheet_there)
    owner = a_user("ruth", club=club, rank="owner")
    at_it.force_login(a_user("bill", club=club, rank="organiser"))
    assert at_it.post("/computer/recovery/").status_code == 404
    at_it.force_login(owner)
    sheet = at_it.post("/computer/recovery/")
    words = sheet.context["words"]
    assert all(one in sheet.content.decode() for one in (club.name, "ruth"))
    assert words[0] not in (laptop.DATA_FOLDER / backups.RECOVERY).read_text()
    assert backed_up == [True]  # there is a backup at once that the words open
    assert "You already have a sheet." in at_it.get("/computer/recovery/").content.decode()


def test_the_second_place_is_one_of_those_that_are_there(at_it, laptop, monkeypatch, tmp_path):
    stick, backed_up = tmp_path / "stick", []
    stick.mkdir()
    monkeypatch.setattr(backups, "possible_places", lambda: [stick])
    monkeypatch.setattr(backups, "make_backup", lambda *_, **__: backed_up.append("now"))
    at_it.force_login(a_user("ruth", club=a_club(), rank="owner"))
    assert str(stick) in at_it.get("/computer/second-place/").content.decode()
    at_it.post("/computer/second-place/", {"place": "/etc"})
    assert backups.second_place(Place(laptop.DATA_FOLDER)) is None
    at_it.post("/computer/second-place/", {"place": str(stick)})
    assert str(stick) in at_it.get("/computer/").content.decode()
    assert backed_up == ["now"]  # nobody takes home an empty stick
    monkeypatch.setattr(backups, "possible_places", list)
    assert str(stick) in at_it.get("/computer/second-place/").content.decode()  # still chosen
    assert Club.objects.count() == 1


def test_the_page_says_how_many_hands_came_back_from_how_many_phones(at_it):
    club = a_club()
    at_it.force_login(a_user("ruth", club=club, rank="owner"))
    assert "came back" not in at_it.get("/computer/").content.decode()
    for table in (1, 1, 2):
        phone = Actor(f"phone at table {table}", source=f"192.168.1.{table}")
        log_action(club, phone, "record hand", "table", new={"hand": 1, "came_back": True})
    log_action(club, phone, "record hand", "table", new={"hand": 2})
    for table in ("table 3", "table 4"):  # two phones' hands, entered on this page
        log_action(club, TEST, "record hand", table, new={"hand": 1, "came_back": True})
    page = " ".join(at_it.get("/computer/").content.decode().split())
    assert "Phones sent back 5 hands today. 4 phones had copies." in page


def test_what_cannot_be_brought_up_to_date_is_refused_and_the_next_start_is_as_before(
    at_it, lost, laptop, restarted
):
    here = laptop.DATA_FOLDER
    before = sorted(here.iterdir())
    no_club = here.parent / "no-club.sqlite3"
    with closing(sqlite3.connect(no_club)) as db:
        for table in backups.COUNTED_TABLES:
            db.execute(f"CREATE TABLE {table} (id)")
        db.execute("INSERT INTO league_user VALUES (1)")
        db.commit()
    assert "not a backup" in restore(at_it, no_club).content.decode()
    older = here.parent / "older.sqlite3"
    backups.unpack(lost[0], older)
    with closing(sqlite3.connect(older)) as db:  # its tables are there already
        db.execute("DELETE FROM django_migrations WHERE app = 'league' AND name > '0012'")
        db.commit()
    assert "damaged" in restore(at_it, older).content.decode()
    assert restarted == []
    assert sorted(here.iterdir()) == before


def test_words_are_not_guessed_on_the_page_of_a_restore_either(at_it, lost):
    wrong = "abandon ability able about above absent"
    answers = [restore(at_it, lost[0], wrong) for _ in range(actions.WORD_TRIES.most + 1)]
    assert "Try again in" not in answers[-2].content.decode()
    assert "Try again in" in answers[-1].content.decode()
