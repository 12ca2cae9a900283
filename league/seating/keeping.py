"""Keeps small tables and sit-outs level after every round while the search moves people about."""

from __future__ import annotations

from collections.abc import Sequence

from league.seating.history import OUT, SHORT
from league.seating.shapes import Shape

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
