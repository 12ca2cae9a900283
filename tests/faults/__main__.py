"""The long run: every fault, as often as asked, with as many phones, as a table of figures.

python -m tests.faults --rounds 20 --phones 16
python -m tests.faults --only kill_server,race --postgres
python -m tests.faults --both --page        both databases, the table into docs/reliability-proof.md

Exit status 1 when any promise was broken; what was broken is printed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.faults import injections as faults
from tests.faults.backups import back_up_in_a_burst, years_of_hands
from tests.faults.balancer import Balancer
from tests.faults.frozen import freeze_phones
from tests.faults.hall import Place, furnish
from tests.faults.imports import MOST, an_empty_site, kill_import, kill_restore
from tests.faults.memory import export_at_once, limited
from tests.faults.postgres import Postgres
from tests.faults.power import lose_power, strace
from tests.faults.report import put_into_page, table_of
from tests.faults.scene import Figures, Scene
from tests.faults.second_copy import Evenings, lose_laptop
from tests.faults.server import ROOT, SITE, Server, copy_of
from tests.faults.upgrades import (
    Upgrade,
    fill_previous,
    old_process_on_new_database,
    restored,
    upgrade_again_and_again,
)

CLOCK = "tests.faults.clock:server"
DISK = "12m"
YEARS = 100_000  # hands
COPIES = YEARS // 42 + 1  # of what an earlier version left
OFFLINE = "tests/journeys/test_offline_ten_minutes.py"


@dataclass
class Row:
    """One line of the table: what was done, on what, and what came of it."""

    name: str
    database: str
    wrong: list[str]
    figures: Figures
    seconds: float

    def __str__(self) -> str:
        shown = "  ".join(f"{name}={value:g}" for name, value in self.figures.items())
        verdict = "ok" if not self.wrong else f"{len(self.wrong)} WRONG"
        return f"{self.name:20} {self.database:10} {verdict:8} {self.seconds:6.1f} s  {shown}"


@dataclass
class Browsers:
    """What a browser's test found wrong."""

    troubles: list[str]

    def wrong(self) -> list[str]:
        return self.troubles


class Run:
    """Where the scenes of one long run come from."""

    def __init__(
        self, folder: Path, options: argparse.Namespace, postgres: Postgres | None
    ) -> None:
        self.folder, self.options, self.postgres = folder, options, postgres
        self.number = 0
        self.hall = folder / "hall.sqlite3"
        url = postgres.create("hall") if postgres else f"sqlite:///{self.hall}"
        self.places: list[Place] = furnish(url, folder, tables=options.phones)

    def scene(self, stack: ExitStack, *, query: str = "", disk: Path | None = None, **how) -> Scene:
        self.number += 1
        folder = self.folder / str(self.number)
        folder.mkdir()
        extra = {"STATIC_ROOT": str(self.folder / "static"), **how.pop("extra", {})}
        if self.postgres:
            url, how = self.postgres.copy("hall"), {"workers": 2, "threads": 4, **how}
        else:
            url = f"sqlite:///{copy_of(self.hall, disk or folder)}{query}"
        server = Server(url, folder, extra=extra, **how)
        stack.callback(server.stop, 10)
        return Scene(server.start(), self.places, seed=self.options.seed)

    def rows(self) -> list[Row]:
        wanted = self.options.only.split(",") if self.options.only else list(self.plan())
        return [self.one(name, self.plan()[name]) for name in wanted if name in self.plan()]

    def one(self, name: str, fault: Callable[[ExitStack], tuple[Any, Figures]]) -> Row:
        began = time.monotonic()
        with ExitStack() as stack:
            try:
                scene, figures = fault(stack)
                wrong = scene.wrong()
            except AssertionError as trouble:  # the other rows are tried all the same
                wrong, figures = [str(trouble)], {}
        where = "PostgreSQL" if self.postgres else "SQLite"
        row = Row(name, where, wrong, figures, time.monotonic() - began)
        print(row, *wrong[:10], sep="\n    ", flush=True)  # noqa: T201 - a command's output
        return row

    def plan(self) -> dict[str, Callable[[ExitStack], tuple[Any, Figures]]]:
        rounds, phones = self.options.rounds, self.options.phones

        def of(fault: Callable[..., Figures], how: dict | None = None, **arguments):
            def go(stack: ExitStack) -> tuple[Scene, Figures]:
                scene = self.scene(stack, **(how or {}))
                return scene, fault(scene, **arguments)

            return go

        both = {
            "kill_server": of(faults.kill_server, rounds=rounds, phones=phones),
            "kill_worker": of(faults.kill_worker, rounds=max(1, rounds // 4), phones=phones),
            "send_twice": of(faults.send_twice, hands=rounds * 10, retries=10),
            "race": of(faults.race, hands=rounds * 10),
            "correct_in_a_race": of(faults.correct_in_a_race, rounds=rounds * 10),
            "freeze": of(faults.freeze, seconds=3, phones=phones),
            "freeze_phones": of(freeze_phones, frozen=500, phones=phones, rounds=rounds),
            "redeploy": of(faults.redeploy, rounds=rounds, phones=phones),
            "move_the_clock": self._clock,
            "old_process": of(old_process_on_new_database, phones=phones, refusals=30 * phones),
            "kill_import": self._import,
            "kill_upgrade": self._upgrade,
            "large_backup": self._backup,
            "little_memory": of(
                export_at_once, {"before": limited()}, phones=phones, sheets=4, kind="xlsx"
            ),
        }
        if self.postgres:
            cut = partial(faults.cut_connections, postgres=self.postgres)
            return both | {
                "restart_postgres": of(
                    partial(faults.restart_postgres, postgres=self.postgres), phones=phones
                ),
                "kill_one_of_two": self._two,
                "cut_connections": of(cut, phones=phones, times=rounds * 5),
            }
        lock, short = faults.hold_the_lock, {"query": "?timeout=1"}
        return both | {
            "two_workers_race": of(faults.race, {"workers": 2}, hands=rounds * 10),
            "hold_the_lock_4s": of(lock, seconds=4, phones=phones),
            "hold_it_too_long": of(lock, short, seconds=4, phones=phones),
            "fill_the_disk": self._disk,
            "lose_power": self._power,
            "kill_restore": self._restore,
            "phone_offline": self._offline,
            "lose_laptop": self._laptop,
        }

    def _two(self, stack: ExitStack) -> tuple[Scene, Figures]:
        """Two processes behind a proxy, as two machines would stand there."""
        one, folder = self.scene(stack, workers=1).server, self.folder / "other"
        folder.mkdir()
        extra = {"STATIC_ROOT": str(self.folder / "static")}
        other = Server(one.database_url, folder, threads=4, extra=extra).start()
        stack.callback(other.stop, 10)
        proxy = Balancer([one, other]).start()
        stack.callback(proxy.stop, 10)
        scene = Scene(proxy, self.places, seed=self.options.seed)
        return scene, faults.kill_one_of_two(scene, [one, other], phones=self.options.phones)

    def _clock(self, stack: ExitStack) -> tuple[Scene, Figures]:
        clock = self.folder / "clock"
        clock.write_text("0")
        scene = self.scene(stack, app=CLOCK, extra={"CLOCK": str(clock)})
        jumps = [0.0, 1.0, -1.0, -24.0, 0.0]
        return scene, faults.move_the_clock(scene, clock=clock, hours=jumps, hands=5)

    def _power(self, stack: ExitStack) -> tuple[Scene, Figures]:
        folder = self.folder / "power"
        folder.mkdir()
        log, database = folder / "strace", self.folder / str(self.number + 1) / "club.sqlite3"
        scene = self.scene(stack, before=strace(database, log))
        before = {database.name: bytearray(self.hall.read_bytes())}
        many = {"hands": 16 * self.options.rounds, "count": 20 * self.options.rounds}
        return scene, lose_power(scene, before, log, folder, **many)

    def _import(self, stack: ExitStack) -> tuple[Scene, Figures]:
        scene = self.scene(stack)
        return scene, kill_import(scene, rounds=self.options.rounds, tables=MOST)

    def _previous(self, name: str, *, copies: int) -> Upgrade:
        """A database of an earlier version; 42 hands a copy."""
        folder = self.folder / name
        folder.mkdir()
        url = self.postgres.create(name) if self.postgres else f"sqlite:///{folder}/club.sqlite3"
        return Upgrade(fill_previous(url, folder, copies=copies), folder)

    def _upgrade(self, stack: ExitStack) -> tuple[Upgrade, Figures]:
        upgrade = self._previous("upgrade", copies=COPIES)
        backup = self.folder / "upgrade" / "backup"
        if self.postgres:
            self.postgres.dump("upgrade", backup)
        else:
            upgrade.manage("backup", str(backup))
        upgrade.kill_in_the_middle()
        rounds = max(1, self.options.rounds // 4)
        figures = upgrade_again_and_again(upgrade, rounds=rounds, seed=self.options.seed)
        upgrade.troubles += upgrade.wrong()  # and what is judged in the end is the way back
        if self.postgres:
            self.postgres.restore("upgrade", backup)
        else:
            restored(upgrade, backup)
        return upgrade, figures

    def _backup(self, stack: ExitStack) -> tuple[Scene, Figures]:
        scene = self.scene(stack)
        years_of_hands(scene, YEARS)
        backup = partial(self._restored, scene)
        return scene, back_up_in_a_burst(scene, phones=self.options.phones, backup=backup)

    def _restored(self, scene: Scene) -> str:
        """Where the backup of a scene was restored, as docs/server.md says."""
        copy, url = scene.server.folder / "backup", scene.server.database_url
        if self.postgres is None:
            words = [sys.executable, "manage.py", "backup", str(copy)]
            done = subprocess.run(words, cwd=ROOT, env=scene.server.environment, stdout=-3)
            done.check_returncode()
            return f"sqlite:///{copy}"
        name = url.partition("?")[0].rpartition("/")[2]
        self.postgres.dump(name, copy)
        self.postgres.create("restored")
        self.postgres.restore("restored", copy)
        return self.postgres.url("restored")

    def _restore(self, stack: ExitStack) -> tuple[Upgrade, Figures]:
        upgrade = self._previous("restore", copies=120)
        upgrade.manage("migrate", "-v0")
        empty = an_empty_site(self.folder / "restore" / "empty.sqlite3")
        rounds = max(1, self.options.rounds // 4)
        return upgrade, kill_restore(upgrade, empty, rounds=rounds, seed=self.options.seed)

    def _offline(self, stack: ExitStack) -> tuple["Browsers", Figures]:
        own = os.environ | {"RIGHT_BOWER_OFFLINE_HANDS": "30"}
        words = [sys.executable, "-m", "pytest", "-q", "-n0", OFFLINE]
        done = subprocess.run(words, cwd=ROOT, env=own, capture_output=True, text=True)
        said = [line for line in done.stdout.splitlines() if line.startswith("E ")]
        return Browsers(said or ["it ended so"] if done.returncode else []), {"hands": 60}

    def _laptop(self, stack: ExitStack) -> tuple[Evenings, Figures]:
        """Half a minute a round: real browsers, and two laptops each."""
        evenings = Evenings(self.options.phones)
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        return evenings, lose_laptop(folder, evenings, rounds=self.options.rounds)

    def _disk(self, stack: ExitStack) -> tuple[Scene, Figures]:
        disk = self.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "disk", disk], check=True)
        stack.callback(subprocess.run, ["umount", "--lazy", disk], check=True)
        scene = self.scene(stack, disk=disk, app=SITE)
        phones = self.options.phones
        return scene, faults.fill_the_disk(scene, ballast=disk / "ballast", phones=phones)


def main() -> int:
    parser = argparse.ArgumentParser(
        "tests.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names of faults, with commas")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--both", action="store_true", help="on SQLite, then on PostgreSQL")
    parser.add_argument(
        "--page", action="store_true", help="the figures into docs/reliability-proof.md"
    )
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    kinds = [False, True] if options.both else [options.postgres]
    rows = [row for postgres in kinds for row in run_on(options, postgres=postgres)]
    if options.page:
        put_into_page(table_of(rows, rounds=options.rounds, phones=options.phones))
    return int(any(row.wrong for row in rows))


def run_on(options: argparse.Namespace, *, postgres: bool) -> list[Row]:
    """Every fault of one database, in a folder that is thrown away."""
    prefix = "right-bower-faults-"
    with tempfile.TemporaryDirectory(prefix=prefix) as name, ExitStack() as stack:
        folder, server = Path(name), None
        if postgres:
            server = Postgres(folder / "data")
            stack.callback(server.stop)
        return Run(folder, options, server).rows()


if __name__ == "__main__":
    sys.exit(main())
