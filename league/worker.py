"""The worker process for background jobs, and progress reports of the work."""

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

# Without a listener, as in commands and imports of small sheets, reports cost next to nothing.

Item = TypeVar("Item")


class Cancelled(Exception):
    """Raised at the next report of a job that was cancelled."""


class Listener(Protocol):
    """Receives progress reports."""

    def at(self, step: str, done: int, total: int) -> None:
        """`done` of `total` items of a step (`Job.Step`) are finished."""

    def saved(self, made: int) -> None:
        """Everything is written; called in the transaction that is about to be committed."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Send the progress reports of this block to a listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def counted(items: Sequence[Item], step: str = "checking") -> Iterator[Item]:
    """Yield the items, and report progress before each. Not for use in a transaction."""
    listener = _listener.get()
    for done, item in enumerate(items):
        if listener is not None:
            listener.at(step, done, len(items))
        yield item


def begin(step: str) -> None:
    """Report the beginning of a step whose items are not counted."""
    if (listener := _listener.get()) is not None:
        listener.at(step, 0, 0)


def saved(made: int) -> None:
    """Report, in the transaction, that everything is written. The report is committed with the
    work, so that work and report never disagree."""
    if (listener := _listener.get()) is not None:
        listener.saved(made)


# There is one worker at a time. It holds a lock that the system releases however the process ends,
# so that the next check notices a killed worker, without a timeout. On SQLite this is the lock of
# an empty file beside the database, on PostgreSQL an advisory lock.

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

COMMAND = [sys.executable, "-m", "django", "run_jobs"]
MOST_MEMORY = 1024**3  # bytes of address space; the largest sheet needs a fifth
PATIENCE = 5  # seconds to wait for another worker, or a check of the lock, to end
WORKING = 7_221_107  # the number of the advisory lock
HELD = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND datname = current_database()
"""

log = logging.getLogger(__name__)


def is_at_work() -> bool:
    """Whether a worker is running."""
    if connection.vendor == "sqlite":
        if not _lock_path().exists():
            return False
        with closing(_lock_file(timeout=0)) as file:
            return not _try_lock(file)
    with connection.cursor() as cursor:
        cursor.execute(HELD, [WORKING])
        return bool(cursor.fetchone()[0])


@contextmanager
def only_one() -> Iterator[bool]:
    """Hold the worker's lock during the block; yields False if another worker has it."""
    if connection.vendor == "sqlite":
        with closing(_lock_file(timeout=PATIENCE)) as file:
            yield _try_lock(file)
        return
    own = connection.copy()  # Django may close the default connection between two jobs
    own.set_autocommit(False)  # a transaction's lock also works through a connection pooler
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [WORKING])
            yield bool(cursor.fetchone()[0])
    finally:
        own.rollback()  # closing alone would release the lock a moment later
        own.close()


def start() -> None:
    """Start a worker, which finds its jobs by itself, unless one is running."""
    if not is_at_work():
        _starter.start()


class _Starter:
    """Starts one process at a time: a worker needs a second until it has the lock, in which an
    impatient user could start hundreds."""

    def __init__(self) -> None:
        self.lock, self.is_alive, self.starts_again = threading.Lock(), False, False

    def start(self) -> None:
        with self.lock:
            self.starts_again = self.is_alive  # it may be about to end, and miss a new job
            if not self.is_alive:
                self.is_alive = self._start_process()

    def _start_process(self) -> bool:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command
                COMMAND,
                cwd=settings.BASE_DIR,
                stdin=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # Windows
            )
        except OSError:  # no memory or too many processes: the job's page offers to start it again
            log.exception("No worker could be started.")
            return False
        threading.Thread(target=self._wait_for, args=[process], daemon=True).start()
        return True

    def _wait_for(self, process: "subprocess.Popen[bytes]") -> None:
        process.wait()  # else it would remain as a zombie
        with self.lock:
            self.is_alive, starts_again = False, self.starts_again
        if starts_again:
            self.start()


_starter = _Starter()


def limit_resources() -> None:
    """Lower the priority of this process and limit its memory, if the system supports it."""
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


def _try_lock(file: sqlite3.Connection) -> bool:
    """Take the lock until the file is closed; False if another process holds it."""
    try:
        file.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return False
    return True
