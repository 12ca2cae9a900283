"""A laptop's club on a server: the file of a backup goes into the site's own empty database."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management import call_command

from league.laptop.access import has_account
from league.laptop.backups import BadBackup, unpack
from league.laptop.place import Place, migrations_in
from league.laptop.recovery import open_sheet
from league.schema_guard import own_migrations

# What the new site has already, or makes again.
LEFT_OUT = ("contenttypes", "auth.permission", "sessions", "admin", "league.limitcount")


class CannotMove(Exception):
    """Why nothing was moved, in a sentence."""


def move_in(backup: Path, *, words: str) -> str:
    """Everything of a backup into this site's database, accounts included; all of it or nothing.

    The key under which printed codes and sign-ins go on working, where the words of the recovery
    sheet open it; "" without words. Raises CannotMove.
    """
    if has_account():
        raise CannotMove("This site has accounts already. Restore into an empty database.")
    with TemporaryDirectory(prefix="right-bower-") as folder:
        place = Place(Path(folder))
        try:
            sheet = unpack(backup, place.database)
        except BadBackup as error:
            raise CannotMove(f"{backup} is no backup that can be restored ({error}).") from error
        theirs = {one for one in migrations_in(place.database) if one[0] == "league"}
        if theirs - own_migrations():
            raise CannotMove("This backup is of a newer version. Install that one first.")
        key = open_sheet(sheet, words) if words else ""
        if key is None:
            raise CannotMove("These words don't match this backup.")
        rows = place.folder / "rows.json"
        _there(place, "migrate")
        left_out = [f"--exclude={name}" for name in LEFT_OUT]
        _there(place, "dumpdata", "--natural-foreign", *left_out, "--output", str(rows))
        call_command("loaddata", str(rows), verbosity=0)
    return key


def _there(place: Place, *words: str) -> None:
    """A command of Django's on the unpacked database, in a process of its own."""
    own = {"DATABASE_URL": f"sqlite:///{place.database}", "LAPTOP": "", "REPLICA_URL": ""}
    own |= {"DJANGO_SETTINGS_MODULE": "league.settings", "SECRET_KEY": settings.SECRET_KEY}
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", "django", *words, "--verbosity=0"],
        cwd=settings.BASE_DIR,
        env=os.environ | own,
        check=False,
    )
    if done.returncode:
        raise CannotMove(f"The backup could not be read ({words[0]}).")
