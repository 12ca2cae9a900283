"""A name that was erased is in no byte of a backup, nor of the database itself."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.utils import timezone

from league.members.actions import erase_member
from league.members.models import Club, Job, Member, User
from league.play.models import Result
from league.sessions.models import Session
from league.sqlite import keep_safe
from tests.builders import TEST

ERASED = 30


def names_in(data: bytes, names: list[str]) -> list[str]:
    """Those of the names whose letters are among the bytes, in any encoding SQLite may use."""
    folded = data.lower()
    encodings = ("utf-8", "utf-16-le", "utf-16-be")
    return [n for n in names if any(n.lower().encode(one) in folded for one in encodings)]


def all_rows() -> bytes:
    """Every value of every row of every model, as a dump of the database would write them."""
    rows = (row for model in apps.get_models() for row in model._base_manager.values_list())
    return "\n".join(map(repr, rows)).encode()


def figures() -> list[tuple[object, ...]]:
    return list(Result.objects.order_by("pk").values_list("pk", "member", "points", "win_share"))


def names_elsewhere(person: Member) -> SessionStore:
    """Places beside the club's records where the name of somebody with an account may be: an
    import under way, a message not read yet, and the admin's list of changes."""
    user = User.objects.get(pk=person.user_id)
    sentence = f"Added {person.name}."
    Job.objects.create(
        club=person.club,
        kind=Job.Kind.IMPORT_PEOPLE,
        user=user,
        preview=sentence,
        upload=person.name.encode(),
        params={"name": person.name},
    )
    session = SessionStore()
    session.update({"_auth_user_id": str(user.pk), "_messages": sentence})
    session.save()
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=user, content_type=kind, object_id=user.pk, object_repr=str(user), action_flag=CHANGE
    )
    return session


def erase_thirty() -> list[str]:
    """The names of thirty people of the demo club, who are erased now."""
    people = list(Member.objects.filter(club=Club.objects.get()).order_by("pk")[:ERASED])
    names, before = [one.name for one in people], figures()
    session = names_elsewhere(people[0])
    assert names_in(all_rows(), names) == names
    Session.objects.update(state="closed")  # nobody is erased in the middle of an evening
    for person in people:
        erase_member(person, by=TEST, at=timezone.now())
    assert figures() == before
    assert "_messages" not in SessionStore(session.session_key).load()
    return names


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_thirty_erased_names_are_in_no_byte_of_a_backup_or_of_the_database(load_demo, tmp_path):
    load_demo()
    names = erase_thirty()
    call_command("backup", str(tmp_path / "copy.sqlite3"), stdout=io.StringIO())
    database = Path(settings.DATABASES["default"]["NAME"])
    for file in (tmp_path / "copy.sqlite3", database, Path(f"{database}-wal")):
        assert names_in(file.read_bytes(), names) == [], file
    assert names_in(all_rows(), names) == []


def test_a_name_deleted_by_an_older_version_is_not_copied_into_a_backup(tmp_path):
    from league.management.commands.backup import write_copy

    old = tmp_path / "club.sqlite3"
    with closing(sqlite3.connect(old)) as db:
        db.executescript("CREATE TABLE who (name TEXT); INSERT INTO who VALUES ('Zerubbabel')")
        db.executescript("DELETE FROM who")
    assert b"Zerubbabel" in old.read_bytes()
    write_copy(old, tmp_path / "copy.sqlite3")
    assert b"Zerubbabel" not in (tmp_path / "copy.sqlite3").read_bytes()


def test_every_connection_overwrites_what_it_deletes(tmp_path):
    database = {"NAME": str(tmp_path / "club.sqlite3")}
    keep_safe(database)
    assert "secure_delete=ON" in database["OPTIONS"]["init_command"]
