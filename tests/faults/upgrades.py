"""F12 and F18: an upgrade killed in its middle, gone back from, and met by an old process."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.hall import ROOT, environment
from tests.faults.ledger import Ledger
from tests.faults.scene import Figures, Scene, burst, until, written
from tests.faults.verdict import opened, path_of, rows, verdict

NEXT = "tests.faults.next_version.settings"
BY_THE_OLD = "written_by_next = 'no'"
TOLD = {
    "game": "SELECT public_id, score, winners, hands_played, state FROM league_game",
    "hand": "SELECT id, game_id, number, version, current, record, points FROM league_hand",
    "result": "SELECT game_id, position, member_id, points, win_share FROM league_result",
}
TABLES = {
    "sqlite": """
        SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL
        UNION ALL SELECT app, name FROM django_migrations
    """,
    "postgresql": """
        SELECT table_name, concat_ws(' ', column_name, is_nullable, column_default, udt_name,
            character_maximum_length, numeric_precision, numeric_scale)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
        UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT app, name FROM django_migrations
    """,
}
# A dump of PostgreSQL that is read in again has other casts and brackets for the same condition.
CASTS = re.compile(r"::(?:character varying|text)(?:\[\])?|[()]")
# An index keeps the name that its table had when it was made, and a digest of it.
OF_THEN = re.compile(r"league_(?:wish|seatingrequest)(_pkey|_\w+_id_)(?:[0-9a-f]{8})?")


class Upgrade:
    """A database of an earlier version and the program of the next one."""

    def __init__(self, database_url: str, folder: Path, **more: str) -> None:
        self.database_url, self.folder = database_url, folder
        self.environment = environment(database_url, folder) | {"DJANGO_SETTINGS_MODULE": NEXT}
        self.environment |= more
        self.before = totals(database_url)
        self.troubles: list[str] = []

    def kill_in_the_middle(self) -> None:
        """`kill -9` when half of the next version's migration is done, and nothing is committed."""
        mark = self.folder / "half"
        process = self._start({"LINGER": str(mark)})
        until(lambda: mark.exists() or process.poll() is not None)
        assert mark.exists(), process.communicate()[1]
        _kill(process)

    def kill_after(self, seconds: float) -> bool:
        """`kill -9` at any moment; whether it had not finished by then."""
        process = self._start({})
        time.sleep(seconds)
        unfinished = process.poll() is None
        _kill(process)
        return unfinished

    def finish(self) -> float:
        """Run it to its end; seconds. What the new tables hold is judged against before."""
        began = time.monotonic()
        process = self._start({})
        _, said = process.communicate()
        if process.returncode:
            self.troubles.append(f"migrate ended with {process.returncode}: {said[-300:]!r}")
        return time.monotonic() - began

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of the site as it is, without the next version's migration."""
        own = self.environment | {"DJANGO_SETTINGS_MODULE": "league.settings"}
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)

    def wrong(self) -> list[str]:
        """All that is not as it was before, or not sound."""
        now = totals(self.database_url)
        changed = [f"{name} is not what it was" for name in TOLD if now[name] != self.before[name]]
        sound = verdict(self.database_url, Ledger())
        return self.troubles + changed + [line for line in sound if "nobody sent" not in line]

    def figures(self, **more: float) -> Figures:
        return {"hands": len(self.before["hand"]), **more}

    def _start(self, more: dict[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=ROOT,
            env=self.environment | more,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def totals(database_url: str) -> dict[str, list[Any]]:
    """Every game, hand and result, in plain SQL of columns that all versions have."""
    with closing(opened(database_url)) as db:
        return {name: sorted(map(str, rows(db, query))) for name, query in TOLD.items()}


def tables_of(database_url: str) -> set[tuple[str, ...]]:
    """Tables with their columns in no order, constraints, indexes, and names of migrations.

    A new database has its tables at once, an earlier one step by step: they are to be equal.
    """
    with closing(opened(database_url)) as db:
        found = [row.values() for row in rows(db, TABLES[database_url.partition(":")[0]])]
    return {
        (OF_THEN.sub(r"\1", name), *sorted(CASTS.sub("", OF_THEN.sub(r"\1", text)).split(", ")))
        for name, text in found
    }


def fill_previous(database_url: str, folder: Path, *, copies: int) -> str:
    """Tables of the earlier version, made and filled by a process of its own; the address back."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.faults.previous.filling", str(copies)],
        cwd=ROOT,
        env=environment(database_url, folder),
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return database_url


def upgrade_again_and_again(upgrade: Upgrade, *, rounds: int, seed: int) -> Figures:
    """Killed at random moments, then in the very middle, then let be."""
    chance, cut = Random(seed), 0
    for _ in range(rounds):
        cut += upgrade.kill_after(1 + chance.random() * 3)
    seconds = upgrade.finish()
    return upgrade.figures(kills=rounds, cut_short=cut, last_run_s=seconds)


def old_process_on_new_database(scene: Scene, *, phones: int, refusals: int) -> Figures:
    """F18: another process migrates in a burst; the old one is asked on, and then replaced."""
    scene.come_in(phones)
    server = scene.server
    next_one = server.environment | {"DJANGO_SETTINGS_MODULE": NEXT}
    with burst(scene.phones, rest=0.3):
        written(scene, phones)
        words = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(words, cwd=ROOT, env=next_one, check=True)
        enough = len(scene.ledger.acknowledged) + 3 * phones
        until(lambda: scene.ledger.count(503) >= refusals or _saved(scene) >= enough)
        with closing(opened(server.database_url)) as db:
            (strange,) = rows(db, "SELECT count(*) AS n FROM league_hand WHERE " + BY_THE_OLD)
        if strange["n"]:
            scene.ledger.troubles.append(f"{strange['n']} hands written by the old process")
            return scene.figures()
        if server.status("/readyz") != 503:
            scene.ledger.troubles.append("the old process says it is ready")
        server.stop()
        server.environment = next_one
        server.start()
        written(scene, phones)
    return scene.figures(answered_503=scene.ledger.count(503))


def _saved(scene: Scene) -> int:
    return len(scene.ledger.acknowledged)


def restored(upgrade: Upgrade, copy: Path) -> Upgrade:
    """The backup put back where the database was, as docs/server.md says."""
    path = Path(path_of(upgrade.database_url))
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    path.write_bytes(copy.read_bytes())
    return upgrade


def version_of(database_url: str) -> str:
    """The last migration of the site that a database has."""
    query = "SELECT name FROM django_migrations WHERE app = 'league' ORDER BY id DESC LIMIT 1"
    with closing(sqlite3.connect(path_of(database_url))) as db:
        return str(db.execute(query).fetchone()[0])
