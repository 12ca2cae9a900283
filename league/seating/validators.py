"""What is stored of a table's draw for the deal may hold."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MOST_PLAYERS = 4
MOST_CARDS = 64
LONGEST_CUSTOM = 30


def validate_dealer_draw(value: Any) -> None:
    """How the first dealer was found: the custom, the seed, the cards drawn by each seat."""
    good = (
        isinstance(value, dict)
        and value.keys() <= {"custom", "seed", "cards"}
        and _is_custom(value.get("custom", ""))
        and type(value.get("seed", 0)) is int
        and _are_cards(value.get("cards", []))
    )
    if not good:
        raise ValidationError(_("This is not a draw for the deal."), code="dealer-draw")


def _is_custom(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_CUSTOM


def _are_cards(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_CARDS and all(map(_is_drawn, value))


def _is_drawn(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    seat, card = value
    return type(seat) is int and isinstance(card, str) and len(card) == 2
