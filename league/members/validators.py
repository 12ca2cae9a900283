"""Validators for the fields of a club, used by forms, actions, the API and archives."""

import re
from datetime import date
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring import RulesetError, ruleset

# A table of sizes has a line for each number of players, "11: 4 4 3"; players left over sit out.
# Numbers that are not listed follow the default rule: nobody sits out, with as many fours as
# possible.

SIZES = range(2, 9)
LEAST, MOST = 2, 200
_LINE = re.compile(r"(\d{1,3})\s*[:=]\s*(\d(?:[\s,+]+\d)*)")


class BadTable(ValueError):
    """Lines that cannot be read: `faults` are (code, line), a code line, number, size, many or
    twice."""

    def __init__(self, *faults: tuple[str, int]) -> None:
        super().__init__(*faults)
        self.faults = faults


def read_table(text: str) -> dict[str, list[int]]:
    """Parse a table of sizes: from number of players (as text, for JSON) to table sizes."""
    table: dict[str, list[int]] = {}
    faults: list[tuple[str, int]] = []
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            try:
                people, sizes = _read_line(row.strip(), number)
            except BadTable as error:
                faults += error.faults
                continue
            if people in table:
                faults.append(("twice", number))
            table[people] = sizes
    if faults:
        raise BadTable(*faults)
    return dict(sorted(table.items(), key=lambda item: int(item[0])))


def _read_line(row: str, number: int) -> tuple[str, list[int]]:
    match = _LINE.fullmatch(row) if row.isascii() else None
    if match is None:
        raise BadTable(("line", number))
    people = int(match[1])
    sizes = sorted((int(digit) for digit in re.findall(r"\d", match[2])), reverse=True)
    if not LEAST <= people <= MOST:
        raise BadTable(("number", number))
    if not set(sizes) <= set(SIZES):
        raise BadTable(("size", number))
    if sum(sizes) > people:
        raise BadTable(("many", number))
    return str(people), sizes


def write_table(table: dict[str, list[int]]) -> str:
    """Format a table of sizes as people type it."""
    return "\n".join(f"{people}: {' '.join(map(str, sizes))}" for people, sizes in table.items())


FIRST_YEAR, LAST_YEAR = 1900, 2200
DAY_MINUTES, MOST_MINUTES = 1440, 10_080  # MOST_MINUTES is a week
MEASURES = (
    "won", "above", "share", "points", "difference", "difference_a_hand", "win_rate", "euchres",
    "lone_marches", "head_to_head", "lot",
)  # fmt: skip
"""The measures that a club can rank by; see `standings.measures`."""
MOST_MEASURES = 5


def validate_day(value: date) -> None:
    """Validate a date: years that all time zones can handle."""
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValidationError(
            _("Choose a date from %(first)s to %(last)s."),
            code="date-range",
            params={"first": str(FIRST_YEAR), "last": str(LAST_YEAR)},
        )


def validate_time_zone(value: str) -> None:
    """Validate a time zone: one that this computer knows, except names for "unknown"."""
    if value not in available_timezones() - {"localtime", "Factory"}:
        raise ValidationError(_("Choose a time zone from the list."), code="time-zone")


LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def validate_language(value: str) -> None:
    """Validate a language code. One that this site doesn't have is accepted and ignored."""
    if not LANGUAGE.fullmatch(value):
        raise ValidationError(_("Choose a language from the list."), code="language")


def validate_measures(value: Any) -> None:
    """Validate a list of different `MEASURES`, the most important first."""
    is_valid = isinstance(value, list) and all(_is_measure(item) for item in value)
    if not is_valid or len(set(value)) < len(value):
        raise ValidationError(_("This is not a list of ranking rules."), code="measures")
    if len(value) > MOST_MEASURES:
        raise ValidationError(_("These are too many ranking rules."), code="measures")


def validate_seating_table(value: Any) -> None:
    """Validate table sizes by number of players, as `read_table` returns them."""
    try:
        is_valid = isinstance(value, dict) and read_table(write_table(value)) == value
    except (BadTable, TypeError, ValueError):
        is_valid = False
    if not is_valid:
        raise ValidationError(
            _("Give each number of players its table sizes, such as 11: 4 4 3."),
            code="seating-table",
        )


def validate_ruleset(value: Any) -> None:
    """Validate a ruleset with the engine."""
    if not isinstance(value, dict):
        raise ValidationError(_("This is not a ruleset."), code="ruleset")
    try:
        ruleset(value)
    except RulesetError as error:
        raise ValidationError(
            [ValidationError(fault.message, code=fault.code) for fault in error.faults]
        ) from error


def _is_measure(value: Any) -> bool:
    return isinstance(value, str) and value in MEASURES


MOST_HEADINGS = 40
LONGEST_HEADING = 200


def validate_sheet_columns(columns: Any) -> None:
    """Validate the columns for headings of a club's own sheets ("" for none), by kind of import."""
    if not isinstance(columns, dict) or len(columns) > MOST_HEADINGS:
        raise ValidationError(_("These aren't columns of a sheet."))
    for headings in columns.values():
        is_short = isinstance(headings, dict) and len(headings) <= MOST_HEADINGS
        words = [*headings.keys(), *headings.values()] if is_short else [None]
        if not all(isinstance(word, str) and len(word) <= LONGEST_HEADING for word in words):
            raise ValidationError(_("These aren't columns of a sheet."))
