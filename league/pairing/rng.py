"""Random choices that fall the same way on every machine: a seeded generator."""

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

    Python promises that sequence for a given integer seed in every version; the promise does not
    cover shuffle, choice and sample, so those are made here.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random  # noqa: S311 - a draw of seats, not a secret

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        return int(self.random() * limit)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put `items` in random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@lru_cache(maxsize=1)
def thresholds() -> tuple[int, ...]:
    """-ln(u) in thousandths at the middles of 1,024 equal steps of u: annealing without `exp`.

    A move that costs d at temperature T is taken when 1000 * d <= T * a value drawn from here,
    which is the usual chance exp(-d / T). Decimal logarithms are the same everywhere; `math.exp`
    is not.
    """
    sums = Context(prec=20)
    steps = (
        sums.divide(Decimal(2 * step + 1), Decimal(2 * QUANTILES)) for step in range(QUANTILES)
    )
    return tuple(int(-1000 * sums.ln(step)) for step in steps)


def in_order(players: object) -> tuple[PlayerId, ...]:
    """The players in one order that does not depend on who was ticked off first.

    Numbers come before names; a plan must not change because somebody arrived earlier.
    """
    return tuple(sorted(players, key=lambda one: (isinstance(one, str), one)))  # type: ignore[call-overload]
