"""The database as requests meet it: which version it is, which copy is read, and when it cannot
answer.

A process and the database are of one version, or the process does not write. When another process
has migrated (a second one behind the same proxy, say), this one's code is of yesterday: it would
leave out what the new code relies on. So the names of the migrations are read when the process
starts, and every action asks, in its transaction, whether the database still knows exactly those.
The question costs some microseconds: it is asked of the number of the last migration, and the names
are only read when that number is another one.

Public pages are read from a copy of the database, where the server has one (REPLICA_URL). A copy
lags behind, so only those read it who cannot notice: visitors who are not signed in, on the public
pages of a club, in requests that only read. Everybody else, and every write, goes to the database
itself; so does such a visitor when the copy does not answer.

A lock held too long, a full disk, a PostgreSQL that is starting again, an upgrade under way are
nobody's mistake: nothing was saved, and the same request will succeed in a moment. It is answered
503, with what was sent, and when to try again. Every other error stays a 500.
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
from league.middleware import tells_who
from league.sqlite import is_full_disk

LAST = "SELECT max(id) FROM django_migrations"
REPLICA = "replica"
RETRY_SECONDS = 5
# What SQLite says when it is the moment's trouble. Its other errors are ours ("no such column").
OF_THE_MOMENT = (
    "database is locked",
    "database table is locked",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
)

log = logging.getLogger(__name__)
_reads_copy: ContextVar[bool] = ContextVar("reads_copy", default=False)
_agreed: dict[str, int] = {}  # by database: the last migration when its names were ours


class OtherVersion(OperationalError):
    """The database is of another version. Answered with 503."""


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """App and name of every migration there was when this process started (league/apps.py).

    With those that our first one replaces: Django goes on listing them in every database.
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
    """Whether the database has every migration of this process, and no other of its apps."""
    labels = {label for label, _ in own_migrations()}
    applied = MigrationRecorder(connection).applied_migrations()
    return {one for one in applied if one[0] in labels} == own_migrations()


def write_only_to_ours(last: int) -> None:
    """Refuse to write into a database of another version. `last`: what `LAST` says, asked inside
    the transaction and best at its end. On PostgreSQL an action may ask, then wait for the table
    that a migration is changing, and go on as soon as that one has committed.
    """
    if _agreed.get(connection.alias) == last:
        return
    if not is_ours():
        raise OtherVersion("The database was migrated to another version.")
    _agreed[connection.alias] = last


def is_of_another_version() -> bool:
    """Asked after an error: whether it is because the database is not of this version."""
    try:
        return not is_ours()
    except DatabaseError:
        return False


class PublicPages:
    """Sends what is read to the copy while a public page is made. Nothing is ever written there."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return REPLICA if _reads_copy.get() and model._meta.app_label == "league" else None

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS  # also for what was read from the copy

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True  # it is the same club, read here or there

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == REPLICA else None


def database_to_read() -> Any:
    """The connection for SQL that only reads."""
    return connections[REPLICA if _reads_copy.get() else DEFAULT_DB_ALIAS]


def answer_from_copy(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer of a public page, from the copy where that may be."""
    if REPLICA not in settings.DATABASES or not _may_be_late(request):
        return answer()
    try:
        with _reading_copy():
            return answer()
    except DatabaseError as error:
        log.warning("The copy of the database does not answer: %s", error)
        return answer()


def _may_be_late(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD") and not tells_who(request.COOKIES)


@contextmanager
def _reading_copy() -> Iterator[None]:
    before = _reads_copy.set(True)
    try:
        yield
    finally:
        _reads_copy.reset(before)


def is_busy(error: BaseException | None) -> bool:
    """Whether this is the database's trouble of the moment.

    PostgreSQL's operational errors all are: connections lost, no space, deadlocks, time-outs. Any
    error is, where the tables are not those of this version: another process has migrated them.
    """
    if isinstance(error, OtherVersion) or is_full_disk(error):
        return True
    if isinstance(error, DatabaseError) and is_of_another_version():
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return connection.vendor != "sqlite" or any(words in str(error) for words in OF_THE_MOMENT)


@requires_csrf_token
def on_error(request: HttpRequest) -> HttpResponse:
    """Answers every request that broke: 503 when the database was busy, else 500."""
    error = sys.exc_info()[1]
    if not is_busy(error):
        return server_error(request)
    # Not a request's template: what asks the database (who is signed in) would break again.
    context = {"again": sent_form(request), "csrf_token": get_token(request)}
    page = render_to_string("busy.html", context | {"is_full": is_full_disk(error)})
    answer = HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    answer.headers["Cache-Control"] = "no-store"
    return answer
