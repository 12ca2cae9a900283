"""Copies the club's database to a file of its own, while the site goes on working."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from league.members.actions.jobs import forget_old_jobs


class Command(BaseCommand):
    help = "Write a whole, checked copy of an SQLite database. On PostgreSQL use pg_dump."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            help="where to write; data/backups/<date and time>.sqlite3 if left out",
        )

    def handle(self, *args: Any, file: str | None, **options: Any) -> None:
        if not settings.ON_SQLITE:
            raise CommandError("This site's database is PostgreSQL: back it up with pg_dump.")
        copy = Path(file) if file else _dated_file()
        if copy.exists():
            raise CommandError(f"{copy} is already there; nothing was written.")
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(DatabaseError):  # a database of another version is copied as it is
            forget_old_jobs(timezone.now())  # nobody's export, nor what somebody once uploaded
        write_copy(Path(settings.DATABASES["default"]["NAME"]), copy)
        self.stdout.write(f"{copy} ({copy.stat().st_size // 1024} KB, checked)")


def _dated_file() -> Path:
    now = timezone.now().strftime("%Y-%m-%d-%H%M%S")
    return settings.DATA_FOLDER / "backups" / f"{now}.sqlite3"


def write_copy(database: Path, copy: Path) -> None:
    """Copy by SQLite's own means: what is committed at one moment, whoever is writing meanwhile.

    Row by row and not page by page: nothing that was deleted is in the copy, such as a name that
    was erased under an older version. Under its name the copy appears only when it is whole and
    has passed SQLite's `quick_check`; CommandError when there is no database to copy or the copy
    has a fault.
    """
    if not database.exists():
        raise CommandError(f"There is no database at {database}.")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    with closing(sqlite3.connect(database)) as source:
        source.execute("VACUUM INTO ?", [str(unfinished)])
    with closing(sqlite3.connect(unfinished)) as to:
        (found,) = to.execute("PRAGMA quick_check").fetchone()
    if found != "ok":
        raise CommandError(f"The copy {unfinished} has a fault: {found}")
    unfinished.rename(copy)
