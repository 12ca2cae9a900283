"""Parse dates as people type them: 2026-12-24, 24/12/2026, 24.12.26, 24 December, Thu 24 Dec."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

from django.utils import translation
from django.utils.dates import MONTHS, WEEKDAYS

ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
NUMERIC = re.compile(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?\.?", re.ASCII)
NUMBER = re.compile(r"(\d{1,2}|\d{4})(?:st|nd|rd|th|er|e)?", re.ASCII | re.IGNORECASE)
MIN_LETTERS = 3
"""Fewest letters that may stand for the name of a month."""


def parse_days(text: str, since: date) -> list[date]:
    """Parse a text with one date per line. Return the dates in order, each once.

    A date without a year is the first one from `since` on. Raises ValueError with the first line
    that is not a date.
    """
    days: set[date] = set()
    for line in re.split(r"[\n;]", text):
        if line.strip():
            days.update(_parse_line(line, since))
    return sorted(days)


def _parse_line(line: str, since: date) -> list[date]:
    """The dates on a line: one, or several separated by commas or spaces."""
    for parts in ([line], line.split(","), re.split(r"[\s,]+", line.strip())):
        days = [parse_day(part, since) for part in parts]
        if None not in days:
            return [day for day in days if day]
    raise ValueError(line.strip())


def parse_day(text: str, since: date) -> date | None:
    """Parse a date in the reader's language or in English. Return None if it is not a date."""
    plain_text = " ".join(text.split()).strip(" ,")
    if iso := ISO.fullmatch(plain_text):
        return _valid_date(*map(int, iso.groups()))
    if numbers := NUMERIC.fullmatch(plain_text):
        first, second = int(numbers[1]), int(numbers[2])
        if second > 12 or (_is_month_first() and first <= 12 and "." not in plain_text):
            first, second = second, first
        return _date_in_season(numbers[3] or "", second, first, since)
    return _parse_words(plain_text, since)


def _parse_words(text: str, since: date) -> date | None:
    day = month = None
    year = ""
    for word in re.findall(r"[^\s,.]+", text):
        number = NUMBER.fullmatch(word)
        if number and len(number[1]) == 4:
            year = number[1]
        elif number and day is None:
            day = int(number[1])
        elif named_month := next(iter(_months(word)), None):
            month = named_month
        elif number or not _is_filler(word):
            return None
    return _date_in_season(year, month, day, since) if day and month else None


def _months(word: str) -> Iterator[int]:
    """The months that a word may name, exact matches first."""
    prefix = _strip_accents(word)
    names = [(number, _strip_accents(str(MONTHS[number]))) for number in MONTHS]
    with translation.override("en"):
        names += [(number, _strip_accents(str(MONTHS[number]))) for number in MONTHS]
    yield from (number for number, name in names if name == prefix)
    if len(prefix) >= MIN_LETTERS:
        yield from (number for number, name in names if name.startswith(prefix))


def _is_filler(word: str) -> bool:
    """Whether a word is a weekday, or a filler between day and month, such as "of"."""
    prefix = _strip_accents(word)
    names = [_strip_accents(str(name)) for name in WEEKDAYS.values()]
    with translation.override("en"):
        names += [_strip_accents(str(name)) for name in WEEKDAYS.values()]
    return prefix in ("of", "the", "le", "den") or any(
        len(prefix) >= 2 and name.startswith(prefix) for name in names
    )


def _date_in_season(year: str, month: int, day: int, since: date) -> date | None:
    if year:
        return _valid_date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for candidate_year in (since.year, since.year + 1):
        candidate = _valid_date(candidate_year, month, day)
        if candidate and candidate >= since:
            return candidate
    return None


def _valid_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1900 <= year <= 2200 else None
    except ValueError:
        return None


def _is_month_first() -> bool:
    """Whether readers of this language write the month first."""
    return (translation.get_language() or "").lower() == "en-us"


def _strip_accents(word: str) -> str:
    """A word in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
