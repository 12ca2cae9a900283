"""Who partners whom when people gather at a table: the crossing that has been used least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from league.pairing.errors import PlayerId
from league.pairing.rng import Rng
from league.pairing.seating.history import PlayedRound

# The three ways to make two pairs of four people, as seat orders.
CROSSINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
PARTNERS = 1_000
JUST_NOW = 1_000_000  # partners of the last round part whatever else


class Met:
    """How often any two have partnered and opposed each other, and who partners just now."""

    def __init__(self, history: Iterable[PlayedRound]) -> None:
        self.partners: dict[frozenset[PlayerId], int] = {}
        self.opponents: dict[frozenset[PlayerId], int] = {}
        self.just_now: set[frozenset[PlayerId]] = set()
        for played in history:
            self.just_now = set()
            for table in played.tables:
                self._add(table)

    def _add(self, table: Sequence[PlayerId]) -> None:
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = frozenset((one, other))
            if len(table) == 4 and other_seat - seat == 2:
                self.partners[pair] = self.partners.get(pair, 0) + 1
                self.just_now.add(pair)
            else:
                self.opponents[pair] = self.opponents.get(pair, 0) + 1

    def cost(self, table: Sequence[PlayerId]) -> int:
        """What the repeats of this table weigh: partners first, then opponents."""
        total = 0
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = frozenset((one, other))
            if other_seat - seat == 2:
                total += PARTNERS * (2 * self.partners.get(pair, 0) + 1)
                total += JUST_NOW * (pair in self.just_now)
            else:
                total += 2 * self.opponents.get(pair, 0) + 1
        return total


def cross(people: Sequence[PlayerId], met: Met, chance: Rng) -> tuple[PlayerId, ...]:
    """These people in seat order, the less used crossing chosen; equal ones by chance.

    Tables of two and three have no partners and stay in the order given.
    """
    if len(people) != 4:
        return tuple(people)
    orders = list(CROSSINGS)
    chance.shuffle(orders)
    tables = [tuple(people[place] for place in order) for order in orders]
    return min(tables, key=met.cost)


def small_tables(history: Iterable[PlayedRound]) -> dict[PlayerId, int]:
    """How often each player has sat at a table of two or three."""
    times: dict[PlayerId, int] = {}
    for played in history:
        for table in played.tables:
            for one in table if len(table) < 4 else ():
                times[one] = times.get(one, 0) + 1
    return times
