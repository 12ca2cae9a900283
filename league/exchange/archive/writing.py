"""A club as it is at one moment, as data for a JSON file: which rows, in which order."""

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

# What an archive leaves behind: who may sign in is a matter of the installation.
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
# Fields that are the old installation's own: made with its secret key, on its first page, or what
# owners of addresses have agreed to there; and what follows from other rows.
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
    """Every model that belongs to a club, those first that others point at."""
    included = [m for m in apps.get_app_config("league").get_models() if m not in LEFT_OUT]
    order: TopologicalSorter[type[models.Model]] = TopologicalSorter()
    for model in included:
        order.add(model, *(to for to in _targets(model) if to is not model))
    return list(order.static_order())


def plain_fields(model: type[models.Model]) -> "Iterator[models.Field[Any, Any]]":
    """The fields with values of their own."""
    for field in model._meta.local_fields:
        keyed = (model.__name__, field.name) in KEYED
        if not field.is_relation and not field.primary_key and not keyed:
            yield field


def pointers(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The fields that point at another row of the club, each with that row's model."""
    for field in model._meta.local_fields:
        if field.is_relation and (to := _target(field)) is not None:
            yield field.name, to


def lists(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The fields that point at many rows of the club."""
    for field in model._meta.local_many_to_many:
        if (to := _target(field)) is not None:
            yield field.name, to


def filled(model: type[models.Model], row: dict[str, Any]) -> dict[str, Any]:
    """A row of an archive with what a version before this one did not have: fields that may be
    empty, and those with a default."""
    usual: dict[str, Any] = {name: [] for name, _to in lists(model)}
    usual |= {name: None for name, _to in pointers(model) if model._meta.get_field(name).null}
    for field in plain_fields(model):
        if field.name not in row and (field.null or field.blank or field.has_default()):
            usual[field.name] = plain(field.get_default())
    return usual | row


def rows_of(model: type[models.Model], club: Club) -> models.QuerySet[Any]:
    """The club's rows of a model, the oldest first."""
    return model._base_manager.filter(**{path_to_club(model): club.pk}).order_by("pk")


@cache
def path_to_club(model: type[models.Model]) -> str:
    """The lookup from a row to its club, by pointers that are never empty."""
    if model is Club:
        return "pk"
    for name, to in pointers(model):
        if not model._meta.get_field(name).null and to is not model:
            return name if to is Club else f"{name}__{path_to_club(to)}"
    raise TypeError(f"{model.__name__} leads to no club: say in LEFT_OUT why it has none")


def _targets(model: type[models.Model]) -> Iterator[type[models.Model]]:
    for _name, to in pointers(model):
        yield to


def _target(field: Any) -> type[models.Model] | None:
    to = field.related_model
    return None if to in LEFT_OUT else to


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
    written = []
    many = [name for name, _to in lists(model)]
    for row in rows_of(model, club).prefetch_related(*many):
        data: dict[str, Any] = {"id": row.pk}
        data |= {name: plain(getattr(row, name)) for name in names}
        data |= {name: getattr(row, f"{name}_id") for name in points}
        data |= {name: [one.pk for one in getattr(row, name).all()] for name in many}
        written.append(data)
    return written


def plain(value: Any) -> Any:
    """A value as JSON holds it: moments to the microsecond, money as text."""
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | UUID | timedelta) else value
