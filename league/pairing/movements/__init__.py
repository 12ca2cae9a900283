"""The named movements a progressive night can choose from, each a file of this folder."""

from league.pairing.movements import (
    by_seat,
    by_standing,
    pairs_stay,
    progressive,
    random_draw,
    rotation,
)
from league.pairing.movements.definition import Finished, Moment, Order, Preset, Seated

PRESETS: tuple[Preset, ...] = (
    rotation.PRESET,
    progressive.PRESET,
    progressive.UP_AND_DOWN,
    progressive.WINNERS_STAY,
    by_seat.PRESET,
    by_seat.COLOURS,
    pairs_stay.PRESET,
    by_standing.PRESET,
    random_draw.PRESET,
)


def preset(code: str) -> Preset:
    """The movement of this code; KeyError for another."""
    return {one.code: one for one in PRESETS}[code]


__all__ = ["PRESETS", "Finished", "Moment", "Order", "Preset", "Seated", "preset"]
