"""F17: little memory, and fifty who want the same export at once, while phones write.

python -m tests.faults.memory 300 granian ...: run a command with so many megabytes and no more.
"""

import http.client
import os
import re
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.faults.imports import Organiser, imported
from tests.faults.scene import Figures, Scene, at_once, burst, written

MEGABYTES = 300
EXPORTS = 50
EVENING = 12  # hands, where no sheet brings more


def limited(megabytes: int = MEGABYTES) -> list[str]:
    """What to put before a server so that none of its processes gets more memory."""
    return [sys.executable, "-m", "tests.faults.memory", str(megabytes)]


def export_at_once(scene: Scene, *, phones: int, sheets: int, kind: str) -> Figures:
    """Fifty ask for an evening's hands at the same moment, in a burst of phones. Without `sheets`
    it is the evening that the phones play."""
    organiser = Organiser(f"http://127.0.0.1:{scene.server.port}", "", Random(scene.seed)).sign_in()
    for number in range(sheets):
        organiser.bring(f"Evening {number}")
    links = re.findall(r"/c/thursday/s/[\w-]+/", organiser.get("/c/thursday/sessions/"))
    export = _exporting(scene, organiser, f"{links[-1]}hands.{kind}")
    scene.come_in(phones)
    with burst(scene.phones, rest=0.1):
        written(scene, phones if sheets else EVENING)
        statuses = at_once(*[export] * EXPORTS)
        written(scene, phones)
    if sheets and imported(scene, "Evening 0") == 0:
        scene.ledger.troubles.append("there was nothing to export")
    return scene.figures(
        exports=statuses.count(200), failed=EXPORTS - statuses.count(200), peak_mb=peak(scene)
    )


def _exporting(scene: Scene, organiser: Organiser, path: str) -> Callable[[], int | None]:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in organiser.jar)

    def export() -> int | None:
        line = http.client.HTTPConnection("127.0.0.1", scene.server.port, timeout=60)
        try:
            line.request("GET", path, headers={"Cookie": cookies})
            answer = line.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    return export


def peak(scene: Scene) -> float:
    """The most memory that a process of the server ever had, in megabytes."""
    kilobytes = [0]
    for process in scene.server.worker_ids():
        status = Path(f"/proc/{process}/status").read_text()
        kilobytes += [int(found) for found in re.findall(r"VmHWM:\s+(\d+)", status)]
    return max(kilobytes) / 1024


if __name__ == "__main__":
    most = int(sys.argv[1]) * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    os.execvp(sys.argv[2], sys.argv[2:])
