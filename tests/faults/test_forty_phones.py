"""Forty people, ten tables, two phones at each, all at once against a real server."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.faults.phones import Phone

ROOT = Path(__file__).resolve().parent.parent.parent
STARTS_WITHIN = 30  # seconds


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "club.sqlite3"


@pytest.fixture
def environment(database: Path) -> dict[str, str]:
    settings = {
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DEBUG": "1",
        "SECRET_KEY": "for forty phones",
    }
    return {**os.environ, **settings}


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def tables(environment: dict[str, str]) -> list[dict]:
    made = run(environment, "-m", "tests.faults.club_night")
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


@pytest.fixture
def server(environment: dict[str, str], tables: list[dict]) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "granian", "--interface=wsgi", "--workers=1"]
    words += ["--blocking-threads=1", "--host=127.0.0.1", f"--port={port}"]
    words += ["--workers-kill-timeout=3", "--no-ws", "--log-level=warning"]
    granian = subprocess.Popen(
        [*words, "league.wsgi:application"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL
    )
    try:
        yield _answering(f"http://127.0.0.1:{port}")
    finally:
        granian.terminate()
        granian.wait(timeout=15)


def _answering(home: str) -> str:
    give_up = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            with urllib.request.urlopen(f"{home}/healthz", timeout=2):
                return home
        except OSError:
            assert time.monotonic() < give_up, "The server did not start."
            time.sleep(0.1)


def test_a_night_of_forty_loses_and_doubles_nothing(
    server: str, tables: list[dict], database: Path, environment: dict[str, str]
) -> None:
    phones = [
        (table, Phone(server, table["code"], Random(table["number"] * 10 + phone)))
        for table in tables
        for phone in range(2)
    ]
    with ThreadPoolExecutor(len(phones)) as hall:
        for done in [hall.submit(phone.play, f"/t/{table['id']}/") for table, phone in phones]:
            done.result()
    assert [trouble for _table, phone in phones for trouble in phone.troubles] == []

    acknowledged = [client_id for _table, phone in phones for client_id in phone.saved]
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as club:
        kept = [row[0] for row in club.execute("SELECT client_id FROM league_hand")]
        finished = club.execute(
            "SELECT count(*) FROM league_game WHERE state != 'playing'"
        ).fetchone()[0]
    assert sorted(kept) == sorted(acknowledged)
    assert len(set(kept)) == len(kept)
    assert finished == len(tables) == 10
    recount = run(environment, "manage.py", "recount", "--check")
    assert recount.returncode == 0, recount.stdout + recount.stderr
