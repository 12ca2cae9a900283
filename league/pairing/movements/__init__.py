"""The named movements a progressive night can choose from: who goes where next.

PRESETS, preset   the movements as data (`Preset`), and a look-up by code
Order             the input of movements printed ahead: the players and the number of rounds
Moment, Finished  the input of movements seated round by round: the results of the last round
Seated            the output: a round's tables and the players who sit out
"""

from league.pairing.movements.printed_cards import COLOURS, FIXED_SEAT, PAIRS_STAY, ROTATION
from league.pairing.movements.progressive import (
    BY_STANDING,
    RANDOM_DRAW,
    UP_AND_DOWN,
    WINNERS_STAY,
    WINNERS_UP,
    Finished,
    Moment,
    Order,
    Preset,
    Seated,
)

PRESETS: tuple[Preset, ...] = (
    ROTATION,
    WINNERS_UP,
    UP_AND_DOWN,
    WINNERS_STAY,
    FIXED_SEAT,
    COLOURS,
    PAIRS_STAY,
    BY_STANDING,
    RANDOM_DRAW,
)


def preset(code: str) -> Preset:
    """Return the movement with this code; raises KeyError if there is none."""
    return {movement.code: movement for movement in PRESETS}[code]


__all__ = ["PRESETS", "Finished", "Moment", "Order", "Preset", "Seated", "preset"]
