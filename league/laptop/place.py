"""Where a computer keeps its club: one folder, with a key, a lock, and a note of what runs.

Read before Django is loaded: the standard library and platformdirs only.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from league.sqlite import is_full_disk, use_repaired_sqlite

use_repaired_sqlite()  # before anybody here imports it

import sqlite3  # noqa: E402

PORTS = range(8710, 8730)
"""The first that is free is taken, and again at the next start: printed codes hold it."""
APPLIED = "SELECT app, name FROM django_migrations"
ANSWERS_WITHIN = 2  # seconds
ENDS_WITHIN = 20


@dataclass(frozen=True)
class Running:
    """What a start writes down: the port, and a random id that only its own server answers to."""

    port: int
    run: str

    @property
    def address(self) -> str:
        """The site as a browser on this computer reaches it."""
        return f"http://127.0.0.1:{self.port}/"

    def answers(self) -> bool:
        """Whether that server, and not some other program, answers at the port."""
        return self._server() is not None

    def end(self) -> bool:
        """End the server where it runs, and wait until it has ended; whether none runs now."""
        give_up = time.monotonic() + ENDS_WITHIN
        while (process := self._server()) and time.monotonic() < give_up:
            end_server(process)
            time.sleep(0.5)
        return process is None

    def _server(self) -> int | None:
        """The number of the server's process, which it says itself; None without an answer, 0 where
        it says something else, as an older version does."""
        try:
            page = f"{self.address}computer/here/{self.run}/"
            with urllib.request.urlopen(page, timeout=ANSWERS_WITHIN) as answer:  # noqa: S310
                answered = answer.read(20)
        except (OSError, urllib.error.HTTPError):
            return None
        return int(answered) if answered.isdigit() else 0


def end_server(process: int) -> None:
    """End Granian and all it started. Every acknowledged hand is on the disk already."""
    if sys.platform == "win32":
        tree = ["taskkill", "/PID", str(process), "/T", "/F"]
        subprocess.run(tree, check=False, capture_output=True)  # noqa: S603
    else:
        os.kill(process, signal.SIGTERM)


@dataclass(frozen=True)
class Place:
    """The folder of one club's data. Nobody but its owner may read it."""

    folder: Path

    @classmethod
    def usual(cls) -> "Place":
        """In the data folder of the person who uses the computer."""
        return cls(user_data_path("Right Bower", appauthor=False))

    @property
    def database(self) -> Path:
        return self.folder / "club.sqlite3"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def log(self) -> Path:
        return self.folder / "log.txt"

    def make(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def key(self) -> str:
        """The secret key of this club's codes and sign-ins, made once."""
        file = self.folder / "secret-key"
        if not file.exists() or not file.read_text("ascii").strip():
            write_private(file, secrets.token_urlsafe(50))
        return file.read_text("ascii").strip()

    def running(self) -> Running | None:
        """What the last start wrote down; None before the first, or when it cannot be read."""
        try:
            noted = json.loads((self.folder / "running.json").read_text("ascii"))
            return Running(int(noted["port"]), str(noted["run"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def note(self, running: Running) -> None:
        noted = json.dumps({"port": running.port, "run": running.run})
        write_private(self.folder / "running.json", noted)

    @contextmanager
    def only_start(self) -> Iterator[bool]:
        """Be the one who starts the site; False when somebody else is.

        The lock is SQLite's on an empty file: every system takes it back however a process ends.
        """
        with closing(sqlite3.connect(self.folder / "started", isolation_level=None)) as lock:
            lock.execute("PRAGMA busy_timeout=0")
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if is_full_disk(error):
                    raise
                yield False
            else:
                yield True


def write_private(file: Path, text: str) -> None:
    """Write a small file that others cannot read, whole or not at all."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(text)
    unfinished.replace(file)


def free_port(last: int | None = None) -> int:
    """The port of last time if it is free, else the first free one of `PORTS`, else any."""
    for port in (*([last] if last else ()), *PORTS):
        if is_free(port):
            return port
    with socket.socket() as any_port:
        any_port.bind(("0.0.0.0", 0))  # noqa: S104
        return int(any_port.getsockname()[1])


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        if sys.platform == "win32":  # there the other option lets two programs share a port
            with suppress(AttributeError):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))  # noqa: S104 - where the server will listen
        except OSError:
            return False
    return True


def migrations_in(database: Path) -> frozenset[tuple[str, str]]:
    """What has been applied to a database; nothing where there is none."""
    if not database.exists():
        return frozenset()
    with closing(sqlite3.connect(database)) as opened, suppress(sqlite3.DatabaseError):
        return frozenset(opened.execute(APPLIED))
    return frozenset()
