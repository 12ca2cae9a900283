"""What a movement is: a name, an explanation for players, and a rule that seats the next round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from league.pairing.errors import PlayerId
from league.pairing.seating.history import PlayedRound
from league.pairing.seating.table_sizes import composition

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True)
class Finished:
    """A table as it ended: its people in seat order, and who won (nobody: not decided)."""

    seats: tuple[PlayerId, ...]
    winners: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Moment:
    """What a movement may look at when it seats the next round.

    `last` are the tables of the round just ended, the head table first; empty before the first
    round. `standing` is everybody, best first. `pairs` are partners who stay together. `sizes` are
    the tables by the club's own rule, largest first; without them the usual rule decides.
    """

    players: tuple[PlayerId, ...]
    seed: int
    last: tuple[Finished, ...] = ()
    history: tuple[PlayedRound, ...] = ()
    standing: tuple[PlayerId, ...] = ()
    pairs: tuple[Pair, ...] = ()
    sizes: tuple[int, ...] = ()

    def tables_for(self, people: int) -> tuple[int, ...]:
        """The sizes of the tables for so many people, largest first."""
        if sum(self.sizes) == people:
            return self.sizes
        return composition(people).sizes


@dataclass(frozen=True)
class Seated:
    """A round: tables in seat order, the head table first, and who sits out."""

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Order:
    """A card ordered ahead: who plays, how many rounds, which pairs stay together."""

    players: tuple[PlayerId, ...]
    rounds: int
    seed: int
    pairs: tuple[Pair, ...] = ()


NextRound = Callable[[Moment], Seated]
Card = Callable[[Order], tuple[Seated, ...]]


@dataclass(frozen=True)
class Preset:
    """A movement a club can choose by `code`.

    `explanation` is read out to the players; `odd` says what happens when the players do not fill
    tables of four. Exactly one of `next_round` (moves by results or standing) and `card` (can be
    printed ahead) is there.
    """

    code: str
    name: str
    explanation: str
    odd: str
    next_round: NextRound | None = None
    card: Card | None = None
