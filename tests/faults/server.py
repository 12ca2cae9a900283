"""A real server process, started as `manage.py serve` starts it, and ended in every way."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from league.rsgi import GRANIAN, SITE
from tests.faults.hall import ROOT, environment

PATIENCE = 60  # seconds until a server that does not answer is given up
BROKEN = "tests.faults.broken:server"


class Server:
    """One server on a port of its own. `app` and `breaks` let a test run a broken site."""

    def __init__(
        self,
        database_url: str,
        folder: Path,
        *,
        workers: int = 1,
        threads: int = 1,
        breaks: str = "",
        app: str = SITE,
        extra: dict[str, str] | None = None,
        before: Iterable[str] = (),
    ) -> None:
        self.database_url, self.folder = database_url, folder
        self.workers, self.before = workers, tuple(before)
        self.app = BROKEN if breaks else app
        settings = {"BREAK": breaks, "THREADS": str(threads)}
        self.environment = environment(database_url, folder) | settings | (extra or {})
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.log = folder / "log"

    def start(self) -> "Server":
        """Start it, and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.before, *self._words()],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a group of its own, so that all of it can be killed
            )
        self.wait()
        return self

    def _words(self) -> list[str]:
        return [
            *(sys.executable, "-m", "granian", *GRANIAN, "--host=127.0.0.1"),
            *(f"--port={self.port}", f"--workers={self.workers}"),
            self.app,
        ]

    def wait(self) -> float:
        """Seconds until the server answers again."""
        began = time.monotonic()
        while not self.answers():
            assert time.monotonic() - began < PATIENCE, self.log.read_text()[-2000:]
            time.sleep(0.02)
        return time.monotonic() - began

    def answers(self) -> bool:
        return self.status("/healthz") == 200

    def status(self, path: str) -> int | None:
        """What a page is answered with, asked by nobody in particular; None when it is not."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            line.request("GET", path)
            return line.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    def kill(self) -> None:
        """The power of `kill -9`, on every process of it, until nobody is behind its door.

        The parent first: it would hold the door open for phones that nobody answers any more.
        """
        assert self.process is not None
        self.process.kill()
        self._gone()
        with suppress(ProcessLookupError):
            self.signal(signal.SIGKILL)
        self._shut()

    def stop(self, patience: float = 30) -> None:
        """Asked politely, as a supervisor does."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self._gone(patience)
        except subprocess.TimeoutExpired:
            self.kill()

    def signal(self, what: signal.Signals) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, what)

    def _gone(self, patience: float = 30) -> None:
        assert self.process is not None
        self.process.wait(patience)

    def _shut(self) -> None:
        """Wait until the port takes no connection: a killed process takes a moment to be gone."""
        began = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - began < PATIENCE:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                time.sleep(0.002)

    def worker_ids(self) -> list[int]:
        """The processes that answer requests: the children that run the site."""
        assert self.process is not None
        found = children(self.process.pid)
        return [child for child in found if b"resource_tracker" not in command_line(child)]

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *trouble: object) -> None:
        self.stop()


def children(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in found]


def command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def copy_of(database: Path, folder: Path) -> Path:
    """A database file of its own for one test. The one copied is closed: nothing is beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(database, folder / "club.sqlite3"))
