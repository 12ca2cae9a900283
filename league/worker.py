"""The process that works beside the pages, and how far its work has come."""

import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar

from django.conf import settings
from django.db import connection

# Work that nobody listens to, a command's or a small sheet's, reports to nobody at next to no cost.

Item = TypeVar("Item")


class Cancelled(Exception):
    """Raised into the work at its next report, after somebody cancelled it."""


class Listener(Protocol):
    """What hears of the work."""

    def at(self, step: str, done: int, total: int) -> None:
        """So much of one step is done (`Job.Step`)."""

    def saved(self, made: int) -> None:
        """Everything is written, inside the transaction that is about to be committed."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let a listener hear what the work in this block reports."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def counted(items: Sequence[Item], step: str = "checking") -> Iterator[Item]:
    """The items one by one, each reported before its turn. Not for use in a transaction."""
    listener = _listener.get()
    for done, item in enumerate(items):
        if listener is not None:
            listener.at(step, done, len(items))
        yield item


def begin(step: str) -> None:
    """Report a step that cannot be counted."""
    if (listener := _listener.get()) is not None:
        listener.at(step, 0, 0)


def saved(made: int) -> None:
    """Report inside the transaction that all is written, so that the report is committed with it:
    work is never done without being shown as done, nor the other way round."""
    if (listener := _listener.get()) is not None:
        listener.saved(made)


# There is one at a time. It holds a lock that the system takes back however the process ends, so
# that a job whose worker was killed is noticed by the next look and not after some time of silence:
# on SQLite the lock of an empty file beside the database, on PostgreSQL an advisory lock.

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

COMMAND = [sys.executable, "-m", "django", "run_jobs"]
MOST_MEMORY = 1024**3  # bytes of addresses; the largest sheet needs a fifth
PATIENCE = 5  # seconds for another worker to end, or a look at the lock
WORKING = 7_221_107  # a number that no other lock of this database has
HELD = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND datname = current_database()
"""

log = logging.getLogger(__name__)


def is_at_work() -> bool:
    """Whether a worker lives."""
    if connection.vendor == "sqlite":
        if not _lock_path().exists():
            return False
        with closing(_lock_file(timeout=0)) as file:
            return not _locked(file)
    with connection.cursor() as cursor:
        cursor.execute(HELD, [WORKING])
        return bool(cursor.fetchone()[0])


@contextmanager
def only_one() -> Iterator[bool]:
    """Be the worker for as long as the block takes; False when there is one."""
    if connection.vendor == "sqlite":
        with closing(_lock_file(timeout=PATIENCE)) as file:
            yield _locked(file)
        return
    own = connection.copy()  # of its own: Django may close the other one between two jobs
    own.set_autocommit(False)  # a transaction's lock also holds through a pooler
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [WORKING])
            yield bool(cursor.fetchone()[0])
    finally:
        own.rollback()  # closed alone, the lock would be let go a moment later
        own.close()


def start() -> None:
    """Start a worker unless one lives. It finds by itself what there is to do."""
    if not is_at_work():
        _starter.start()


class _Starter:
    """Starts one process at a time, however often it is asked for: between the start of a worker
    and its lock lies a second, in which somebody in a hurry could start hundreds."""

    def __init__(self) -> None:
        self.guard, self.alive, self.once_more = threading.Lock(), False, False

    def start(self) -> None:
        with self.guard:
            self.once_more = self.alive  # it may be about to end, and not see what came just now
            if not self.alive:
                self.alive = self._started()

    def _started(self) -> bool:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command
                COMMAND,
                cwd=settings.BASE_DIR,
                stdin=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # Windows
            )
        except OSError:  # no memory or no more processes: the job's page offers to start it again
            log.exception("No worker could be started.")
            return False
        threading.Thread(target=self._look_after, args=[process], daemon=True).start()
        return True

    def _look_after(self, process: "subprocess.Popen[bytes]") -> None:
        process.wait()  # or it would stay as a zombie
        with self.guard:
            self.alive, again = False, self.once_more
        if again:
            self.start()


_starter = _Starter()


def be_modest() -> None:
    """Give way to the pages, and take no more memory than there may be; where the system can."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    if resource is None:
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(hard, MOST_MEMORY)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _lock_file(*, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(_lock_path(), timeout=timeout, isolation_level=None)


def _lock_path() -> Path:
    return Path(f"{connection.settings_dict['NAME']}-worker")


def _locked(file: sqlite3.Connection) -> bool:
    """Take the lock until the file is closed; False when somebody else holds it."""
    try:
        file.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return False
    return True
