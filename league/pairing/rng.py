"""A seeded generator whose random choices are the same on every machine."""

from __future__ import annotations

import random
from collections.abc import MutableSequence
from decimal import Context, Decimal
from functools import lru_cache
from typing import TypeVar

from league.pairing.errors import PlayerId

Item = TypeVar("Item")
QUANTILES = 1024


class Rng:
    """A seeded generator that uses only `random.Random.random()`.

    Python guarantees the same sequence for an integer seed in every version, but not the same
    results of shuffle, choice and sample, so this class implements its own.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random  # noqa: S311 - a draw of seats, not a secret

    def below(self, limit: int) -> int:
        """Return a random whole number from 0 to limit - 1."""
        return int(self.random() * limit)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put `items` in random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@lru_cache(maxsize=1)
def thresholds() -> tuple[int, ...]:
    """-ln(u) in thousandths at the midpoints of 1,024 equal steps of u: annealing without `exp`.

    Annealing accepts a move that costs d at temperature T if 1000 * d <= T * a value drawn from
    this table, which gives the usual probability exp(-d / T). Decimal logarithms are the same on
    every machine; `math.exp` is not.
    """
    decimal = Context(prec=20)
    midpoints = (
        decimal.divide(Decimal(2 * step + 1), Decimal(2 * QUANTILES)) for step in range(QUANTILES)
    )
    return tuple(int(-1000 * decimal.ln(midpoint)) for midpoint in midpoints)


def in_order(players: object) -> tuple[PlayerId, ...]:
    """Sort the players, numbers before names, whatever the order they were given in.

    A plan must not change because somebody checked in earlier.
    """
    return tuple(sorted(players, key=lambda player: (isinstance(player, str), player)))  # type: ignore[call-overload]
