"""What a draw answers: tables with entries, byes, walk-overs; and fixtures that were redrawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.errors import Refused
from league.pairing.formats import Pairing, Rounds
from league.pairing.seating import Composition
from league.tournaments.stage_state import StageState

Sizes = Callable[[int], Composition]
"""The tables for so many people by the club's rule."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A match to be played: entries by position, in a group or at a place of the bracket.

    A walk-over has a `winner` and no table. `number` is its number in the bracket.
    """

    sides: tuple[tuple[int, int], ...]
    players: int = 4
    group: int | None = None
    place: str = ""
    winner: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round drawn, the head table first. `card`: what a new movement card was made from.

    `field_size`: how many entries begin it, where it is a main round of a bracket.
    """

    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    field_size: int | None = None
    card: dict[str, Any] | None = None


NextDraw = Callable[[StageState, int, Sizes], Drawn]


def no_more_rounds(message: str) -> Refused:
    """The stage has been played to its end."""
    return Refused("no-more-rounds", message, status=409)


NEWCOMER = 0
"""Stands for somebody who has no entry yet."""


def redrawn_rounds(state: StageState, group: int = 0) -> Rounds:
    """All rounds of the fixtures (of a group) as they were drawn anew last, those before as empty;
    none where they are as they were drawn first."""
    kept = [one for one in state.stage.redrawn if one["group"] == group]
    if not kept:
        return ()
    keys = {entry.number or 0: key for key, entry in state.entries.items()}
    rounds = tuple(tuple(_pairing(met, keys) for met in one) for one in kept[-1]["rounds"])
    return ((),) * kept[-1]["after"] + rounds


def _pairing(met: Sequence[int], keys: Mapping[int, int]) -> Pairing:
    return Pairing(keys[met[0]], keys[met[1]] if len(met) > 1 else None)


def group_joined(state: StageState, entry: int) -> int | None:
    """The group that was drawn anew for a late entry; None where it took the place of a bye."""
    number = state.entries[entry].number
    return next((one["group"] for one in state.stage.redrawn if one["late"] == number), None)


def stored(
    rounds: Rounds, numbers: Mapping[int, int], *, late: int, group: int, after: int, seed: int
) -> dict[str, Any]:
    """What is kept of rounds drawn anew: who meets whom by `numbers`, those of the draw."""
    return {
        "late": late,
        "group": group,
        "after": after,
        "seed": seed,
        "rounds": [
            [
                [numbers[int(who)] for who in (one.first, one.second) if who is not None]
                for one in each
            ]
            for each in rounds
        ],
    }
