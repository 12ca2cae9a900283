"""What is done on the club's own laptop: the first club, the demo beside it, closing the site."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league import limits
from league.errors import Refused
from league.laptop.backups import RECOVERY, BadBackup, unpack
from league.laptop.place import Place, migrations_in, write_private
from league.laptop.recovery import make_sheet, open_sheet
from league.members.actions import create_club
from league.members.audit import Actor
from league.members.models import Club, User
from league.members.sign_up import FIRST_ACCOUNT
from league.schema_guard import own_migrations

SERVER = os.getppid()  # the process of Granian that started this one
WORD_TRIES = limits.Limit(most=10, within=limits.HOUR)
NO_BACKUP = {
    "not-one": gettext_lazy("This is not a backup of Right Bower."),
    "broken": gettext_lazy("This file is damaged. Try the backup before it."),
    "empty": gettext_lazy("There is no club in this backup."),
}
A_MOMENT = 0.5  # seconds: the page that says so is on its way before the server ends


@transaction.atomic
def first_club(
    *, club: str, name: str, username: str, password: str, time_zone: str
) -> tuple[Club, User]:
    """The first account and its club, together or not at all; never a second time."""
    limits.refuse_over("first-account", FIRST_ACCOUNT)
    user = User(username=username, display_name=name)
    user.set_password(password)
    user.save()
    by = Actor(name, user, "this computer")
    made = create_club(
        name=club,
        slug=slugify(club)[:60] or "club",
        time_zone=time_zone or "UTC",
        language=get_language() or "",
        by=by,
    )
    return made, user


def new_sheet() -> list[str]:
    """The words of a new recovery sheet. They are shown once and kept nowhere; those of an older
    sheet go on opening the backups of before."""
    words, kept = make_sheet(settings.SECRET_KEY)
    write_private(settings.DATA_FOLDER / RECOVERY, kept)
    return words


def new_password(*, username: str, words: str, password: str) -> User:
    """Set a forgotten password with the words of the recovery sheet."""
    limits.refuse_over("recovery-words", WORD_TRIES)
    kept = settings.DATA_FOLDER / RECOVERY
    opened = open_sheet(kept.read_text("ascii"), words) if kept.exists() else None
    if opened != settings.SECRET_KEY:
        sentence = _("These are not the words of this club's newest recovery sheet.")
        raise Refused("wrong-words", sentence, fields={"words": [sentence]})
    user = User.objects.get(username=username)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def restore(backup: Path, *, words: str) -> bool:
    """Make ready what a backup holds for the next start of the server; whether printed codes go
    on working.

    It is brought up to date here, beside what there is: what cannot be is refused. Refused too
    where there is an account already, and where the words are not those of the sheet.
    """
    limits.refuse_over("recovery-words", WORD_TRIES)  # not in a transaction that a refusal undoes
    if User.objects.exists():
        raise Refused("has-club", _("This computer already has a club."), status=409)
    place = Place(settings.DATA_FOLDER)
    with TemporaryDirectory(dir=place.folder) as folder:
        return _made_ready(place, backup, Place(Path(folder)), words)


def _made_ready(place: Place, backup: Path, beside: Place, words: str) -> bool:
    unfinished = beside.database
    try:
        recovery = unpack(backup, unfinished)
    except BadBackup as error:
        raise _no_backup(error.code) from error
    theirs = {one for one in migrations_in(unfinished) if one[0] == "league"}
    if not theirs:
        raise _no_backup("not-one")
    if theirs - own_migrations():
        sentence = _("This backup is of a newer version of Right Bower. Install that one first.")
        raise Refused("newer-backup", sentence, fields={"file": [sentence]})
    key = open_sheet(recovery, words) if words else None
    if words and key is None:
        sentence = _("These words don't match this backup. Leave them out to get new codes.")
        raise Refused("wrong-words", sentence, fields={"words": [sentence]})
    if theirs != own_migrations() and not _brought_up_to_date(beside):
        raise _no_backup("broken")
    for name in ("restored-secret-key", f"restored-{RECOVERY}"):
        (place.folder / name).unlink(missing_ok=True)  # of another backup, restored just before
    if key is not None:
        write_private(place.folder / "restored-secret-key", key)
        write_private(place.folder / f"restored-{RECOVERY}", recovery)
    unfinished.replace(place.folder / "restored.sqlite3")
    return key is not None


def _no_backup(code: str) -> Refused:
    sentence = str(NO_BACKUP[code])
    return Refused("no-backup", sentence, fields={"file": [sentence]})


def _brought_up_to_date(beside: Place) -> bool:
    """Migrate the database of another folder, in a process of its own."""
    words = [sys.executable, "-m", "django", "migrate", "--verbosity=0", "--noinput"]
    environment = os.environ | {"DATA_FOLDER": str(beside.folder)}
    done = subprocess.run(words, cwd=settings.BASE_DIR, env=environment, check=False)  # noqa: S603
    return done.returncode == 0


def restart() -> None:
    """End the server, which whoever started it starts again with what was restored."""
    _end_in_a_moment()


def open_demo() -> None:
    """Start a second site with a club to play with. It has a database of its own, and opens the
    browser by itself; where it runs already it does only that."""
    words = ["-m", "league.laptop.command", "--folder", str(settings.DATA_FOLDER), "--demo"]
    subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, *words], cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL
    )


def close_site() -> None:
    """End the server, a moment after the page that says so has been sent."""
    (settings.DATA_FOLDER / "closed").touch()
    _end_in_a_moment()


def _end_in_a_moment() -> None:
    still_there = os.getppid() == SERVER  # an orphan's parent is somebody else's process
    threading.Timer(A_MOMENT, end_server, [SERVER if still_there else os.getpid()]).start()


def end_server(process: int) -> None:
    """End Granian and with it this process. Every acknowledged hand is on the disk already."""
    if sys.platform == "win32":
        tree = ["taskkill", "/PID", str(process), "/T", "/F"]
        subprocess.run(tree, check=False, capture_output=True)  # noqa: S603
    else:
        os.kill(process, signal.SIGTERM)
