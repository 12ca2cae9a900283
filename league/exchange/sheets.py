"""Sheets: the columns of each kind, and a table as a CSV or XLSX file whose texts no spreadsheet
will run as formulas."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.utils.text import slugify

from league.exchange.sheet_words import said_cell, said_column

# A spreadsheet takes a cell for a formula by the first sign that it does not skip, in any width.
# And a file opened with another separator than the one it was written with has cells that begin
# inside of ours: "Rose;=1+1" is two cells to a spreadsheet that separates by semicolons.
SEPARATORS = r",;|\t\r\n\x85\u2028\u2029"
SIGNS = "=+@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋⩵⩶﬩−"
SKIPPED = r"[^\S\t\r\n]|[\"\x7f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
_BEGINS = re.compile(rf"((?:^|[{SEPARATORS}])(?:{SKIPPED})*)('*)(?=[-{SIGNS}\t\r\n])")
# What an XLSX file cannot hold, and no name of the site does.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "egn": "application/json",
    "emn": "application/json",
    "json": "application/json",
    "jsonl": "application/jsonl",
}
MEMBERS = ("code", "name", "kind", "e-mail", "under age", "shown in public", "joined", "retired")
PLAYERS = tuple(f"player {seat}" for seat in range(1, 9))
POINTS = tuple(f"points {seat}" for seat in range(1, 9))
FOUR = 4  # the seats whose cells stand together; those of larger tables come last
MORE = (*PLAYERS[FOUR:], *POINTS[FOUR:])
HANDS = (
    "date", "session", "game", "table", "hand", *PLAYERS[:FOUR], "dealer", "outcome",
    *POINTS[:FOUR], "record", "adjusted", "out of turn", "ended", "winners", "season", "round",
    "rules", "carried", *MORE,
)  # fmt: skip
# A hand written by people instead of a record: who called (a seat, 1 to 4), alone or not, and the
# outcome.
BY_HAND = ("called by", "alone")
# A game of which only the score is known, a line each.
RESULTS = (
    "date", "session", "season", "round", "game", "table", *PLAYERS[:FOUR], *POINTS[:FOUR], "ended",
    "winners", "rules", "carried", *MORE,
)  # fmt: skip
# A tournament: what it is, who entered, a line for every game of a match, and every bye.
ENTRIES = tuple(f"entry {place}" for place in range(1, FOUR + 1))
ROUNDS = (
    "kind", "tournament", "format", "state", "round", "match", "table", *ENTRIES, *PLAYERS[:FOUR],
    *POINTS[:FOUR], "winner", "decided by", "reason", "ended early", "group", "place", "seed",
    "late", "bye of", "date", "session", "season", "session round", "game", "ended", "winners",
    "rules", "carried",
)  # fmt: skip
# A club's evenings: what an organiser plans, and what our own export says beside it.
PLANNED = ("date", "session", "begins", "places", "season", "minutes a round")
SESSIONS = (*PLANNED, "state", "tables", "people")
SHEETS = ("csv", "xlsx")
PLACES = 4


def to_eight(cells: Iterable[object]) -> list[object]:
    """A cell for every seat that a table can have."""
    filled = list(cells)
    return [*filled, *[""] * (len(PLAYERS) - len(filled))]


def cell(content: object) -> str | int | float:
    """What may stand in a cell: numbers as numbers, negative ones too; in a text an apostrophe
    wherever a spreadsheet could see a formula begin (OWASP ASVS 5.0, 1.2.10)."""
    if content is None:
        return ""
    if isinstance(content, bool):
        return str(content)
    if isinstance(content, Fraction):
        return int(content) if content.denominator == 1 else round(float(content), PLACES)
    if isinstance(content, int | float):
        return content
    return protected(_CONTROL.sub("\ufffd", str(content)))


def protected(text: str) -> str:
    """The text with one apostrophe more wherever a formula could begin."""
    return _BEGINS.sub(lambda found: f"{found[0]}'", text)


def unprotected(text: str) -> str:
    """The text as it was before `protected`: an apostrophe goes only where that put one."""
    return _BEGINS.sub(lambda found: found[1] + found[2][1:], text)


def sheet(headers: Sequence[object], rows: Iterable[Sequence[object]], *, kind: str) -> bytes:
    """The file: UTF-8 with a byte order mark for CSV, so that Excel reads accents; a spreadsheet
    with the words of the reader's language in the place of our columns' own."""
    import tablib  # its XLSX half takes a while to load, and few requests export

    columns = [str(header) for header in headers]
    said = [*map(said_column, columns)] if kind == "xlsx" else columns
    data = tablib.Dataset(headers=[str(cell(heading)) for heading in said])
    for row in rows:
        if kind == "xlsx":
            row = [said_cell(*pair) for pair in zip(columns, row, strict=False)]
        data.append([cell(content) for content in row])
    exported: Any = data.export(kind)
    return exported if isinstance(exported, bytes) else b"\xef\xbb\xbf" + exported.encode()


def download(content: bytes, *, name: str, kind: str) -> HttpResponse:
    """The file to keep under `name`, never stored by the browser's cache."""
    response = HttpResponse(content, content_type=TYPES[kind])
    file_name = f"{slugify(name) or 'standings'}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{file_name}"'
    response["Cache-Control"] = "no-store"
    return response
