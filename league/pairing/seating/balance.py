"""Keeps turns level: small tables and sit-outs while the search runs, seats and deals after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.history import OUT, SHORT, WHOLE, Portion
from league.pairing.seating.table_layout import ORDERS, Shape


@dataclass
class Watch:
    """Follows one kind of seat through the rounds, by player.

    `unfair` counts those who had it again at once though another who was there, and was spared,
    had had it less often. `spread` is the largest difference reached after any round among those
    present in every round so far. The `exempt`, who cannot have it, are not looked at.
    """

    always: set[int]
    times: dict[int, int] = field(default_factory=dict)
    last: set[int] = field(default_factory=set)
    unfair: int = 0
    spread: int = 0
    exempt: frozenset[int] = frozenset()

    def copy(self) -> Watch:
        """Another watch that goes on from here."""
        return Watch(
            set(self.always),
            dict(self.times),
            set(self.last),
            self.unfair,
            self.spread,
            self.exempt,
        )

    def see(self, now: Iterable[int], here: Iterable[int]) -> None:
        """One round: who had it, and everybody who was there."""
        having, present = set(now), set(here) - self.exempt
        times = self.times
        spared = min((times.get(one, 0) for one in present - having), default=None)
        if spared is not None:
            self.unfair += sum(times.get(one, 0) > spared for one in having & self.last)
        for one in having:
            times[one] = times.get(one, 0) + 1
        self.last = (self.last - present) | having
        self.always &= present
        if self.always:
            counts = [times.get(one, 0) for one in self.always]
            self.spread = max(self.spread, max(counts) - min(counts))


SCALE = 100  # one unit of J
Waiting = tuple[int, int]  # everybody, and those who have had it least, as bits
BREACH = 30 * SCALE  # the price of one person out of turn while the search is warm
STRICT = 10_000 * SCALE  # and at its end


class Turns:
    """Who has a small table, and who sits out, in every round, as bits of whole numbers.

    Level means: nobody has it again before everybody has had it as often. For both kinds are told
    who everybody is, and who has had it least when the first round begins.
    """

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        short: Waiting,
        out: Waiting,
    ) -> None:
        self.start = (short, out)
        self.breach = BREACH
        self.having = (
            [_bits(line, shape, SHORT) for line, shape in zip(lines, shapes, strict=True)],
            [_bits(line, shape, (OUT,)) for line, shape in zip(lines, shapes, strict=True)],
        )
        self.breaches = [self._breaches(0, -1, 0), self._breaches(1, -1, 0)]

    def price(self, number: int, one: int, other: int, kind: int, other_kind: int) -> int:
        """The change of price when two players in seats of these kinds change places."""
        change = 0
        both = 1 << one | 1 << other
        for which, kinds in ((0, SHORT), (1, (OUT,))):
            if (kind in kinds) != (other_kind in kinds):
                change += self._breaches(which, number, both) - self.breaches[which]
        return change * self.breach

    def tighten(self) -> int:
        """From now on every breach is dear; returns by how much the price of those there rises."""
        rise = (STRICT - self.breach) * sum(self.breaches)
        self.breach = STRICT
        return rise

    def do(self, number: int, one: int, other: int, kind: int, other_kind: int) -> None:
        """Make the change."""
        both = 1 << one | 1 << other
        for which, kinds in ((0, SHORT), (1, (OUT,))):
            if (kind in kinds) != (other_kind in kinds):
                self.breaches[which] = self._breaches(which, number, both)
                self.having[which][number] ^= both

    def _breaches(self, which: int, changed: int, bits: int) -> int:
        """How many are out of turn, with these bits turned over in one round."""
        everybody, waiting = self.start[which]
        breaches = 0
        for number, had in enumerate(self.having[which]):
            having = (had ^ bits if number == changed else had) & everybody
            passed = waiting & ~having
            early = having & ~waiting
            if passed and early:
                breaches += min(passed.bit_count(), early.bit_count())
            waiting = passed or everybody & ~early
        return breaches


def _bits(line: Sequence[int], shape: Shape, kinds: tuple[int, ...]) -> int:
    bits = 0
    for one, kind in zip(line, shape.kinds, strict=False):
        if kind in kinds:
            bits |= 1 << one
    return bits


def bits_of(players: Sequence[int]) -> int:
    """These players as bits."""
    bits = 0
    for one in players:
        bits |= 1 << one
    return bits


PER_TABLE, MOST = 200, 40_000  # turns tried
SOFT, FIRM = 3 * WHOLE, 10**6  # what a deal out of level weighs against a seat out of level
TWELFTHS = 12  # deals due are multiples of a half, a third or a quarter


class SeatBalance:
    """The tables of an evening in seat order, and how level deals and seats are.

    `ahead` says how many deals more than due everybody has with the tables as they are, `portions`
    what was had before, `locked` whose seats may not change. Tables are turned about in place.
    """

    def __init__(
        self,
        tables: Sequence[list[int]],
        ahead: Sequence[Fraction],
        portions: Sequence[Portion],
        locked: dict[int, int],
    ) -> None:
        self.free = [table for table in tables if len(table) == 4 and not set(table) & set(locked)]
        self.had = [portion.seats[:] for portion in portions]
        self.deals = [round(one * TWELFTHS) for one in ahead]
        for table in tables:
            for seat, one in enumerate(table if len(table) == 4 else ()):
                self.had[one][seat] += WHOLE

    def level(self, rng: Rng, *, firm: bool) -> None:
        """Turn tables while it levels deals and seats.

        `firm` never lets the deals grow less level; without it they may, and small steps back are
        taken at first so that the search does not stop short.
        """
        steps = min(MOST, PER_TABLE * len(self.free))
        deal, limits = FIRM if firm else SOFT, thresholds()
        for step in range(steps):
            table = self.free[rng.below(len(self.free))]
            order = [table[place] for place in ORDERS[4][rng.below(8)]]
            cooling = 0 if firm else WHOLE * max(0, steps - 2 * step) // steps
            if self._change(table, order, deal) * 1000 <= cooling * limits[rng.below(QUANTILES)]:
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
