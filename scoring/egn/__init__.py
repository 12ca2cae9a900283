"""Reads, checks and writes Euchre Game Notation (.egn) and Euchre Match Notation (.emn).

Both are formats of other programs (EGN 1.2 to 1.4 and older fields, EMN 1.0); our own format is the
hand record. What EGN has and our rules do not is reported as a fault if it changes the score, else
as a warning: nothing is dropped silently.
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
