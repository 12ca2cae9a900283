"""What is stored of a stage may hold: the organiser's choices, the cards, rounds drawn again."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.tournaments.parameters import faults_of

MOST_ENTRIES, MOST_ROUNDS, MOST_CARDS = 2000, 400, 100


def validate_parameters(value: Any) -> None:
    """Choices that a stage can be played by."""
    wrong = faults_of(value)
    if wrong:
        raise ValidationError(
            _("These choices cannot be: %(names)s."),
            params={"names": ", ".join(wrong)},
            code="parameters",
        )


def validate_cards(value: Any) -> None:
    """What movement cards are made from: rounds, players by their numbers in the draw, seed."""
    if not _is_list(value, MOST_CARDS) or not all(map(_is_card, value)):
        raise ValidationError(_("This is not a list of movement cards."), code="cards")


def validate_redrawn(value: Any) -> None:
    """Rounds that were drawn again for late entries: who meets whom, by numbers."""
    if not _is_list(value, MOST_ENTRIES) or not all(map(_is_redrawn, value)):
        raise ValidationError(_("These are not rounds that were drawn again."), code="redrawn")


def _is_card(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"from", "to", "players", "seed"}
        and 1 <= _number(value["from"], MOST_ROUNDS) <= _number(value["to"], MOST_ROUNDS)
        and _number(value["seed"]) >= 0
        and _are_numbers(value["players"])
    )


def _is_redrawn(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"late", "group", "after", "seed", "rounds"}
        and all(_number(value[name]) >= 0 for name in ("late", "group", "after", "seed"))
        and _is_list(value["rounds"], MOST_ROUNDS)
        and all(_is_list(one, MOST_ENTRIES) and all(map(_meet, one)) for one in value["rounds"])
    )


def _meet(value: Any) -> bool:
    return _are_numbers(value) and 1 <= len(value) <= 2


def _are_numbers(value: Any) -> bool:
    good = _is_list(value, MOST_ENTRIES) and all(_number(one, MOST_ENTRIES) >= 1 for one in value)
    return good and len(set(value)) == len(value)


def _is_list(value: Any, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most


def _number(value: Any, most: int = 2**31 - 1) -> int:
    """A whole number from 0; -1 for anything else."""
    return value if type(value) is int and 0 <= value <= most else -1
