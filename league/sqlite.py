"""SQLite made safe for a club's season: a repaired library, and the settings that keep a hand.

SQLite before 3.51.3 can corrupt a WAL database when two connections write and checkpoint
at the same instant (sqlite.org/wal.html#walresetbug). Many systems' Python still links one of
those; the `pysqlite3` wheel carries a repaired one with the same interface.
"""

import sys
from pathlib import Path
from typing import Any

REPAIRED = (3, 51, 3)

# FULL: an acknowledged hand survives a power cut. IMMEDIATE: no upgrade from reading to writing
# that fails half way ("database is locked"). WAL: reading never waits for writing.
SAFE_OPTIONS = {
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
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


def keep_safe(database: dict[str, Any]) -> None:
    """Give one of Django's DATABASES the safe options, and its file a folder to be in."""
    database["OPTIONS"] = SAFE_OPTIONS | database.get("OPTIONS", {})
    database["CONN_MAX_AGE"] = None
    if database["NAME"] != ":memory:":
        Path(database["NAME"]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
