"""`restore_backup FILE`: restores a laptop's backup into this site's empty database."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, transaction

from league.database import own_migrations
from league.laptop.access import has_account
from league.laptop.actions import open_sheet
from league.laptop.backups import BadBackup, raise_revisions, unpack
from league.laptop.place import Place, migrations_in
from league.members.models import Club
from league.members.validators import validate_time_zone

# What the new site has already, or creates again.
LEFT_OUT = ("contenttypes", "auth.permission", "sessions", "admin", "league.limitcount")


class Command(BaseCommand):
    help = (
        "Restore a backup that Right Bower made by itself on a laptop, or a copy of an SQLite "
        "database, into this site's empty database, PostgreSQL too: clubs, results and accounts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup: right-bower-….zip or ….sqlite3")
        parser.add_argument("--words", default="", help="the six words of the recovery sheet")

    def handle(self, *args: Any, file: Path, words: str, **options: Any) -> None:
        key = move_in(file, words=words)
        if key:
            self.stdout.write("Restored. For printed codes to work, put this line into .env:")
            self.stdout.write(f"SECRET_KEY={key}")
        else:
            self.stdout.write(
                "Restored. Without the six words, table codes have to be printed again."
            )


def move_in(backup: Path, *, words: str) -> str:
    """Restore everything of a backup, accounts included, all or nothing.

    Returns the secret key with which printed codes and sign-ins still work, decrypted with the
    words of the recovery sheet; "" without words. Raises CommandError.
    """
    if has_account():
        raise CommandError("This site has accounts already. Restore into an empty database.")
    with TemporaryDirectory(prefix="right-bower-") as folder:
        place = Place(Path(folder))
        try:
            sheet = unpack(backup, place.database)
        except BadBackup as error:
            raise CommandError(f"{backup} is no backup that can be restored ({error}).") from error
        migrations = {(app, name) for app, name in migrations_in(place.database) if app == "league"}
        if not migrations:
            raise CommandError(f"{backup} is no backup that can be restored (not-one).")
        if migrations - own_migrations():
            raise CommandError("This backup is of a newer version. Install that one first.")
        key = open_sheet(sheet, words) if words else ""
        if key is None:
            raise CommandError("These words don't match this backup.")
        rows = place.folder / "rows.json"
        _run_django(place, "migrate")
        raise_revisions(place.database)
        left_out = [f"--exclude={name}" for name in LEFT_OUT]
        _run_django(place, "dumpdata", "--natural-foreign", *left_out, "--output", str(rows))
        _load(rows)
    return key


def _load(rows: Path) -> None:
    """Load all rows or none. Time zones are checked too: an unknown one would stop the reminders of
    all clubs."""
    try:
        with transaction.atomic():
            call_command("loaddata", str(rows), verbosity=0)
            for club in Club.objects.all():
                validate_time_zone(club.time_zone)
    except (DeserializationError, DatabaseError, ValidationError) as error:
        raise CommandError(f"The backup could not be read: {error}") from error


def _run_django(place: Place, *words: str) -> None:
    """Run a Django command on the unpacked database, in another process."""
    environment = {"DATABASE_URL": f"sqlite:///{place.database}", "LAPTOP": "", "REPLICA_URL": ""}
    environment["DJANGO_SETTINGS_MODULE"] = "league.settings"
    environment["SECRET_KEY"] = settings.SECRET_KEY
    process = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", "django", *words, "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env=os.environ | environment,
        check=False,
        stderr=subprocess.PIPE,
        text=True,
    )
    if process.returncode:
        reason = process.stderr.strip().rpartition("\n")[2]
        raise CommandError(f"The backup could not be read ({words[0]}): {reason}")
