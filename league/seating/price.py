"""What it would cost to swap two people in a drafted round, in numbers ready to be put in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.seating.history import OUT, SHORT, WHOLE, PlayedRound, Tally, tally
from league.seating.refusal import PlayerId, SeatingRefused, in_order
from league.seating.rounds import Plan
from league.seating.wishes import Broken, Wishes, broken_wishes


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

    def less(self, other: Parts) -> Parts:
        """Part by part, this less the other."""
        return Parts(
            self.partners - other.partners,
            self.opponents - other.opponents,
            self.meetings - other.meetings,
            self.shares - other.shares,
        )


@dataclass(frozen=True)
class Price:
    """What a swap changes. `change` is the change of J by parts: above zero is less fair.

    `partners_again` are the pairs who would now partner again, with how often they have tonight
    and before (hundredths of a meeting tonight); `partners_spared` those who no longer would.
    `short_change` is how many more small tables than due the two would have had, the one who gains
    it first; `breaks` and `mends` are the hard wishes newly broken and newly kept.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...]
    change: Parts
    partners_again: tuple[tuple[PlayerId, PlayerId, int], ...]
    partners_spared: tuple[tuple[PlayerId, PlayerId, int], ...]
    short_change: tuple[tuple[PlayerId, Fraction], ...]
    breaks: tuple[Broken, ...]
    mends: tuple[Broken, ...]


def swap_price(
    plan: Plan,
    first: PlayerId,
    second: PlayerId,
    *,
    history: Iterable[PlayedRound] = (),
    wishes: Wishes | None = None,
) -> Price:
    """The price of these two changing places in a drafted round.

    Raises SeatingRefused when one of them has no place in it.
    """
    places = {one for table in plan.tables for one in table} | set(plan.out)
    for one in (first, second):
        if one not in places:
            raise SeatingRefused("not-in-round", f"{one} has no place in this round.", (one,))
    trade = {first: second, second: first}
    tables = tuple(tuple(trade.get(one, one) for one in table) for table in plan.tables)
    out = tuple(trade.get(one, one) for one in plan.out)
    touched = [number for number, table in enumerate(plan.tables) if {first, second} & set(table)]
    people = in_order({one for number in touched for one in plan.tables[number]} | {first, second})
    count = tally(people, history)
    was = _Sheet(count, plan.tables, touched, plan.out)
    now = _Sheet(count, tables, touched, out)
    here = (wishes or Wishes()).of(places)
    before = broken_wishes(here, plan.tables, plan.out, plan.numbers)
    after = broken_wishes(here, tables, out, plan.numbers)
    return Price(
        tables=tables,
        out=out,
        change=now.parts().less(was.parts()),
        partners_again=tuple(pair for pair in now.again() if pair not in was.again()),
        partners_spared=tuple(pair for pair in was.again() if pair not in now.again()),
        short_change=_short_change(count, was, now, trade),
        breaks=tuple(one for one in after if one not in before),
        mends=tuple(one for one in before if one not in after),
    )


class _Sheet:
    """The tables two people touch, in a draft, with what they add to J."""

    def __init__(
        self,
        count: Tally,
        tables: Sequence[Sequence[PlayerId]],
        touched: Sequence[int],
        out: Sequence[PlayerId],
    ) -> None:
        self.count = count
        self.tables = [tables[number] for number in touched]
        self.out = [one for one in out if one in count.index]
        seats = {
            kind: sum(len(table) for table in tables if len(table) == kind) for kind in (2, 3, 4)
        }
        seats[OUT] = len(out)
        everybody = max(1, sum(seats.values()))
        self.due = {kind: Fraction(many, everybody) for kind, many in seats.items()}
        self.size = {one: len(table) for table in self.tables for one in table}
        self.size.update((one, OUT) for one in self.out)

    def pairs(self) -> list[tuple[PlayerId, PlayerId, bool]]:
        return [
            (one, other, len(table) == 4 and other_seat - seat == 2)
            for table in self.tables
            for (seat, one), (other_seat, other) in combinations(enumerate(table), 2)
        ]

    def times(self, one: PlayerId, other: PlayerId) -> tuple[int, int]:
        """How often the two have partnered and opposed, in hundredths."""
        me, you = self.count.index[one], self.count.index[other]
        return self.count.partners[me].get(you, 0), self.count.opponents[me].get(you, 0)

    def again(self) -> list[tuple[PlayerId, PlayerId, int]]:
        found = []
        for one, other, partners in self.pairs():
            if partners and self.times(one, other)[0]:
                low, high = in_order((one, other))
                found.append((low, high, self.times(one, other)[0]))
        return found

    def parts(self) -> Parts:
        partners = opponents = meetings = shares = Fraction(0)
        for one, other, partner in self.pairs():
            together, against = self.times(one, other)
            meetings += Fraction(2 * (together + against), WHOLE) + 1
            if partner:
                partners += 4 * (Fraction(2 * together, WHOLE) + 1)
            else:
                opponents += Fraction(2 * against, WHOLE) + 1
        for one in self.size:
            shares += 8 * sum(((ahead**2) for ahead in self.ahead(one).values()), Fraction(0))
        return Parts(partners, opponents, meetings, shares)

    def ahead(self, one: PlayerId) -> dict[int, Fraction]:
        """By size of table, how much more than due a player will have had after this round."""
        shares = self.count.portions[self.count.index[one]].sizes
        return {
            kind: (shares[kind].had - shares[kind].owed) / WHOLE - due + (self.size[one] == kind)
            for kind, due in self.due.items()
        }


def _short_change(
    count: Tally, was: _Sheet, now: _Sheet, trade: dict[PlayerId, PlayerId]
) -> tuple[tuple[PlayerId, Fraction], ...]:
    changed = []
    for one in trade:
        if (was.size[one] in SHORT) != (now.size[one] in SHORT):
            ahead = now.ahead(one)
            changed.append((now.size[one] not in SHORT, one, ahead[2] + ahead[3]))
    return tuple((one, ahead) for _, one, ahead in sorted(changed, key=lambda entry: entry[0]))
