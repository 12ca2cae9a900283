"""Whose turn it is for a small table or to sit out, and turns out of order in a search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from league.pairing.seating.history import OUT, SHORT, Share, Tally
from league.pairing.seating.table_layout import Shape

Turn = tuple[Fraction, int, bool]  # times counted, times had, had it last
AWAY = 2  # how much a player may miss while away before it counts as had


class Due(NamedTuple):
    """A place in the order of turns: the number of better claims, and whether it is twice running.

    Players with equal places have an equal claim: the optimiser may choose.
    """

    rank: int
    again: bool


def turns(count: Tally, *, out: bool) -> list[Due]:
    """Return each player's place in the order for a small table (or, with `out`, to sit out).

    The player who has had least tonight has rank 0 and is next. What a late arrival missed counts
    as had, so that nobody has to catch up; so does what a player missed while away, beyond two.
    Nobody is due twice running before another who has had it less often; of players who have had it
    as often, the one who had it last comes after the others.
    """
    claims = _claims(count, out)
    place_of: dict[Turn, Due] = {}
    rank, previous = -1, None
    for claim in _class_order(sorted(set(claims))):
        rank += claim[:2] != previous
        previous = claim[:2]
        place_of[claim] = Due(rank, claim[2])
    return [place_of[claim] for claim in claims]


class TurnRecord(NamedTuple):
    """A player's record tonight: how often, whether the last time, and whom to compare with.

    `level`: nothing is counted that the player has not had. `always`: placed in as many rounds as
    any other player.
    """

    had: int
    again: bool
    level: bool
    always: bool


def turn_records(count: Tally, *, out: bool) -> list[TurnRecord]:
    """Return each player's record of small tables (or, with `out`, sit-outs)."""
    most_rounds = max(portion.rounds_tonight for portion in count.portions)
    return [
        TurnRecord(had, had_last, counted == had, portion.rounds_tonight == most_rounds)
        for (counted, had, had_last), portion in zip(
            _claims(count, out), count.portions, strict=True
        )
    ]


def _claims(count: Tally, out: bool) -> list[Turn]:
    claims = []
    for portion in count.portions:
        share = portion.out_tonight if out else portion.short_tonight
        had_last = portion.last == OUT if out else portion.last in SHORT
        claims.append((_times_counted(share), share.had, had_last))
    return claims


def _times_counted(share: Share) -> Fraction:
    return share.had + share.missed + max(share.away - AWAY, Fraction(0))


def _class_order(classes: list[Turn]) -> list[Turn]:
    """Sort the classes of equal claim, the best first; twice running only after all with less."""
    remaining, order = list(classes), []
    while remaining:
        first = remaining[0]
        while first[2]:
            better_claims = [claim for claim in remaining if claim[1] < first[1]]
            if not better_claims:
                break
            first = better_claims[0]  # may have had it last too, with better claims still
        remaining.remove(first)
        order.append(first)
    return order


@dataclass
class Watch:
    """Follows one kind of seat (small table or sit-out) through the rounds, by player.

    `unfair` counts the times a player had it twice running although another who was present had had
    it less often. `spread` is the largest difference after any round among the players present in
    every round so far. The `exempt` players cannot have it and are ignored.
    """

    always_present: set[int]
    times: dict[int, int] = field(default_factory=dict)
    last: set[int] = field(default_factory=set)
    unfair: int = 0
    spread: int = 0
    exempt: frozenset[int] = frozenset()

    def copy(self) -> Watch:
        """Return an independent copy."""
        return Watch(
            set(self.always_present),
            dict(self.times),
            set(self.last),
            self.unfair,
            self.spread,
            self.exempt,
        )

    def add_round(self, holders_now: Iterable[int], players_present: Iterable[int]) -> None:
        """Count a round: the players who had it, and all who were present."""
        holders, present = set(holders_now), set(players_present) - self.exempt
        times = self.times
        spared = min((times.get(player, 0) for player in present - holders), default=None)
        if spared is not None:
            self.unfair += sum(times.get(player, 0) > spared for player in holders & self.last)
        for player in holders:
            times[player] = times.get(player, 0) + 1
        self.last = (self.last - present) | holders
        self.always_present &= present
        if self.always_present:
            counts = [times.get(player, 0) for player in self.always_present]
            self.spread = max(self.spread, max(counts) - min(counts))


SCALE = 100  # one unit of J
Waiting = tuple[int, int]  # all players, and those who have had it least, as bits
BREACH = 30 * SCALE  # the cost of one player out of turn while the search is warm
STRICT_BREACH = 10_000 * SCALE  # the same at its end


class Turns:
    """The players at small tables, and those who sit out, in every round, as bits.

    A player is out of turn if they have it again before all others have had it as often. `short`
    and `out` hold all players and those who have had it least when the first round begins.
    """

    def __init__(
        self,
        shapes: Sequence[Shape],
        lines: Sequence[Sequence[int]],
        short: Waiting,
        out: Waiting,
    ) -> None:
        self.start = (short, out)
        self.breach_cost = BREACH
        rounds = list(zip(lines, shapes, strict=True))
        self.holders = (
            [_holders_as_bits(line, shape, SHORT) for line, shape in rounds],
            [_holders_as_bits(line, shape, (OUT,)) for line, shape in rounds],
        )
        self.breaches = [self._breaches(0, -1, 0), self._breaches(1, -1, 0)]

    def cost_change(self, number: int, first: int, second: int, kind: int, other_kind: int) -> int:
        """Return the change of cost if two players in seats of these kinds swap places."""
        change = 0
        swapped = 1 << first | 1 << second
        for kind_index, kinds in ((0, SHORT), (1, (OUT,))):
            if (kind in kinds) != (other_kind in kinds):
                change += self._breaches(kind_index, number, swapped) - self.breaches[kind_index]
        return change * self.breach_cost

    def tighten(self) -> int:
        """Make every turn out of order expensive; return by how much the cost rises."""
        increase = (STRICT_BREACH - self.breach_cost) * sum(self.breaches)
        self.breach_cost = STRICT_BREACH
        return increase

    def swap(self, number: int, first: int, second: int, kind: int, other_kind: int) -> None:
        """Swap two players in seats of these kinds."""
        swapped = 1 << first | 1 << second
        for kind_index, kinds in ((0, SHORT), (1, (OUT,))):
            if (kind in kinds) != (other_kind in kinds):
                self.breaches[kind_index] = self._breaches(kind_index, number, swapped)
                self.holders[kind_index][number] ^= swapped

    def _breaches(self, kind_index: int, changed_round: int, flipped: int) -> int:
        """Count the players out of turn, with these bits flipped in one round."""
        players, waiting = self.start[kind_index]
        breaches = 0
        for number, bits in enumerate(self.holders[kind_index]):
            holders = (bits ^ flipped if number == changed_round else bits) & players
            passed_over = waiting & ~holders
            out_of_turn = holders & ~waiting
            if passed_over and out_of_turn:
                breaches += min(passed_over.bit_count(), out_of_turn.bit_count())
            waiting = passed_over or players & ~out_of_turn
        return breaches


def _holders_as_bits(line: Sequence[int], shape: Shape, kinds: tuple[int, ...]) -> int:
    bits = 0
    for player, kind in zip(line, shape.kinds, strict=False):
        if kind in kinds:
            bits |= 1 << player
    return bits


def to_bits(players: Sequence[int]) -> int:
    """Return these players as bits."""
    bits = 0
    for player in players:
        bits |= 1 << player
    return bits
