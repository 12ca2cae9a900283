"""Whose turn it is for a small table or to sit out, and whether turns stay level in a search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from league.pairing.seating.history import OUT, SHORT, Share, Tally
from league.pairing.seating.table_layout import Shape

Turn = tuple[Fraction, int, bool]  # how much counted as had, how often had, had it last
AWAY = 2  # what somebody may have missed while away without its counting as had


class Due(NamedTuple):
    """A place in the order of turns: how many better claims there are, and whether twice running.

    Equal means an equal claim: the optimiser may choose.
    """

    rank: int
    again: bool


def turns(count: Tally, *, out: bool) -> list[Due]:
    """For each player the place in the order for a small table (or, with `out`, to sit out).

    Next, with rank 0, is who has had least tonight. What a late arrival missed counts as had, so
    that nobody is made to catch up; so does, beyond two, what somebody missed while away. Nobody is
    due twice running before another who has had it less often, and of those who have had it as
    often one who had it last comes after the others.
    """
    claims = _claims(count, out)
    due: dict[Turn, Due] = {}
    rank, before = -1, None
    for claim in _class_order(sorted(set(claims))):
        rank += claim[:2] != before
        before = claim[:2]
        due[claim] = Due(rank, claim[2])
    return [due[claim] for claim in claims]


class TurnRecord(NamedTuple):
    """How somebody stands: how often tonight, whether the last time, and with whom to compare.

    `level`: nothing counts as had but what was had. `always`: placed as often as anybody.
    """

    had: int
    again: bool
    level: bool
    always: bool


def turn_records(count: Tally, *, out: bool) -> list[TurnRecord]:
    """How each player stands with small tables (or, with `out`, sit-outs)."""
    most = max(portion.rounds_tonight for portion in count.portions)
    return [
        TurnRecord(had, running, counted == had, portion.rounds_tonight == most)
        for (counted, had, running), portion in zip(
            _claims(count, out), count.portions, strict=True
        )
    ]


def _claims(count: Tally, out: bool) -> list[Turn]:
    claims = []
    for portion in count.portions:
        share = portion.out_tonight if out else portion.short_tonight
        running = portion.last == OUT if out else portion.last in SHORT
        claims.append((_counted(share), share.had, running))
    return claims


def _counted(share: Share) -> Fraction:
    return share.had + share.missed + max(share.away - AWAY, Fraction(0))


def _class_order(classes: list[Turn]) -> list[Turn]:
    """The classes of equal claim, best claim first; twice running only after all who had less."""
    waiting, order = list(classes), []
    while waiting:
        first = waiting[0]
        while first[2]:
            less = [other for other in waiting if other[1] < first[1]]
            if not less:
                break
            first = less[0]  # who may have had it last as well, and another less still
        waiting.remove(first)
        order.append(first)
    return order


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
    for player in players:
        bits |= 1 << player
    return bits
