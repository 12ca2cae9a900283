"""The power goes at any moment: every hand that was acknowledged is there after the restart."""

import shutil
import subprocess

import pytest

from tests.faults.power import Disk, Event, events_of, lose_power, strace


def may_trace() -> bool:
    """Whether strace is here, and allowed to watch a process: some containers forbid it."""
    found = shutil.which("strace")
    watch = [found or "", "-o", "/dev/null", "true"]
    return bool(found) and subprocess.run(watch, capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not may_trace(), reason="strace is not here or not allowed")


def lost_power(a_scene, furnished, tmp_path, **how):
    log, database = tmp_path / "strace", tmp_path / "club.sqlite3"
    scene = a_scene(before=strace(database, log), **how)
    folder = tmp_path / "found"
    folder.mkdir()
    before = {database.name: bytearray(furnished[0].read_bytes())}
    return scene, lose_power(scene, before, log, folder, hands=16, count=30)


@needs_strace
def test_f10_no_acknowledged_hand_is_lost_when_the_power_goes(a_scene, furnished, tmp_path):
    scene, figures = lost_power(a_scene, furnished, tmp_path)
    assert scene.wrong() == []
    assert figures["writes_and_syncs"] > 100


@needs_strace
def test_f10_control_a_site_that_answers_before_the_disk_has_it_is_found_out(
    a_scene, furnished, tmp_path
):
    scene, figures = lost_power(a_scene, furnished, tmp_path, breaks="sync_rarely")
    assert any("acknowledged hands are gone" in line for line in scene.wrong())
    assert figures["most_lost"] > 3


def test_what_was_synced_is_kept_and_what_was_not_is_at_chance():
    from random import Random

    disk = Disk()
    disk.take(Event(1.0, "wal", b"a" * 1024))
    disk.take(Event(2.0, "wal", kind="sync"))
    disk.take(Event(3.0, "wal", b"b" * 1024, 1024))
    found = {bytes(disk.after_power_loss(Random(seed))["wal"]) for seed in range(40)}
    assert all(file[:1024] == b"a" * 1024 for file in found)
    assert {len(file) for file in found} == {1024, 1536, 2048}


def test_a_call_that_another_interrupts_is_read_whole():
    log = [
        '7 10.5 pwrite64(9</d/club-wal>, "\\x61\\x62", 2, 4 <unfinished ...>',
        "8 10.6 fdatasync(9</d/club-wal>) = 0",
        "7 10.7 <... pwrite64 resumed>) = 2",
    ]
    sync, write = events_of(log)
    assert (sync.kind, write.data, write.offset, write.at) == ("sync", b"ab", 4, 10.7)
