"""The plain count of what was played, in whole numbers and fractions, for the certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from league.seating.history import OUT, SHORT, PlayedRound
from league.seating.refusal import PlayerId, in_order
from league.seating.runs import Watch

Two = tuple[int, int]
KINDS = (2, 3, 4, OUT)


@dataclass
class Record:
    """Counts of every pair and player over some rounds; every round counts the same."""

    people: tuple[PlayerId, ...]
    partners: dict[Two, int] = field(default_factory=dict)
    opponents: dict[Two, int] = field(default_factory=dict)
    common: dict[Two, int] = field(default_factory=dict)
    had: dict[int, list[int]] = field(default_factory=dict)
    due: dict[int, list[Fraction]] = field(default_factory=dict)
    deals: list[int] = field(default_factory=list)
    deals_due: list[Fraction] = field(default_factory=list)
    chairs: list[list[int]] = field(default_factory=list)
    meets: list[set[Two]] = field(default_factory=list)
    always: set[int] = field(default_factory=set)
    short: Watch = field(default_factory=lambda: Watch(set()))
    out: Watch = field(default_factory=lambda: Watch(set()))


def record(
    rounds: Sequence[PlayedRound], fixed: Iterable[tuple[PlayerId, PlayerId]] = ()
) -> Record:
    """Count the rounds. Fixed pairs are left out of the pair counts: they could not be shared."""
    people = in_order({one for played in rounds for one in played.present})
    index = {one: place for place, one in enumerate(people)}
    bound = {_two(index[a], index[b]) for a, b in fixed if a in index and b in index}
    paired = frozenset(one for pair in bound for one in pair)  # they always need a four
    n = len(people)
    count = Record(
        people,
        had={kind: [0] * n for kind in KINDS},
        due={kind: [Fraction(0)] * n for kind in KINDS},
        deals=[0] * n,
        deals_due=[Fraction(0)] * n,
        chairs=[[0] * 4 for _ in people],
        always=set(range(n)),
        short=Watch(set(range(n)) - paired, exempt=paired),
        out=Watch(set(range(n))),
    )
    for played in rounds:
        tables = [[index[one] for one in table] for table in played.tables]
        out = [index[one] for one in played.out]
        here = [index[one] for one in played.present]
        _count_presence(count, here, bound)
        _count_tables(count, tables, bound)
        _count_shares(count, tables, out)
        count.short.see((one for table in tables if len(table) in SHORT for one in table), here)
        count.out.see(out, here)
    return count


def _two(one: int, other: int) -> Two:
    return (one, other) if one < other else (other, one)


def _count_presence(count: Record, here: list[int], bound: set[Two]) -> None:
    count.always &= set(here)
    for pair in combinations(sorted(here), 2):
        if pair not in bound:
            count.common[pair] = count.common.get(pair, 0) + 1


def _count_tables(count: Record, tables: list[list[int]], bound: set[Two]) -> None:
    met: set[Two] = set()
    for table in tables:
        count.deals[table[0]] += 1
        for seat, one in enumerate(table):
            count.deals_due[one] += Fraction(1, len(table))
            if len(table) == 4:
                count.chairs[one][seat] += 1
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = _two(one, other)
            if pair in bound:
                continue
            met.add(pair)
            partners = len(table) == 4 and other_seat - seat == 2
            counts = count.partners if partners else count.opponents
            counts[pair] = counts.get(pair, 0) + 1
    count.meets.append(met)


def _count_shares(count: Record, tables: list[list[int]], out: list[int]) -> None:
    groups = {
        kind: [one for table in tables if len(table) == kind for one in table] for kind in (2, 3, 4)
    }
    groups[OUT] = out
    here = [one for group in groups.values() for one in group]
    for kind, group in groups.items():
        for one in group:
            count.had[kind][one] += 1
        share = Fraction(len(group), max(1, len(here)))
        if share:
            for one in here:
                count.due[kind][one] += share
