"""Actions on a game: record, undo and correct hands; rule, end, confirm and settle.

Each is one transaction that locks the session, recomputes the game from its hands, and stores the
derived score, winners and result rows with a new revision and an entry in the activity log.
"""

from league.play.actions.confirm import (
    auto_confirm,
    auto_confirm_everywhere,
    await_confirmation,
    confirm_game,
    dispute_game,
    settle_game,
    withdraw_dispute,
)
from league.play.actions.persistence import recount_table
from league.play.actions.record import (
    correct_hand,
    record_hand,
    redo_hand,
    strike_hand,
    undo_last_hand,
)
from league.play.actions.rulings import (
    abandon_game,
    adjust_score,
    call_time,
    concede,
    concede_instead,
    note_misdeal,
    resume,
    rule_penalty,
    walk_over,
    withdraw_ruling,
    write_totals,
)

__all__ = [
    "abandon_game",
    "adjust_score",
    "auto_confirm",
    "auto_confirm_everywhere",
    "await_confirmation",
    "call_time",
    "concede",
    "concede_instead",
    "confirm_game",
    "correct_hand",
    "dispute_game",
    "note_misdeal",
    "record_hand",
    "recount_table",
    "redo_hand",
    "resume",
    "rule_penalty",
    "settle_game",
    "strike_hand",
    "undo_last_hand",
    "walk_over",
    "withdraw_dispute",
    "withdraw_ruling",
    "write_totals",
]
