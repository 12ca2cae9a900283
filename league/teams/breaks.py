"""The weeks without matches, and the matches that stand in one."""

from collections.abc import Iterable
from datetime import date, timedelta

from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import MatchRecord


def week_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def is_in_break(league: TeamLeague, day: date) -> bool:
    return week_of(day) in {week_of(date.fromisoformat(text)) for text in league.blank_days}


def matches_in_breaks(matches: Iterable[MatchRecord]) -> list[TeamMatch]:
    """The matches to play that stand in a week without matches, without those only drafted."""
    return [
        record.match
        for record in matches
        if record.match.pk
        and record.is_to_come
        and record.match.held_on
        and is_in_break(record.match.league, record.match.held_on)
    ]
