"""A league's rules of squads as they are stored, and read with the days of its season."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from league.ranking.team_league.squads import SquadRules

NUMBERS = {
    "least": 24,
    "minimum": 12,
    "borrowed_season": 40,
    "transfers": 9,
    "keeps_place": 24,
}
"""Whole numbers a league may set, and the largest of each; None for no limit."""
TICKS = ("cup_tied", "one_team_a_week", "captains_agree", "both_confirm", "house_letters",
         "sign_on")  # fmt: skip
HALF_WAY = "half"


def squad_rules_from(
    body: Any, *, borrowed: int | None = None, second_half: date | None = None
) -> SquadRules:
    """The stored rules; `second_half` is the day on which the second half of the season begins,
    before which a transfer "until half-way" has to be. Raises ValueError, saying where."""
    if not isinstance(body, Mapping):
        raise ValueError("object")
    for name in sorted(set(body) - {*NUMBERS, *TICKS, "transfer_until", "register_until"}):
        raise ValueError(name)
    numbers = {name: body.get(name) for name in NUMBERS}
    for name, value in numbers.items():
        if value is not None and (type(value) is not int or not 0 <= value <= NUMBERS[name]):
            raise ValueError(name)
    for name in TICKS:
        if type(body.get(name, False)) is not bool:
            raise ValueError(name)
    return SquadRules(
        least=numbers["least"] or 0,
        minimum=numbers["minimum"] or 0,
        borrowed=borrowed,
        borrowed_season=numbers["borrowed_season"],
        transfers=numbers["transfers"],
        transfer_until=_day(body, "transfer_until", second_half),
        register_until=_day(body, "register_until", second_half),
        cup_tied=bool(body.get("cup_tied")),
        one_team_a_week=bool(body.get("one_team_a_week", True)),
        keeps_place=numbers["keeps_place"] or 0,
    )


def _day(body: Mapping[str, Any], name: str, second_half: date | None) -> date | None:
    value = body.get(name)
    if value is None:
        return None
    if value == HALF_WAY:
        return date.fromordinal(second_half.toordinal() - 1) if second_half else None
    if not isinstance(value, str):
        raise ValueError(name)
    try:
        return date.fromisoformat(value)
    except ValueError as bad:
        raise ValueError(name) from bad
