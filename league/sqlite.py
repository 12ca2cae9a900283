"""SQLite made safe for a club's season: a repaired library, and the settings that keep a hand.

SQLite before 3.51.3 can corrupt a WAL database when two connections write and checkpoint
at the same instant (sqlite.org/wal.html#walresetbug). Many systems' Python still links one of
those; the `pysqlite3` wheel carries a repaired one with the same interface.
"""

import errno
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

REPAIRED = (3, 51, 3)
PATIENCE = 500  # milliseconds that emptying the log waits for readers

# FULL: an acknowledged hand survives a power cut. IMMEDIATE: no upgrade from reading to writing
# that fails half way ("database is locked"). WAL: reading never waits for writing. secure_delete:
# what was deleted is overwritten with zeros (a saved hand takes no longer, measured).
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON")
SAFE_OPTIONS = {
    "init_command": " ".join(f"PRAGMA {pragma};" for pragma in PRAGMAS),
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
}


def use_repaired_sqlite() -> None:
    """Let `import sqlite3` find pysqlite3 from now on, where it is installed."""
    try:
        import pysqlite3
    except ImportError:  # no wheel for this platform: a system check then says so
        return
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2


def is_full_disk(error: BaseException | None) -> bool:
    """Whether SQLite, PostgreSQL or a file had no room on the disk."""
    sentence = str(error)
    return (
        getattr(error, "errno", None) == errno.ENOSPC
        or "disk is full" in sentence
        or "No space left on device" in sentence
    )


class BadCopy(Exception):
    """A copy that was not made, with the reason as a sentence."""


def copy_database(database: Path, copy: Path) -> None:
    """Copy by SQLite's own means: what is committed at one moment, no matter who is writing
    meanwhile.

    Row by row and not page by page: nothing that was deleted is in the copy, such as a name that
    was erased under an older version. Under its name the copy appears only when it is whole and
    has passed SQLite's `quick_check`. Raises BadCopy when there is no database to copy or the copy
    has a fault.
    """
    import sqlite3  # after `use_repaired_sqlite`

    if not database.exists():
        raise BadCopy(f"There is no database at {database}.")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(database)) as source:
            source.execute("VACUUM INTO ?", [str(unfinished)])
        with closing(sqlite3.connect(unfinished)) as to:
            (answer,) = to.execute("PRAGMA quick_check").fetchone()
        if answer != "ok":
            raise BadCopy(f"The copy {unfinished} has a fault: {answer}")
        unfinished.rename(copy)
    finally:
        unfinished.unlink(missing_ok=True)  # a full disk must not stay full of it


def empty_journal() -> None:
    """Move what the write-ahead log holds into the database, and leave the log empty.

    While a backup or another process reads, the log stays; later writes overwrite it.
    """
    from django.db import connection  # settings import this module

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
            cursor.execute(f"PRAGMA busy_timeout={PATIENCE}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            cursor.execute(f"PRAGMA busy_timeout={patience}")


def keep_safe(database: dict[str, Any]) -> None:
    """Give one of Django's DATABASES the safe options, and its file a folder to be in."""
    database["OPTIONS"] = SAFE_OPTIONS | database.get("OPTIONS", {})
    database["CONN_MAX_AGE"] = None
    if database["NAME"] != ":memory:":
        Path(database["NAME"]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
