"""Evenings written down elsewhere, hand by hand, brought in as a sheet."""

from collections.abc import Sequence
from datetime import datetime

from league.exchange.games_import import GamesPreview, look, order
from league.exchange.hands_here import HandsHere
from league.exchange.hands_sheet import games_on
from league.exchange.reading import Row
from league.members.audit import Actor
from league.members.models import Club
from league.sessions.models import Session


def preview_hands(club: Club, rows: Sequence[Row], *, at: datetime) -> GamesPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = games_on(rows)
    return look(HandsHere(club, games, club.local(at).date()), games, troubles)


def import_hands(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new game down, hand by hand, or nothing; see `games_import.order`."""
    games, troubles = games_on(rows)
    today = club.local(at).date()
    return order(lambda: HandsHere(club, games, today), games, troubles, agreed=agreed, by=by)
