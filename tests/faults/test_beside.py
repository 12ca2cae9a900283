"""Long work beside the pages, by a real worker: killed, cancelled, waited for by nobody."""

import os
import signal
from pathlib import Path
from random import Random

import pytest

from tests.faults.conftest import scenes
from tests.faults.imports import (
    FEW,
    HANDS,
    UNDER_WAY,
    Organiser,
    counted,
    imported,
    in_the_middle,
)
from tests.faults.scene import at_once, until
from tests.faults.server import command_line

MANY = 5  # tables: so long is the work that it can be stopped in its middle
AT_WORK = "SELECT count(*) AS n FROM league_job WHERE state = 'running' AND step = 'checking'"


@pytest.fixture(scope="module")
def scene(furnished, tmp_path_factory):
    """One server for both: each brings sheets of its own names in."""
    with scenes(furnished, tmp_path_factory.mktemp("beside")) as begin:
        yield begin()


def an_organiser(scene, tables=FEW):
    organiser = Organiser(f"http://127.0.0.1:{scene.server.port}", "", Random(1)).sign_in()
    organiser.tables = tables
    return organiser


def workers_of(server):
    """The processes that work beside this server's pages."""
    found = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
    return [one for one in found if b"run_jobs" in command_line(one) and _group(one) == server]


def send(what, scene):
    for process in workers_of(scene.server.process.pid):
        os.kill(process, what)


def _group(process):
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None


def test_a_worker_killed_as_it_saves_leaves_nothing_and_is_started_again_by_a_button(scene):
    organiser = an_organiser(scene)
    saved, tries = FEW * HANDS, 0
    while saved == FEW * HANDS:  # the worker was done before it was killed: nothing is tried yet
        tries += 1
        name, middle = f"Cut short {tries}", in_the_middle(scene)
        page = organiser.look(name)

        def kill(name=name, middle=middle):
            middle(name, 0, 0)
            send(signal.SIGKILL, scene)

        page, _killed = at_once(lambda page=page: organiser.order(page), kill)
        saved = imported(scene, name)
        assert saved in (0, FEW * HANDS)
        assert tries < 9
    assert "Interrupted. Nothing was changed." in page
    _status, page = organiser.post(f"{organiser.job}again", page)
    assert "Added 1 session." in organiser.followed(page)
    assert imported(scene, name) == FEW * HANDS
    assert scene.wrong() == []


def test_a_page_is_answered_in_the_middle_of_long_work_and_the_worker_ends_after_it(scene):
    organiser = an_organiser(scene, tables=MANY)
    page = organiser.agree(organiser.look("Long"))
    until(lambda: counted(scene, AT_WORK) or imported(scene, "Long"))
    send(signal.SIGSTOP, scene)
    page = organiser.get(organiser.job)
    assert (UNDER_WAY in page, imported(scene, "Long")) == (True, 0)
    assert "Import hands" in organiser.get("/c/thursday/files/")
    send(signal.SIGCONT, scene)
    assert "Added 1 session." in organiser.followed(page)
    assert imported(scene, "Long") == MANY * HANDS
    until(lambda: workers_of(scene.server.process.pid) == [], every=0.2)
