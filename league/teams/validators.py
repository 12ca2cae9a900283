"""Validators for the JSON fields of leagues and matches; readers for squad and fixture rules."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.ranking import RankingError
from league.ranking.team_league.rules import rules_from_json
from league.ranking.team_league.squads import SquadRules

MARKS = ("home", "away", "void", None)
MOST_GAMES, MOST_IN_A_GAME, MOST_DAYS = 54, 999, 60
FIELDS_OF_THEIR_OWN = ("pairs", "games_each", "target")
NUMBERS = {
    "least": 24,
    "minimum": 12,
    "borrowed_season": 40,
    "transfers": 9,
    "keeps_place": 24,
}
"""Whole numbers a league may set, and the largest of each; None for no limit."""
FLAGS = ("cup_tied", "one_team_a_week", "captains_agree", "both_confirm", "house_letters",
         "sign_on", "substitutes")  # fmt: skip
HALF_WAY = "half"


def squad_rules_from(
    body: Any, *, borrowed: int | None = None, second_half: date | None = None
) -> SquadRules:
    """Read stored squad rules. Raises ValueError with the name of the faulty field.

    `second_half` is the day on which the second half of the season begins; transfers "until
    half-way" end the day before.
    """
    _refuse_unknown(body, {*NUMBERS, *FLAGS, "transfer_until", "register_until"})
    numbers = {name: _number(body, name, most) for name, most in NUMBERS.items()}
    flags = {name: _flag(body, name) for name in FLAGS}
    return SquadRules(
        least=numbers["least"] or 0,
        minimum=numbers["minimum"] or 0,
        borrowed=borrowed,
        borrowed_season=numbers["borrowed_season"],
        transfers=numbers["transfers"],
        transfer_until=_deadline(body, "transfer_until", second_half),
        register_until=_deadline(body, "register_until", second_half),
        cup_tied=flags["cup_tied"],
        one_team_a_week=flags["one_team_a_week"] or "one_team_a_week" not in body,
        keeps_place=numbers["keeps_place"] or 0,
    )


def _deadline(body: Mapping[str, Any], name: str, second_half: date | None) -> date | None:
    value = body.get(name)
    if value is None:
        return None
    if value == HALF_WAY:
        return date.fromordinal(second_half.toordinal() - 1) if second_half else None
    return _date(value, name)


MOST_REARRANGED, MOST_CUP_DAYS = 200, 30


@dataclass(frozen=True, slots=True)
class FixtureRules:
    """When a league's matches are played.

    `match_day`: 0 for Monday, None for any. `cup_days`: one day of each week that is reserved for
    cups. `rearranged`: days within which a postponed match must be played, None for no limit.
    `derbies_early`: teams of one house meet as early as their venues allow. `starts_at`: the time
    at which every match starts.
    """

    match_day: int | None = None
    cup_days: tuple[date, ...] = ()
    rearranged: int | None = None
    derbies_early: bool = False
    starts_at: time | None = None

    def latest(self, first: date, last: date | None) -> date | None:
        """The last day on which a match planned for `first` may be played, in a season that ends
        on `last`; None for no limit."""
        if self.rearranged is None:
            return None
        limit = first + timedelta(days=self.rearranged)
        return limit if last is None else max(first, min(limit, last))


def fixture_rules_from(body: Any) -> FixtureRules:
    """Read stored fixture rules. Raises ValueError with the name of the faulty field."""
    _refuse_unknown(body, {"match_day", "cup_days", "rearranged", "derbies_early", "starts_at"})
    days = body.get("cup_days", [])
    if not isinstance(days, list) or len(days) > MOST_CUP_DAYS:
        raise ValueError("cup_days")
    return FixtureRules(
        match_day=_number(body, "match_day", 6),
        cup_days=tuple(sorted(_date(day, "cup_days") for day in days)),
        rearranged=_number(body, "rearranged", MOST_REARRANGED),
        derbies_early=_flag(body, "derbies_early"),
        starts_at=_time(body.get("starts_at")),
    )


def _refuse_unknown(body: Any, allowed: Set[str]) -> None:
    if not isinstance(body, Mapping):
        raise ValueError("object")
    for name in sorted(set(body) - allowed):
        raise ValueError(name)


def _flag(body: Mapping[str, Any], name: str) -> bool:
    value = body.get(name, False)
    if type(value) is not bool:
        raise ValueError(name)
    return value


def _number(body: Mapping[str, Any], name: str, most: int) -> int | None:
    value = body.get(name)
    if value is not None and (type(value) is not int or not 0 <= value <= most):
        raise ValueError(name)
    return value


def _date(text: Any, name: str) -> date:
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError) as bad:
        raise ValueError(name) from bad


def _time(text: Any) -> time | None:
    try:
        return None if text is None else time.fromisoformat(text)
    except (TypeError, ValueError) as bad:
        raise ValueError("starts_at") from bad


def validate_league_rules(body: Any) -> None:
    """Validate rules for `rules_from_json`, without those that are fields of the league."""
    if not isinstance(body, Mapping) or set(body) & set(FIELDS_OF_THEIR_OWN):
        raise ValidationError(_("These are not the rules of a league."))
    try:
        rules_from_json(body)
    except RankingError as bad:
        raise ValidationError(str(bad)) from bad


def validate_squad_rules(body: Any) -> None:
    """Validate squad rules, as `squad_rules_from` reads them."""
    try:
        squad_rules_from(body)
    except ValueError as bad:
        raise ValidationError(_("These are not the rules of squads: %s") % bad) from bad


def validate_fixture_rules(body: Any) -> None:
    """Validate fixture rules, as `fixture_rules_from` reads them."""
    try:
        fixture_rules_from(body)
    except ValueError as bad:
        raise ValidationError(_("These are not the rules of fixtures: %s") % bad) from bad


def validate_decider(points: Any) -> None:
    """Validate the points of a deciding game, home first; empty without one."""
    is_valid = isinstance(points, list) and all(
        type(point) is int and 0 <= point <= 99 for point in points
    )
    if not is_valid or (points and (len(points) != 2 or points[0] == points[1])):
        raise ValidationError(_("These are not the points of a deciding game."))


def validate_card(games: Any) -> None:
    """Validate a card: for each game the points, home first, or a mark, or None if not played."""
    if not isinstance(games, list) or len(games) > MOST_GAMES or not all(map(_is_game, games)):
        raise ValidationError(_("These are not the games of a card."))


def _is_game(game: Any) -> bool:
    if isinstance(game, list):
        return len(game) == 2 and all(
            type(points) is int and -MOST_IN_A_GAME <= points <= MOST_IN_A_GAME for points in game
        )
    return game is None or (isinstance(game, str) and game in MARKS)


def validate_days(days: Any) -> None:
    """Validate a list of ISO dates."""
    is_valid = isinstance(days, list) and len(days) <= MOST_DAYS
    if not is_valid or not all(isinstance(day, str) and _is_day(day) for day in days):
        raise ValidationError(_("These are not dates."))


def _is_day(text: str) -> bool:
    try:
        return str(date.fromisoformat(text)) == text
    except ValueError:
        return False
