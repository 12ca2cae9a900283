"""Puts a repaired SQLite in the place of Python's own, before Django opens a database.

SQLite before 3.51.3 can corrupt a WAL database when two connections write and checkpoint
at the same instant (sqlite.org/wal.html#walresetbug). Many systems' Python still links one of
those; the `pysqlite3` wheel carries a repaired one with the same interface.
"""

import sys

REPAIRED = (3, 51, 3)


def use_repaired_sqlite() -> None:
    """Let `import sqlite3` find pysqlite3 from now on, where it is installed."""
    try:
        import pysqlite3
    except ImportError:  # no wheel for this platform: a system check then says so
        return
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
