"""A sheet somebody brings, CSV or XLSX, read into rows of text with their line numbers. No Django.

The name of the file is never looked at: its first bytes say what it is.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from league.exchange.packed_xml import BadSheet
from league.exchange.sheets import unprotected
from league.exchange.xlsx import first_sheet

MOST_BYTES = 5_000_000
MOST_ROWS = 5000
MOST_COLUMNS = 40
LONGEST_CELL = 10_000
DELIMITERS = ",;\t"
BEGINS = 200  # bytes that show how the letters are written


@dataclass(frozen=True, slots=True)
class Row:
    """One line below the headings: its number in the file, and its cells by heading."""

    line: int
    cells: dict[str, str]

    def __getitem__(self, heading: str) -> str:
        return self.cells.get(heading, "")


def read_sheet(
    content: bytes, *, known: Sequence[str], needed: Sequence[str], most: int = MOST_ROWS
) -> list[Row]:
    """The rows of a file whose headings are among `known` and have all that are `needed`.

    Raises BadSheet: what is too large, packed to burst, cut off inside a quote, of headings that
    are unknown, missing or there twice, or with more cells in a line than there are headings.
    """
    if len(content) > MOST_BYTES:
        raise BadSheet("large")
    if content.startswith(b"PK\x03\x04"):
        lines = first_sheet(content, rows=MOST_ROWS + 1, columns=MOST_COLUMNS, longest=LONGEST_CELL)
        lines = ((number, [_plain(cell) for cell in cells]) for number, cells in lines)
    else:
        lines = _csv(_text(content))
    filled = ((number, cells) for number, cells in lines if any(cells))
    _number, first = next(filled, (0, []))
    headings = _headings(first, known, needed)
    rows = [Row(number, _by_heading(headings, cells, number)) for number, cells in filled]
    if not rows:
        raise BadSheet("empty")
    if len(rows) > most:
        raise BadSheet("long", line=rows[most].line, about=str(most))
    return rows


def _headings(cells: list[str], known: Sequence[str], needed: Sequence[str]) -> list[str]:
    found = [" ".join(cell.casefold().split()) for cell in cells]
    while found and not found[-1]:
        found.pop()
    missing = [name for name in needed if name not in found]
    if missing:
        raise BadSheet("missing", line=1, about=", ".join(missing))
    strange = [name[:40] for name in found if name not in known]
    if strange:
        raise BadSheet("strange", line=1, about=", ".join(strange[:10]))
    if len(set(found)) < len(found):
        raise BadSheet("twice", line=1)
    return found


def _by_heading(headings: list[str], cells: list[str], line: int) -> dict[str, str]:
    if any(cells[len(headings) :]):
        raise BadSheet("wide", line=line)
    return dict(zip(headings, cells, strict=False))


def _text(content: bytes) -> str:
    """UTF-8, UTF-16 with or without its mark, else the Windows letters of western Europe."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        tries = ["utf-16"]
    elif content[:BEGINS].count(0) > len(content[:BEGINS]) // 4:  # every other byte of most letters
        tries = ["utf-16-be" if content[:1] == b"\0" else "utf-16-le"]
    else:
        tries = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in tries:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadSheet("letters")


def _csv(text: str) -> Iterator[tuple[int, list[str]]]:
    first = text.lstrip("\r\n").splitlines()[0] if text.strip() else ""
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(_lines(text, delimiter), delimiter=delimiter, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            too_long = len(text) > csv.field_size_limit() and "limit" in str(error)
            raise BadSheet("cell" if too_long else "quotes", line=begins) from error
        if cells is None:
            return
        yield begins, _cells(cells, begins)
        begins = reader.line_num + 1


def _lines(text: str, delimiter: str) -> Iterator[str]:
    """The lines of a text, none with so many cells that taking it apart would take seconds."""
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if line.count(delimiter) > MOST_COLUMNS + LONGEST_CELL:
            raise BadSheet("wide", line=number)
        yield line


def _cells(cells: Sequence[str], line: int) -> list[str]:
    if line > MOST_ROWS + 1:
        raise BadSheet("long", line=line, about=str(MOST_ROWS))
    if len(cells) > MOST_COLUMNS and any(cells[MOST_COLUMNS:]):
        raise BadSheet("wide", line=line)
    if any(len(cell) > LONGEST_CELL for cell in cells):
        raise BadSheet("cell", line=line)
    return [_plain(cell) for cell in cells]


def _plain(cell: str) -> str:
    """A text without spaces around, as it was before `sheets.cell` protected it."""
    return unprotected(cell.strip(" "))
