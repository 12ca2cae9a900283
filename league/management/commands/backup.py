"""Copies the database to a file while the site is running."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from league.members.actions.jobs import forget_old_jobs
from league.sqlite import BadCopy, copy_database


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
            forget_old_jobs(timezone.now())  # exports and uploads do not belong in backups
        write_copy(Path(settings.DATABASES["default"]["NAME"]), copy)
        self.stdout.write(f"{copy} ({copy.stat().st_size // 1024} KB, checked)")


def _dated_file() -> Path:
    timestamp = timezone.now().strftime("%Y-%m-%d-%H%M%S")
    return settings.DATA_FOLDER / "backups" / f"{timestamp}.sqlite3"


def write_copy(database: Path, copy: Path) -> None:
    """Write a complete, checked copy. Raises CommandError if that fails."""
    try:
        copy_database(database, copy)
    except BadCopy as error:
        raise CommandError(str(error)) from error
