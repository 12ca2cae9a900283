"""What the rules of a pot may hold: the same for its form and for archives."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MOST_PLACES = 20
LONGEST_NUMBER = 6


def percent_of(word: str) -> Decimal:
    """A percent somebody wrote; ValidationError where it is none."""
    try:
        share = Decimal(word.replace(",", "."))
    except InvalidOperation:
        share = Decimal("NaN")
    exponent: Any = share.as_tuple().exponent
    if not share.is_finite() or not 0 < share <= 100 or exponent < -2:
        raise ValidationError(_("“%(word)s” is not a percent."), params={"word": word[:20]})
    return share


def validate_shares(value: Any) -> None:
    """The percents of the first, second, ... place as texts, a hundred together at most."""
    if not isinstance(value, list) or not all(_is_number(one) for one in value):
        raise ValidationError(_("This is not a list of percents."))
    if len(value) > MOST_PLACES:
        raise ValidationError(_("That is more places than a table has."))
    if sum(map(percent_of, value)) > 100:
        raise ValidationError(_("Together that is more than all of it."))


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and 0 < len(value) <= LONGEST_NUMBER
