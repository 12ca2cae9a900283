"""What a draw answers: tables with the entries at them, byes, walk-overs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from league.errors import Refused
from league.pairing.seating import Composition
from league.tournaments.picture import Picture

Sizes = Callable[[int], Composition]
"""The tables for so many people by the club's rule."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A match to be played: entries by position. A walk-over has a `winner` and no table."""

    sides: tuple[tuple[int, int], ...]
    players: int = 4
    label: str = ""
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round drawn, the head table first. `card`: what a new movement card was made from."""

    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    label: str = ""
    card: dict[str, Any] | None = None


NextDraw = Callable[[Picture, int, Sizes], Drawn]


def no_more_rounds(message: str) -> Refused:
    """The stage has been played to its end."""
    return Refused("no-more-rounds", message, status=409)
