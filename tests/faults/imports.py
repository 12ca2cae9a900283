"""F11: `kill -9` while a sheet of hands, or the archive of a whole club, is brought in."""

import base64
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from tests.faults.hall import LONG_GAME, ORGANISER, PASSWORD, ROOT, environment
from tests.faults.phones import Phone
from tests.faults.scene import Figures, Scene, until
from tests.faults.upgrades import Upgrade, totals
from tests.faults.verdict import opened, path_of

PAGE = "/c/thursday/sessions/import/"
TABLES, HANDS = 3, LONG_GAME // 4  # so many lone marches end a game of the hall
ROWS = TABLES * HANDS  # the site takes 400 on one sheet
COUNT = """SELECT count(*) AS n FROM league_hand h JOIN league_game g ON g.id = h.game_id
           JOIN league_session s ON s.id = g.session_id WHERE s.name = '{}'"""


def a_sheet(session: str) -> bytes:
    """Games of a past evening, as many hands as one sheet may hold."""
    head = "date,session,game,table,hand,player 1,player 2,player 3,player 4"
    lines = [
        f"2026-11-05,{session},{session}-{table},{table},{hand},Rose,Ann,Ted,Bill,"
        f"{(hand - 1) % 4 + 1},1,yes,march"
        for table in range(1, TABLES + 1)
        for hand in range(1, HANDS + 1)
    ]
    return "\n".join([f"{head},dealer,called by,alone,outcome", *lines]).encode()


class Organiser(Phone):
    """Brings sheets in: looks at each, agrees, and orders it."""

    def sign_in(self) -> "Organiser":
        page = self.get("/accounts/login/")
        self.post("/accounts/login/", page, login=ORGANISER, password=PASSWORD)
        return self

    def look(self, session: str) -> str:
        """The page that tells what the sheet would do; nothing is saved yet."""
        carried = base64.b64encode(zlib.compress(a_sheet(session))).decode()
        status, page = self.post(PAGE, self.get(PAGE), carried=carried)
        assert status == 200, f"The sheet was answered {status}."
        return page

    def order(self, page: str) -> None:
        """Agree to what was shown, if it would do anything."""
        told = dict(re.findall(r'name="(carried|agreed)" value="([^"]+)"', page))
        if told:
            self.post(PAGE, page, **told)

    def bring(self, session: str) -> None:
        self.order(self.look(session))


def kill_import(scene: Scene, *, rounds: int, moment: Callable[[str], None]) -> Figures:
    """In each round a sheet is ordered, the server killed at a moment, and the sheet sent again."""
    organiser = Organiser(f"http://127.0.0.1:{scene.server.port}", "", Random(scene.seed)).sign_in()
    cut = 0
    for round_ in range(rounds):
        session = f"Evening {round_}"
        page = organiser.look(session)
        ordering = threading.Thread(target=_unheard, args=(organiser, page))
        ordering.start()
        moment(session)
        scene.server.kill()
        ordering.join()
        scene.server.start()
        found = imported(scene, session)
        if found not in (0, ROWS):
            scene.ledger.troubles.append(f"{found} of {ROWS} hands of {session} are there")
            break
        cut += found == 0
        for _again in range(2):
            organiser.bring(session)
            if imported(scene, session) != ROWS:
                scene.ledger.troubles.append(f"{imported(scene, session)} hands of {session}")
    return scene.figures(rows=ROWS, kills=rounds, cut_short=cut)


def _unheard(organiser: Organiser, page: str) -> None:
    with suppress(OSError):
        organiser.order(page)


def imported(scene: Scene, session: str) -> int:
    with closing(opened(scene.server.database_url)) as db:
        return int(dict(db.execute(COUNT.format(session)).fetchone())["n"])


def in_the_middle(scene: Scene, chance: Random) -> Callable[[str], None]:
    """A moment while SQLite's lock is held: the import writes."""
    path = path_of(scene.server.database_url)

    def wait(session: str) -> None:
        until(lambda: _is_locked(path) or imported(scene, session) > 0)
        time.sleep(chance.random() * 0.3)

    return wait


def once_some_are_there(scene: Scene) -> Callable[[str], None]:
    """The moment after the first hand can be seen from outside."""
    return lambda session: until(lambda: imported(scene, session) > 0)


def _is_locked(path: str) -> bool:
    with closing(sqlite3.connect(path, timeout=0)) as other:
        other.isolation_level = None
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        other.execute("ROLLBACK")
        return False


def an_empty_site(database: Path) -> Path:
    """A database with tables and one account, who will own what is restored."""
    own = environment(f"sqlite:///{database}", database.parent)
    account = f"createsuperuser --noinput --username={ORGANISER} --email=olive@club.example"
    for command in ("migrate -v0", account):
        words = [sys.executable, "manage.py", *command.split()]
        subprocess.run(words, cwd=ROOT, env=own, check=True, capture_output=True)
    return database


def kill_restore(upgrade: Upgrade, empty: Path, *, rounds: int, seed: int) -> Figures:
    """A club of thousands of hands, restored from its archive by a command that is killed."""
    archive, chance = empty.with_name("club.json"), Random(seed)
    upgrade.manage("export_club", "before", str(archive))
    url = f"sqlite:///{empty}"
    words = [sys.executable, "manage.py", "import_club", str(archive), "--owner", ORGANISER]
    run = {"cwd": ROOT, "env": environment(url, empty.parent), "start_new_session": True}
    run["stdout"] = subprocess.DEVNULL
    began = time.monotonic()
    for _ in range(rounds):
        restoring = subprocess.Popen(words, **run)  # type: ignore[call-overload]
        until(lambda: _is_locked(str(empty)), 60)
        time.sleep(chance.random() * 2)
        os.killpg(restoring.pid, signal.SIGKILL)
        restoring.wait()
        if totals(url)["hand"]:
            upgrade.troubles.append(f"{len(totals(url)['hand'])} hands of an archive cut short")
    killed = time.monotonic() - began
    subprocess.run(words, check=True, **run)  # type: ignore[call-overload]
    if len(totals(url)["hand"]) != len(upgrade.before["hand"]):
        upgrade.troubles.append("the archive was not restored whole")
    return upgrade.figures(kills=rounds, seconds=killed)
