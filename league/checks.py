"""System checks: what must hold for a club to trust this server with its season.

They run with every `manage.py` command and again when the server starts. Those that open the
database run with `check --database default` and with `migrate` and `serve`.
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
        pragmas = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}
    return [
        Error(
            f"SQLite's {name} is {pragmas[name]!r} and must be {value!r}: hands could be lost, "
            "or erased names stay in the file.",
            id="league.E004",
        )
        for name, value in wanted.items()
        if pragmas[name] != value
    ]


@register(Tags.database)
def only_known_hosts_and_proxies(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """A server that believes any name, or anybody's word for who a visitor is, does not start.

    Asked when it starts and not with every command: a backup is made all the same.
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
    """Whether a host of the settings stands for all names, or for all of a country or kind."""
    name = host.strip(".")
    return name in ("", "*") or (host.startswith(".") and "." not in name)


def _is_everybody(proxy: str) -> bool:
    """Whether this stands for every address, or for more of them than anybody's own network has."""
    try:
        return ip_network(proxy.strip(), strict=False).prefixlen < SMALLEST_PREFIX
    except ValueError:
        return proxy.strip() == "*"


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
