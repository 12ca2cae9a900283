"""Euchre Game Notation (.egn) and Euchre Match Notation (.emn): read, checked, written.

Both are formats of other programs (EGN 1.2 to 1.4 with what older files had, EMN 1.0); our own is
the hand record. What EGN says and our rules do not know is reported as a fault where it changes the
score and as a warning where it does not: nothing is dropped in silence.
"""

from scoring.egn.games import (
    EgnGame,
    EgnMatch,
    GameAnswer,
    check_game,
    match_of,
    read_game,
    read_match,
)
from scoring.egn.writing import EgnError, Reason, rewrite_game, write_game, write_match

__all__ = [
    "EgnError",
    "EgnGame",
    "EgnMatch",
    "GameAnswer",
    "Reason",
    "check_game",
    "match_of",
    "read_game",
    "read_match",
    "rewrite_game",
    "write_game",
    "write_match",
]
