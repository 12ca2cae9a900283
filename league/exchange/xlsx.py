"""Reads the first sheet of an XLSX file as rows of text, using only its cells, shared strings and
date formats. No Django.

Libraries for such files also build styles, or a grid up to the farthest cell: a small file can cost
them minutes or gigabytes.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from math import isfinite

from league.exchange.packed_xml import BadSheet, Package

MOST_LETTERS = 5_000_000  # in all cells together; many cells may share one long text
LAST_DAY = 2_958_466  # 31 December 9999
DATE_FORMATS = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # ECMA-376, 18.8.30
NO_DATE_IN_IT = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]|[_\\*].', re.DOTALL)
DATE_LETTERS = re.compile(r"[dmhys]", re.IGNORECASE)
CELL = re.compile(r"([A-Z]{1,3})[1-9][0-9]{0,6}")


def first_sheet(
    content: bytes, *, rows: int, columns: int, longest: int, enough: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, with their numbers; only the first `enough` of them if given.
    Raises BadSheet, also for too many rows, columns or characters in a cell."""
    package = Package(content)
    workbook_path = package.relations("").by_kind.get("officeDocument", "")
    links = package.relations(workbook_path)
    workbook = _Workbook()
    package.read(workbook_path, workbook)
    strings, styles = _Strings(longest), _Styles()
    for kind, handler in (("sharedStrings", strings), ("styles", styles)):
        if kind in links.by_kind:
            package.read(links.by_kind[kind], handler)
    paths = (links.by_id.get(sheet_id, "") for sheet_id in workbook.sheets)
    sheet_paths = [path for path in paths if "worksheets" in path]
    if not sheet_paths:
        raise BadSheet("damaged")
    sheet = _Sheet(strings.found, styles.dates, workbook.epoch, rows, columns, longest)
    sheet.enough = enough
    package.read(sheet_paths[0], sheet)
    yield from sheet.rows


class _Workbook:
    """The ids of the sheets in order, and the day from which dates are counted."""

    tags = frozenset({"workbookPr", "sheet", "sheets"})

    def __init__(self) -> None:
        self.done = False
        self.sheets: list[str] = []
        self.epoch = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet's days have no zone

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            self.sheets.append(attributes["id"])
        if tag == "workbookPr" and attributes.get("date1904") in ("1", "true"):
            self.epoch = datetime(1904, 1, 1)  # noqa: DTZ001

    def end(self, tag: str) -> None:
        self.done = tag == "sheets"

    def text(self, text: str) -> None:
        """Nothing to do."""


class _Styles:
    """For each cell format, whether it shows numbers as dates or times."""

    tags = frozenset({"numFmt", "cellXfs", "xf"})

    def __init__(self) -> None:
        self.done = False
        self.dates: list[bool] = []
        self._formats = dict.fromkeys(DATE_FORMATS, True)
        self._in_cells = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "numFmt":
            code = NO_DATE_IN_IT.sub("", attributes["formatCode"][:255].split(";")[0])
            self._formats[int(attributes["numFmtId"])] = bool(DATE_LETTERS.search(code))
        elif tag == "cellXfs":
            self._in_cells = True
        elif tag == "xf" and self._in_cells:
            self.dates.append(self._formats.get(int(attributes.get("numFmtId", 0)), False))

    def end(self, tag: str) -> None:
        self.done = tag == "cellXfs"

    def text(self, text: str) -> None:
        """Nothing to do."""


class _Text:
    """Collects the text of one cell or shared string; stops soon after it is too long."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._pieces: list[str] = []
        self.length = 0

    def add(self, piece: str) -> None:
        if self.length <= self._longest:
            self._pieces.append(piece[: self._longest + 1])
            self.length += len(piece)

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces, self.length = [], 0
        return text


class _Strings:
    """The shared strings that cells refer to, without formatting and phonetic hints (`rPh`)."""

    tags = frozenset({"si", "t", "rPh"})

    def __init__(self, longest: int) -> None:
        self.done = False
        self.found: list[str] = []
        self._text = _Text(longest)
        self._in_text = self._in_phonetic = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "rPh":
            self._in_phonetic = True
        self._in_text = tag == "t" and not self._in_phonetic

    def end(self, tag: str) -> None:
        self._in_text = False
        if tag == "rPh":
            self._in_phonetic = False
        elif tag == "si":
            self.found.append(self._text.take())

    def text(self, text: str) -> None:
        if self._in_text:
            self._text.add(text)


class _Sheet:
    """The rows of a sheet, every cell as text."""

    tags = frozenset({"sheetData", "row", "c", "f", "v", "t", "rPh"})
    enough = 0

    def __init__(
        self,
        strings: list[str],
        dates: list[bool],
        epoch: datetime,
        rows: int,
        columns: int,
        longest: int,
    ) -> None:
        self.done = False
        self.rows: list[tuple[int, list[str]]] = []
        self._strings, self._dates, self._epoch = strings, dates, epoch
        self._most_rows, self._most_columns, self._longest = rows, columns, longest
        self._letters = MOST_LETTERS
        self._row = self._column = 0
        self._cells: dict[int, str] = {}
        self._kind, self._style = "n", 0
        self._text = _Text(longest)
        self._in_text = self._in_phonetic = False
        self._is_formula = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column, self._cells = 0, {}
        elif tag == "c":
            self._column = _column(attributes["r"]) if "r" in attributes else self._column + 1
            self._kind, self._style = attributes.get("t", "n"), int(attributes.get("s", 0))
            self._is_formula = False
        elif tag == "f":
            self._is_formula = True
        elif tag == "rPh":
            self._in_phonetic = True
        self._in_text = tag in ("v", "t") and not self._in_phonetic

    def end(self, tag: str) -> None:
        self._in_text = False
        if tag == "c":
            self._end_cell()
        elif tag == "row" and self._cells:
            if len(self.rows) >= self._most_rows:
                raise BadSheet("long", line=self._row, about=str(self._most_rows))
            last = max(self._cells)
            self.rows.append((self._row, [self._cells.get(n, "") for n in range(1, last + 1)]))
        elif tag == "rPh":
            self._in_phonetic = False
        self.done = tag == "sheetData" or bool(self.enough and len(self.rows) >= self.enough)

    def text(self, text: str) -> None:
        if self._in_text:
            self._text.add(text)

    def _end_cell(self) -> None:
        content = self._content(self._text.take())
        if not content:
            if self._is_formula and self._kind != "str":  # a text formula may result in ""
                raise BadSheet("formula", line=self._row)
            return
        self._letters -= len(content)
        if len(content) > self._longest:
            raise BadSheet("cell", line=self._row)
        if self._column > self._most_columns:
            raise BadSheet("wide", line=self._row)
        if self._letters < 0:
            raise BadSheet("large")
        self._cells[self._column] = content

    def _content(self, text: str) -> str:
        if not text or self._kind in ("str", "inlineStr", "e"):
            return text
        if self._kind == "s":
            return self._strings[int(text)]
        if self._kind == "b":
            return "yes" if text == "1" else "no"
        if self._kind == "d":
            return date.fromisoformat(text[:10]).isoformat()
        number = float(text)
        if not isfinite(number):
            raise BadSheet("damaged", line=self._row)
        if 0 <= self._style < len(self._dates) and self._dates[self._style]:
            return self._moment(number)
        return str(int(number)) if number.is_integer() else str(number)

    def _moment(self, days: float) -> str:
        """A date as 2026-11-19, a time without a date as 19:30."""
        if not 0 <= days < LAST_DAY:
            raise BadSheet("damaged")
        if days < 1:
            hour, minute = divmod(round(days * 24 * 60) % (24 * 60), 60)
            return f"{hour:02}:{minute:02}"
        if days < 60 and self._epoch.year == 1899:
            days += 1
        return (self._epoch + timedelta(days=days)).date().isoformat()


def _column(reference: str) -> int:
    """The number of a cell's column: 1 for "A7", 28 for "AB7"."""
    match = CELL.fullmatch(reference)
    if match is None:
        raise BadSheet("damaged")
    number = 0
    for letter in match[1]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
