"""Evenings of which only the scores are known, brought in as a sheet: a line a game."""

from collections.abc import Sequence
from datetime import datetime

from league.exchange.games_import import GamesPreview, look, order
from league.exchange.reading import Row
from league.exchange.results_here import ResultsHere
from league.exchange.results_sheet import results_on
from league.members.audit import Actor
from league.members.models import Club
from league.sessions.models import Session


def preview_results(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = results_on(rows)
    return look(ResultsHere(club, games, club.local(at).date()), games, troubles)


def import_results(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new result down, or nothing; see `games_import.order`."""
    games, troubles = results_on(rows)
    today = club.local(at).date()
    return order(lambda: ResultsHere(club, games, today), games, troubles, agreed=agreed, by=by)
