"""Forty people, ten tables, two phones at each, all at once against a real server."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.faults.phones import Phone
from tests.real_server import prepare, run, serving, settings_for


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "club.sqlite3"


@pytest.fixture
def environment(database: Path) -> dict[str, str]:
    return settings_for(database)


@pytest.fixture
def tables(environment: dict[str, str]) -> list[dict]:
    prepare(environment)
    made = run(environment, "-m", "tests.faults.club_night")
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


@pytest.fixture
def server(environment: dict[str, str], tables: list[dict]) -> Iterator[str]:
    with serving(environment) as home:
        yield home


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
