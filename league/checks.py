"""System checks: what must hold for a club to trust this server with its season.

They run with every `manage.py` command and again when the server starts. Those that open the
database run with `check --database default` and with `migrate` and `serve`.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.db import connections

from league.sqlite import REPAIRED

FULL = 2  # what `PRAGMA synchronous` answers


def _on_sqlite() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")


@register()
def sqlite_is_repaired(**kwargs: Any) -> list[CheckMessage]:
    """Older SQLite can corrupt a WAL database: sqlite.org/wal.html#walresetbug."""
    if not _on_sqlite() or sqlite3.sqlite_version_info >= REPAIRED:
        return []
    return [
        Warning(
            f"SQLite {sqlite3.sqlite_version} can corrupt a database that two connections write.",
            hint="Install pysqlite3 (requirements.txt has it where a build exists), use a Python "
            "linked with SQLite 3.51.3 or later, or use PostgreSQL.",
            id="league.W001",
        )
    ]


@register()
def sqlite_has_one_worker(**kwargs: Any) -> list[CheckMessage]:
    """On SQLite a second worker only waits, unfairly, and invites the corruption above."""
    if not _on_sqlite() or settings.WORKERS * settings.THREADS == 1:
        return []
    return [
        Error(
            "On SQLite one worker with one thread answers all requests.",
            hint="Leave WORKERS and THREADS at 1, or use PostgreSQL.",
            id="league.E002",
        )
    ]


@register()
def sqlite_takes_the_lock_first(**kwargs: Any) -> list[CheckMessage]:
    """A transaction that reads and then writes fails under load unless it begins IMMEDIATE."""
    options = settings.DATABASES["default"].get("OPTIONS", {})
    if not _on_sqlite() or options.get("transaction_mode") == "IMMEDIATE":
        return []
    return [Error("SQLite's transaction_mode must be IMMEDIATE.", id="league.E003")]


@register(Tags.database)
def sqlite_keeps_what_it_acknowledges(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Ask an open connection, not the settings: a PRAGMA with a slip in it is ignored silently."""
    if "default" not in (databases or ()) or not _on_sqlite():
        return []
    wanted = {"journal_mode": "wal", "synchronous": FULL, "foreign_keys": 1, "secure_delete": 1}
    with connections["default"].cursor() as cursor:
        found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}
    return [
        Error(
            f"SQLite's {name} is {found[name]!r} and must be {value!r}: hands could be lost, "
            "or erased names stay in the file.",
            id="league.E004",
        )
        for name, value in wanted.items()
        if found[name] != value
    ]


@register(Tags.security, deploy=True)
def mail_can_be_sent(**kwargs: Any) -> list[CheckMessage]:
    """Without mail nobody can set a forgotten password anew by herself."""
    if not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend"):
        return []
    return [Info("No mail is sent.", hint="Set EMAIL_URL and MAIL_FROM.", id="league.I005")]


@register()
def links_in_mail_lead_here(**kwargs: Any) -> list[CheckMessage]:
    """What a browser calls the site is never used in a mail: it could be anything."""
    if settings.SITE_ADDRESS_IS_SET or not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return []
    return [
        Warning(
            f"Links in mails lead to {settings.SITE_ADDRESS}, which only this computer reaches.",
            hint="Set SITE_ADDRESS to the address by which people reach the site.",
            id="league.W006",
        )
    ]
