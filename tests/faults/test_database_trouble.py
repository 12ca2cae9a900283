"""SQLite's troubles: a lock held by another program, a full disk, a copy, a row changed."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.hall import ROOT
from tests.faults.injections import fill_the_disk, hold_the_lock
from tests.faults.ledger import Ledger
from tests.faults.scene import burst, written
from tests.faults.verdict import lost, path_of, verdict
from tests.real_server import called

PHONES = 4


def test_f6_a_lock_held_for_a_while_delays_hands_and_refuses_none(a_scene):
    scene = a_scene()
    figures = hold_the_lock(scene, seconds=1, phones=PHONES)
    assert scene.wrong() == []
    assert figures["answered_503"] == 0


def test_f6_a_lock_held_too_long_answers_503_and_every_hand_arrives_when_sent_again(a_scene):
    scene = a_scene(query="?timeout=0")
    figures = hold_the_lock(scene, seconds=0.7, phones=PHONES)
    assert scene.wrong() == []
    assert figures["answered_503"] > 0


def test_f6_control_a_site_that_crashes_when_busy_is_found_out(a_scene):
    scene = a_scene(query="?timeout=0", breaks="crash_when_busy")
    hold_the_lock(scene, seconds=0.7, phones=PHONES, goes_on=False)
    assert any("answered 500" in line for line in scene.wrong())


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own with room for little more than the database."""
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=12m,mode=700", "right-bower-test", str(disk)]
    mounted = subprocess.run(["mount", *options], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"only root may mount a small disk: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_f7_a_full_disk_refuses_with_503_reads_on_and_goes_on_once_there_is_room(
    a_scene, small_disk
):
    scene = a_scene(folder=small_disk)
    figures = fill_the_disk(scene, ballast=small_disk / "ballast", phones=PHONES)
    assert scene.wrong() == []
    assert figures["reads_went_on"]


def test_f15_a_backup_made_in_a_burst_holds_every_hand_acknowledged_before_it_a_copied_file_not(
    a_scene, tmp_path
):
    """The file alone is the control: what is in its journal is not copied."""
    scene = a_scene()
    scene.come_in(PHONES)
    copy = tmp_path / "copies" / "copy.sqlite3"
    with burst(scene.phones, rest=0.3):
        written(scene, 3 * PHONES)
        before = Ledger()
        before.entries = list(scene.ledger.acknowledged)
        naive = Path(shutil.copy(path_of(scene.server.database_url), tmp_path / "naive.sqlite3"))
        manage(scene, "backup", str(copy))
        written(scene, PHONES)
    assert scene.wrong() == []
    assert restored(copy, before) == []
    assert lost(restored(naive, before))


def restored(copy, before):
    """What is wrong in a copy, but for hands that came while it was made."""
    return [line for line in verdict(f"sqlite:///{copy}", before) if "nobody sent" not in line]


def test_f16_what_was_changed_by_hand_is_found_a_score_put_right_a_hand_not_papered_over(played):
    change(played, "UPDATE league_game SET score = '[99, 0]' WHERE id = 1")
    (found, said), _, (sound, _said) = recounts(played, ["--check"], [], ["--check"])
    assert found
    assert "99" in said
    assert not sound
    assert played.wrong() == []
    change(played, "DELETE FROM league_hand WHERE number = 2")
    assert recounts(played, [], ["--check"])[-1][0]


@pytest.fixture
def played(a_scene):
    """A scene whose tables have played, its server stopped."""
    scene = a_scene()
    for phone in scene.come_in(2):
        for _ in range(4):
            phone.insist(phone.next_hand())
    scene.server.stop()
    return scene


def change(scene, statement):
    with closing(sqlite3.connect(path_of(scene.server.database_url))) as db:
        db.execute(statement)
        db.commit()


def recounts(scene, *orders):
    """What `manage.py recount` says to each order, and with which code it ends."""
    return called(scene.server.environment, *(["recount", *words] for words in orders))


def manage(scene, *words, check=True):
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=scene.server.environment,
        capture_output=True,
        text=True,
        check=check,
    )
