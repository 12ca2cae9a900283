"""Orders to a game: write down, take back, correct, rule, end, confirm and settle.

Each is one transaction that locks the session; refolds the game from its hands;
and writes the derived score, winners and result rows, the revision and an audit entry with it.
"""

from league.play.actions.confirm import (
    accept_silent,
    accept_silent_everywhere,
    confirm_game,
    dispute_game,
    settle_game,
)
from league.play.actions.correct import correct_hand, strike_hand
from league.play.actions.finish import abandon_game, call_time, concede, resume, write_totals
from league.play.actions.keeping import game_at, recount_table
from league.play.actions.record import record_hand, undo_last_hand
from league.play.actions.rule import adjust_score, note_misdeal, rule_penalty, withdraw_ruling

__all__ = [
    "abandon_game",
    "accept_silent",
    "accept_silent_everywhere",
    "adjust_score",
    "call_time",
    "concede",
    "confirm_game",
    "correct_hand",
    "dispute_game",
    "game_at",
    "note_misdeal",
    "record_hand",
    "recount_table",
    "resume",
    "rule_penalty",
    "settle_game",
    "strike_hand",
    "undo_last_hand",
    "withdraw_ruling",
    "write_totals",
]
