"""What is stored of a game may hold: hand records, scores, the seats that won."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring import HandRecord, RecordError

MOST_POINTS = 999  # of one entry: a score written down, points an organiser adds
MOST_SCORE = 1_000_000  # of everything in one game together
MOST_SIDES = MOST_SEATS = 4


def validate_record(value: Any) -> None:
    """A hand as the engine reads it."""
    try:
        strict = HandRecord.from_json(value).to_json()
    except RecordError as error:
        raise ValidationError(
            [ValidationError(fault.message, code=fault.code) for fault in error.faults]
        ) from error
    if strict != value:
        raise ValidationError(_("This is not a hand as it is stored."), code="record")


def validate_totals(value: Any) -> None:
    """A whole number for each side, as somebody may write it down."""
    _validate_points(value, most=MOST_POINTS)


def validate_score(value: Any) -> None:
    """A whole number for each side, or nothing yet."""
    _validate_points(value, most=MOST_SCORE)


def _validate_points(value: Any, *, most: int) -> None:
    good = isinstance(value, list) and len(value) <= MOST_SIDES
    if not good or not all(type(one) is int and abs(one) <= most for one in value):
        raise ValidationError(
            _("Give each side a whole number up to %(most)d."), params={"most": most}, code="points"
        )


def validate_seats(value: Any) -> None:
    """Seats of a table, counted from 0, each once."""
    good = isinstance(value, list) and all(
        type(one) is int and 0 <= one < MOST_SEATS for one in value
    )
    if not good or len(set(value)) < len(value):
        raise ValidationError(_("This is not a list of seats."), code="seats")
