"""A league's rules of days: its match day, cup weeks, how long a match may be put off."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

MOST_REARRANGED, MOST_CUP_DAYS = 200, 30


@dataclass(frozen=True, slots=True)
class FixtureRules:
    """`match_day`: 0 for Monday, None for any. `cup_days`: one day of each week that is left to
    the cups. `rearranged`: days within which a match that is put off has to be played, None for no
    limit. `derbies_early`: teams of one house meet as early as their venues allow."""

    match_day: int | None = None
    cup_days: tuple[date, ...] = ()
    rearranged: int | None = None
    derbies_early: bool = False

    def latest(self, first: date, last: date | None) -> date | None:
        """Until when a match meant for the day `first` may be played, in a season whose `last`
        fixture is that day; None for no limit."""
        if self.rearranged is None:
            return None
        until = first + timedelta(days=self.rearranged)
        return until if last is None else max(first, min(until, last))


def fixture_rules_from(body: Any) -> FixtureRules:
    """The stored rules. Raises ValueError, saying where."""
    if not isinstance(body, Mapping):
        raise ValueError("object")
    names = ("match_day", "cup_days", "rearranged", "derbies_early")
    for name in sorted(set(body) - set(names)):
        raise ValueError(name)
    early, days = body.get("derbies_early", False), body.get("cup_days", [])
    if type(early) is not bool:
        raise ValueError("derbies_early")
    if not isinstance(days, list) or len(days) > MOST_CUP_DAYS:
        raise ValueError("cup_days")
    return FixtureRules(
        match_day=_number(body, "match_day", 6),
        cup_days=tuple(sorted(_day(one) for one in days)),
        rearranged=_number(body, "rearranged", MOST_REARRANGED),
        derbies_early=early,
    )


def _number(body: Mapping[str, Any], name: str, most: int) -> int | None:
    value = body.get(name)
    if value is not None and (type(value) is not int or not 0 <= value <= most):
        raise ValueError(name)
    return value


def _day(text: Any) -> date:
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError) as bad:
        raise ValueError("cup_days") from bad
