"""What movements by results share: whose turn the small tables are, and who partners whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from league.pairing.errors import PlayerId
from league.pairing.movements.definition import Moment, Seated
from league.pairing.rng import Rng
from league.pairing.seating.history import PlayedRound, tally
from league.pairing.seating.small_table_turns import turns

# The three ways to make two pairs of four people, as seat orders.
CROSSINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
SMALL_TABLES = (
    "Small tables are shared: no one plays at one twice before everyone has played at one once."
)
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


def cross(people: Sequence[PlayerId], met: Met, rng: Rng) -> tuple[PlayerId, ...]:
    """These people in seat order, the less used crossing chosen; equal ones by chance.

    Tables of two and three have no partners and stay in the order given.
    """
    if len(people) != 4:
        return tuple(people)
    orders = list(CROSSINGS)
    rng.shuffle(orders)
    tables = [tuple(people[place] for place in order) for order in orders]
    return min(tables, key=met.cost)


def seat_in_order(moment: Moment, order: Sequence[PlayerId], rng: Rng) -> Seated:
    """The tables filled from the head down with everybody in this order, partners crossed."""
    met = Met(moment.history)
    tables, start = [], 0
    for size in moment.tables_for(len(order)):
        tables.append(cross(order[start : start + size], met, rng))
        start += size
    return Seated(tuple(tables))


def next_at_small_tables(moment: Moment, people: Sequence[PlayerId], rng: Rng) -> set[PlayerId]:
    """Who plays at the tables of two and three next, by turn as on a club night.

    Nobody has a second turn before everybody there has had a first, nor two running before another
    who has had as many. Among equals a draw decides and not their results: else whoever is behind
    would be sent there more often, and fall further behind.
    """
    order = list(people)
    rng.shuffle(order)
    seats = sum(size for size in moment.tables_for(len(order)) if size < 4)
    due = turns(tally(order, moment.history), out=False) if seats else []
    first = sorted(range(len(due)), key=lambda place: (due[place], -place))
    return {order[place] for place in first[:seats]}
