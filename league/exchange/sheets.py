"""A table as a CSV or XLSX file whose texts no spreadsheet will run as formulas."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from django.utils.text import slugify

RUNS_AS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "egn": "application/json",
    "emn": "application/json",
    "json": "application/json",
    "jsonl": "application/jsonl",
}
SHEETS = ("csv", "xlsx")
PLACES = 4


def cell(content: object) -> str | int | float:
    """What may stand in a cell: numbers as numbers, negative ones too; a text that a spreadsheet
    would take for a formula with an apostrophe before it (OWASP ASVS 5.0, 1.2.10)."""
    if isinstance(content, bool):
        return str(content)
    if isinstance(content, Fraction):
        return int(content) if content.denominator == 1 else round(float(content), PLACES)
    if isinstance(content, int | float):
        return content
    text = str(content)
    return f"'{text}" if text.startswith(RUNS_AS_FORMULA) else text


def sheet(headers: Sequence[object], rows: Iterable[Sequence[object]], *, kind: str) -> bytes:
    """The file: UTF-8 with a byte order mark for CSV, so that Excel reads accents."""
    import tablib  # its XLSX half takes a while to load, and few requests export

    data = tablib.Dataset(headers=[str(cell(str(header))) for header in headers])
    for row in rows:
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
