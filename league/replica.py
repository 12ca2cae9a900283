"""Public pages read from a copy of the database, where the server has one (REPLICA_URL).

A copy lags behind, so only those read it who cannot notice: visitors who are nobody in particular,
on the public pages of a club, in requests that only ask. Everybody else, and every write, goes to
the database itself; so does such a visitor when the copy does not answer.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http import HttpRequest, HttpResponse

from league.middleware import tells_who

REPLICA = "replica"

_reads_copy: ContextVar[bool] = ContextVar("reads_copy", default=False)
log = logging.getLogger(__name__)


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
