"""Validators for a season's rules, used by its form and by archives."""

from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MOST_EVENINGS, MOST_PLACES, MOST_POINTS = 400, 60, 1000
MOST_ATTENDANCE, MOST_DIVISIONS, MOST_MOVING = 100, 12, 50
LONGEST_NUMBER = 8


def points_of(word: str) -> Decimal:
    """Parse a number of points; raises ValidationError for anything else."""
    try:
        points = Decimal(word.replace(",", "."))
    except InvalidOperation as error:
        raise ValidationError(
            _("“%(word)s” is not a number of points."), params={"word": word[:20]}
        ) from error
    exponent: Any = points.as_tuple().exponent
    if not points.is_finite() or not 0 <= points <= MOST_POINTS or exponent < -2:
        raise ValidationError(
            _("Points are from 0 to %(most)d, with two decimals at most."),
            params={"most": MOST_POINTS},
        )
    return points


def validate_place_points(value: Any) -> None:
    """Validate the points for the first, second, ... place: a list of numbers as texts."""
    if not isinstance(value, list) or not all(map(_is_number, value)):
        raise ValidationError(_("This is not a list of points."))
    numbers = [points_of(word) for word in value]
    if len(numbers) > MOST_PLACES:
        raise ValidationError(_("That is more places than a table has."))
    if any(lower > upper for upper, lower in pairwise(numbers)):
        raise ValidationError(_("A lower place can't give more than a higher one."))


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and 0 < len(value) <= LONGEST_NUMBER
