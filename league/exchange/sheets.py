"""Sheets: the columns of each kind, their headings in the site's languages, and tables as CSV or
XLSX files whose texts no spreadsheet will run as formulas.

CSV files are for programs and use the headings below. XLSX files are for people and use the
reader's language. Imported files may use any language of the site.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import pgettext, pgettext_lazy

# A spreadsheet recognises a formula by the first character that it does not skip, of any width. In
# a file opened with the wrong separator, cells may begin inside ours: "Rose;=1+1" is two cells to a
# spreadsheet that separates by semicolons. Not by commas: our own files separate by commas and put
# a text with a comma in quotes.
SEPARATORS = r";|\t\r\n\x85\u2028\u2029"
SIGNS = "=+@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋⩵⩶﬩−"
SKIPPED = r"[^\S\t\r\n]|[\"\x7f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
_BEGINS = re.compile(rf"((?:^|[{SEPARATORS}])(?:{SKIPPED})*)('*)(?=[-{SIGNS}\t\r\n])")
# Characters that an XLSX file cannot hold and no name on the site contains.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "egn": "application/json",
    "emn": "application/json",
    "json": "application/json",
    "jsonl": "application/jsonl",
}
MEMBERS = (
    "code", "name", "kind", "e-mail", "under 18", "shown in public", "joined", "inactive since",
)  # fmt: skip
PLAYERS = tuple(f"player {seat}" for seat in range(1, 9))
POINTS = tuple(f"points {seat}" for seat in range(1, 9))
FOUR = 4  # seats with columns side by side; those of larger tables come last
MORE = (*PLAYERS[FOUR:], *POINTS[FOUR:])
HANDS = (
    "date", "session", "game", "table", "hand", *PLAYERS[:FOUR], "dealer", "outcome",
    *POINTS[:FOUR], "record", "adjusted", "out of turn", "ended", "winners", "season", "round",
    "rules", "carried", *MORE,
)  # fmt: skip
# A hand typed in by a person, without a record: who called (a seat, 1 to 4) and whether alone.
BY_HAND = ("called by", "alone")
# A line for each game of which only the score is known.
RESULTS = (
    "date", "session", "season", "round", "game", "table", *PLAYERS[:FOUR], *POINTS[:FOUR], "ended",
    "winners", "rules", "carried", *MORE,
)  # fmt: skip
# A tournament: a line for its format, every entry, every game of a match, and every bye.
ENTRIES = tuple(f"entry {place}" for place in range(1, FOUR + 1))
ROUNDS = (
    "kind", "tournament", "format", "state", "round", "match", "table", *ENTRIES, *PLAYERS[:FOUR],
    *POINTS[:FOUR], "winner", "decided by", "reason", "ended early", "group", "place", "seed",
    "late", "bye of", "date", "session", "season", "session round", "game", "ended", "winners",
    "rules", "carried",
)  # fmt: skip
# A club's sessions: the columns an organiser fills in, and those our own export adds.
PLANNED = ("date", "session", "begins", "places", "season", "minutes a round")
SESSIONS = (*PLANNED, "state", "tables", "people", "reason")
SHEETS = ("csv", "xlsx")
PLACES = 4
COLUMNS = {
    "code": pgettext_lazy("a column of a sheet", "code"),
    "name": pgettext_lazy("a column of a sheet", "name"),
    "kind": pgettext_lazy("a column of a sheet", "kind"),
    "e-mail": pgettext_lazy("a column of a sheet", "e-mail"),
    "under 18": pgettext_lazy("a column of a sheet", "under 18"),
    "shown in public": pgettext_lazy("a column of a sheet", "shown in public"),
    "joined": pgettext_lazy("a column of a sheet", "joined"),
    "inactive since": pgettext_lazy("a column of a sheet", "inactive since"),
    "first name": pgettext_lazy("a column of a sheet", "first name"),
    "surname": pgettext_lazy("a column of a sheet", "surname"),
    "date": pgettext_lazy("a column of a sheet", "date"),
    "session": pgettext_lazy("a column of a sheet", "session"),
    "season": pgettext_lazy("a column of a sheet", "season"),
    "round": pgettext_lazy("a column of a sheet", "round"),
    "table": pgettext_lazy("a column of a sheet", "table"),
    "game": pgettext_lazy("a column of a sheet", "game"),
    "hand": pgettext_lazy("a column of a sheet", "hand"),
    "dealer": pgettext_lazy("a column of a sheet", "dealer"),
    "outcome": pgettext_lazy("a column of a sheet", "outcome"),
    "record": pgettext_lazy("a column of a sheet", "record"),
    "adjusted": pgettext_lazy("a column of a sheet", "adjusted"),
    "out of turn": pgettext_lazy("a column of a sheet", "out of turn"),
    "ended": pgettext_lazy("a column of a sheet", "ended"),
    "winners": pgettext_lazy("a column of a sheet", "winners"),
    "rules": pgettext_lazy("a column of a sheet", "rules"),
    "carried": pgettext_lazy("a column of a sheet", "carried"),
    "tournament": pgettext_lazy("a column of a sheet", "tournament"),
    "format": pgettext_lazy("a column of a sheet", "format"),
    "match": pgettext_lazy("a column of a sheet", "match"),
    "winner": pgettext_lazy("a column of a sheet", "winner"),
    "decided by": pgettext_lazy("a column of a sheet", "decided by"),
    "reason": pgettext_lazy("a column of a sheet", "reason"),
    "ended early": pgettext_lazy("a column of a sheet", "ended early"),
    "group": pgettext_lazy("a column of a sheet", "group"),
    "place": pgettext_lazy("a column of a sheet", "place"),
    "seed": pgettext_lazy("a column of a sheet", "seed"),
    "late": pgettext_lazy("a column of a sheet", "late"),
    "bye of": pgettext_lazy("a column of a sheet", "bye of"),
    "session round": pgettext_lazy("a column of a sheet", "session round"),
    "called by": pgettext_lazy("a column of a sheet", "called by"),
    "alone": pgettext_lazy("a column of a sheet", "alone"),
    "begins": pgettext_lazy("a column of a sheet", "begins"),
    "places": pgettext_lazy("a column of a sheet", "places"),
    "minutes a round": pgettext_lazy("a column of a sheet", "minutes a round"),
    "state": pgettext_lazy("a column of a sheet", "state"),
    "tables": pgettext_lazy("a column of a sheet", "tables"),
    "people": pgettext_lazy("a column of a sheet", "people"),
    "team": pgettext_lazy("a column of a sheet", "team"),
    "division": pgettext_lazy("a column of a sheet", "division"),
    "house": pgettext_lazy("a column of a sheet", "house"),
    "venue": pgettext_lazy("a column of a sheet", "venue"),
    "captain": pgettext_lazy("a column of a sheet", "captain"),
    "player": pgettext_lazy("a column of a sheet", "player"),
    "players": pgettext_lazy("a column of a sheet", "players"),
    "points off": pgettext_lazy("a column of a sheet", "points off"),
    "left": pgettext_lazy("a column of a sheet", "left"),
    "planned": pgettext_lazy("a column of a sheet", "planned"),
    "home": pgettext_lazy("a column of a sheet", "home"),
    "away": pgettext_lazy("a column of a sheet", "away"),
    "home games": pgettext_lazy("a column of a sheet", "home games"),
    "away games": pgettext_lazy("a column of a sheet", "away games"),
    "home points": pgettext_lazy("a column of a sheet", "home points"),
    "away points": pgettext_lazy("a column of a sheet", "away points"),
    "awarded": pgettext_lazy("a column of a sheet", "awarded"),
}
YES_OR_NO = {
    "yes": pgettext_lazy("in a cell of a sheet", "yes"),
    "no": pgettext_lazy("in a cell of a sheet", "no"),
}
CELLS: dict[str, dict[str, Any]] = {
    "kind": {
        "member": pgettext_lazy("in a cell of a sheet", "member"),
        "guest": pgettext_lazy("in a cell of a sheet", "guest"),
        "tournament": pgettext_lazy("in a cell of a sheet", "tournament"),
        "entry": pgettext_lazy("in a cell of a sheet", "entry"),
        "match": pgettext_lazy("in a cell of a sheet", "match"),
        "bye": pgettext_lazy("in a cell of a sheet", "bye"),
    },
    "under 18": YES_OR_NO,
    "alone": YES_OR_NO,
    "late": YES_OR_NO,
    "out of turn": YES_OR_NO,
    "shown in public": {
        "club": pgettext_lazy("in a cell of a sheet", "club"),
        "name": pgettext_lazy("in a cell of a sheet", "name"),
        "initials": pgettext_lazy("in a cell of a sheet", "initials"),
        "hidden": pgettext_lazy("in a cell of a sheet", "hidden"),
    },
    "outcome": {
        "made": pgettext_lazy("in a cell of a sheet", "made"),
        "march": pgettext_lazy("in a cell of a sheet", "march"),
        "euchred": pgettext_lazy("in a cell of a sheet", "euchred"),
        "passed out": pgettext_lazy("in a cell of a sheet", "passed out"),
        "struck": pgettext_lazy("in a cell of a sheet", "deleted"),
    },
    "ended": {
        "time": pgettext_lazy("in a cell of a sheet", "time"),
        "decision": pgettext_lazy("in a cell of a sheet", "decision"),
        "unfinished": pgettext_lazy("in a cell of a sheet", "unfinished"),
    },
    "state": {
        "planned": pgettext_lazy("in a cell of a sheet", "planned"),
        "open": pgettext_lazy("in a cell of a sheet", "open"),
        "closed": pgettext_lazy("in a cell of a sheet", "closed"),
        "cancelled": pgettext_lazy("in a cell of a sheet", "cancelled"),
        "running": pgettext_lazy("in a cell of a sheet", "under way"),
        "finished": pgettext_lazy("in a cell of a sheet", "finished"),
        "withdrawn": pgettext_lazy("in a cell of a sheet", "withdrawn"),
    },
    "decided by": {
        "extra_hand": pgettext_lazy("in a cell of a sheet", "one more hand"),
        "cut": pgettext_lazy("in a cell of a sheet", "cut"),
        "walkover": pgettext_lazy("in a cell of a sheet", "walk-over"),
    },
}
MARKS = {
    "home": pgettext_lazy("in a cell of a sheet", "home"),
    "away": pgettext_lazy("in a cell of a sheet", "away"),
    "nobody": pgettext_lazy("in a cell of a sheet", "nobody"),
    "void": pgettext_lazy("in a cell of a sheet", "void"),
}
MOST = 40  # columns of one kind
NUMBERS = range(1, MOST + 1)
NAMES = ("player", "points", "game", "entry")
NUMBERED = re.compile(r"(player|points|game|entry) (\d+)")
CELLS |= {"awarded": MARKS, **{f"game {n}": MARKS for n in NUMBERS}}


def to_eight(cells: Iterable[object]) -> list[object]:
    """A cell for every seat that a table can have."""
    filled = list(cells)
    return [*filled, *[""] * (len(PLAYERS) - len(filled))]


def cell(content: object) -> str | int | float:
    """The content as a cell value: numbers stay numbers, texts are `protected` (OWASP ASVS 5.0,
    1.2.10)."""
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
    """The text with an added apostrophe wherever a spreadsheet could see a formula begin."""
    return _BEGINS.sub(lambda match: f"{match[0]}'", text)


def unprotected(text: str) -> str:
    """The text as it was before `protected`, without the apostrophes that it added."""
    return _BEGINS.sub(lambda match: match[1] + match[2][1:], text)


def sheet(headers: Sequence[object], rows: Iterable[Sequence[object]], *, kind: str) -> bytes:
    """The content of a file: CSV in UTF-8 with a byte order mark, so that Excel reads accents, or
    a spreadsheet with the words of the reader's language."""
    import tablib  # its XLSX half takes a while to load, and few requests export

    columns = [str(header) for header in headers]
    headings = [*map(column_label, columns)] if kind == "xlsx" else columns
    data = tablib.Dataset(headers=[str(cell(heading)) for heading in headings])
    data.title = pgettext("of figures", "Table")
    for row in rows:
        if kind == "xlsx":
            row = [cell_label(*pair) for pair in zip(columns, row, strict=False)]
        data.append([cell(content) for content in row])
    exported: Any = data.export(kind)
    return exported if isinstance(exported, bytes) else b"\xef\xbb\xbf" + exported.encode()


def download(content: bytes, *, name: str, kind: str) -> HttpResponse:
    """A response that downloads the file as `name` and is never cached by the browser."""
    response = HttpResponse(content, content_type=TYPES[kind])
    file_name = f"{slugify(name) or 'standings'}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{file_name}"'
    response["Cache-Control"] = "no-store"
    return response


def column_label(column: str) -> str:
    """The heading of a column in the reader's language; other texts stay as they are."""
    if match := NUMBERED.fullmatch(column):
        labels = {
            "player": pgettext("a column of a sheet", "player %(n)s"),
            "points": pgettext("a column of a sheet", "points %(n)s"),
            "game": pgettext("a column of a sheet", "game %(n)s"),
            "entry": pgettext("a column of a sheet", "entry %(n)s"),
        }
        return labels[match[1]] % {"n": match[2]}
    return str(COLUMNS.get(column, column))


def column_labels(columns: Collection[str]) -> str:
    """The headings of several columns, separated by commas."""
    return ", ".join(map(column_label, columns))


def cell_label(column: str, cell: Any) -> Any:
    """The content of a cell of this column in the reader's language."""
    return str(CELLS[column].get(cell, cell)) if column in CELLS else cell


def column_of(heading: str, known: Collection[str]) -> str:
    """The column among `known` that a lower-case heading names in any language of the site; else
    the heading itself."""
    column = heading if heading in known else _columns().get(heading, heading)
    return column if column in known else heading


def cell_of(column: str, cell: str) -> str:
    """The content of a cell of this column, translated back to the words for programs."""
    return _cells(column).get(cell.casefold(), cell) if column in CELLS else cell


@cache
def _columns() -> dict[str, str]:
    """The column of every lower-case heading in every language."""
    names = [*COLUMNS, *(f"{kind} {n}" for kind in NAMES for n in NUMBERS)]
    return {_in_language(code, column_label, name): name for code in _languages() for name in names}


@cache
def _cells(column: str) -> dict[str, str]:
    words = [(code, word) for code in _languages() for word in CELLS[column]]
    return {_in_language(code, cell_label, column, word): word for code, word in words}


def _in_language(code: str, label: Any, *words: str) -> str:
    with translation.override(code):
        return str(label(*words)).casefold()


def _languages() -> list[str]:
    return [*dict(settings.LANGUAGES), settings.LANGUAGE_CODE]
