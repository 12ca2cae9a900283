"""The master criterion, from outside the site: read the database, and say all that is wrong in it.

Every acknowledged hand is there exactly once with its content; nothing is half done; the stored
scores and results are what the engine makes of the hands; the database itself is sound. Nothing
here uses the site's own code but the pure engine.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from scoring import play_game, ruleset
from tests.faults.ledger import CORRECTION, OK, REFUSED, UNKNOWN, Ledger, Sent

Row = dict[str, Any]
HANDS = """SELECT h.*, t.public_id FROM league_hand h
           JOIN league_game g ON g.id = h.game_id JOIN league_table t ON t.id = g.table_id"""
GAMES = """SELECT g.*, r.body FROM league_game g
           JOIN league_clubruleset r ON r.id = g.ruleset_id"""
JSON_COLUMNS = {"record", "points", "score", "winners", "body", "told"}
TOLD = "SELECT new AS told FROM league_auditentry WHERE action = 'import evening'"


def verdict(database_url: str, ledger: Ledger) -> list[str]:
    """Everything that is wrong; empty when the site kept its promise."""
    with closing(opened(database_url)) as db:
        hands = rows(db, HANDS)
        return [
            *ledger.troubles,
            *unsound(db),
            *sent_and_kept(ledger, hands),
            *broken_chains(hands),
            *wrong_totals(db, hands),
            *half_done(db, hands),
        ]


def opened(database_url: str) -> Any:
    if database_url.startswith("sqlite"):
        db = sqlite3.connect(path_of(database_url), timeout=30)
        db.row_factory = sqlite3.Row
        return db
    import psycopg
    from psycopg.rows import dict_row

    return psycopg.connect(database_url, row_factory=dict_row, autocommit=True)


def path_of(database_url: str) -> str:
    """The file of an SQLite database."""
    return database_url.removeprefix("sqlite:///").partition("?")[0]


def rows(db: Any, query: str) -> list[Row]:
    found = [dict(row) for row in db.execute(query).fetchall()]
    for row in found:
        for name in JSON_COLUMNS & row.keys():
            if isinstance(row[name], str):
                row[name] = json.loads(row[name])
    return found


def unsound(db: Any) -> Iterable[str]:
    """What the database says of itself."""
    if isinstance(db, sqlite3.Connection):
        found = db.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            yield f"integrity_check: {found}"
        if db.execute("PRAGMA foreign_key_check").fetchone():
            yield "foreign_key_check found a row without its parent"


def sent_and_kept(ledger: Ledger, hands: list[Row]) -> Iterable[str]:
    """Acknowledged entries are there once; refused ones are not; nobody else's are, but those that
    a sheet brought: they have ids of their own kind."""
    kept: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for hand in hands:
        kept[hand["public_id"], hand["client_id"]].append(hand)
    for sent in ledger.entries:
        yield from _of_one(sent, kept.pop((sent.table, sent.client_id), []))
    for table, client_id in kept:
        if not client_id.startswith("import-"):
            yield f"nobody sent {client_id}, but table {table} has it"


def _of_one(sent: Sent, there: list[Row]) -> Iterable[str]:
    name = f"{sent.kind} {sent.number} of table {sent.table} ({sent.client_id})"
    allowed = {OK: (1,), REFUSED: (0,), UNKNOWN: (0, 1)}[sent.state]
    if len(there) not in allowed:
        yield f"{name} is {sent.state} and stored {len(there)} times"
    for hand in there:
        if hand["record"] != sent.record or hand["number"] != sent.number:
            yield f"{name} is stored as hand {hand['number']}: {hand['record']}"


def broken_chains(hands: list[Row]) -> Iterable[str]:
    """Numbers run from 1 without a gap; versions of a hand too, and the last one counts."""
    games: dict[int, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for hand in hands:
        games[hand["game_id"]][hand["number"]].append(hand)
    for game, by_number in games.items():
        counting = {n for n, versions in by_number.items() if any(v["current"] for v in versions)}
        if counting != set(range(1, len(counting) + 1)):
            yield f"game {game} has hands {sorted(counting)}"
        for number, versions in by_number.items():
            versions.sort(key=lambda hand: hand["version"])
            found = [version["version"] for version in versions]
            if found != list(range(1, len(versions) + 1)):
                yield f"hand {number} of game {game} has versions {found}"
            if any(v["current"] for v in versions[:-1]):
                yield f"hand {number} of game {game}: an old version counts"


def wrong_totals(db: Any, hands: list[Row]) -> Iterable[str]:
    """Scores, winners and result rows are what the hands come to."""
    games = rows(db, GAMES)
    results: dict[int, list[Row]] = defaultdict(list)
    for row in rows(db, "SELECT * FROM league_result"):
        results[row["game_id"]].append(row)
    of_game: dict[int, list[Row]] = defaultdict(list)
    for hand in hands:
        of_game[hand["game_id"]].append(hand)
    for game in games:
        yield from _of_game(game, of_game[game["id"]], results[game["id"]])


def _of_game(game: Row, hands: list[Row], results: list[Row]) -> Iterable[str]:
    counting = sorted((h for h in hands if h["current"]), key=lambda hand: hand["number"])
    records = [hand["record"] for hand in counting]
    state = play_game(ruleset(game["body"]), records, first_dealer=game["first_dealer"])
    recount = {
        "score": list(state.score),
        "winners": list(state.winners),
        "hands_played": len(records),
        "hands_written": len(hands),
    }
    for name, counted in recount.items():
        if game[name] != counted:
            yield f"game {game['id']}: {name} is {game[name]} and comes to {counted}"
    points = {row["position"]: (row["points"], row["hands"]) for row in results}
    seats = range(state.rules.players) if records else ()
    right = {seat: (state.score[seat % len(state.sides)], len(records)) for seat in seats}
    if points != right:
        yield f"game {game['id']}: results {points} and should be {right}"


def half_done(db: Any, hands: list[Row]) -> Iterable[str]:
    """Each hand has its audit entry, and its session's revision moved with each. An evening
    brought in as a sheet has one entry, which says how many hands it has."""
    brought = sum(hand["client_id"].startswith("import-") for hand in hands)
    said = sum(row["told"]["hands"] for row in rows(db, TOLD))
    if brought != said:
        yield f"{brought} hands were brought in, and audit entries say {said}"
    query = "SELECT action, count(*) AS n FROM league_auditentry GROUP BY action"
    audited = Counter({row["action"]: row["n"] for row in rows(db, query)})
    first = sum(hand["version"] == 1 for hand in hands) - brought
    for action, written in (("record hand", first), ("correct hand", len(hands) - first - brought)):
        if audited[action] != written:
            yield f"{written} times {action!r}, and {audited[action]} audit entries say so"
    revision = sum(row["revision"] for row in rows(db, "SELECT revision FROM league_session"))
    if revision < len(hands) - brought:
        yield f"{len(hands) - brought} hands, and the sessions are at revision {revision}"


def lost(wrong: list[str]) -> list[str]:
    """Of what is wrong, the acknowledged entries that are missing."""
    return [line for line in wrong if "is ok and stored 0 times" in line]


def corrections_clash(ledger: Ledger) -> list[str]:
    """Two corrections of one version that were both accepted: one of them is a lost update."""
    accepted = Counter(
        (sent.table, sent.number, sent.version)
        for sent in ledger.acknowledged
        if sent.kind == CORRECTION
    )
    return [f"{what} corrected {n} times over" for what, n in accepted.items() if n > 1]
