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
from tests.faults.server import copy_of
from tests.faults.upgrades import Upgrade, totals
from tests.faults.verdict import opened, path_of

PAGE = "/c/thursday/hands/import/"
FEW, MOST = 3, 40  # tables: 375 hands, and the 5,000 that the site takes on one sheet
HANDS = LONG_GAME // 4  # so many lone marches end a game of the hall
COUNT = """SELECT count(*) AS n FROM league_hand h JOIN league_game g ON g.id = h.game_id
           JOIN league_session s ON s.id = g.session_id WHERE s.name = '{}'"""
UNDER_WAY = 'hx-trigger="every 2s"'
SAVING = "SELECT count(*) AS n FROM league_job WHERE step = 'saving' AND state = 'running'"
BEGUN = "SELECT count(*) AS n FROM league_session WHERE name = '{}'"


def a_sheet(session: str, tables: int) -> bytes:
    """Games of a past evening."""
    head = "date,session,game,table,hand,player 1,player 2,player 3,player 4"
    lines = [
        f"2026-11-05,{session},{session}-{table},{table},{hand},Rose,Ann,Ted,Bill,"
        f"{(hand - 1) % 4 + 1},1,yes,march"
        for table in range(1, tables + 1)
        for hand in range(1, HANDS + 1)
    ]
    return "\n".join([f"{head},dealer,called by,alone,outcome", *lines]).encode()


class Organiser(Phone):
    """Brings sheets in: looks at each, agrees, and orders it."""

    tables = FEW
    job = ""

    def sign_in(self) -> "Organiser":
        page = self.get("/accounts/login/")
        self.post("/accounts/login/", page, login=ORGANISER, password=PASSWORD)
        return self

    def look(self, session: str) -> str:
        """The page that tells what the sheet would do; nothing is saved yet."""
        carried = base64.b64encode(zlib.compress(a_sheet(session, self.tables))).decode()
        status, page = self.post(PAGE, self.get(PAGE), carried=carried)
        assert status == 200, f"The sheet was answered {status}."
        self.job = re.search(r"/c/thursday/jobs/[\w-]+/", page)[0]
        return self.followed(page)

    def agree(self, page: str) -> str:
        """Agree to what was shown, if it would do anything; the page of the work that begins."""
        data = dict(re.findall(r'name="(agreed)" value="([^"]+)"', page))
        return self.post(f"{self.job}check/", page, **data)[1] if data else page

    def order(self, page: str) -> str:
        """Agree to what was shown; what became of it."""
        return self.followed(self.agree(page))

    def followed(self, page: str) -> str:
        """The page of the work once it is over, or asks something."""
        while UNDER_WAY in page:
            time.sleep(0.2)  # each look is work that the other has to wait for
            page = self.get(self.job)
        return page

    def bring(self, session: str) -> float:
        """Look and agree; the seconds that the order took."""
        page = self.look(session)
        began = time.monotonic()
        self.order(page)
        return time.monotonic() - began


Moment = Callable[[str, int, float], None]


def kill_import(
    scene: Scene, *, rounds: int, tables: int = FEW, moment: Moment | None = None, again: int = 2
) -> Figures:
    """In each round a sheet is ordered, the server killed at a moment, and the sheet sent `again`.

    The moments are spread over the whole life of an order, as long as one takes unharmed.
    """
    organiser = Organiser(f"http://127.0.0.1:{scene.server.port}", "", Random(scene.seed)).sign_in()
    organiser.tables, rows, cut = tables, tables * HANDS, 0
    life = 0.0 if moment else organiser.bring("Unharmed")
    moment = moment or over_its_life(rounds, Random(scene.seed))
    for round_ in range(rounds):
        session = f"Evening {round_}"
        page = organiser.look(session)
        ordering = threading.Thread(target=_unheard, args=(organiser, page))
        ordering.start()
        moment(session, round_, life)
        scene.server.kill()
        ordering.join()
        scene.server.start()
        found = imported(scene, session)
        if found not in (0, rows) or (found == 0 and counted(scene, BEGUN, session)):
            scene.ledger.troubles.append(f"{found} of {rows} hands of {session} are there")
            break
        cut += found == 0
        for _ in range(again):
            organiser.bring(session)
            if imported(scene, session) != rows:
                scene.ledger.troubles.append(f"{imported(scene, session)} hands of {session}")
    return scene.figures(rows=rows, kills=rounds, cut_short=cut, life=life)


def _unheard(organiser: Organiser, page: str) -> None:
    with suppress(OSError):
        organiser.order(page)


def imported(scene: Scene, session: str) -> int:
    return counted(scene, COUNT, session)


def counted(scene: Scene, statement: str, session: str = "") -> int:
    with closing(opened(scene.server.database_url)) as db:
        return int(dict(db.execute(statement.format(session)).fetchone())["n"])


def over_its_life(rounds: int, chance: Random) -> Moment:
    """A moment of each part of an order's life in turn, from its beginning to just after."""

    def wait(session: str, number: int, life: float) -> None:
        time.sleep(1.5 * life * (number + chance.random()) / rounds)

    return wait


def in_the_middle(scene: Scene) -> Moment:
    """The moment SQLite's lock is held by the import: it writes."""
    path = path_of(scene.server.database_url)
    return lambda session, _number, _life: until(
        lambda: (counted(scene, SAVING) and _is_locked(path)) or imported(scene, session) > 0
    )


def once_some_are_there(scene: Scene) -> Moment:
    """The moment after the first hand can be seen from outside."""
    return lambda session, _number, _life: until(lambda: imported(scene, session) > 0)


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
    """A club of thousands of hands, restored from its archive by a command that is killed, each
    time into an empty site; then into the one that was killed last."""
    archive, chance = empty.with_name("club.json"), Random(seed)
    upgrade.manage("export_club", "before", str(archive))
    whole, cut_short = len(upgrade.before["hand"]), 0
    life = _restored(copy_of(empty, empty.with_name("first")), archive)
    for number in range(rounds):
        site = copy_of(empty, empty.with_name(f"killed-{number}"))
        restoring = _restoring(site, archive)
        until(lambda site=site, one=restoring: _is_locked(str(site)) or one.poll() is not None)
        time.sleep(chance.random() * life)
        with suppress(ProcessLookupError):
            os.killpg(restoring.pid, signal.SIGKILL)
        restoring.wait()
        there = _hands(site)
        cut_short += not there
        if there not in (0, whole):
            upgrade.troubles.append(f"{there} hands of an archive of {whole}")
        if not there:
            _restored(site, archive)
        if _hands(site) != whole:
            upgrade.troubles.append("the archive was not restored whole after a kill")
    return upgrade.figures(kills=rounds, cut_short=cut_short, life=life)


def _restoring(site: Path, archive: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "manage.py", "import_club", str(archive), "--owner", ORGANISER]
    own = environment(f"sqlite:///{site}", archive.parent)
    return subprocess.Popen(
        words, cwd=ROOT, env=own, start_new_session=True, stdout=subprocess.DEVNULL
    )


def _restored(site: Path, archive: Path) -> float:
    """The archive restored to its end: how long it wrote, in seconds."""
    restoring = _restoring(site, archive)
    until(lambda: _is_locked(str(site)))
    began = time.monotonic()
    assert restoring.wait() == 0
    return time.monotonic() - began


def _hands(site: Path) -> int:
    return len(totals(f"sqlite:///{site}")["hand"])
