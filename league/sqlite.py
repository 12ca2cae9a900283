"""Makes SQLite safe for a club's data: a repaired library, durable settings, and backups.

SQLite before 3.51.3 can corrupt a WAL database when two connections write and checkpoint at the
same instant (sqlite.org/wal.html#walresetbug). The Python of many systems still links such a
version; the `pysqlite3` wheel has a repaired one with the same interface.
"""

import errno
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

REPAIRED = (3, 51, 3)
PATIENCE = 500  # milliseconds that emptying the write-ahead log waits for readers

# FULL: an acknowledged hand survives a power cut. IMMEDIATE: a transaction never fails when it
# starts to write after reading ("database is locked"). WAL: readers never wait for writers.
# secure_delete: deleted content is overwritten with zeros, which does not slow down saving a hand.
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON")
SAFE_OPTIONS = {
    "init_command": " ".join(f"PRAGMA {pragma};" for pragma in PRAGMAS),
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
}


def use_repaired_sqlite() -> None:
    """Let `import sqlite3` find pysqlite3 from now on, if it is installed."""
    try:
        import pysqlite3
    except ImportError:  # no wheel for this platform: a system check warns
        return
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2


def is_full_disk(error: BaseException | None) -> bool:
    """Whether an error of SQLite, PostgreSQL or a file means that the disk is full."""
    sentence = str(error)
    return (
        getattr(error, "errno", None) == errno.ENOSPC
        or "disk is full" in sentence
        or "No space left on device" in sentence
    )


class BadCopy(Exception):
    """A copy of the database failed, with the reason as a sentence."""


def copy_database(database: Path, copy: Path) -> None:
    """Copy a database as it is at one moment, even while others write to it.

    `VACUUM INTO` copies rows and not pages, so the copy has no traces of deleted rows, such as a
    name that was erased under an older version. The copy gets its final name once it is complete
    and has passed SQLite's `quick_check`. Raises BadCopy if there is no database, or the copy has a
    fault.
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
        with closing(sqlite3.connect(unfinished)) as target:
            (answer,) = target.execute("PRAGMA quick_check").fetchone()
        if answer != "ok":
            raise BadCopy(f"The copy {unfinished} has a fault: {answer}")
        unfinished.rename(copy)
    finally:
        unfinished.unlink(missing_ok=True)  # it must not go on filling a full disk


def empty_journal() -> None:
    """Move the content of the write-ahead log into the database, and truncate the log.

    While a backup or another process is reading, the log stays; later writes overwrite it.
    """
    from django.db import connection  # settings import this module

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            timeout = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
            cursor.execute(f"PRAGMA busy_timeout={PATIENCE}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            cursor.execute(f"PRAGMA busy_timeout={timeout}")


def keep_safe(database: dict[str, Any]) -> None:
    """Give an entry of DATABASES the safe options, and create the folder of its file."""
    database["OPTIONS"] = SAFE_OPTIONS | database.get("OPTIONS", {})
    database["CONN_MAX_AGE"] = None
    if database["NAME"] != ":memory:":
        Path(database["NAME"]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
