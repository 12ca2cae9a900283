"""Whom a page shows, as plain values: equal while nothing that is shown of anybody has changed.

A page that was seen before asks for nothing else of its people. Written in SQL, because Django
takes ten times as long to put such a statement together as the database to answer it.
"""

from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from league.members.models import Club, Member
from league.replica import database_to_read
from league.seasons.models import Season
from league.sessions.models import Session

# In the order of the model: `from_db` wants them so.
FIELDS = ("id", "public_id", "name", "is_guest", "is_minor", "shown", "user_id", "erased_at")
IN_SESSION = """
    SELECT id, public_id, name, is_guest, is_minor, shown, user_id, erased_at FROM league_member
    WHERE id IN (SELECT member_id FROM league_result WHERE session_id = %s)
    ORDER BY id
"""
IN_SEASON = """
    SELECT id, public_id, name, is_guest, is_minor, shown, user_id, erased_at FROM league_member
    WHERE club_id = %s AND EXISTS (
        SELECT 1 FROM league_result WHERE member_id = league_member.id AND session_id IN (
            SELECT id FROM league_session WHERE season_id = %s
        )
    )
    ORDER BY id
"""
IN_CLUB = """
    SELECT id, public_id, name, is_guest, is_minor, shown, user_id, erased_at FROM league_member
    WHERE club_id = %s ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """Everybody with a result, those of a game called off too: `rows` of what is shown of them."""

    rows: tuple[tuple[Any, ...], ...]

    def people(self) -> dict[int, Member]:
        """The same as objects, for a table that has to be made."""
        return {row[0]: Member.from_db(DEFAULT_DB_ALIAS, FIELDS, row) for row in self.rows}

    def player(self, user: Any) -> int | None:
        """Which of these people has this account."""
        if not user.is_authenticated:
            return None
        account = FIELDS.index("user_id")
        return next((row[0] for row in self.rows if row[account] == user.pk), None)


def shown_in_session(club_session: Session) -> Shown:
    return _shown(IN_SESSION, club_session.pk)


def shown_in_season(season: Season) -> Shown:
    return _shown(IN_SEASON, season.club_id, season.pk)


def shown_in_club(club: Club) -> Shown:
    """Everybody who ever came, with or without a result."""
    return _shown(IN_CLUB, club.pk)


def _shown(statement: str, *values: int) -> Shown:
    with database_to_read().cursor() as cursor:
        cursor.execute(statement, values)
        return Shown(tuple(cursor.fetchall()))
