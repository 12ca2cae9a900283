"""The plain count of what was played, in whole numbers and fractions, for the certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PlayerId
from league.pairing.seating.balance import Watch
from league.pairing.seating.history import OUT, SHORT, PlayedRound
from league.pairing.seating.people import in_order

Two = tuple[int, int]
KINDS = (2, 3, 4, OUT)


@dataclass
class Record:
    """Counts of every pair and player over some rounds; every round counts the same."""

    people: tuple[PlayerId, ...]
    partners: dict[Two, int] = field(default_factory=dict)
    opponents: dict[Two, int] = field(default_factory=dict)
    common: Counter[int] = field(default_factory=Counter)  # pairs, by the rounds they shared
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
    count.common = _common_rounds(
        [frozenset(index[one] for one in played.present) for played in rounds], n, bound
    )
    for played in rounds:
        tables = [[index[one] for one in table] for table in played.tables]
        out = [index[one] for one in played.out]
        here = [index[one] for one in played.present]
        count.always &= set(here)
        _count_tables(count, tables, bound)
        _count_shares(count, tables, out)
        count.short.see((one for table in tables if len(table) in SHORT for one in table), here)
        count.out.see(out, here)
    return count


def _two(one: int, other: int) -> Two:
    return (one, other) if one < other else (other, one)


def _common_rounds(here: Sequence[frozenset[int]], people: int, bound: set[Two]) -> Counter[int]:
    """How many pairs, the bound ones left out, were there together so many times (once at least).

    People who were there for the same rounds are counted together: a large room has many pairs and
    few ways of being there.
    """
    there = [0] * people  # a bit for each round
    for number, present in enumerate(here):
        for one in present:
            there[one] |= 1 << number
    alike = Counter(there)
    found = Counter[int]()
    for rounds, many in alike.items():
        found[rounds.bit_count()] += many * (many - 1) // 2
    for (rounds, many), (others, more) in combinations(alike.items(), 2):
        found[(rounds & others).bit_count()] += many * more
    for one, other in bound:
        found[(there[one] & there[other]).bit_count()] -= 1
    return Counter({rounds: many for rounds, many in found.items() if rounds and many})


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
