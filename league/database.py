"""How requests use the database: its schema version, reads from a replica, and temporary errors.

A process only writes to a database of its own version. When another process has migrated it, the
code of this one is outdated, and would leave out what the new code relies on. So the names of the
migrations are read when the process starts, and every action checks in its transaction that the
database has exactly those. This takes microseconds: usually only the id of the last migration is
compared, and the names are read when it has changed.

Public pages are read from a replica, if the server has one (REPLICA_URL). A replica lags behind, so
it serves only those who cannot notice: visitors who are not signed in, on public pages of a club,
in requests that only read. Everything else uses the primary database, and so do these visitors when
the replica does not answer.

A lock held too long, a full disk, a restart of PostgreSQL or an upgrade under way are no one's
mistake: nothing was saved, and the same request will soon succeed. The response is a 503 with the
form that was sent and when to try again. Every other error stays a 500.
"""

import logging
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    connections,
)
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error

from league.errors import sent_form
from league.middleware import has_identity
from league.sqlite import is_full_disk

LAST = "SELECT max(id) FROM django_migrations"
REPLICA = "replica"
RETRY_SECONDS = 5
# SQLite's messages for temporary errors. Its other errors are bugs of ours ("no such column").
TEMPORARY_ERRORS = (
    "database is locked",
    "database table is locked",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
)

log = logging.getLogger(__name__)
_reads_replica: ContextVar[bool] = ContextVar("reads_replica", default=False)
_checked: dict[str, int] = {}  # by database: its last migration when its version was last checked


class OtherVersion(OperationalError):
    """The database has another version than this process. Answered with 503."""


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """App and name of every migration that existed when this process started (league/apps.py).

    Includes those that our first one replaces, since Django still lists them in every database.
    """
    replaced = import_module("league.migrations.0001_initial").Migration.replaces
    return frozenset(
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in pkgutil.iter_modules(_folders(app.label, app.name))
        if not module.ispkg and module.name[0] not in "_~"
    ).union(replaced)


def _folders(label: str, package: str) -> list[str]:
    module = settings.MIGRATION_MODULES.get(label, f"{package}.migrations")
    if module is None or find_spec(module) is None:
        return []
    return list(import_module(module).__path__)


def is_ours() -> bool:
    """Whether the database has exactly the migrations of this process."""
    labels = {label for label, _ in own_migrations()}
    applied = MigrationRecorder(connection).applied_migrations()
    return {(app, name) for app, name in applied if app in labels} == own_migrations()


def write_only_to_ours(last: int) -> None:
    """Raise OtherVersion if the database has another version.

    `last` is the result of `LAST`, queried in the transaction, best at its end: on PostgreSQL an
    earlier check could pass before the action waits for a table that a migration is changing.
    """
    if _checked.get(connection.alias) == last:
        return
    if not is_ours():
        raise OtherVersion("The database was migrated to another version.")
    _checked[connection.alias] = last


def is_of_another_version() -> bool:
    """Whether an error that just occurred is due to another version of the database."""
    try:
        return not is_ours()
    except DatabaseError:
        return False


class PublicPages:
    """A router that reads from the replica while a public page is made, and never writes to it."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return REPLICA if _reads_replica.get() and model._meta.app_label == "league" else None

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS  # also for objects read from the replica

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        return True  # both databases hold the same rows

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == REPLICA else None


def database_to_read() -> Any:
    """The connection for SQL that only reads."""
    return connections[REPLICA if _reads_replica.get() else DEFAULT_DB_ALIAS]


def answer_from_replica(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """The response of a public page, read from the replica if the visitor may get old data."""
    if REPLICA not in settings.DATABASES or not _may_be_late(request):
        return answer()
    try:
        with _reading_replica():
            return answer()
    except DatabaseError as error:
        log.warning("The copy of the database does not answer: %s", error)
        return answer()


def _may_be_late(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD") and not has_identity(request.COOKIES)


@contextmanager
def _reading_replica() -> Iterator[None]:
    token = _reads_replica.set(True)
    try:
        yield
    finally:
        _reads_replica.reset(token)


def is_busy(error: BaseException | None) -> bool:
    """Whether an error of the database is temporary.

    All operational errors of PostgreSQL are: lost connections, no space, deadlocks, timeouts. So is
    any error while the database has another version, after another process migrated it.
    """
    if isinstance(error, OtherVersion) or is_full_disk(error):
        return True
    if isinstance(error, DatabaseError) and is_of_another_version():
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return connection.vendor != "sqlite" or any(words in str(error) for words in TEMPORARY_ERRORS)


@requires_csrf_token
def on_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that raised an error: 503 if the database was busy, else 500."""
    error = sys.exc_info()[1]
    if not is_busy(error):
        return server_error(request)
    # Rendered without the request, whose context processors would query the database again.
    context = {"again": sent_form(request), "csrf_token": get_token(request)}
    page = render_to_string("busy.html", context | {"is_full": is_full_disk(error)})
    response = HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    response.headers["Cache-Control"] = "no-store"
    return response
