"""Automatic backups: made after every round and at close, checked, copied, and thinned out.

The launcher of the server makes them, so that play never waits for one. It does not load Django,
so only the standard library is used.
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
from typing import Any, NamedTuple

from league.laptop.place import Place, write_private
from league.sqlite import BadCopy, copy_database, is_full_disk

CHECK_INTERVAL = 15.0  # seconds
HANDS_INTERVAL = 600.0  # seconds between backups of saved hands, of which phones have copies
OTHER_INTERVAL = 60.0  # seconds between backups of other changes, such as corrections
DATABASE, RECOVERY = "club.sqlite3", "recovery.json"  # in the file
LONGEST_SHEET = 10_000  # bytes of recovery.json
LARGEST = 2_000_000_000  # bytes of an unpacked database
SQLITE = b"SQLite format 3\x00"
NAME = re.compile(r"right-bower-(\d{4}-\d{2}-\d{2})-\d{6}\.zip")
LEFTOVER = re.compile(r"(\d+)-(?:copying\.sqlite3(?:\.unfinished)?|checking\.sqlite3|unfinished)\Z")
LEFTOVER_AGE = 3600  # seconds after which another process's leftover is deleted
EVENINGS_TO_KEEP = 10
IN_SECOND_PLACE = "Right Bower backups"
STATUS = "backup-status.json"

# A number that rises with every change, and the counts of published rounds and closed sessions.
CHANGES = "SELECT coalesce(max(id), 0) FROM league_auditentry"
FINISHED = """
    SELECT (SELECT count(*) FROM league_round WHERE published_at IS NOT NULL),
           (SELECT count(*) FROM league_session WHERE state = 'closed')
"""
NOT_ON_PHONES = """
    SELECT coalesce(max(id), 0) FROM league_auditentry WHERE action <> 'record hand'
"""
# Revisions that no phone has seen, so that every open page reloads and offers the hands it has.
NEW_REVISIONS = "UPDATE league_session SET revision = revision + 1000 + ?"
COUNTED_TABLES = ("league_club", "league_member", "league_hand", "league_user")


class BadBackup(Exception):
    """A file that is not a complete backup; `code` is `not-one`, `broken` or `empty`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Progress(NamedTuple):
    """How far a club has come, to tell whether something has changed since the last backup.

    `last_change` and `last_other_change` are keys of audit entries, the latter without hands;
    `finished` has the counts of published rounds and closed sessions.
    """

    last_change: int = 0
    last_other_change: int = 0
    finished: tuple[int, int] = (0, 0)


@dataclass
class BackupScheduler:
    """Checks regularly whether a backup is due, and makes it."""

    place: Place
    backed_up: Progress = field(init=False)
    made_at: float = float("-inf")
    closing: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.backed_up = _read_progress(self.place.database)

    def run(self) -> None:
        """Make the backups that are due until the site closes."""
        while not self.closing.wait(CHECK_INTERVAL):
            self.back_up_if_due(time.monotonic())

    def back_up_if_due(self, at: float, *, at_close: bool = False) -> Path | None:
        """Make a backup if one is due, at `at` in seconds. Returns it, or None."""
        progress = _read_progress(self.place.database)
        has_only_hands = progress.last_other_change == self.backed_up.last_other_change
        interval = HANDS_INTERVAL if has_only_hands else OTHER_INTERVAL
        has_finished_part = progress.finished != self.backed_up.finished
        is_due = at_close or has_finished_part or at - self.made_at >= interval
        if progress.last_change == self.backed_up.last_change or not is_due:
            copy_missed_backup(self.place)
            return None
        backup = make_backup(self.place, at=datetime.now(UTC))
        self.backed_up, self.made_at = progress, at
        return backup


def _read_progress(database: Path) -> Progress:
    """The progress of a club; zeros if it cannot be read."""
    if database.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as opened:
            rows = (opened.execute(q).fetchone() for q in (CHANGES, NOT_ON_PHONES, FINISHED))
            (last_change,), (last_other_change,), (rounds, closed) = rows
            return Progress(last_change, last_other_change, (rounds, closed))
    return Progress()


def make_backup(place: Place, *, at: datetime) -> Path | None:
    """Make a backup file, check it by restoring it, and copy it to the second place.

    Returns None if it cannot be made; `status` then says why, and play goes on.
    """
    name = f"right-bower-{at:%Y-%m-%d-%H%M%S}.zip"
    backup, trouble = None, ""
    try:
        place.backups.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup = _write_backup(place, place.backups / name)
        thin_out(place.backups)
    except (OSError, sqlite3.Error, BadCopy, BadBackup, zipfile.BadZipFile) as error:
        trouble = type(error).__name__
    second_status = _copy_to_second_place(place, backup) if backup else None
    _save_status(place, at=at.isoformat(), made=bool(backup), trouble=trouble, second=second_status)
    return backup


def _save_status(place: Place, **changes: object) -> None:
    with suppress(OSError):
        write_private(place.folder / STATUS, json.dumps(status(place) | changes))


def status(place: Place) -> dict[str, Any]:
    """The outcome of the last backup: `at`, `made`, `trouble`, `second` (its copy); or {}."""
    with suppress(OSError, ValueError):
        return dict(json.loads((place.folder / STATUS).read_text("ascii")))
    return {}


def copy_missed_backup(place: Place) -> None:
    """Copy the newest backup to a second place that was missing, such as an unplugged stick."""
    folder, newest = second_place(place), newest_backup(place)
    if not folder or not newest or not folder.is_dir():
        return
    if not (folder / IN_SECOND_PLACE / newest.name).exists():
        _save_status(place, second=_copy_to_second_place(place, newest))


def newest_backup(place: Place) -> Path | None:
    """The latest backup, automatic or manual; None before the first."""
    return max(place.backups.glob("right-bower-*.zip"), default=None)


def _write_backup(place: Place, file: Path) -> Path:
    pid = os.getpid()  # the server (manual backups) and its launcher may write at the same time
    copy = place.backups / f"{pid}-copying.sqlite3"
    restored = place.backups / f"{pid}-checking.sqlite3"
    unfinished = file.with_name(f"{file.name}.{pid}-unfinished")
    try:
        _delete_leftovers(place.backups)
        copy_database(place.database, copy)
        unfinished.touch(mode=0o600)
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(copy, DATABASE)
            if (place.folder / RECOVERY).exists():
                packed.write(place.folder / RECOVERY, RECOVERY)
        unpack(unfinished, restored)
        if counts(restored) != counts(copy):
            raise BadBackup("broken")
        unfinished.replace(file)
    finally:
        for temporary in (copy, restored, unfinished):
            temporary.unlink(missing_ok=True)
    return file


def _delete_leftovers(folder: Path) -> None:
    """Delete the leftovers of interrupted backups: this process's, and old ones of others."""
    for file in folder.iterdir():
        if match := LEFTOVER.search(file.name):
            is_old = time.time() - file.stat().st_mtime > LEFTOVER_AGE
            if is_old or int(match[1]) == os.getpid():
                file.unlink(missing_ok=True)


def unpack(file: Path, database: Path) -> str:
    """Unpack a backup's database to `database` and check it. Returns its recovery.json, or "".

    Accepts backup files and plain copies of the database. Raises BadBackup.
    """
    recovery = ""
    try:
        with file.open("rb") as opened:
            is_database = opened.read(len(SQLITE)) == SQLITE
        if is_database:
            shutil.copyfile(file, database)
        else:
            with zipfile.ZipFile(file) as packed:
                if packed.getinfo(DATABASE).file_size > LARGEST:
                    raise BadBackup("not-one")
                if any(sheet.file_size > LONGEST_SHEET for sheet in _sheets_in(packed)):
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
    _check_database(database)
    return recovery


def _sheets_in(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [entry for entry in packed.infolist() if entry.filename == RECOVERY]


def _check_database(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as opened:
            (answer,) = opened.execute("PRAGMA quick_check").fetchone()
            (pages,) = opened.execute("PRAGMA page_count").fetchone()
            (size,) = opened.execute("PRAGMA page_size").fetchone()
            kinds = dict(opened.execute("SELECT name, type FROM sqlite_schema"))
        if (
            answer != "ok" or database.stat().st_size < pages * size
        ):  # quick_check misses a missing end
            raise BadBackup("broken")
        if {"view", "trigger"} & {*kinds.values()} or any(
            kinds.get(table) != "table" for table in COUNTED_TABLES
        ):
            raise BadBackup("not-one")
        if not counts(database)["league_user"]:
            raise BadBackup("empty")
    except sqlite3.DatabaseError as error:
        raise BadBackup("broken") from error


def raise_revisions(database: Path) -> None:
    """Give each session of a restored database a revision that no page has seen.

    Otherwise an older revision might be just the one that a phone saw last.
    """
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute(NEW_REVISIONS, [secrets.randbelow(1_000_000)])


def counts(database: Path) -> dict[str, int]:
    """The number of rows in each of the most important tables of a database."""
    with closing(sqlite3.connect(database)) as opened:
        return {
            table: opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in COUNTED_TABLES
        }


def thin_out(folder: Path) -> None:
    """Delete the backups that `backups_to_keep` does not name."""
    names = [file.name for file in folder.iterdir() if NAME.fullmatch(file.name)]
    for name in set(names) - backups_to_keep(names):
        (folder / name).unlink(missing_ok=True)


def backups_to_keep(names: Iterable[str]) -> set[str]:
    """The backups to keep: all of the last evening, and the last one of each of ten evenings and of
    every month before."""
    by_day: dict[str, list[str]] = {}
    for name in sorted(names):
        if match := NAME.fullmatch(name):
            by_day.setdefault(match[1], []).append(name)
    days = sorted(by_day, reverse=True)
    recent_days, older_days = days[:EVENINGS_TO_KEEP], days[EVENINGS_TO_KEEP:]
    last_of_month = {day[:7]: day for day in sorted(older_days)}
    names_to_keep = {by_day[day][-1] for day in [*recent_days, *last_of_month.values()]}
    return names_to_keep | set(by_day[days[0]]) if days else names_to_keep


def _copy_to_second_place(place: Place, backup: Path) -> str:
    """Copy a backup. Returns `copied`, `missing` (a stick not plugged in), `failed` or `none`."""
    folder = second_place(place)
    if folder is None:
        return "none"
    if not folder.is_dir():
        return "missing"
    try:
        target = folder / IN_SECOND_PLACE
        target.mkdir(exist_ok=True)
        _copy_to_stick(backup, target / backup.name)
        thin_out(target)
    except OSError:
        return "failed"
    return "copied"


def _copy_to_stick(file: Path, copy: Path) -> None:
    """Copy a file and flush it to the device, since the stick may be pulled out right after."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        with file.open("rb") as inside, unfinished.open("wb") as outside:
            shutil.copyfileobj(inside, outside)
            outside.flush()
            os.fsync(outside.fileno())
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)
    with suppress(OSError):  # Windows needs no sync of the folder, and cannot open one
        folder = os.open(copy.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def second_place(place: Place) -> Path | None:
    """The folder chosen for copies, if any."""
    setting = place.folder / "second-place.txt"
    text = setting.read_text("utf-8").strip() if setting.exists() else ""
    return Path(text) if text else None


def choose_second_place(place: Place, folder: Path | None) -> None:
    (place.folder / "second-place.txt").write_text(str(folder or ""), "utf-8")


SYNC_SERVICES = ("OneDrive", "Dropbox", "Google Drive", "Nextcloud", "iCloudDrive")


def possible_places(home: Path | None = None, roots: Iterable[Path] | None = None) -> list[Path]:
    """The folders to choose from: plugged-in sticks and folders of sync services."""
    home = home or Path.home()
    synced = [place for name in SYNC_SERVICES for place in sorted(home.glob(f"{name}*"))]
    synced += _folders(home / "Library" / "CloudStorage")
    synced.append(home / "Library" / "Mobile Documents" / "com~apple~CloudDocs")
    sticks = [d for root in roots or _mounts(home) if root.is_dir() for d in _folders(root)]
    drives = [Path(f"{letter}:\\") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    return [folder for folder in (*sticks, *drives, *synced) if folder.is_dir()]


def _mounts(home: Path) -> list[Path]:
    return [Path("/Volumes"), Path("/media") / home.name, Path("/run/media") / home.name]


def _folders(root: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in root.iterdir() if path.is_dir() and not path.is_symlink())
    return []
