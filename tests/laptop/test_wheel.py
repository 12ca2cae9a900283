"""The wheel holds everything, starts a club from nothing, and again after it was killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from tests.architecture.source import ROOT

pytestmark = pytest.mark.sqlite


def test_templates_static_files_migrations_and_the_command_are_inside(unpacked):
    pages = {str(p.relative_to(ROOT / "templates")) for p in (ROOT / "templates").rglob("*.html")}
    inside = unpacked / "league" / "templates"
    assert {str(p.relative_to(inside)) for p in inside.rglob("*.html")} == pages
    assert list((unpacked / "league/built/static").rglob("all-site.*.css"))
    assert (unpacked / "league/migrations/0001_initial.py").exists()
    assert (unpacked / "league/exchange/demo_members.txt").exists()
    (entry_points,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "right-bower = league.laptop.command:main" in entry_points.read_text()
    assert {one.name for one in unpacked.iterdir()} - {entry_points.parent.name} == {
        "league",
        "scoring",
    }


@contextlib.contextmanager
def started(unpacked, folder):
    """A start whose first line has been read, and that line."""
    words = ["-m", "league.laptop.command", "--folder", str(folder), "--no-browser"]
    start = subprocess.Popen(
        [sys.executable, *words],
        cwd=unpacked,
        env={"PATH": os.environ["PATH"], "DEBUG": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield start, start.stdout.readline()
    finally:
        start.terminate()
        start.wait()
        start.stdout.close()


def test_a_start_makes_a_club_a_second_finds_it_and_a_crash_stops_no_third(unpacked, tmp_path):
    with started(unpacked, tmp_path) as (first, line):
        address = line.removeprefix("Right Bower is at ").strip()
        assert "Start a new club" in page_at(address), (tmp_path / "log.txt").read_text()
        with started(unpacked, tmp_path) as (second, same):
            assert second.wait() == 0
            assert same == line
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        left = servers_of(tmp_path)
        with started(unpacked, tmp_path) as (third, found):  # it looks after a server again
            assert found == line
            assert "Start a new club" in page_at(address)
            assert third.poll() is None
            assert left.isdisjoint(servers_of(tmp_path))
            third.kill()
        end_servers_of(tmp_path)
    with started(unpacked, tmp_path) as (fourth, again):
        assert again == line  # the same port: printed codes hold it
        os.kill(fourth.pid, signal.SIGHUP)  # the window was closed: the evening goes on
        assert "Start a new club" in page_at(address)
        with urllib.request.urlopen(f"{address}start/club/", timeout=60) as form:
            # Browsers keep a computer's ports together: two clubs must not sign each other out.
            assert f"csrftoken-{address.split(':')[-1].strip('/')}=" in form.headers["Set-Cookie"]
    assert fourth.returncode == 0  # ended by being asked to


def page_at(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read().decode()


def servers_of(folder):
    """The processes of this club's server."""
    port = json.loads((folder / "running.json").read_text())["port"]
    listed = subprocess.check_output(["ps", "-ww", "-eo", "pid,args"], text=True)
    rows = [line.strip().partition(" ") for line in listed.splitlines()]
    found = {int(pid) for pid, _, words in rows if f"--port={port}" in words and "granian" in words}
    assert found, "the server had gone"
    return found


def end_servers_of(folder):
    """Kill what a crash of the computer would end."""
    for pid in servers_of(folder):
        os.kill(pid, signal.SIGKILL)
