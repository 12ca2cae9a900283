"""Days as people write them in sheets, read as 2026-11-19. No Django.

dateutil reads nearly every way; what it would guess (a missing year, today's month) is left alone.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from dateutil import parser

ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
NUMBERS = re.compile(r"\D{0,12}([0-9]{1,2})[./ -]+([0-9]{1,2})[./ -]+([0-9]{4}|[0-9]{2})\b.*")
LONGEST = 40
DAY, MONTH = "day", "month"
# A text that leaves a part out is read with that part of these, and differently: so it is noticed.
DEFAULTS = (datetime(2000, 1, 1), datetime(2004, 2, 2))  # noqa: DTZ001 - a day has no zone


def iso_days(cells: Sequence[str], first: str = "") -> list[str]:
    """The days of one column as ISO 8601; what is no day stays as it was typed.

    `first` says what stands first in 03/04/2026, `day` or `month`; without it, what the other
    cells of the column show. A column that shows neither stays as it was typed.

    >>> iso_days(["19.11.2026", "Thursday 19 Nov 2026", "11/19/2026", "2026-11-19", "soon"])
    ['2026-11-19', '2026-11-19', '2026-11-19', '2026-11-19', 'soon']
    >>> iso_days(["03/04/2026", "25/12/2026"]), iso_days(["03/04/2026"])
    (['2026-04-03', '2026-12-25'], ['03/04/2026'])
    """
    order = first or order_in(cells)
    return [_iso(cell, order) for cell in cells]


def ambiguous(cells: Iterable[str]) -> str:
    """A cell that may be two days, where no cell of the column says which; else nothing."""
    listed = list(cells)
    if order_in(listed):
        return ""
    return next((cell for cell in listed if _may_be_two(cell)), "")


def order_in(cells: Iterable[str]) -> str:
    """What stands first in days of numbers, as far as the cells show it; nothing where they show
    neither, or both."""
    shown = set()
    for cell in cells:
        found = NUMBERS.fullmatch(cell) if len(cell) <= LONGEST else None
        if found and "." not in cell:
            shown |= {DAY} if int(found[1]) > 12 else {MONTH} if int(found[2]) > 12 else set()
    return shown.pop() if len(shown) == 1 else ""


def _may_be_two(cell: str) -> bool:
    read = {_iso(cell, order) for order in (DAY, MONTH)}
    return len(read) == 2 and "." not in cell


def _iso(cell: str, order: str) -> str:
    if ISO.fullmatch(cell) or not cell or len(cell) > LONGEST:
        return cell
    found = NUMBERS.fullmatch(cell)
    unclear = found and not order and "." not in cell and found[1] != found[2]
    if found and unclear and max(int(found[1]), int(found[2])) <= 12:
        return cell
    text = "/".join(found.groups()) if found else cell
    read = {_read(text, default, order, dots="." in cell) for default in DEFAULTS}
    only = read.pop() if len(read) == 1 else None
    return only.isoformat() if only else cell


def _read(cell: str, default: datetime, order: str, *, dots: bool) -> date | None:
    try:
        return parser.parse(cell, default=default, dayfirst=dots or order == DAY).date()
    except (ValueError, OverflowError, TypeError):
        return None
