"""What it would cost to swap two people in a drafted round, in numbers ready to be put in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import in_order
from league.pairing.seating.constraints import Constraints, Tables, Violation, violations
from league.pairing.seating.history import (
    OUT,
    SHORT,
    SIZES,
    WHOLE,
    PlayedRound,
    are_partners,
    expected_shares,
)
from league.pairing.seating.planner import Plan

NO_TABLE = -1  # where somebody sits out
Shares = Mapping[int, Fraction]  # by size of table


@dataclass(frozen=True)
class Parts:
    """The parts of J that one round adds, in units of J; lower is fairer."""

    partners: Fraction = Fraction(0)
    opponents: Fraction = Fraction(0)
    meetings: Fraction = Fraction(0)
    shares: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """J itself."""
        return self.partners + self.opponents + self.meetings + self.shares


@dataclass(frozen=True)
class SwapCost:
    """What a swap changes. `change` is the change of J by parts: above zero is less fair.

    `partners_again` are the pairs who would now partner again, with how often they have tonight
    and before (hundredths of a meeting tonight); `partners_spared` those who no longer would.
    `short_change` is how many more small tables than due the two would have had, the one who gains
    it first; `breaks` and `mends` are the hard constraints newly broken and newly kept.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...]
    change: Parts
    partners_again: tuple[tuple[PlayerId, PlayerId, int], ...]
    partners_spared: tuple[tuple[PlayerId, PlayerId, int], ...]
    short_change: tuple[tuple[PlayerId, Fraction], ...]
    breaks: tuple[Violation, ...]
    mends: tuple[Violation, ...]


class Swaps:
    """A drafted round, ready to say what any swap in it would change.

    Each swap then takes the work of two tables, however large the room and long its history.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        history: Iterable[PlayedRound] = (),
        constraints: Constraints | None = None,
    ) -> None:
        self.plan = plan
        self.table_of = dict.fromkeys(plan.out, NO_TABLE) | {
            one: number for number, table in enumerate(plan.tables) for one in table
        }
        self.constraints = (constraints or Constraints()).of(self.table_of)
        self.past = _Past(self.table_of, history)
        seats = {
            kind: sum(len(table) for table in plan.tables if len(table) == kind) for kind in SIZES
        }
        seats[OUT] = len(plan.out)
        everybody = max(1, sum(seats.values()))
        self.due = {kind: Fraction(many, everybody) for kind, many in seats.items()}

    def cost(self, first: PlayerId, second: PlayerId) -> SwapCost:
        """The cost of these two changing places.

        Raises PairingRefused when one of them has no place in the round.
        """
        for one in (first, second):
            if one not in self.table_of:
                raise PairingRefused("not-in-round", f"{one} has no place in this round.", (one,))
        plan, trade = self.plan, {first: second, second: first}
        touched = sorted({self.table_of[one] for one in trade} - {NO_TABLE})
        tables = list(plan.tables)
        for number in touched:
            tables[number] = tuple(trade.get(table, table) for table in tables[number])
        out = plan.out
        if NO_TABLE in {self.table_of[one] for one in trade}:
            out = tuple(trade.get(one, one) for one in out)
        was = _Sheet(self, [plan.tables[number] for number in touched], trade)
        now = _Sheet(self, [tables[number] for number in touched], trade)
        breaks, mends = self._violations_changed(trade, tables, out)
        return SwapCost(
            tables=tuple(tables),
            out=out,
            change=now.parts(was),
            partners_again=tuple(pair for pair in now.again if pair not in was.again),
            partners_spared=tuple(pair for pair in was.again if pair not in now.again),
            short_change=_short_change(was, now, trade),
            breaks=breaks,
            mends=mends,
        )

    def _violations_changed(
        self, trade: Mapping[PlayerId, PlayerId], tables: Tables, out: Sequence[PlayerId]
    ) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
        """The constraints a swap breaks and those it mends, of those that name one of the two."""
        constraints = self.constraints.about(trade)
        people = constraints.people()
        if not people:
            return (), ()
        numbers = sorted({self.table_of[one] for one in (*people, *trade)} - {NO_TABLE})
        room = [self.plan.numbers[number] for number in numbers]
        before, after = (
            violations(constraints, [seated[number] for number in numbers], resting, room)
            for seated, resting in ((self.plan.tables, self.plan.out), (tables, out))
        )
        return (
            tuple(one for one in after if one not in before),
            tuple(one for one in before if one not in after),
        )


class _Sheet:
    """The tables two people touch, in a draft, with what the two add to J there."""

    def __init__(
        self,
        swaps: Swaps,
        tables: Sequence[Sequence[PlayerId]],
        movers: Mapping[PlayerId, PlayerId],
    ) -> None:
        self.swaps, self.movers = swaps, movers
        self.size = dict.fromkeys(movers, OUT)
        self.again: list[tuple[PlayerId, PlayerId, int]] = []
        self.partners = self.opponents = self.meetings = 0  # in hundredths
        for table in tables:
            self.size |= {one: len(table) for one in movers if one in table}
            for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
                if one in movers or other in movers:
                    self._meet(one, other, are_partners(len(table), seat, other_seat))

    def _meet(self, one: PlayerId, other: PlayerId, partners: bool) -> None:
        together, against = self.swaps.past.times(one, other)
        self.meetings += 2 * (together + against) + WHOLE
        if not partners:
            self.opponents += 2 * against + WHOLE
            return
        self.partners += 4 * (2 * together + WHOLE)
        if together:
            low, high = in_order((one, other))
            self.again.append((low, high, together))

    def parts(self, was: _Sheet) -> Parts:
        """What this adds to J more than another sheet of the same tables."""
        shares = Fraction(0)
        for one in self.movers:
            if self.size[one] != was.size[one]:
                shares += 8 * (self._unevenness(one) - was._unevenness(one))
        return Parts(
            Fraction(self.partners - was.partners, WHOLE),
            Fraction(self.opponents - was.opponents, WHOLE),
            Fraction(self.meetings - was.meetings, WHOLE),
            shares,
        )

    def _unevenness(self, one: PlayerId) -> Fraction:
        return sum((ahead**2 for ahead in self.ahead(one).values()), Fraction(0))

    def ahead(self, one: PlayerId) -> dict[int, Fraction]:
        """By size of table, how much more than due a player will have had after this round."""
        ahead = self.swaps.past.ahead(one)
        return {
            kind: ahead[kind] / WHOLE - due + (self.size[one] == kind)
            for kind, due in self.swaps.due.items()
        }


class _Past:
    """Where everybody in a room has sat before: little to prepare, as most is never asked for."""

    def __init__(self, players: Collection[PlayerId], history: Iterable[PlayedRound]) -> None:
        self._sat: dict[PlayerId, list[tuple[int, Sequence[PlayerId], Shares]]] = {
            player: [] for player in players
        }
        self._ahead: dict[PlayerId, Shares] = {}
        for played in history:
            due = expected_shares(played)
            for table in (*played.tables, *((one,) for one in played.out)):
                sat = table if len(table) > 1 else ()
                for one in table:
                    if one in self._sat:
                        self._sat[one].append((played.weight, sat, due))

    def times(self, one: PlayerId, other: PlayerId) -> tuple[int, int]:
        """How often the two have partnered and opposed, in hundredths."""
        together = against = 0
        for weight, table, _due in self._sat[one]:
            if other in table:
                if are_partners(len(table), table.index(one), table.index(other)):
                    together += weight
                else:
                    against += weight
        return together, against

    def ahead(self, one: PlayerId) -> Shares:
        """By size of table, in hundredths, how much more than due somebody has had."""
        if one not in self._ahead:
            ahead = dict.fromkeys((OUT, *SIZES), Fraction(0))
            for weight, table, due in self._sat[one]:
                ahead[len(table)] += weight
                for kind, share in due.items():
                    ahead[kind] -= share
            self._ahead[one] = ahead
        return self._ahead[one]


def _short_change(
    was: _Sheet, now: _Sheet, trade: Mapping[PlayerId, PlayerId]
) -> tuple[tuple[PlayerId, Fraction], ...]:
    changed = []
    for one in trade:
        if (was.size[one] in SHORT) != (now.size[one] in SHORT):
            ahead = now.ahead(one)
            changed.append((now.size[one] not in SHORT, one, ahead[2] + ahead[3]))
    return tuple((one, ahead) for _, one, ahead in sorted(changed, key=lambda entry: entry[0]))
