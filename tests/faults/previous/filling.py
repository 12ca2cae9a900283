"""A database as an earlier version left it: its tables, and a club of then many times over.

Nothing here is ever changed. `0024.*.sql.gz` hold the tables as that version's twenty-four
migrations left them, and their names; `0024.json` holds one night: two tables, forty-two hands.

python -m tests.faults.previous.filling 50: fifty times two tables in the environment's database.
"""

import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VERSION = "0024_mail_needs_consent"
FOLDER = Path(__file__).parent
ROWS = json.loads((FOLDER / "0024.json").read_text("utf-8"))["rows"]
# What there is again in every copy, and which columns name a row of a copy.
COPIED = {"table", "seat", "game", "hand", "result", "auditentry"}
NAMES = {"id": "", "table_id": "table", "game_id": "game"}


def main(copies: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    import django

    django.setup()
    make_tables()
    fill(copies)


def make_tables() -> None:
    """By plain SQL: the migrations of then are gone."""
    from django.db import connection

    sql = gzip.decompress((FOLDER / f"0024.{connection.vendor}.sql.gz").read_bytes()).decode()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executescript(sql)
        else:
            cursor.execute(sql)


def fill(copies: int) -> None:
    """Put the rows in, by plain SQL: no model of today knows these tables."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for name, table in ROWS.items():
            names = ", ".join(table["columns"])
            places = ", ".join(["%s"] * len(table["columns"]))
            rows = [_ready(row, connection.vendor) for row in _copies(name, table, copies)]
            cursor.executemany(f"INSERT INTO {name} ({names}) VALUES ({places})", rows)
            if connection.vendor == "postgresql":
                told_id = f"pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name})"
                cursor.execute(f"SELECT setval({told_id})")
        cursor.execute("UPDATE league_session SET revision = revision * %s", [copies])


def _copies(name: str, table: dict[str, Any], copies: int) -> Iterator[list[Any]]:
    short = name.removeprefix("league_")
    for copy in range(copies if short in COPIED else 1):
        for row in table["rows"]:
            fields = dict(zip(table["columns"], row, strict=True))
            yield list((_again(short, fields, copy) if copy else fields).values())


def _again(table: str, row: dict[str, Any], copy: int) -> dict[str, Any]:
    """The same row once more, for the same people at another table."""
    other = dict(row)
    for column, of in NAMES.items():
        if column in row:
            other[column] = row[column] + copy * len(ROWS[f"league_{of or table}"]["rows"])
    if "public_id" in row:
        other["public_id"] = f"{row['public_id'][:10]}-{copy:x}"
    if table == "table":
        other |= {"number": row["number"] + 2 * copy, "is_live": False}
    return other | ({"seated": False} if "seated" in row else {})


def _ready(row: list[Any], vendor: str) -> list[Any]:
    values = [json.dumps(v) if isinstance(v, dict | list) else v for v in row]
    if vendor == "sqlite":  # where Django writes times without their zone
        return [v.removesuffix("+00:00") if isinstance(v, str) else v for v in values]
    return values


if __name__ == "__main__":
    main(int(sys.argv[1]))
