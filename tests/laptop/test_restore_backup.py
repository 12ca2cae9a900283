"""What `restore_backup` cannot take is refused in one line, and nothing of it is stored."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.database import own_migrations
from league.management.commands import restore_backup
from league.members.models import Club

ROLE = {"model": "league.role", "pk": 1, "fields": {"club": 99, "user": 98, "rank": "owner"}}
CLUB = {"model": "league.club", "pk": 1, "fields": {"name": "Thursday", "slug": "thursday"}}


def restored(monkeypatch, rows, migrations):
    """The command on a backup with these rows."""

    def there(_place, *words):
        if words[0] == "dumpdata":
            Path(words[-1]).write_text(rows)

    monkeypatch.setattr(restore_backup, "_run_django", there)
    monkeypatch.setattr(restore_backup, "unpack", lambda *_files: "")
    monkeypatch.setattr(restore_backup, "raise_revisions", lambda _database: None)
    monkeypatch.setattr(restore_backup, "migrations_in", lambda _database: migrations)
    call_command("restore_backup", "backup.zip")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rows",
    [
        "{",
        json.dumps([CLUB | {"fields": {**CLUB["fields"], "auto_accept_minutes": "soon"}}]),
        json.dumps([ROLE]),
        json.dumps([CLUB | {"fields": {**CLUB["fields"], "time_zone": "Mars/Olympus"}}]),
    ],
    ids=["no rows", "a text for a number", "a role of no club", "an unknown time zone"],
)
def test_rows_that_cannot_be_are_refused_in_a_line(monkeypatch, rows):
    with pytest.raises(CommandError, match="The backup could not be read"):
        restored(monkeypatch, rows, own_migrations())
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_a_database_of_which_nobody_knows_the_version_is_no_backup(monkeypatch):
    with pytest.raises(CommandError, match="not-one"):
        restored(monkeypatch, json.dumps([CLUB]), frozenset())


@pytest.mark.django_db
def test_rows_in_order_are_restored(monkeypatch):
    restored(monkeypatch, json.dumps([CLUB]), own_migrations())
    assert Club.objects.get().slug == "thursday"
