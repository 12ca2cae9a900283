"""What others ask about seating: the room now, the draft, what was played before."""

from league.seating.queries.history import played_before
from league.seating.queries.room import (
    has_begun,
    live_tables,
    ready_tables,
    seated,
    waiting,
)
from league.seating.queries.rounds import draft_of, latest_published, members_by_id, seating_of

__all__ = [
    "draft_of",
    "has_begun",
    "latest_published",
    "live_tables",
    "members_by_id",
    "played_before",
    "ready_tables",
    "seated",
    "seating_of",
    "waiting",
]
