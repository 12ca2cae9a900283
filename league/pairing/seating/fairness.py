"""The certificate: what everybody had, how level it is, and how close to what counting allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise

from league.pairing.errors import PlayerId
from league.pairing.rng import in_order
from league.pairing.seating.history import OUT, SHORT, SIZES, PlayedRound, are_partners
from league.pairing.seating.lower_bounds import (
    best_rounding,
    level_fill,
    level_seats,
    overlap,
    overlap_of_partners,
    pairs,
    steady_bound,
)
from league.pairing.seating.small_table_turns import Watch

Two = tuple[int, int]
KINDS = (*SIZES, OUT)


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
    seats: list[list[int]] = field(default_factory=list)
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
    count = _nothing_yet(people, bound)
    present = [frozenset(index[one] for one in played.present) for played in rounds]
    count.common = _common_rounds(present, len(people), bound)
    for played in rounds:
        tables = [[index[one] for one in table] for table in played.tables]
        out = [index[one] for one in played.out]
        here = [index[one] for one in played.present]
        count.always &= set(here)
        _count_tables(count, tables, bound)
        _count_shares(count, tables, out)
        count.short.add_round(
            (one for table in tables if len(table) in SHORT for one in table), here
        )
        count.out.add_round(out, here)
    return count


def _nothing_yet(people: tuple[PlayerId, ...], bound: set[Two]) -> Record:
    """The record of these people before they have played."""
    paired = frozenset(one for pair in bound for one in pair)  # they always need a four
    n = len(people)
    return Record(
        people,
        had={kind: [0] * n for kind in KINDS},
        due={kind: [Fraction(0)] * n for kind in KINDS},
        deals=[0] * n,
        deals_due=[Fraction(0)] * n,
        seats=[[0] * 4 for _ in people],
        always=set(range(n)),
        short=Watch(set(range(n)) - paired, exempt=paired),
        out=Watch(set(range(n))),
    )


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
    common = Counter[int]()
    for rounds, many in alike.items():
        common[rounds.bit_count()] += many * (many - 1) // 2
    for (rounds, many), (others, more) in combinations(alike.items(), 2):
        common[(rounds & others).bit_count()] += many * more
    for one, other in bound:
        common[(there[one] & there[other]).bit_count()] -= 1
    return Counter({rounds: many for rounds, many in common.items() if rounds and many})


def _count_tables(count: Record, tables: list[list[int]], bound: set[Two]) -> None:
    met: set[Two] = set()
    for table in tables:
        count.deals[table[0]] += 1
        for seat, one in enumerate(table):
            count.deals_due[one] += Fraction(1, len(table))
            if len(table) == 4:
                count.seats[one][seat] += 1
        for (seat, one), (other_seat, other) in combinations(enumerate(table), 2):
            pair = _two(one, other)
            if pair in bound:
                continue
            met.add(pair)
            partners = are_partners(len(table), seat, other_seat)
            counts = count.partners if partners else count.opponents
            counts[pair] = counts.get(pair, 0) + 1
    count.meets.append(met)


def _count_shares(count: Record, tables: list[list[int]], out: list[int]) -> None:
    groups = {
        kind: [one for table in tables if len(table) == kind for one in table] for kind in SIZES
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


@dataclass(frozen=True)
class Measure:
    """One measure: its value, the least any plan could have, and the most and least of anybody."""

    value: Fraction
    bound: Fraction
    least: int = 0
    most: int = 0

    @property
    def excess(self) -> Fraction:
        """How far above the bound."""
        return self.value - self.bound


@dataclass(frozen=True)
class PlayerLine:
    """What one player had. `partners`, `opponents` and `met` count different people; `had` are
    the rounds at tables of each size, `larger` those at tables of five and more."""

    player: PlayerId
    rounds: int
    partners: int
    partner_repeats: int
    opponents: int
    met: int
    fours: int
    threes: int
    twos: int
    larger: int
    sit_outs: int
    deals: int
    deals_due: Fraction
    seats: tuple[int, int, int, int]
    had: Mapping[int, int]


@dataclass(frozen=True)
class Certificate:
    """The figures of a session or season, each beside the bound no plan can beat.

    `cost` is J = 4 sum p^2 + sum o^2 + sum m^2 + 8 sum (h - e)^2, `cost_bound` its lower bound and
    `ratio` their quotient, 1 for a plan that provably cannot be bettered. `seed` and `version`
    reproduce the plan from the same people, history and constraints.

    `short_range` and `out_range` are the largest difference in small tables and in sit-outs that
    was reached after any round among those present so far throughout; `twice_running` counts those
    who had one again at once though another there had had it less often.
    """

    players: tuple[PlayerLine, ...]
    rounds: int
    partner_repeats: Measure
    opponent_repeats: Measure
    meeting_repeats: Measure
    shares: Measure
    dealer: Measure
    seats: Measure
    back_to_back: Measure
    short_range: int
    out_range: int
    twice_running: int
    cost: Fraction
    cost_bound: Fraction
    seed: int | None = None
    version: str | None = None

    @property
    def ratio(self) -> Fraction:
        """Cost over its bound."""
        return self.cost / self.cost_bound if self.cost_bound else Fraction(1)


def certificate(
    rounds: Iterable[PlayedRound],
    *,
    fixed: Iterable[tuple[PlayerId, PlayerId]] = (),
    seed: int | None = None,
    version: str | None = None,
) -> Certificate:
    """The certificate of these rounds, in the order played; every round counts the same.

    `fixed` pairs are left out of the counts of pairs: they could not be shared.
    """
    played, bound = tuple(rounds), tuple(fixed)
    count = record(played, bound)
    overlaps = None if bound else _overlaps(played)
    partner = _pair_measure(count, count.partners, 0 if bound else _partners_again(played))
    opponent = _pair_measure(count, count.opponents, overlaps[0] if overlaps else 0)
    both = dict(count.opponents)
    for pair, times in count.partners.items():
        both[pair] = both.get(pair, 0) + times
    meeting = _pair_measure(count, both, overlaps[1] if overlaps else 0)
    shares = _shares(count)
    cost, cost_bound = (
        4 * _squares(getattr(partner, side), count.partners)
        + _squares(getattr(opponent, side), count.opponents)
        + _squares(getattr(meeting, side), both)
        + 8 * getattr(shares, side)
        for side in ("value", "bound")
    )
    if not bound:
        cost_bound = max(cost_bound, _steady_bound(played))
    return Certificate(
        players=_lines(count, both),
        rounds=len(played),
        partner_repeats=partner,
        opponent_repeats=opponent,
        meeting_repeats=meeting,
        shares=shares,
        dealer=_dealer(count),
        seats=_seats(count),
        back_to_back=_back_to_back(count, overlaps[2] if overlaps else 0),
        short_range=count.short.spread,
        out_range=count.out.spread,
        twice_running=count.short.unfair + count.out.unfair,
        cost=cost,
        cost_bound=cost_bound,
        seed=seed,
        version=version,
    )


def _squares(repeats: Fraction, counts: dict[Two, int]) -> Fraction:
    """Sum of squares from the sum of x(x-1)/2."""
    return 2 * repeats + sum(counts.values())


def _pair_measure(count: Record, counts: dict[Two, int], overlapping: int) -> Measure:
    fill = level_fill(sum(counts.values()), count.common)
    times = counts.values()
    everybody = len(counts) == count.common.total()
    return Measure(
        Fraction(sum(map(pairs, times))),
        Fraction(max(fill, overlapping)),
        min(times, default=0) if everybody else 0,
        max(times, default=0),
    )


def _partners_again(played: Sequence[PlayedRound]) -> int:
    """Partnerships that every two rounds with tables of six or eight force to coincide."""
    sizes = [tuple(sorted(map(len, one.tables), reverse=True)) for one in played]
    if not any(tables and tables[0] > 4 for tables in sizes):
        return 0
    here = [set(one.present) for one in played]
    return sum(
        overlap_of_partners(
            sizes[first],
            sizes[second],
            len(here[first] & here[second]) - len(played[first].out) - len(played[second].out),
        )
        for first, second in combinations(range(len(played)), 2)
    )


def _overlaps(played: Sequence[PlayedRound]) -> tuple[int, int, int]:
    """Opponents, meetings, and meetings of neighbouring rounds, forced by every two rounds."""
    sizes = [tuple(sorted(map(len, one.tables), reverse=True)) for one in played]
    here = [set(one.present) for one in played]
    opponents = meetings = running = 0
    for first, second in combinations(range(len(played)), 2):
        both = len(here[first] & here[second])
        both -= len(played[first].out) + len(played[second].out)
        opponents += overlap(sizes[first], sizes[second], both, True)
        again = overlap(sizes[first], sizes[second], both, False)
        meetings += again
        running += again if second == first + 1 else 0
    return opponents, meetings, running


def _steady_bound(played: Sequence[PlayedRound]) -> Fraction:
    """What the same people at tables of the same sizes cost at least, one of them for over four."""
    rooms = {
        (frozenset(one.present), tuple(sorted(map(len, one.tables), reverse=True)), one.out)
        for one in played
    }
    _people, sizes, out = next(iter(rooms), (frozenset(), (), ()))
    if len(rooms) != 1 or out or max(sizes, default=0) <= 4:
        return Fraction(0)
    return steady_bound(sizes, len(played))


def _shares(count: Record) -> Measure:
    value = bound = Fraction(0)
    for kind in KINDS:
        had, due = count.had[kind], count.due[kind]
        if any(had):
            value += sum((x - e) ** 2 for x, e in zip(had, due, strict=True))
            bound += best_rounding(due, sum(had))
    short = [count.had[2][one] + count.had[3][one] for one in sorted(count.always)]
    return Measure(value, bound, min(short, default=0), max(short, default=0))


def _dealer(count: Record) -> Measure:
    value = sum(
        ((x - e) ** 2 for x, e in zip(count.deals, count.deals_due, strict=True)), Fraction(0)
    )
    bound = best_rounding(count.deals_due, sum(count.deals))
    return Measure(value, bound, min(count.deals, default=0), max(count.deals, default=0))


def _seats(count: Record) -> Measure:
    value = sum(pairs(times) for seats in count.seats for times in seats)
    bound = sum(level_seats(times) for times in count.had[4])
    return Measure(Fraction(value), Fraction(bound))


def _back_to_back(count: Record, bound: int) -> Measure:
    again = sum(len(before & after) for before, after in pairwise(count.meets))
    return Measure(Fraction(again), Fraction(bound))


def _lines(count: Record, both: dict[Two, int]) -> tuple[PlayerLine, ...]:
    different = [
        Counter(one for pair in counts for one in pair)
        for counts in (count.partners, count.opponents, both)
    ]
    meetings = Counter[int]()  # as partners
    for (one, other), times in count.partners.items():
        meetings[one] += times
        meetings[other] += times
    return tuple(
        PlayerLine(
            player=player,
            rounds=sum(count.had[kind][one] for kind in KINDS),
            partners=different[0][one],
            partner_repeats=meetings[one] - different[0][one],
            opponents=different[1][one],
            met=different[2][one],
            fours=count.had[4][one],
            threes=count.had[3][one],
            twos=count.had[2][one],
            larger=sum(count.had[size][one] for size in SIZES if size > 4),
            sit_outs=count.had[OUT][one],
            deals=count.deals[one],
            deals_due=count.deals_due[one],
            seats=tuple(count.seats[one]),  # type: ignore[arg-type]
            had={size: count.had[size][one] for size in SIZES},
        )
        for one, player in enumerate(count.people)
    )
