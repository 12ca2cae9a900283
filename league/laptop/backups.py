"""Backups by themselves: after every round and at close, checked, in two places, thinned out.

Made by the process that started the server, so that play never waits for one. The standard
library only: Django is not loaded there.
"""

import json
import lzma
import os
import re
import secrets
import shutil
import sqlite3
import threading
import time
import zipfile
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from league.laptop.place import Place, write_private
from league.sqlite import BadCopy, copy_database, is_full_disk

LOOKS_EVERY = 15.0  # seconds
AT_LEAST_EVERY = 600.0  # seconds while hands are saved: phones keep copies of them ...
OTHERS_EVERY = 60.0  # ... and of nothing else: corrections, penalties, who is here
DATABASE, RECOVERY = "club.sqlite3", "recovery.json"  # in the file
LONGEST_SHEET = 10_000  # bytes of what the recovery sheet opens
LARGEST = 2_000_000_000  # bytes of a database that comes out of a file
SQLITE = b"SQLite format 3\x00"
NAME = re.compile(r"right-bower-(\d{4}-\d{2}-\d{2})-\d{6}\.zip")
LEFT = re.compile(r"(\d+)-(?:copying\.sqlite3(?:\.unfinished)?|checking\.sqlite3|unfinished)\Z")
LEFT_FOR = 3600  # seconds
EVENINGS = 10
IN_SECOND_PLACE = "Right Bower backups"
STATUS = "backup-status.json"

# One number that rises with every change, and those that say a round or a session is over.
CHANGES = "SELECT coalesce(max(id), 0) FROM league_auditentry"
OVER = """
    SELECT (SELECT count(*) FROM league_round WHERE published_at IS NOT NULL),
           (SELECT count(*) FROM league_session WHERE state = 'closed')
"""
NOT_ON_PHONES = """
    SELECT coalesce(max(id), 0) FROM league_auditentry WHERE action <> 'record hand'
"""
# No phone has seen these numbers: every open page looks again, and offers the hands it has.
NEW_REVISIONS = "UPDATE league_session SET revision = revision + 1000 + ?"
COUNTED = ("league_club", "league_member", "league_hand", "league_user")


class BadBackup(Exception):
    """A file that is no whole backup of a club. `code` says how: `not-one`, `broken`, `empty`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Keeper:
    """Looks now and then whether a backup is due, and makes it."""

    place: Place
    changes: int = 0
    others: int = 0
    over: tuple[int, int] = (0, 0)
    made_at: float = float("-inf")
    closing: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.changes, self.others, self.over = _marks(self.place.database)

    def keep(self) -> None:
        """Until the site closes."""
        while not self.closing.wait(LOOKS_EVERY):
            self.look(time.monotonic())

    def look(self, at: float, *, at_close: bool = False) -> Path | None:
        """Make a backup if one is due; `at` in seconds. The backup, or None."""
        changes, others, over = _marks(self.place.database)
        every = AT_LEAST_EVERY if others == self.others else OTHERS_EVERY
        due = at_close or over != self.over or at - self.made_at >= every
        if changes == self.changes or not due:
            catch_up(self.place)
            return None
        made = make_backup(self.place, at=datetime.now(UTC))
        self.changes, self.others, self.over, self.made_at = changes, others, over, at
        return made


def _marks(database: Path) -> tuple[int, int, tuple[int, int]]:
    """How far the club has come; zeros where that cannot be read."""
    if database.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as opened:
            rows = (opened.execute(q).fetchone() for q in (CHANGES, NOT_ON_PHONES, OVER))
            (changes,), (others,), (rounds, closed) = rows
            return changes, others, (rounds, closed)
    return 0, 0, (0, 0)


def make_backup(place: Place, *, at: datetime) -> Path | None:
    """One file with all of the club, checked by restoring it, here and in the second place.

    None where it cannot be made: `status` then says why, and play goes on.
    """
    name = f"right-bower-{at:%Y-%m-%d-%H%M%S}.zip"
    made, trouble = None, ""
    try:
        place.backups.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = _write(place, place.backups / name)
        thin_out(place.backups)
    except (OSError, sqlite3.Error, BadCopy, BadBackup, zipfile.BadZipFile) as error:
        trouble = type(error).__name__
    second = _copy_to_second_place(place, made) if made else None
    _note(place, at=at.isoformat(), made=bool(made), trouble=trouble, second=second)
    return made


def _note(place: Place, **news: object) -> None:
    with suppress(OSError):
        write_private(place.folder / STATUS, json.dumps(status(place) | news))


def status(place: Place) -> dict[str, Any]:
    """How the last backup went: `at`, `made`, `trouble`, and `second`, its copy; {} before it."""
    with suppress(OSError, ValueError):
        return dict(json.loads((place.folder / STATUS).read_text("ascii")))
    return {}


def catch_up(place: Place) -> None:
    """Copy the newest backup to a second place that has come back since, as a stick does."""
    folder, newest = second_place(place), newest_backup(place)
    if not folder or not newest or not folder.is_dir():
        return
    if not (folder / IN_SECOND_PLACE / newest.name).exists():
        _note(place, second=_copy_to_second_place(place, newest))


def newest_backup(place: Place) -> Path | None:
    """The last one made by itself or by hand."""
    return max(place.backups.glob("right-bower-*.zip"), default=None)


def _write(place: Place, file: Path) -> Path:
    own = os.getpid()  # the server makes one at the press of a button, its launcher by itself
    copy, again = (
        place.backups / f"{own}-copying.sqlite3",
        place.backups / f"{own}-checking.sqlite3",
    )
    unfinished = file.with_name(f"{file.name}.{own}-unfinished")
    try:
        _clear_away(place.backups)
        copy_database(place.database, copy)
        unfinished.touch(mode=0o600)
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(copy, DATABASE)
            if (place.folder / RECOVERY).exists():
                packed.write(place.folder / RECOVERY, RECOVERY)
        unpack(unfinished, again)
        if counts(again) != counts(copy):
            raise BadBackup("broken")
        unfinished.replace(file)
    finally:
        for old in (copy, again, unfinished):
            old.unlink(missing_ok=True)
    return file


def _clear_away(folder: Path) -> None:
    """Delete what a backup left that was cut short, by this process or long ago by another."""
    for old in folder.iterdir():
        if match := LEFT.search(old.name):
            is_old = time.time() - old.stat().st_mtime > LEFT_FOR
            if is_old or int(match[1]) == os.getpid():
                old.unlink(missing_ok=True)


def unpack(file: Path, database: Path) -> str:
    """Put a backup's database at `database`, checked; what the recovery sheet opens, or "".

    Takes the files made here, and plain copies of the database. Raises BadBackup.
    """
    recovery = ""
    try:
        with file.open("rb") as opened:
            plain = opened.read(len(SQLITE)) == SQLITE
        if plain:
            shutil.copyfile(file, database)
        else:
            with zipfile.ZipFile(file) as packed:
                if packed.getinfo(DATABASE).file_size > LARGEST:
                    raise BadBackup("not-one")
                if any(one.file_size > LONGEST_SHEET for one in _sheets_in(packed)):
                    raise BadBackup("not-one")
                with packed.open(DATABASE) as inside, database.open("wb") as outside:
                    shutil.copyfileobj(inside, outside)
                if RECOVERY in packed.namelist():
                    recovery = packed.read(RECOVERY).decode("ascii")
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, EOFError) as error:
        raise BadBackup("not-one") from error
    except (zipfile.zlib.error, lzma.LZMAError, OSError, RuntimeError) as error:  # type: ignore[attr-defined]
        if is_full_disk(error):
            raise
        raise BadBackup("broken") from error
    _check(database)
    return recovery


def _sheets_in(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [one for one in packed.infolist() if one.filename == RECOVERY]


def _check(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as opened:
            (answer,) = opened.execute("PRAGMA quick_check").fetchone()
            (pages,) = opened.execute("PRAGMA page_count").fetchone()
            (size,) = opened.execute("PRAGMA page_size").fetchone()
            kinds = dict(opened.execute("SELECT name, type FROM sqlite_schema"))
        if answer != "ok" or database.stat().st_size < pages * size:  # the check looks at no tail
            raise BadBackup("broken")
        if {"view", "trigger"} & {*kinds.values()} or any(
            kinds.get(table) != "table" for table in COUNTED
        ):
            raise BadBackup("not-one")
        if not counts(database)["league_user"]:
            raise BadBackup("empty")
    except sqlite3.DatabaseError as error:
        raise BadBackup("broken") from error


def tell_pages_to_look(database: Path) -> None:
    """Give each session of a restored database a revision that no page can have seen. One of an
    hour ago may be the very one at which a phone asked last."""
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute(NEW_REVISIONS, [secrets.randbelow(1_000_000)])


def counts(database: Path) -> dict[str, int]:
    """How many rows of the kinds that matter most a database has."""
    with closing(sqlite3.connect(database)) as opened:
        return {
            table: opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in COUNTED
        }


def thin_out(folder: Path) -> None:
    """Delete what `kept` does not name."""
    names = [file.name for file in folder.iterdir() if NAME.fullmatch(file.name)]
    for name in set(names) - to_keep(names):
        (folder / name).unlink(missing_ok=True)


def to_keep(names: Iterable[str]) -> set[str]:
    """Which backups stay: the last evening's all, the last of each of ten evenings, and the last of
    every month before."""
    by_day: dict[str, list[str]] = {}
    for name in sorted(names):
        if match := NAME.fullmatch(name):
            by_day.setdefault(match[1], []).append(name)
    days = sorted(by_day, reverse=True)
    months = {day[:7]: day for day in sorted(days[EVENINGS:])}  # the last day of each
    chosen = {by_day[day][-1] for day in [*days[:EVENINGS], *months.values()]}
    return chosen | set(by_day[days[0]]) if days else chosen


def _copy_to_second_place(place: Place, made: Path) -> str:
    """`copied`, `missing` (a stick that is not plugged in), `failed`, or `none` chosen."""
    folder = second_place(place)
    if folder is None:
        return "none"
    if not folder.is_dir():
        return "missing"
    try:
        into = folder / IN_SECOND_PLACE
        into.mkdir(exist_ok=True)
        _copy_to_stick(made, into / made.name)
        thin_out(into)
    except OSError:
        return "failed"
    return "copied"


def _copy_to_stick(file: Path, copy: Path) -> None:
    """Copy a file all the way: the stick may be pulled out the moment after."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        with file.open("rb") as inside, unfinished.open("wb") as outside:
            shutil.copyfileobj(inside, outside)
            outside.flush()
            os.fsync(outside.fileno())
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)
    with suppress(OSError):  # Windows writes the new name by itself, and opens no folder
        folder = os.open(copy.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def second_place(place: Place) -> Path | None:
    """The folder chosen for copies; None while none is."""
    chosen = place.folder / "second-place.txt"
    text = chosen.read_text("utf-8").strip() if chosen.exists() else ""
    return Path(text) if text else None


def choose_second_place(place: Place, folder: Path | None) -> None:
    (place.folder / "second-place.txt").write_text(str(folder or ""), "utf-8")


SYNCED = ("OneDrive", "Dropbox", "Google Drive", "Nextcloud", "iCloudDrive")


def possible_places(home: Path | None = None, roots: Iterable[Path] | None = None) -> list[Path]:
    """Sticks that are plugged in and folders that some service keeps in step, to choose from."""
    home = home or Path.home()
    synced = [place for name in SYNCED for place in sorted(home.glob(f"{name}*"))]
    synced += _folders(home / "Library" / "CloudStorage")
    synced.append(home / "Library" / "Mobile Documents" / "com~apple~CloudDocs")
    sticks = [d for root in roots or _mounts(home) if root.is_dir() for d in _folders(root)]
    drives = [Path(f"{letter}:\\") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    return [folder for folder in (*sticks, *drives, *synced) if folder.is_dir()]


def _mounts(home: Path) -> list[Path]:
    return [Path("/Volumes"), Path("/media") / home.name, Path("/run/media") / home.name]


def _folders(root: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(one for one in root.iterdir() if one.is_dir() and not one.is_symlink())
    return []
