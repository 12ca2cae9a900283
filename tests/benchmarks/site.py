"""The site beside a bare Django project, in one run and in turns: ratios, not figures of a machine.

python -m tests.benchmarks.site                 hands sent, about two minutes when quiet
python -m tests.benchmarks.site --rounds 1      fewer blocks of requests
python -m tests.benchmarks.site --postgres      both projects on PostgreSQL

Load goes to this computer alone. CPU is the server's own (user and system), and hardly depends on
what else runs; waits do, so read those on a quiet computer.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from tests.benchmarks.large import commits_per_second, engine_seconds
from tests.benchmarks.load import Measured, a_hand, hands, posted, run
from tests.faults.hall import ROOT, Place, environment, furnish
from tests.faults.ledger import Ledger
from tests.faults.phone import Phone
from tests.faults.postgres import Postgres
from tests.faults.server import Server

# A multiple of every number of clients, so that all hands of a table come from one, in order.
TABLES, HANDS_EACH = 32, 12
BARE = "tests.benchmarks.bare.wsgi:server"


def bare_server(folder: Path, stack: ExitStack, url: str = "") -> tuple[Server, dict[str, str]]:
    """The bare project on a server of its own, and the cookies of somebody signed in there."""
    extra = {"BARE": url or f"sqlite:///{folder}/bare.sqlite3"}
    made = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bare.wsgi"],
        cwd=ROOT,
        env=environment("sqlite://", folder) | extra,
        capture_output=True,
        text=True,
        check=True,
    )
    server = stack.enter_context(Server("sqlite://", folder, app=BARE, extra=extra))
    nobody = Phone(server, Place(0, "", ""), Ledger(), Random(0))
    assert nobody.get("/healthz") == 200
    return server, nobody.cookies | {"sessionid": made.stdout.split()[-1]}


class Bench:
    """Both servers, and the cookies of those who ask."""

    def __init__(
        self,
        folder: Path,
        stack: ExitStack,
        *,
        rounds: int,
        tables: int,
        postgres: Postgres | None = None,
    ) -> None:
        self.folder, self.rounds = folder, rounds
        self.database = postgres.process if postgres else None
        names = ("club", "bare")
        self.urls = club, bare = [
            postgres.create(name) if postgres else f"sqlite:///{folder}/{name}.sqlite3"
            for name in names
        ]
        self.places: list[Place] = furnish(club, folder, tables=tables)
        self.site = stack.enter_context(Server(club, folder))
        self.bare, self.bare_cookies = bare_server(folder, stack, bare)
        self.next_place = 0

    def tables(self, count: int) -> list[tuple[Place, dict[str, str]]]:
        """Tables at which nobody has played yet, each with the cookies of its phone."""
        there = self.places[self.next_place : self.next_place + count]
        self.next_place += count
        return [(place, self.phone(place).cookies) for place in there]

    def settle(self) -> None:
        """What PostgreSQL does by itself within a minute: until then its plans are for tables with
        nothing in them, and it reads all hands to find those of a game."""
        import psycopg

        for url in self.urls if self.database else ():
            with psycopg.connect(url, autocommit=True) as db:
                db.execute("ANALYZE")

    def phone(self, place: Place) -> Phone:
        return Phone(self.site, place, Ledger(), Random(place.number)).come_in()

    def both(self, clients: int) -> tuple[Measured, Measured]:
        """Hands to the site and rows to the bare project, block by block in turns."""
        site, bare = Measured(), Measured()
        for _ in range(self.rounds):
            sent = list(hands(self.tables(TABLES), HANDS_EACH))
            rows = [
                posted("/hand", a_hand(n % 90 + 1), self.bare_cookies) for n in range(len(sent))
            ]
            bare.add(run(self.bare, rows, clients, database=self.database))
            site.add(run(self.site, sent, clients, database=self.database))
        return site, bare


def print_figure(goal: str, what: str, measured: float, must: str, unit: str = "x") -> None:
    print(f"{goal:4} {what:36} {measured:8.3g} {unit:2} must be {must}", flush=True)  # noqa: T201


def waits(name: str, measured: Measured) -> None:
    line = (
        f"     {name:34} {measured.rate:6.0f}/s  cpu {measured.cpu_ms:5.2f} ms  p50 "
        f"{measured.p(50):6.1f}  p95 {measured.p(95):6.1f}  p99 {measured.p(99):6.1f} ms  "
        f"wrong {measured.wrong}"
    )
    print(line, flush=True)  # noqa: T201


def writing(bench: Bench) -> None:
    """G1, G3, G4, G5, G10."""
    bench.both(4)  # warm
    bench.settle()
    for clients in (1, 8, 32):
        site, bare = bench.both(clients)
        waits(f"hand POST, {clients} clients: site", site)
        waits(f"hand POST, {clients} clients: bare", bare)
        if clients == 1:
            print_figure(
                "G1", "CPU of a hand / of a bare insert", site.cpu_ms / bare.cpu_ms, "<= 2 (1.5)"
            )
            if bench.database is None:
                commits = commits_per_second(bench.folder / "raw.sqlite3")
                print_figure(
                    "G5", "durable hands / raw commits", site.rate / commits, ">= 0.05 (0.07)"
                )
            share = 100 * 1000 * engine_seconds() / site.cpu_ms
            print_figure("G10", "the engine's share of a hand's CPU", share, "<= 3 (1)", "%")
        if clients == 8:
            print_figure(
                "G4", "p95 of a hand / of a bare insert", site.p(95) / bare.p(95), "<= 2 (1.5)"
            )
        if clients == 32:
            print_figure(
                "G3", "p99 / p50 of a hand, 32 clients", site.p(99) / site.p(50), "<= 2 (1.3)"
            )
            print_figure("G3", "answers that were not the right one", site.wrong, "0", "")


def main() -> None:
    parser = argparse.ArgumentParser(
        "tests.benchmarks.site",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=2, help="blocks for each side")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, not SQLite")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    with tempfile.TemporaryDirectory(prefix="right-bower-bench-") as name:
        folder = Path(name, "writing")
        folder.mkdir()
        with ExitStack() as stack:
            postgres = Postgres(folder / "data") if options.postgres else None
            if postgres:
                stack.callback(postgres.stop)
            tables = TABLES * options.rounds * 4
            writing(Bench(folder, stack, rounds=options.rounds, tables=tables, postgres=postgres))


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"{time.monotonic() - began:.0f} s")  # noqa: T201
