"""Levels the chairs of an evening, the deals with them, by turning tables about."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from league.seating.chairs import ORDERS
from league.seating.chance import QUANTILES, Chance, thresholds
from league.seating.history import WHOLE, Portion

PER_TABLE, MOST = 200, 40_000  # turns tried
SOFT, FIRM = 3 * WHOLE, 10**6  # what a deal out of level weighs against a chair out of level
TWELFTHS = 12  # deals due are multiples of a half, a third or a quarter


class Chairs:
    """The tables of an evening in seat order, and how level deals and chairs are.

    `ahead` says how many deals more than due everybody has with the tables as they are, `portions`
    what was had before, `locked` whose chairs may not change. Tables are turned about in place.
    """

    def __init__(
        self,
        tables: Sequence[list[int]],
        ahead: Sequence[Fraction],
        portions: Sequence[Portion],
        locked: dict[int, int],
    ) -> None:
        self.free = [table for table in tables if len(table) == 4 and not set(table) & set(locked)]
        self.had = [portion.chairs[:] for portion in portions]
        self.deals = [round(one * TWELFTHS) for one in ahead]
        for table in tables:
            for seat, one in enumerate(table if len(table) == 4 else ()):
                self.had[one][seat] += WHOLE

    def level(self, chance: Chance, *, firm: bool) -> None:
        """Turn tables while it levels deals and chairs.

        `firm` never lets the deals grow less level; without it they may, and small steps back are
        taken at first so that the search does not stop short.
        """
        steps = min(MOST, PER_TABLE * len(self.free))
        deal, limits = FIRM if firm else SOFT, thresholds()
        for step in range(steps):
            table = self.free[chance.below(len(self.free))]
            order = [table[place] for place in ORDERS[4][chance.below(8)]]
            heat = 0 if firm else WHOLE * max(0, steps - 2 * step) // steps
            if self._change(table, order, deal) * 1000 <= heat * limits[chance.below(QUANTILES)]:
                self._turn(table, order)

    def _change(self, table: list[int], order: list[int], deal: int) -> int:
        """The change of the weighed squares when a table takes this order, halved."""
        change = 0
        if order[0] != table[0]:
            change = deal * (self.deals[order[0]] - self.deals[table[0]] + TWELFTHS) // TWELFTHS
        for seat, one in enumerate(order):
            old = table.index(one)
            if old != seat:
                change += self.had[one][seat] - self.had[one][old] + WHOLE
        return change

    def _turn(self, table: list[int], order: list[int]) -> None:
        self.deals[table[0]] -= TWELFTHS
        self.deals[order[0]] += TWELFTHS
        for seat, one in enumerate(table):
            self.had[one][seat] -= WHOLE
        for seat, one in enumerate(order):
            self.had[one][seat] += WHOLE
        table[:] = order
