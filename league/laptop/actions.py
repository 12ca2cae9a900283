"""What is done on the club's own laptop: the first club, the recovery sheet (words on paper that
open the club's key in a backup, and a lost password), restoring, the demo, closing the site."""

import base64
import hashlib
import json
import os
import secrets
import shlex
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league import limits
from league.database import own_migrations
from league.errors import Refused
from league.laptop.backups import RECOVERY, BadBackup, make_backup, tell_pages_to_look, unpack
from league.laptop.place import Place, end_server, migrations_in, write_private
from league.members.actions import create_club
from league.members.audit import Actor
from league.members.models import Club, User
from league.members.names import sort_key
from league.members.sign_up import FIRST_ACCOUNT

SERVER = os.getppid()  # the process of Granian that started this one
WORD_TRIES = limits.Limit(most=10, within=limits.HOUR)
NO_BACKUP = {
    "not-one": gettext_lazy("This is not a backup of Right Bower."),
    "broken": gettext_lazy("This file is damaged. Try the backup before it."),
    "empty": gettext_lazy("There is no club in this backup."),
}
WORDS = 6  # of 2,048 each: 66 bits, and every guess costs a tenth of a second
COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024**2, "dklen": 32}
TELLS_APART = 4  # letters by which the words of the list differ
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
        slug=slugify(sort_key(club))[:60] or "club",
        time_zone=time_zone or "UTC",
        language=get_language() or "",
        guided=True,
        by=by,
    )
    return made, user


def new_sheet() -> list[str]:
    """The words of a new recovery sheet. They are shown once and kept nowhere; those of an older
    sheet go on opening the backups of before. A backup that these open is made at once."""
    words, sealed = make_sheet(settings.SECRET_KEY)
    write_private(settings.DATA_FOLDER / RECOVERY, sealed)
    make_backup(Place(settings.DATA_FOLDER), at=datetime.now(UTC))
    return words


def new_password(*, username: str, words: str, password: str) -> User:
    """Set a forgotten password with the words of the recovery sheet."""
    limits.refuse_over("recovery-words", WORD_TRIES)
    sheet = settings.DATA_FOLDER / RECOVERY
    opened = open_sheet(sheet.read_text("ascii"), words) if sheet.exists() else None
    if opened != settings.SECRET_KEY:
        sentence = _("These are not the words of this club's newest recovery sheet.")
        raise Refused("wrong-words", sentence, fields={"words": [sentence]})
    user = User.objects.get(username=username)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def password_command() -> str:
    """What to type in a terminal for a new password, before the user name: wherever the program
    and the club are."""
    program = Path(sys.executable).parent / "right-bower"
    if sys.platform == "win32":  # as its Terminal takes it
        return f'& "{program}.exe" --folder "{settings.DATA_FOLDER}" changepassword'
    words = [program, "--folder", settings.DATA_FOLDER, "changepassword"]
    return shlex.join(map(str, words))


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
    tell_pages_to_look(unfinished)
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
    """End the server; what started it starts it again with what was restored."""
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
    threading.Timer(A_MOMENT, end_server, [server_process()]).start()


def server_process() -> int:
    """The process to end, and with it this one. An orphan's parent is somebody else's process."""
    return SERVER if os.getppid() == SERVER else os.getpid()


def make_sheet(key: str) -> tuple[list[str], str]:
    """New words, and what they open: text to keep beside the database and in its backups."""
    words = [secrets.choice(_list()) for _ in range(WORDS)]
    salt = secrets.token_bytes(16)
    sealed = Fernet(_from_words(words, salt)).encrypt(key.encode()).decode()
    return words, json.dumps({"salt": salt.hex(), "key": sealed})


def open_sheet(sheet: str, text: str) -> str | None:
    """The key that the words on the sheet open; None where they are others.

    The first four letters of a word are enough, in any spelling of capitals and spaces.
    """
    words = _read(text)
    if len(words) != WORDS:
        return None
    try:
        data = json.loads(sheet)
        sealed = Fernet(_from_words(words, bytes.fromhex(data["salt"])))
        return sealed.decrypt(data["key"].encode()).decode()
    except (InvalidToken, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _read(text: str) -> list[str]:
    by_start = {word[:TELLS_APART]: word for word in _list()}
    words = (by_start.get(word[:TELLS_APART]) for word in text.lower().replace(",", " ").split())
    return [word for word in words if word]


def _from_words(words: list[str], salt: bytes) -> bytes:
    derived = hashlib.scrypt(" ".join(words).encode(), salt=salt, **COST)
    return base64.urlsafe_b64encode(derived)


def _list() -> list[str]:
    from mnemonic import Mnemonic

    return list(Mnemonic("english").wordlist)
