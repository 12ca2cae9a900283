"""The named movements a progressive night can choose from: who goes where next.

PRESETS, preset   the movements as data (`Preset`), and one by its code
Order             for movements printed ahead: who plays, how many rounds
Moment, Finished  for those seated round by round: what the next round follows from
Seated            the answer: a round's tables and who sits out
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
    """The movement of this code; KeyError for another."""
    return {one.code: one for one in PRESETS}[code]


__all__ = ["PRESETS", "Finished", "Moment", "Order", "Preset", "Seated", "preset"]
