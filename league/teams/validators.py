"""What the JSON fields of a league may hold: its rules, who may play, a card, days."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.ranking import RankingError
from league.ranking.team_league.rules import rules_from_json
from league.teams.stored_rules import fixture_rules_from, squad_rules_from

MARKS = ("home", "away", "void", None)
MOST_GAMES, MOST_IN_A_GAME, MOST_DAYS = 54, 999, 60
FIELDS_OF_THEIR_OWN = ("pairs", "games_each", "target")


def validate_league_rules(body: Any) -> None:
    """Rules as `ranking.LeagueRules` reads them, without what is a field of the league."""
    if not isinstance(body, Mapping) or set(body) & set(FIELDS_OF_THEIR_OWN):
        raise ValidationError(_("These are not the rules of a league."))
    try:
        rules_from_json(body)
    except RankingError as bad:
        raise ValidationError(str(bad)) from bad


def validate_squad_rules(body: Any) -> None:
    """Who may play, as `squad_rules_from` reads it."""
    try:
        squad_rules_from(body)
    except ValueError as bad:
        raise ValidationError(_("These are not the rules of squads: %s") % bad) from bad


def validate_fixture_rules(body: Any) -> None:
    """When matches are played, as `fixture_rules_from` reads it."""
    try:
        fixture_rules_from(body)
    except ValueError as bad:
        raise ValidationError(_("These are not the rules of fixtures: %s") % bad) from bad


def validate_decider(points: Any) -> None:
    """The points of the one game that decided a drawn match, home first; empty without one."""
    good = isinstance(points, list) and all(type(one) is int and 0 <= one <= 99 for one in points)
    if not good or (points and (len(points) != 2 or points[0] == points[1])):
        raise ValidationError(_("These are not the points of a deciding game."))


def validate_card(games: Any) -> None:
    """A list of games: two points home first, or a mark, or None for one not played."""
    if not isinstance(games, list) or len(games) > MOST_GAMES or not all(map(_is_game, games)):
        raise ValidationError(_("These are not the games of a card."))


def _is_game(game: Any) -> bool:
    if isinstance(game, list):
        return len(game) == 2 and all(
            type(points) is int and -MOST_IN_A_GAME <= points <= MOST_IN_A_GAME for points in game
        )
    return game is None or (isinstance(game, str) and game in MARKS)


def validate_days(days: Any) -> None:
    """A list of dates."""
    good = isinstance(days, list) and len(days) <= MOST_DAYS
    if not good or not all(isinstance(one, str) and _is_day(one) for one in days):
        raise ValidationError(_("These are not dates."))


def _is_day(text: str) -> bool:
    try:
        return str(date.fromisoformat(text)) == text
    except ValueError:
        return False
