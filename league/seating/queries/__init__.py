"""What others ask about seating: the room now, the draft, what was played before."""

from league.seating.queries.drafts import Drafted, drafted
from league.seating.queries.history import played_before, played_tonight
from league.seating.queries.moves import changes_since_taken_back
from league.seating.queries.room import (
    has_begun,
    live_tables,
    ready_tables,
    seated,
    waiting,
)
from league.seating.queries.rounds import can_take_back, draft_of, latest_published, seating_of
from league.seating.queries.wishes import wishes_for, wishes_of

__all__ = [
    "Drafted",
    "can_take_back",
    "changes_since_taken_back",
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
    "waiting",
    "wishes_for",
    "wishes_of",
]
