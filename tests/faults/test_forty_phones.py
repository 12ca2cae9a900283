"""Forty people, ten tables, two phones at each, all at once against a real server."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.faults.hall import Place
from tests.faults.phones import Phone
from tests.faults.server import copy_of
from tests.faults.verdict import HANDS, opened, rows, wrong_totals
from tests.real_server import run, serving, settings_for


@pytest.fixture
def database(furnished: tuple[Path, list[Place]], tmp_path: Path) -> Path:
    return copy_of(furnished[0], tmp_path)


@pytest.fixture
def environment(furnished: tuple[Path, list[Place]], database: Path) -> dict[str, str]:
    return settings_for(database, STATIC_ROOT=str(furnished[0].parent / "static"))


@pytest.fixture
def tables(environment: dict[str, str]) -> list[dict]:
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
    with closing(opened(environment["DATABASE_URL"])) as club:
        assert list(wrong_totals(club, rows(club, HANDS))) == []
