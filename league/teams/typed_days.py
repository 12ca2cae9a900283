"""Days as people type them: 2026-12-24, 24/12/2026, 24.12.26, 24 December, Thu 24 Dec."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

from django.utils import translation
from django.utils.dates import MONTHS, WEEKDAYS

ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
FIGURES = re.compile(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?\.?", re.ASCII)
NUMBER = re.compile(r"(\d{1,2}|\d{4})(?:st|nd|rd|th|er|e)?", re.ASCII | re.IGNORECASE)
SHORTEST = 3
"""Letters of a month's name that are enough."""


def typed_days(text: str, since: date) -> list[date]:
    """The days of a text, one a line, in order; a day without its year is the first from `since`
    on. Raises ValueError with the first line that is no day."""
    days: set[date] = set()
    for line in re.split(r"[\n;]", text):
        if line.strip():
            days.update(_days_on(line, since))
    return sorted(days)


def _days_on(line: str, since: date) -> list[date]:
    """The days of a line: one, or several between commas or spaces."""
    for parts in ([line], line.split(","), re.split(r"[\s,]+", line.strip())):
        days = [typed_day(part, since) for part in parts]
        if None not in days:
            return [day for day in days if day]
    raise ValueError(line.strip())


def typed_day(text: str, since: date) -> date | None:
    """A day as it was typed, in the reader's language or in English; None for no day."""
    plain = " ".join(text.split()).strip(" ,")
    if iso := ISO.fullmatch(plain):
        return _day(*map(int, iso.groups()))
    if figures := FIGURES.fullmatch(plain):
        first, second = int(figures[1]), int(figures[2])
        if second > 12 or (_month_first() and first <= 12 and "." not in plain):
            first, second = second, first
        return _in_season(figures[3] or "", second, first, since)
    return _in_words(plain, since)


def _in_words(text: str, since: date) -> date | None:
    day = month = None
    year = ""
    for word in re.findall(r"[^\s,.]+", text):
        number = NUMBER.fullmatch(word)
        if number and len(number[1]) == 4:
            year = number[1]
        elif number and day is None:
            day = int(number[1])
        elif named := next(iter(_months(word)), None):
            month = named
        elif number or not _is_filling(word):
            return None
    return _in_season(year, month, day, since) if day and month else None


def _months(word: str) -> Iterator[int]:
    """The months a word may be the name of, the exact one first."""
    plain = _plain(word)
    names = [(number, _plain(str(MONTHS[number]))) for number in MONTHS]
    with translation.override("en"):
        names += [(number, _plain(str(MONTHS[number]))) for number in MONTHS]
    yield from (number for number, name in names if name == plain)
    if len(plain) >= SHORTEST:
        yield from (number for number, name in names if name.startswith(plain))


def _is_filling(word: str) -> bool:
    """Whether a word is a weekday, or stands between a day and its month."""
    plain = _plain(word)
    names = [_plain(str(name)) for name in WEEKDAYS.values()]
    with translation.override("en"):
        names += [_plain(str(name)) for name in WEEKDAYS.values()]
    return plain in ("of", "the", "le", "den") or any(
        len(plain) >= 2 and name.startswith(plain) for name in names
    )


def _in_season(year: str, month: int, day: int, since: date) -> date | None:
    if year:
        return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for one in (since.year, since.year + 1):
        at = _day(one, month, day)
        if at and at >= since:
            return at
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1900 <= year <= 2200 else None
    except ValueError:
        return None


def _month_first() -> bool:
    """Whether readers of this language write the month first."""
    return (translation.get_language() or "").lower() == "en-us"


def _plain(word: str) -> str:
    """A word without case and accents."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
