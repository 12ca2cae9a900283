"""System checks that keep a club's data safe.

They run with every `manage.py` command and again when the server starts. Those that open the
database run with `check --database default`, `migrate` and `serve`.
"""

import sqlite3
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.db import connections

from league.sqlite import REPAIRED

SMALLEST_PREFIX = 8  # of a network of proxies: 10.0.0.0/8 is the largest private one
FULL = 2  # the value of `PRAGMA synchronous`


def _on_sqlite() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")


@register()
def sqlite_is_repaired(**kwargs: Any) -> list[CheckMessage]:
    """Older SQLite versions can corrupt a WAL database: sqlite.org/wal.html#walresetbug."""
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
    """Check an open connection, not the settings: SQLite silently ignores a mistyped PRAGMA."""
    if "default" not in (databases or ()) or not _on_sqlite():
        return []
    required = {"journal_mode": "wal", "synchronous": FULL, "foreign_keys": 1, "secure_delete": 1}
    with connections["default"].cursor() as cursor:
        pragmas = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in required}
    return [
        Error(
            f"SQLite's {name} is {pragmas[name]!r} and must be {value!r}: hands could be lost, "
            "or erased names stay in the file.",
            id="league.E004",
        )
        for name, value in required.items()
        if pragmas[name] != value
    ]


@register(Tags.database)
def only_known_hosts_and_proxies(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """The server must not accept any host name, nor trust any proxy about a visitor's address.

    This is checked when the server starts and not with every command, so that a backup can always
    be made.
    """
    if "default" not in (databases or ()) or settings.DEBUG:
        return []
    problems: list[CheckMessage] = []
    if any(_is_any_name(host) for host in settings.ALLOWED_HOSTS):
        problems.append(
            Error(
                "ALLOWED_HOSTS allows every name: links could lead people to somebody else's site.",
                hint="Set it to the names people reach the site by, such as euchre.example.org, "
                "or to this computer's address.",
                id="league.E006",
            )
        )
    if any(_is_everybody(proxy) for proxy in settings.TRUSTED_PROXIES):
        problems.append(
            Error(
                "TRUSTED_PROXIES believes everybody: a visitor could take any other's address.",
                hint="Set it to the proxy's address, such as 127.0.0.1.",
                id="league.E007",
            )
        )
    return problems


def _is_any_name(host: str) -> bool:
    """Whether an allowed host matches all names, or all of a top-level domain."""
    name = host.strip(".")
    return name in ("", "*") or (host.startswith(".") and "." not in name)


def _is_everybody(proxy: str) -> bool:
    """Whether a trusted proxy matches every address, or a network larger than any private one."""
    try:
        return ip_network(proxy.strip(), strict=False).prefixlen < SMALLEST_PREFIX
    except ValueError:
        return proxy.strip() == "*"


@register(Tags.security, deploy=True)
def mail_can_be_sent(**kwargs: Any) -> list[CheckMessage]:
    """Without mail users cannot reset a forgotten password themselves."""
    if not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend"):
        return []
    return [Info("No mail is sent.", hint="Set EMAIL_URL and MAIL_FROM.", id="league.I005")]


@register()
def links_in_mail_lead_here(**kwargs: Any) -> list[CheckMessage]:
    """Mails never use the host name from a request, which could be anything."""
    if settings.SITE_ADDRESS_IS_SET or not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return []
    return [
        Warning(
            f"Links in mails lead to {settings.SITE_ADDRESS}, which only this computer reaches.",
            hint="Set SITE_ADDRESS to the address by which people reach the site.",
            id="league.W006",
        )
    ]
