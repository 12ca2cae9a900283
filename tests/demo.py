"""The demo club with one past evening: made once a run, its rows copied by every test of them.

The command itself is tried in tests/exchange/test_demo.py.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from django.core.management import call_command
from django.db import connection, transaction

from league.exchange import demo_club
from tests.real_server import run, settings_for

MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission"}
MAKING = "import django; django.setup(); from tests.demo import load; load()"


def load() -> None:
    """Play it all, by the command."""
    with patch.object(demo_club, "PAST_ATTENDANCE", (22,)):
        call_command("demo", verbosity=0)


def make(database: Path, *, empty: Path) -> None:
    """An SQLite file with the club in it, by a process of its own."""
    making = Path(shutil.copy(empty, database.with_name("making.sqlite3")))
    done = run(settings_for(making, DJANGO_SETTINGS_MODULE="tests.settings"), "-c", MAKING)
    assert done.returncode == 0, done.stderr
    making.rename(database)


def copy_rows(database: Path) -> None:
    """Every row of the file into the test's database, which has the same tables."""
    there = {*MADE_BY_MIGRATIONS, "django_migrations"}
    names = set(connection.introspection.table_names()) - there
    with (
        closing(sqlite3.connect(database)) as made,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        for name in sorted(names):
            if rows := made.execute(f"SELECT * FROM {name}").fetchall():
                places = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {name} VALUES ({places})", rows)
