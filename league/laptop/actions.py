"""Actions on the club's own laptop: first club, recovery sheet, restoring, demo, closing the site.

The recovery sheet has words on paper that decrypt the club's key in a backup, and that reset a
lost password.
"""

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
from league.laptop.backups import RECOVERY, BadBackup, make_backup, raise_revisions, unpack
from league.laptop.place import Place, end_server, migrations_in, write_private
from league.members.actions import create_club
from league.members.audit import Actor
from league.members.models import Club, User
from league.members.names import sort_key
from league.members.sign_up import FIRST_ACCOUNT

SERVER = os.getppid()  # the Granian process that started this one
WORD_TRIES = limits.Limit(most=10, within=limits.HOUR)
NO_BACKUP = {
    "not-one": gettext_lazy("This is not a backup of Right Bower."),
    "broken": gettext_lazy("This file is damaged. Try the backup before it."),
    "empty": gettext_lazy("There is no club in this backup."),
}
WORDS = 6  # of 2,048 each: 66 bits, and every guess costs a tenth of a second
COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024**2, "dklen": 32}
PREFIX_LETTERS = 4  # the first letters by which all words of the list differ
CLOSE_DELAY = 0.5  # seconds, so that the last page is sent before the server ends


@transaction.atomic
def first_club(
    *, club: str, name: str, username: str, password: str, time_zone: str
) -> tuple[Club, User]:
    """Create the first account and its club, both or neither, and only once."""
    limits.refuse_over("first-account", FIRST_ACCOUNT)
    user = User(username=username, display_name=name)
    user.set_password(password)
    user.save()
    by = Actor(name, user, "this computer")
    new_club = create_club(
        name=club,
        slug=slugify(sort_key(club))[:60] or "club",
        time_zone=time_zone or "UTC",
        language=get_language() or "",
        guided=True,
        by=by,
    )
    return new_club, user


def new_sheet() -> list[str]:
    """Make a new recovery sheet and return its words, which are stored nowhere.

    The words of an older sheet still open older backups. A backup for the new words is made at
    once.
    """
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
    """The terminal command for a new password, without the user name, for this installation."""
    program = Path(sys.executable).parent / "right-bower"
    if sys.platform == "win32":  # PowerShell syntax
        return f'& "{program}.exe" --folder "{settings.DATA_FOLDER}" changepassword'
    arguments = [program, "--folder", settings.DATA_FOLDER, "changepassword"]
    return shlex.join(map(str, arguments))


def restore(backup: Path, *, words: str) -> bool:
    """Prepare the data of a backup for the next start of the server.

    Returns whether printed codes will still work. The database is migrated here, in a folder of its
    own. Refuses backups that cannot be migrated, wrong words, and a site that has an account.
    """
    limits.refuse_over(
        "recovery-words", WORD_TRIES
    )  # not in a transaction, which refusals roll back
    if User.objects.exists():
        raise Refused("has-club", _("This computer already has a club."), status=409)
    place = Place(settings.DATA_FOLDER)
    with TemporaryDirectory(dir=place.folder) as folder:
        return _prepare_restore(place, backup, Place(Path(folder)), words)


def _prepare_restore(place: Place, backup: Path, staging: Place, words: str) -> bool:
    unfinished = staging.database
    try:
        recovery = unpack(backup, unfinished)
    except BadBackup as error:
        raise _backup_refusal(error.code) from error
    applied = migrations_in(unfinished)
    ours = {migration for migration in applied if migration[0] == "league"}
    if not ours:
        raise _backup_refusal("not-one")
    if ours - own_migrations():
        sentence = _("This backup is of a newer version of Right Bower. Install that one first.")
        raise Refused("newer-backup", sentence, fields={"file": [sentence]})
    key = open_sheet(recovery, words) if words else None
    if words and key is None:
        sentence = _("These words don't match this backup. Leave them out to get new codes.")
        raise Refused("wrong-words", sentence, fields={"words": [sentence]})
    if own_migrations() - applied and not _migrate(staging):
        raise _backup_refusal("broken")
    raise_revisions(unfinished)
    _store_restored(place, unfinished, key, recovery)
    return key is not None


def _store_restored(place: Place, database: Path, key: str | None, recovery: str) -> None:
    """Store restored files for the next start of the server; the database comes last."""
    for name in ("restored-secret-key", f"restored-{RECOVERY}"):
        (place.folder / name).unlink(missing_ok=True)  # may be left from another backup
    if key is not None:
        write_private(place.folder / "restored-secret-key", key)
        write_private(place.folder / f"restored-{RECOVERY}", recovery)
    database.replace(place.folder / "restored.sqlite3")


def _backup_refusal(code: str) -> Refused:
    sentence = str(NO_BACKUP[code])
    return Refused("no-backup", sentence, fields={"file": [sentence]})


def _migrate(staging: Place) -> bool:
    """Migrate the database of another folder in a separate process. Returns whether it worked."""
    command = [sys.executable, "-m", "django", "migrate", "--verbosity=0", "--noinput"]
    environment = os.environ | {"DATA_FOLDER": str(staging.folder)}
    result = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=False)  # noqa: S603
    return result.returncode == 0


def restart() -> None:
    """End the server; its launcher restarts it with the restored data."""
    _end_server_soon()


def open_demo() -> None:
    """Start a second site with a demo club and its own database, and open it in the browser.

    If it runs already, only opens the browser.
    """
    arguments = ["-m", "league.laptop.command", "--folder", str(settings.DATA_FOLDER), "--demo"]
    subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, *arguments], cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL
    )


def close_site() -> None:
    """End the server, soon after the page that says so has been sent."""
    (settings.DATA_FOLDER / "closed").touch()
    _end_server_soon()


def _end_server_soon() -> None:
    threading.Timer(CLOSE_DELAY, end_server, [server_process()]).start()


def server_process() -> int:
    """The process to end: the parent, or this one if the parent has ended already."""
    return SERVER if os.getppid() == SERVER else os.getpid()


def make_sheet(key: str) -> tuple[list[str], str]:
    """New words, and the text encrypted with them, to store beside the database and in backups."""
    words = [secrets.choice(_word_list()) for _ in range(WORDS)]
    salt = secrets.token_bytes(16)
    sealed = Fernet(_derive_key(words, salt)).encrypt(key.encode()).decode()
    return words, json.dumps({"salt": salt.hex(), "key": sealed})


def open_sheet(sheet: str, text: str) -> str | None:
    """The key decrypted with the words of the sheet; None if they are wrong.

    The first four letters of each word are enough; capitals and spaces do not matter.
    """
    words = _parse_words(text)
    if len(words) != WORDS:
        return None
    try:
        data = json.loads(sheet)
        sealed = Fernet(_derive_key(words, bytes.fromhex(data["salt"])))
        return sealed.decrypt(data["key"].encode()).decode()
    except (InvalidToken, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _parse_words(text: str) -> list[str]:
    by_prefix = {word[:PREFIX_LETTERS]: word for word in _word_list()}
    words = (
        by_prefix.get(word[:PREFIX_LETTERS]) for word in text.lower().replace(",", " ").split()
    )
    return [word for word in words if word]


def _derive_key(words: list[str], salt: bytes) -> bytes:
    derived = hashlib.scrypt(" ".join(words).encode(), salt=salt, **COST)
    return base64.urlsafe_b64encode(derived)


def _word_list() -> list[str]:
    from mnemonic import Mnemonic

    return list(Mnemonic("english").wordlist)
