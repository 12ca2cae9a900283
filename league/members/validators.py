"""What the fields of a club may hold: the same for forms, actions, the API and archives."""

import re
from datetime import date
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring import RulesetError, ruleset

# Written one number a line, "11: 4 4 3"; who is left over sits out. Numbers not listed follow the
# usual rule (nobody sits out, as many fours as can be).

SIZES = range(2, 9)
LEAST, MOST = 2, 200
_LINE = re.compile(r"(\d{1,3})\s*[:=]\s*(\d(?:[\s,+]+\d)*)")


class BadTable(ValueError):
    """A line that cannot be read; `code` says why: line, number, size, many or twice."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(code, line)
        self.code, self.line = code, line


def read_table(text: str) -> dict[str, list[int]]:
    """The table as stored: the number of people (as text, for JSON) to its table sizes."""
    table: dict[str, list[int]] = {}
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            people, sizes = _read_line(row.strip(), number)
            if people in table:
                raise BadTable("twice", number)
            table[people] = sizes
    return dict(sorted(table.items(), key=lambda item: int(item[0])))


def _read_line(row: str, number: int) -> tuple[str, list[int]]:
    match = _LINE.fullmatch(row) if row.isascii() else None
    if match is None:
        raise BadTable("line", number)
    people = int(match[1])
    sizes = sorted((int(digit) for digit in re.findall(r"\d", match[2])), reverse=True)
    if not LEAST <= people <= MOST:
        raise BadTable("number", number)
    if not set(sizes) <= set(SIZES):
        raise BadTable("size", number)
    if sum(sizes) > people:
        raise BadTable("many", number)
    return str(people), sizes


def write_table(table: dict[str, list[int]]) -> str:
    """The table as a person writes it."""
    return "\n".join(f"{people}: {' '.join(map(str, sizes))}" for people, sizes in table.items())


FIRST_YEAR, LAST_YEAR = 1900, 2200
DAY_MINUTES, MOST_MINUTES = 1440, 10_080  # the longer is a week
MEASURES = (
    "won", "above", "share", "points", "difference", "difference_a_hand", "win_rate", "euchres",
    "lone_marches", "head_to_head", "lot",
)  # fmt: skip
"""The measures that a club can rank by; `standings.measures` says what each is."""
MOST_MEASURES = 5


def validate_day(value: date) -> None:
    """A day, or a moment, that a club can play on: years that every time zone can tell."""
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValidationError(
            _("Choose a date from %(first)s to %(last)s."),
            code="date-range",
            params={"first": str(FIRST_YEAR), "last": str(LAST_YEAR)},
        )


def validate_time_zone(value: str) -> None:
    """The name of a time zone that this computer knows, and that is no word for "unknown"."""
    if value not in available_timezones() - {"localtime", "Factory"}:
        raise ValidationError(_("Choose a time zone from the list."), code="time-zone")


LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def validate_language(value: str) -> None:
    """The code of a language. One that this site does not have is as none: another may have it."""
    if not LANGUAGE.fullmatch(value):
        raise ValidationError(_("Choose a language from the list."), code="language")


def validate_measures(value: Any) -> None:
    """Some of `MEASURES`, the most important first, each once."""
    good = isinstance(value, list) and all(_is_text(one) and one in MEASURES for one in value)
    if not good or len(set(value)) < len(value):
        raise ValidationError(_("This is not a list of ranking rules."), code="measures")
    if len(value) > MOST_MEASURES:
        raise ValidationError(_("These are too many ranking rules."), code="measures")


def validate_seating_table(value: Any) -> None:
    """Table sizes by the number of players, as `seating_rule.read_table` stores them."""
    try:
        good = isinstance(value, dict) and read_table(write_table(value)) == value
    except (BadTable, TypeError, ValueError):
        good = False
    if not good:
        raise ValidationError(
            _("Give each number of players its table sizes, such as 11: 4 4 3."),
            code="seating-table",
        )


def validate_ruleset(value: Any) -> None:
    """Rules that the engine can play by."""
    if not isinstance(value, dict):
        raise ValidationError(_("This is not a ruleset."), code="ruleset")
    try:
        ruleset(value)
    except RulesetError as error:
        raise ValidationError(
            [ValidationError(fault.message, code=fault.code) for fault in error.faults]
        ) from error


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


MOST_HEADINGS = 40
LONGEST_HEADING = 200


def validate_sheet_columns(columns: Any) -> None:
    """Headings of a club's own sheets by the kind of import, each with a column, or "" for none."""
    if not isinstance(columns, dict) or len(columns) > MOST_HEADINGS:
        raise ValidationError(_("These aren't columns of a sheet."))
    for known in columns.values():
        short = isinstance(known, dict) and len(known) <= MOST_HEADINGS
        words = [*known.keys(), *known.values()] if short else [None]
        if not all(isinstance(word, str) and len(word) <= LONGEST_HEADING for word in words):
            raise ValidationError(_("These aren't columns of a sheet."))
