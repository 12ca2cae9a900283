"""What the comparisons need beside the servers: the disk's own rate, the engine's, many hands."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from scoring import Answer, Ruleset, check_hand, play_game, ruleset
from tests.benchmarks.load import a_hand
from tests.faults.hall import ROOT

FULL = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"


def commits_per_second(path: Path, count: int = 2000) -> float:
    """Rows of one insert and one commit each that SQLite alone writes durably in a second."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(FULL + "CREATE TABLE hand (id INTEGER PRIMARY KEY, record TEXT)")
        began = time.perf_counter()
        for number in range(count):
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO hand (record) VALUES (?)", (str(a_hand(number + 1)),))
            db.execute("COMMIT")
        return count / (time.perf_counter() - began)


def engine_seconds(hands: int = 5, times: int = 200) -> float:
    """All the rules' work behind the last of so many hands: to judge it, and to fold the game.

    What was said of the hands before it is remembered by what they say, as the site does.
    """
    rules = ruleset({"extends": "standard-four-handed"})
    records = [
        {
            "dealer": place % 4,
            "contract": {"seat": place % 4, "trump": "h"},
            "outcome": ("made", "euchred")[place % 2],
        }
        for place in range(hands)
    ]
    said = {json.dumps(record): check_hand(record, rules) for record in records[:-1]}

    def check(record: dict, rules: Ruleset) -> Answer:
        return said.get(json.dumps(record)) or check_hand(record, rules)

    began = time.process_time()
    for _ in range(times):
        play_game(rules, records, first_dealer=0, check=check)
    return (time.process_time() - began) / times


def multiplied(path: Path, hands: int) -> None:
    """Copy the games there are into another evening until the club has so many hands."""
    with closing(sqlite3.connect(path, timeout=30)) as db:
        evening = _another_evening(db)
        while db.execute("SELECT count(*) FROM league_hand").fetchone()[0] < hands:
            _copy_games(db, evening)
        db.execute("PRAGMA optimize")


def _another_evening(db: sqlite3.Connection) -> int:
    found = db.execute("SELECT id FROM league_session WHERE name = 'Long ago'").fetchone()
    if found:
        return int(found[0])
    columns = _columns(db, "league_session", {"name": "'Long ago'", "public_id": "'long-ago'"})
    db.execute(f"INSERT INTO league_session {columns} FROM league_session LIMIT 1")
    db.commit()
    return _another_evening(db)


def _copy_games(db: sqlite3.Connection, evening: int) -> None:
    """Double what there is, with everything that hangs on it."""
    step = {
        table: db.execute(f"SELECT max(id) FROM {table}").fetchone()[0]
        for table in ("league_table", "league_game", "league_round")
    }
    named = "public_id || '-' || {}"
    moved: dict[str, dict[str, str]] = {
        "league_round": {"number": f"number + {step['league_round']}"},
        "league_table": {
            "public_id": f"public_id || '-' || {step['league_table']}",
            "is_live": "0",
        },
        "league_seat": {"seated": "0"},
        "league_game": {"public_id": named.format(step["league_game"])},
        "league_hand": {},
        "league_result": {},
    }
    for table, changes in moved.items():
        changed = {**changes}
        names = _names(db, table)
        if table in step:
            changed["id"] = f"id + {step[table]}"
        for name, of in (("table_id", "table"), ("game_id", "game"), ("round_id", "round")):
            if name in names:
                changed[name] = f"{name} + {step['league_' + of]}"
        if "session_id" in names:
            changed["session_id"] = str(evening)
        columns = _columns(db, table, changed)
        db.execute(f"INSERT INTO {table} {columns} FROM {table}")
    db.commit()


def _columns(db: sqlite3.Connection, table: str, changes: dict[str, str]) -> str:
    names = [name for name in _names(db, table) if name != "id" or "id" in changes]
    values = [changes.get(name, name) for name in names]
    return f"({', '.join(names)}) SELECT {', '.join(values)}"


def _names(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def recount_seconds(environment: dict[str, str]) -> float:
    """Processor seconds that `recount --check` takes beyond starting."""
    return _manage(environment, "recount", "--check") - _manage(environment, "check")


def _manage(environment: dict[str, str], *words: str) -> float:
    before = os.times()
    subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=environment, check=True, stdout=-3
    )
    after = os.times()
    spent = after.children_user - before.children_user
    return spent + after.children_system - before.children_system


def grouping_seconds(path: Path) -> float:
    """Processor seconds in which SQLite adds up the points of every game: the least there is."""
    statement = """
        SELECT game_id, sum(json_extract(points, '$[0]')), sum(json_extract(points, '$[1]'))
        FROM league_hand WHERE current GROUP BY game_id
    """
    with closing(sqlite3.connect(path)) as db:
        began = time.process_time()
        db.execute(statement).fetchall()
        return time.process_time() - began
