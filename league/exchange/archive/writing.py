"""A club as it is at one moment, as data for a JSON file."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import connection, models, transaction

from league.exchange.archive.shape import (
    FORMAT,
    VERSION,
    archived,
    lists,
    plain_fields,
    pointers,
    rows_of,
)
from league.members.models import Club


def archive_of(club: Club, *, at: datetime) -> dict[str, Any]:
    """Everything of the club: no account, no password, no key. A fixed number of queries."""
    with _one_moment():
        rows = {model.__name__: _rows(model, club) for model in archived()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_at": at.isoformat(),
        "club": club.slug,
        "rows": rows,
    }


@contextmanager
def _one_moment() -> Iterator[None]:
    """Reads that see the database as it was when they began, while others go on writing."""
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    on_sqlite = connection.vendor == "sqlite"
    locking = connection.transaction_mode if on_sqlite else None  # type: ignore[attr-defined]
    try:
        if on_sqlite:  # a transaction of the site takes the lock of writing as it begins
            connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
        with transaction.atomic():
            if not on_sqlite:
                connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    finally:
        if on_sqlite:
            connection.transaction_mode = locking  # type: ignore[attr-defined]


def _rows(model: type[models.Model], club: Club) -> list[dict[str, Any]]:
    names = [field.name for field in plain_fields(model)]
    points = [name for name, _to in pointers(model)]
    found = []
    many = [name for name, _to in lists(model)]
    for row in rows_of(model, club).prefetch_related(*many):
        told: dict[str, Any] = {"id": row.pk}
        told |= {name: _plain(getattr(row, name)) for name in names}
        told |= {name: getattr(row, f"{name}_id") for name in points}
        told |= {name: [one.pk for one in getattr(row, name).all()] for name in many}
        found.append(told)
    return found


def _plain(value: Any) -> Any:
    """A value as JSON holds it: moments to the microsecond, money as text."""
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | UUID | timedelta) else value
