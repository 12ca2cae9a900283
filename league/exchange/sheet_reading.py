"""Reads CSV and XLSX files as rows, with the answers about headings, players and dates that are
not ours. The answers travel with the file from page to page as text."""

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from itertools import chain, islice

from dateutil import parser

from league.exchange.packed_xml import BadSheet
from league.exchange.sheets import cell_of, column_label, column_labels, column_of, unprotected
from league.exchange.xlsx import first_sheet

MOST_ANSWERS = 400
LONGEST_ANSWER = 200
MOST_BYTES = 5_000_000
MOST_ROWS = 5000
MOST_COLUMNS = 41
LONGEST_CELL = 10_000
DELIMITERS = ",;\t"
TITLES = 10  # the headings are among the first lines
LOOKED_AT = 30  # lines below the headings that show what a column holds
LONGEST_HEADING = 80
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument"
OTHER_FILES = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "xls",
    b"%PDF": "pdf",
    b"<html": "html",
    b"<!DOCTYPE": "html",
    b"<table": "html",
    b"\x89PNG": "damaged",
    b"\xff\xd8\xff": "damaged",  # a photograph
    b"GIF8": "damaged",
}
BEGINS = 200  # bytes that show the encoding


@dataclass(frozen=True, slots=True)
class Match:
    """Answers about a file.

    `people` maps names in the file to names on the club's list; `day` is the date of games without
    one (2026-11-19). `columns` maps headings to columns, "" for one that is left out; `first` says
    what comes first in 03/04/2026, `day` or `month`.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    first: str = ""

    @property
    def used(self) -> list[tuple[str, str]]:
        """The headings that mean a column of another name, each with that column's label."""
        used = [(heading, column) for heading, column in self.columns.items() if column]
        return [(heading, column_label(column)) for heading, column in used]

    @property
    def left_out(self) -> list[str]:
        """The headings whose columns are left out."""
        return [heading for heading, column in self.columns.items() if not column]

    def to_text(self) -> str:
        """The text for a hidden field; empty without any answers."""
        return "" if self == NO_MATCH else json.dumps(asdict(self), ensure_ascii=False)


NO_MATCH = Match()


def match_in(text: str) -> Match:
    """The answers in a text from `Match.to_text`. Raises ValueError for any other text."""
    if not text:
        return NO_MATCH
    data = json.loads(text)
    if not isinstance(data, dict) or not set(data) <= set(asdict(NO_MATCH)):
        raise ValueError("not a match")
    people, columns = data.get("people", {}), data.get("columns", {})
    day, first = data.get("day", ""), data.get("first", "")
    return Match(_words(people), _word(day), _words(columns), _word(first))


def _words(data: object) -> dict[str, str]:
    if not isinstance(data, dict) or len(data) > MOST_ANSWERS:
        raise ValueError("not a match")
    return {_word(name): _word(answer) for name, answer in data.items()}


def _word(data: object) -> str:
    if not isinstance(data, str) or len(data) > LONGEST_ANSWER:
        raise ValueError("not a match")
    return data


@dataclass(frozen=True, slots=True)
class Row:
    """One line below the headings: its number in the file, and its cells by heading."""

    line: int
    cells: dict[str, str]

    def __getitem__(self, heading: str) -> str:
        return self.cells.get(heading, "")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a kind of sheet: all of them (`known`), those `needed`, those with dates.

    `parts` are columns that can replace another: a first name and a surname make a name.
    """

    known: Sequence[str]
    needed: Sequence[str] = ()
    days: Sequence[str] = ()
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """Every heading with a meaning, parts included."""
        return [*self.known, *(part for parts in self.parts.values() for part in parts)]

    def missing(self, present: Collection[str]) -> list[str]:
        """The needed columns of which neither the column nor a part of it is present."""
        return [
            name
            for name in self.needed
            if name not in present and not set(self.parts.get(name, ())) & set(present)
        ]


@dataclass(frozen=True, slots=True)
class Begin:
    """The beginning of a sheet: its headings, normalised, and the first lines below them."""

    headings: list[str]
    cells: list[list[str]]

    def below(self, place: int) -> list[str]:
        """The cells under one heading that are not empty."""
        return [line[place] for line in self.cells if place < len(line) and line[place]]


def begin_of(content: bytes, columns: Columns, match: Match = NO_MATCH) -> Begin:
    """The headings of a file and its first lines, without reading all of it. Raises BadSheet."""
    lines = _filled_lines(content, enough=TITLES + LOOKED_AT)
    words = {*columns.words, *match.columns}
    _number, heading_cells, rest = _split_at_headings(lines, words)
    first_lines = [cells for _line, cells in islice(rest, LOOKED_AT)]
    return Begin(_headings(heading_cells, words), first_lines)


def read_sheet(
    content: bytes, columns: Columns, *, most: int = MOST_ROWS, match: Match = NO_MATCH
) -> list[Row]:
    """The rows of a file whose headings are those of `columns`, or mean them according to `match`.

    Lines above the headings are ignored; dates are read in every common format. Raises BadSheet if
    the file is too large, packed or not, has an unclosed quotation mark, has headings that are
    unknown, missing or repeated, or has more cells in a line than headings.
    """
    words = {*columns.words, *match.columns}
    number, heading_cells, lines = _split_at_headings(_filled_lines(content), words)
    headings = _columns_of(_headings(heading_cells, words), columns, match, number)
    rows = [Row(line, _by_heading(headings, cells, line)) for line, cells in lines]
    if not rows:
        raise BadSheet("empty")
    if len(rows) > most:
        raise BadSheet("long", line=rows[most].line, about=str(most))
    _join_parts(rows, columns)
    _read_days(rows, columns, match)
    return rows


def _filled_lines(content: bytes, *, enough: int = 0) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, with their numbers; of an XLSX file only the first ones, where
    so many are `enough`."""
    if len(content) > MOST_BYTES:
        raise BadSheet("large")
    for begins, code in OTHER_FILES.items():
        if content.startswith(begins):
            raise BadSheet(code)
    if content.startswith(b"PK\x03\x04"):
        if OPEN_DOCUMENT in content[:100]:
            raise BadSheet("ods")
        lines = first_sheet(
            content, rows=MOST_ROWS + 1, columns=MOST_COLUMNS, longest=LONGEST_CELL, enough=enough
        )
        lines = ((number, [_plain(cell) for cell in cells]) for number, cells in lines)
    else:
        lines = _csv(_text(content))
    return ((number, cells) for number, cells in lines if any(cells))


def _split_at_headings(
    lines: Iterator[tuple[int, list[str]]], words: Collection[str]
) -> tuple[int, list[str], Iterator[tuple[int, list[str]]]]:
    """The number and the cells of the line with the headings, and the lines below it.

    It is the first line with the most known headings; without any, the first with several cells.
    """
    begin = list(islice(lines, TITLES))
    if not begin:
        return 1, [], iter(())
    known_counts = [len(set(_headings(cells, words)) & set(words)) for _number, cells in begin]
    best = known_counts.index(max(known_counts))
    if not known_counts[best]:
        cell_counts = [sum(map(bool, cells)) for _number, cells in begin]
        best = next((place for place, count in enumerate(cell_counts) if count > 1), 0)
    number, cells = begin[best]
    return number, cells, chain(begin[best + 1 :], lines)


def _headings(cells: list[str], words: Collection[str]) -> list[str]:
    """The headings of a line in lower case, translated where one of any language means one of the
    `words`; an empty heading is named by its place."""
    headings = [" ".join(cell.casefold().split())[:LONGEST_HEADING] for cell in cells]
    headings = [column_of(name, words) for name in headings]
    while headings and not headings[-1]:
        headings.pop()
    return [name or f"column {place}" for place, name in enumerate(headings, 1)]


def _columns_of(headings: list[str], columns: Columns, match: Match, line: int) -> list[str]:
    """The column that each heading means; "" for one that is left out."""
    words = columns.words
    meanings = [name if name in words else match.columns.get(name, name) for name in headings]
    if missing := columns.missing(meanings):
        raise BadSheet("missing", line=line, about=column_labels(missing))
    strange = [name[:40] for name in meanings if name and name not in words]
    if strange:
        raise BadSheet("strange", line=line, about=", ".join(strange[:10]))
    used = [name for name in meanings if name]
    if len(set(used)) < len(used):
        raise BadSheet("twice", line=line)
    return meanings


def _join_parts(rows: Sequence[Row], columns: Columns) -> None:
    """Fill columns that are empty from their parts."""
    for name, parts in columns.parts.items():
        for row in rows:
            words = [row.cells.pop(part, "") for part in parts]
            if not row[name] and any(words):
                row.cells[name] = " ".join(word for word in words if word)


def _read_days(rows: Sequence[Row], columns: Columns, match: Match) -> None:
    for column in columns.days:
        days = iso_days([row[column] for row in rows], match.first)
        for row, day in zip(rows, days, strict=True):
            if day:
                row.cells[column] = day


def _by_heading(headings: list[str], cells: list[str], line: int) -> dict[str, str]:
    if any(cells[len(headings) :]):
        raise BadSheet("wide", line=line)
    cells_by_heading = zip(headings, cells, strict=False)
    return {name: cell_of(name, cell) for name, cell in cells_by_heading if name}


def _text(content: bytes) -> str:
    """The text of a file in UTF-8, in UTF-16 with or without its mark, or in Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif content[:BEGINS].count(0) > len(content[:BEGINS]) // 4:  # every other byte of most letters
        encodings = ["utf-16-be" if content[:1] == b"\0" else "utf-16-le"]
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadSheet("letters")


def _csv(text: str) -> Iterator[tuple[int, list[str]]]:
    first = text.lstrip("\r\n").splitlines()[0] if text.strip() else ""
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(_lines(text, delimiter), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            too_long = len(text) > csv.field_size_limit() and "limit" in str(error)
            raise BadSheet("cell" if too_long else "quotes", line=line) from error
        if cells is None:
            return
        yield line, _checked_cells(cells, line)
        line = reader.line_num + 1


def _lines(text: str, delimiter: str) -> Iterator[str]:
    """The lines of a text. Refuses a line with so many cells that splitting it would take
    seconds."""
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if line.count(delimiter) > MOST_COLUMNS + LONGEST_CELL:
            raise BadSheet("wide", line=number)
        yield line


def _checked_cells(cells: Sequence[str], line: int) -> list[str]:
    if line > MOST_ROWS + 1:
        raise BadSheet("long", line=line, about=str(MOST_ROWS))
    if len(cells) > MOST_COLUMNS and any(cells[MOST_COLUMNS:]):
        raise BadSheet("wide", line=line)
    if any(len(cell) > LONGEST_CELL for cell in cells):
        raise BadSheet("cell", line=line)
    return [_plain(cell) for cell in cells]


def _plain(cell: str) -> str:
    """A cell without surrounding spaces, as it was before `sheets.cell` protected it."""
    return unprotected(cell.strip(" "))


ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
NUMBERS = re.compile(r"\D{0,12}([0-9]{1,2})[./ -]+([0-9]{1,2})[./ -]+([0-9]{4}|[0-9]{2})\b.*")
YEAR_FIRST = re.compile(r"\D{0,12}[0-9]{4}")
LONGEST = 40
DAY, MONTH = "day", "month"
# The parser fills missing parts of a date from a default. Two defaults show whether it did.
DEFAULTS = (datetime(2000, 1, 1), datetime(2004, 2, 2))  # noqa: DTZ001 - a day has no zone


def iso_days(cells: Sequence[str], first: str = "") -> list[str]:
    """The dates of one column as ISO 8601; other texts stay as they are.

    `first` says what comes first in 03/04/2026, `day` or `month`; without it, the other cells of
    the column decide. Where they do not, such cells stay as they are.

    >>> iso_days(["19.11.2026", "Thursday 19 Nov 2026", "11/19/2026", "2026-11-19", "soon"])
    ['2026-11-19', '2026-11-19', '2026-11-19', '2026-11-19', 'soon']
    >>> iso_days(["03/04/2026", "25/12/2026"]), iso_days(["03/04/2026"])
    (['2026-04-03', '2026-12-25'], ['03/04/2026'])

    A date that begins with the year always has the month next:

    >>> iso_days(["2026.03.04", "2026/3/4 19:30", "25/12/2026"])
    ['2026-03-04', '2026-03-04', '2026-12-25']
    """
    order = first or order_in(cells)
    return [_iso(cell, order) for cell in cells]


def ambiguous(cells: Iterable[str]) -> str:
    """A cell that can be two dates, where no cell of the column decides; else ""."""
    all_cells = list(cells)
    if order_in(all_cells):
        return ""
    return next((cell for cell in all_cells if _may_be_two(cell)), "")


def order_in(cells: Iterable[str]) -> str:
    """What comes first in numeric dates, `day` or `month`, as far as the cells show it; "" where
    they show neither, or both."""
    orders = set()
    for cell in cells:
        match = NUMBERS.fullmatch(cell) if len(cell) <= LONGEST else None
        if match and "." not in cell:
            orders |= {DAY} if int(match[1]) > 12 else {MONTH} if int(match[2]) > 12 else set()
    return orders.pop() if len(orders) == 1 else ""


def _may_be_two(cell: str) -> bool:
    readings = {_iso(cell, order) for order in (DAY, MONTH)}
    return len(readings) == 2 and "." not in cell


def _iso(cell: str, order: str) -> str:
    if ISO.fullmatch(cell) or not cell or len(cell) > LONGEST:
        return cell
    match = NUMBERS.fullmatch(cell)
    is_unclear = match and not order and "." not in cell and match[1] != match[2]
    if match and is_unclear and max(int(match[1]), int(match[2])) <= 12:
        return cell
    text = "/".join(match.groups()) if match else cell
    days = {_parsed(text, default, order, has_dots="." in cell) for default in DEFAULTS}
    day = days.pop() if len(days) == 1 else None
    return day.isoformat() if day else cell


def _parsed(cell: str, default: datetime, order: str, *, has_dots: bool) -> date | None:
    day_first = (has_dots or order == DAY) and not YEAR_FIRST.match(cell)
    try:
        return parser.parse(cell, default=default, dayfirst=day_first).date()
    except (ValueError, OverflowError, TypeError):
        return None
