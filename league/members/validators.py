"""What the fields of a club may hold: the same for forms, actions, the API and archives."""

from datetime import date
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.members.seating_rule import BadTable, read_table, write_table
from scoring import RulesetError, ruleset

FIRST_YEAR, LAST_YEAR = 1900, 2200
MOST_MINUTES = 10_080  # a week
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
    """The name of a time zone that this computer knows."""
    if value not in available_timezones():
        raise ValidationError(_("Choose a time zone from the list."), code="time-zone")


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
