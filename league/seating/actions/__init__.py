"""Orders about seating: draft, change, publish, take back, and what happens at running tables."""

from league.seating.actions.cards import make_cards_up_to
from league.seating.actions.draft import (
    add_wish,
    discard_draft,
    draft_round,
    drop_wish,
    free_people,
    lock_seat,
    redraw,
    reseat,
    swap,
)
from league.seating.actions.publish import publish, redraw_dealer, set_dealer, take_back
from league.seating.actions.running import (
    answer_call,
    ask_after,
    call_organiser,
    depart,
    end_table,
    join,
    replace_code,
    set_session_policy,
    set_session_rules,
    set_table_rules,
    substitute,
)

__all__ = [
    "add_wish",
    "answer_call",
    "ask_after",
    "call_organiser",
    "depart",
    "discard_draft",
    "draft_round",
    "drop_wish",
    "end_table",
    "free_people",
    "join",
    "lock_seat",
    "make_cards_up_to",
    "publish",
    "redraw",
    "redraw_dealer",
    "replace_code",
    "reseat",
    "set_dealer",
    "set_session_policy",
    "set_session_rules",
    "set_table_rules",
    "substitute",
    "swap",
    "take_back",
]
