"""Queries of seating: the live tables, the draft, and the rounds played before."""

from league.seating.queries.drafts import (
    DraftLayout,
    constraints_for,
    load_draft,
    played_before,
    played_tonight,
    seating_requests,
)
from league.seating.queries.room import (
    can_take_back,
    changes_since_taken_back,
    current_seats_prefetch,
    draft_of,
    has_begun,
    latest_published,
    live_tables,
    ready_tables,
    seating_of,
    waiting,
)

__all__ = [
    "DraftLayout",
    "can_take_back",
    "changes_since_taken_back",
    "constraints_for",
    "current_seats_prefetch",
    "draft_of",
    "has_begun",
    "latest_published",
    "live_tables",
    "load_draft",
    "played_before",
    "played_tonight",
    "ready_tables",
    "seating_of",
    "seating_requests",
    "waiting",
]
