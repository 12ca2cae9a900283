"""The folder of a club's data on this computer, with its key, its lock and its running server.

Imported before Django is loaded: uses only the standard library and platformdirs.
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

use_repaired_sqlite()  # before anything imports sqlite3

import sqlite3  # noqa: E402

PORTS = range(8710, 8730)
"""The first free one is used, and again at the next start, since printed codes contain it."""
APPLIED = "SELECT app, name FROM django_migrations"
ANSWERS_WITHIN = 2  # seconds
ENDS_WITHIN = 20


@dataclass(frozen=True)
class Running:
    """A running server: its port, and a random id that only this server answers to."""

    port: int
    run: str

    @property
    def address(self) -> str:
        """The URL of the site for a browser on this computer."""
        return f"http://127.0.0.1:{self.port}/"

    def answers(self) -> bool:
        """Whether this server, and not some other program, answers at the port."""
        return self._process_id() is not None

    def end(self) -> bool:
        """End the server if it runs, and wait for that. Returns whether it has ended."""
        give_up = time.monotonic() + ENDS_WITHIN
        while (process := self._process_id()) and time.monotonic() < give_up:
            end_server(process)
            time.sleep(0.5)
        return process is None

    def _process_id(self) -> int | None:
        """The server's process id, as it answers; None without an answer, 0 for any other answer,
        such as an older version's."""
        try:
            page = f"{self.address}computer/here/{self.run}/"
            with urllib.request.urlopen(page, timeout=ANSWERS_WITHIN) as answer:  # noqa: S310
                text = answer.read(20)
        except (OSError, urllib.error.HTTPError):
            return None
        return int(text) if text.isdigit() else 0


def end_server(process: int) -> None:
    """End Granian and its child processes. Every acknowledged hand is on the disk already."""
    if sys.platform == "win32":
        tree = ["taskkill", "/PID", str(process), "/T", "/F"]
        subprocess.run(tree, check=False, capture_output=True)  # noqa: S603
    else:
        os.kill(process, signal.SIGTERM)


@dataclass(frozen=True)
class Place:
    """The folder of one club's data, readable only by its owner."""

    folder: Path

    @classmethod
    def usual(cls) -> "Place":
        """The default: in the data folder of the computer's user."""
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
        """The secret key of this club's codes and sign-ins, created when first needed."""
        file = self.folder / "secret-key"
        if not file.exists() or not file.read_text("ascii").strip():
            write_private(file, secrets.token_urlsafe(50))
        return file.read_text("ascii").strip()

    def running(self) -> Running | None:
        """The server of the last start; None before the first, or if the file cannot be read."""
        try:
            data = json.loads((self.folder / "running.json").read_text("ascii"))
            return Running(int(data["port"]), str(data["run"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save_running(self, running: Running) -> None:
        data = json.dumps({"port": running.port, "run": running.run})
        write_private(self.folder / "running.json", data)

    @contextmanager
    def start_lock(self) -> Iterator[bool]:
        """Hold the lock for starting the site; False if another process has it.

        It is SQLite's lock on an empty file, which every system releases however a process ends.
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
    """Write a small file that other users cannot read, completely or not at all."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(text)
    unfinished.replace(file)


def free_port(last: int | None = None) -> int:
    """The last port if it is free, else the first free one of `PORTS`, else any free port."""
    for port in (*([last] if last else ()), *PORTS):
        if is_free(port):
            return port
    with socket.socket() as any_port:
        any_port.bind(("0.0.0.0", 0))  # noqa: S104
        return int(any_port.getsockname()[1])


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        if sys.platform == "win32":  # SO_REUSEADDR would let two programs share a port there
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
    """The migrations applied to a database; empty if there is none."""
    if not database.exists():
        return frozenset()
    with closing(sqlite3.connect(database)) as opened, suppress(sqlite3.DatabaseError):
        return frozenset(opened.execute(APPLIED))
    return frozenset()
