"""The site on a clock that can be moved: CLOCK names a file with the hours it is off by."""

import os
import time
from datetime import timedelta
from pathlib import Path

import time_machine

from league.rsgi import WholeRequests
from league.wsgi import application as site

CLOCK = Path(os.environ.get("CLOCK", os.devnull))
_moved: list[tuple[str, time_machine.travel]] = []


def application(environ, start_response):
    """Answer at the hour that the file says now."""
    hours = CLOCK.read_text()
    if not _moved or _moved[0][0] != hours:
        _move(hours)
    return site(environ, start_response)


def _move(hours: str) -> None:
    while _moved:
        _moved.pop()[1].stop()
    travel = time_machine.travel(time.time() + timedelta(hours=float(hours or 0)).total_seconds())
    travel.start()
    _moved.append((hours, travel))


server = WholeRequests(application, threads=1)
