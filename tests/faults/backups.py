"""F12, F15: a backup of years of hands while people play, proved by restoring it.

`python -m tests.faults.backups 100000` adds so many hands to the hall in the environment's
database, by the site's own import, evening after evening.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable

from tests.faults.hall import ROOT, environment
from tests.faults.imports import HANDS, MOST, a_sheet
from tests.faults.ledger import Ledger
from tests.faults.scene import Figures, Scene, burst, percentile, written
from tests.faults.server import Server
from tests.faults.verdict import verdict


def years_of_hands(scene: Scene, hands: int) -> None:
    """Give the club of a scene so many hands of past evenings, by a process of its own."""
    server = scene.server
    words = [sys.executable, "-m", "tests.faults.backups", str(hands)]
    own = environment(server.database_url, server.folder)
    subprocess.run(words, cwd=ROOT, env=own, check=True)


def back_up_in_a_burst(scene: Scene, *, phones: int, backup: Callable[[], str]) -> Figures:
    """`backup` copies the database while all phones write, and says where it was restored.

    Every hand acknowledged before it began has to be there, the scores have to be what the hands
    come to, and a server has to serve it.
    """
    scene.come_in(phones)
    with burst(scene.phones):
        written(scene, 3 * phones)
        before = Ledger()
        before.entries = list(scene.ledger.acknowledged)
        began, waits = time.monotonic(), len(scene.ledger.waits)
        copy = backup()
        seconds = time.monotonic() - began
        written(scene, phones)
    slowest = percentile(scene.ledger.waits[waits:], 99)
    found = [line for line in verdict(copy, before) if "nobody sent" not in line]
    scene.ledger.troubles += [f"restored: {line}" for line in found]
    with Server(copy, scene.server.folder, extra={"STATIC_ROOT": _static(scene)}) as server:
        if server.status("/readyz") != 200:
            scene.ledger.troubles.append("nothing can be served from the restored copy")
    return scene.figures(before=len(before.entries), backup_s=seconds, p99_ms=slowest)


def _static(scene: Scene) -> str:
    return scene.server.environment["STATIC_ROOT"]


def main(hands: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    import django

    django.setup()
    from django.utils import timezone

    from league.exchange.hands_import import import_hands, preview_hands
    from league.exchange.sheet_import import read_rows
    from league.exchange.sheet_reading import Columns
    from league.exchange.views.files import COLUMNS, HANDS_NEED
    from league.members.models import Club
    from tests.builders import TEST

    club, at = Club.objects.get(), timezone.now()
    for night in range(hands // (MOST * HANDS)):
        rows = read_rows(a_sheet(f"Night {night}", MOST), Columns(COLUMNS, HANDS_NEED))
        agreed = preview_hands(club, rows, at=at).agreed
        import_hands(club, rows, agreed=agreed, by=TEST, at=at)


if __name__ == "__main__":
    main(int(sys.argv[1]))
