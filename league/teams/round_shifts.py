"""Rounds that were moved whole: lists of matches follow them to their new days."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import timedelta

from league.teams.models import TeamMatch

UNMOVED = timedelta(0)


def with_round_shifts(matches: Iterable[TeamMatch]) -> list[TeamMatch]:
    """All matches of a league, each with how far its whole round was moved. Awards, days that only
    a card has changed and teams that have left don't count."""
    listed = list(matches)
    shifts: dict[int, list[timedelta | None]] = defaultdict(list)
    for match in listed:
        has_left = match.home.withdrawn_at or match.away.withdrawn_at
        if match.cup_id is None and not (match.is_given or has_left):
            shifts[match.round].append(_shift(match))
    for match in listed:
        if match.cup_id is None:
            match.round_shift = _round_shift(shifts[match.round])
    return listed


def _shift(match: TeamMatch) -> timedelta | None:
    """How far a match was moved; None without a day."""
    first = match.first_date if match.postponed_reason else None
    return match.held_on - (first or match.held_on) if match.held_on else None


def _round_shift(shifts: list[timedelta | None]) -> timedelta:
    """A round was moved if most of its matches were moved as far and none is on its first day."""
    shift, n = Counter(shifts).most_common(1)[0] if shifts else (None, 0)
    is_moved = UNMOVED not in shifts and 2 * n > len(shifts)
    return shift if is_moved and shift else UNMOVED
