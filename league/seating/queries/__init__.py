"""What others ask about seating: the room now, the draft, what was played before."""

from league.seating.queries.drafts import (
    Drafted,
    constraints_for,
    drafted,
    played_before,
    played_tonight,
    seating_requests,
)
from league.seating.queries.room import (
    can_take_back,
    changes_since_taken_back,
    draft_of,
    has_begun,
    latest_published,
    live_tables,
    ready_tables,
    seated,
    seating_of,
    waiting,
)

__all__ = [
    "Drafted",
    "can_take_back",
    "changes_since_taken_back",
    "constraints_for",
    "draft_of",
    "drafted",
    "has_begun",
    "latest_published",
    "live_tables",
    "played_before",
    "played_tonight",
    "ready_tables",
    "seated",
    "seating_of",
    "seating_requests",
    "waiting",
]
