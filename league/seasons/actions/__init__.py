"""Orders about seasons: making, changing and closing them; their divisions and who is in which."""

from league.seasons.actions.divisions import choose_outcomes, place_members, set_divisions
from league.seasons.actions.following import start_next_season
from league.seasons.actions.seasons import (
    close_season,
    lock_season,
    reopen_season,
    save_season,
)

__all__ = [
    "choose_outcomes",
    "close_season",
    "lock_season",
    "place_members",
    "reopen_season",
    "save_season",
    "set_divisions",
    "start_next_season",
]
