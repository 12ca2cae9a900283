"""A process and the database are of one version, or the process does not write.

When another process has migrated (a second one behind the same proxy, say), this one's code is of
yesterday: it would leave out what the new code relies on. So the names of the migrations are read
when the process starts, and every action asks, in its transaction, whether the database still
knows exactly those. The question costs some microseconds: it is asked of the number of the last
migration, and the names are only read when that number is another one.
"""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

LAST = "SELECT max(id) FROM django_migrations"

_agreed: dict[str, int] = {}  # by database: the last migration when its names were ours


class OtherVersion(OperationalError):
    """The database is of another version. Answered with 503 (league/db_unavailable.py)."""


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """App and name of every migration there was when this process started (league/apps.py).

    With those that our first one replaces: Django goes on listing them in every database.
    """
    replaced = import_module("league.migrations.0001_initial").Migration.replaces
    return frozenset(
        (app.label, found.name)
        for app in apps.get_app_configs()
        for found in pkgutil.iter_modules(_folders(app.label, app.name))
        if not found.ispkg and found.name[0] not in "_~"
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
