"""Writes a club, as it is at one moment, as data for a JSON file: its archive.

The file is `{"format", "version", "made_at", "club", "rows"}`; `rows` holds the club's rows by
model, each with its `id`, its fields, and the ids of the rows it points at. It has every model of
the site except those in `LEFT_OUT`, where each has a reason.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from graphlib import TopologicalSorter
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models, transaction

from league.members.models import (
    ApiToken,
    Club,
    Invitation,
    Job,
    LimitCount,
    ProgramRequest,
    Role,
    User,
)
from league.play.models import ReturnedHand
from league.seating.models import TableCard
from league.teams.models import CardPhotograph

FORMAT, VERSION = "right-bower-club", 1

# What an archive leaves out: who may sign in is up to each installation.
LEFT_OUT: dict[type[models.Model], str] = {
    User: "accounts, with their passwords, belong to the installation and not to the club",
    Role: "a role is an account's; the new installation gives its own",
    Invitation: "a key to the old installation",
    ApiToken: "a key to the old installation",
    ProgramRequest: "what programs asked of the old installation",
    TableCard: "a key to the old installation",
    ReturnedHand: "what phones returned to the old installation after it was restored",
    CardPhotograph: "evidence until its league is closed; the scores are in the card",
    LimitCount: "what the installation counts today",
    Job: "work under way, and its files for an hour",
}
# Fields that belong to the old installation (made with its secret key, shown on its front page, or
# consent given there), and fields derived from other rows.
KEYED = {
    ("Member", "sort_key"),
    ("Member", "erased_marks"),
    ("Member", "confirmed_email"),
    ("Member", "asked_email"),
    ("Club", "listed"),
    ("Session", "of_team_match"),
}


@cache
def archived() -> list[type[models.Model]]:
    """Every model that belongs to a club, each after the models it points at."""
    included = [m for m in apps.get_app_config("league").get_models() if m not in LEFT_OUT]
    order: TopologicalSorter[type[models.Model]] = TopologicalSorter()
    for model in included:
        order.add(model, *(target for _name, target in pointers(model) if target is not model))
    return list(order.static_order())


def plain_fields(model: type[models.Model]) -> "Iterator[models.Field[Any, Any]]":
    """The fields to archive that do not point at other rows."""
    for field in model._meta.local_fields:
        keyed = (model.__name__, field.name) in KEYED
        if not field.is_relation and not field.primary_key and not keyed:
            yield field


def pointers(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The fields that point at another row of the club, each with that row's model."""
    for field in model._meta.local_fields:
        if field.is_relation and (target := _target(field)) is not None:
            yield field.name, target


def lists(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The many-to-many fields to other rows of the club, each with those rows' model."""
    for field in model._meta.local_many_to_many:
        if (target := _target(field)) is not None:
            yield field.name, target


def filled(model: type[models.Model], row: dict[str, Any]) -> dict[str, Any]:
    """A row of an archive, with defaults for fields that an earlier version did not have."""
    defaults: dict[str, Any] = {name: [] for name, _target in lists(model)}
    defaults |= {
        name: None for name, _target in pointers(model) if model._meta.get_field(name).null
    }
    for field in plain_fields(model):
        if field.name not in row and (field.null or field.blank or field.has_default()):
            defaults[field.name] = plain(field.get_default())
    return defaults | row


def rows_of(model: type[models.Model], club: Club) -> models.QuerySet[Any]:
    """The club's rows of a model, the oldest first."""
    return model._base_manager.filter(**{path_to_club(model): club.pk}).order_by("pk")


@cache
def path_to_club(model: type[models.Model]) -> str:
    """The lookup from a row to its club, by pointers that are never empty."""
    if model is Club:
        return "pk"
    for name, target in pointers(model):
        if not model._meta.get_field(name).null and target is not model:
            return name if target is Club else f"{name}__{path_to_club(target)}"
    raise TypeError(f"{model.__name__} leads to no club: say in LEFT_OUT why it has none")


def _target(field: Any) -> type[models.Model] | None:
    target = field.related_model
    return None if target in LEFT_OUT else target


def archive_of(club: Club, *, at: datetime) -> dict[str, Any]:
    """Everything of the club, without accounts, passwords or keys. A fixed number of queries."""
    with _snapshot():
        rows = {model.__name__: _rows(model, club) for model in archived()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_at": at.isoformat(),
        "club": club.slug,
        "rows": rows,
    }


@contextmanager
def _snapshot() -> Iterator[None]:
    """Run all reads of the block on one snapshot of the database, without blocking writers."""
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    on_sqlite = connection.vendor == "sqlite"
    locking = connection.transaction_mode if on_sqlite else None  # type: ignore[attr-defined]
    try:
        if on_sqlite:  # the site's transactions take the write lock when they begin
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
    pointer_names = [name for name, _target in pointers(model)]
    list_names = [name for name, _target in lists(model)]
    rows = []
    for row in rows_of(model, club).prefetch_related(*list_names):
        data: dict[str, Any] = {"id": row.pk}
        data |= {name: plain(getattr(row, name)) for name in names}
        data |= {name: getattr(row, f"{name}_id") for name in pointer_names}
        data |= {name: [item.pk for item in getattr(row, name).all()] for name in list_names}
        rows.append(data)
    return rows


def plain(value: Any) -> Any:
    """A value for JSON: times with microseconds, decimals as text."""
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | UUID | timedelta) else value
