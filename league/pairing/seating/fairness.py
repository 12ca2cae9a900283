"""The certificate of fairness: what all players had, how even it is, and the lower bounds."""

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

IndexPair = tuple[int, int]
KINDS = (*SIZES, OUT)


@dataclass
class Record:
    """Counts for every pair and player over some rounds, all with equal weight."""

    people: tuple[PlayerId, ...]
    partners: dict[IndexPair, int] = field(default_factory=dict)
    opponents: dict[IndexPair, int] = field(default_factory=dict)
    common: Counter[int] = field(default_factory=Counter)  # pairs, by number of common rounds
    seat_counts: dict[int, list[int]] = field(default_factory=dict)
    expected: dict[int, list[Fraction]] = field(default_factory=dict)
    deals: list[int] = field(default_factory=list)
    deals_expected: list[Fraction] = field(default_factory=list)
    seats: list[list[int]] = field(default_factory=list)
    met_pairs: list[set[IndexPair]] = field(default_factory=list)
    always_present: set[int] = field(default_factory=set)
    short: Watch = field(default_factory=lambda: Watch(set()))
    out: Watch = field(default_factory=lambda: Watch(set()))


def record(
    rounds: Sequence[PlayedRound], fixed: Iterable[tuple[PlayerId, PlayerId]] = ()
) -> Record:
    """Count the rounds. Fixed pairs are left out of the pair counts, as they cannot vary."""
    people = in_order({player for played in rounds for player in played.present})
    index = {player: index for index, player in enumerate(people)}
    fixed_pairs = {_index_pair(index[a], index[b]) for a, b in fixed if a in index and b in index}
    count = _empty_record(people, fixed_pairs)
    present_by_round = [frozenset(index[player] for player in played.present) for played in rounds]
    count.common = _common_rounds(present_by_round, len(people), fixed_pairs)
    for played in rounds:
        tables = [[index[player] for player in table] for table in played.tables]
        out = [index[player] for player in played.out]
        present = [index[player] for player in played.present]
        count.always_present &= set(present)
        _count_tables(count, tables, fixed_pairs)
        _count_shares(count, tables, out)
        at_short = [player for table in tables if len(table) in SHORT for player in table]
        count.short.add_round(at_short, present)
        count.out.add_round(out, present)
    return count


def _empty_record(people: tuple[PlayerId, ...], fixed_pairs: set[IndexPair]) -> Record:
    """Return the record of these people before they have played."""
    # Fixed pairs always need a table of four.
    fixed_players = frozenset(player for pair in fixed_pairs for player in pair)
    n = len(people)
    return Record(
        people,
        seat_counts={kind: [0] * n for kind in KINDS},
        expected={kind: [Fraction(0)] * n for kind in KINDS},
        deals=[0] * n,
        deals_expected=[Fraction(0)] * n,
        seats=[[0] * 4 for _ in people],
        always_present=set(range(n)),
        short=Watch(set(range(n)) - fixed_players, exempt=fixed_players),
        out=Watch(set(range(n))),
    )


def _index_pair(first: int, second: int) -> IndexPair:
    return (first, second) if first < second else (second, first)


def _common_rounds(
    present_by_round: Sequence[frozenset[int]], player_count: int, fixed_pairs: set[IndexPair]
) -> Counter[int]:
    """Count the pairs by the number of rounds (at least one) in which both were present.

    Fixed pairs are left out. Players present in the same rounds are counted together: a large room
    has many pairs but few patterns of attendance.
    """
    rounds_present = [0] * player_count  # one bit for each round
    for number, present in enumerate(present_by_round):
        for player in present:
            rounds_present[player] |= 1 << number
    players_by_rounds = Counter(rounds_present)
    common = Counter[int]()
    for rounds, count in players_by_rounds.items():
        common[rounds.bit_count()] += count * (count - 1) // 2
    for (rounds, count), (other_rounds, other_count) in combinations(players_by_rounds.items(), 2):
        common[(rounds & other_rounds).bit_count()] += count * other_count
    for first, second in fixed_pairs:
        common[(rounds_present[first] & rounds_present[second]).bit_count()] -= 1
    return Counter({rounds: count for rounds, count in common.items() if rounds and count})


def _count_tables(count: Record, tables: list[list[int]], fixed_pairs: set[IndexPair]) -> None:
    met_pairs: set[IndexPair] = set()
    for table in tables:
        count.deals[table[0]] += 1
        for seat, player in enumerate(table):
            count.deals_expected[player] += Fraction(1, len(table))
            if len(table) == 4:
                count.seats[player][seat] += 1
        for (seat, player), (other_seat, other_player) in combinations(enumerate(table), 2):
            pair = _index_pair(player, other_player)
            if pair in fixed_pairs:
                continue
            met_pairs.add(pair)
            partners = are_partners(len(table), seat, other_seat)
            counts = count.partners if partners else count.opponents
            counts[pair] = counts.get(pair, 0) + 1
    count.met_pairs.append(met_pairs)


def _count_shares(count: Record, tables: list[list[int]], out: list[int]) -> None:
    groups = {
        size: [player for table in tables if len(table) == size for player in table]
        for size in SIZES
    }
    groups[OUT] = out
    present = [player for group in groups.values() for player in group]
    for kind, group in groups.items():
        for player in group:
            count.seat_counts[kind][player] += 1
        share = Fraction(len(group), max(1, len(present)))
        if share:
            for player in present:
                count.expected[kind][player] += share


@dataclass(frozen=True)
class Measure:
    """A measure: its value, its lower bound for any plan, and the extremes over all players."""

    value: Fraction
    bound: Fraction
    least: int = 0
    most: int = 0

    @property
    def excess(self) -> Fraction:
        """How far the value is above its bound."""
        return self.value - self.bound


@dataclass(frozen=True)
class PlayerLine:
    """What one player had.

    `partners`, `opponents` and `met` count different people; `had` holds the rounds at tables of
    each size, `larger` counts those at tables of five and more.
    """

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
    """The figures of a session or season, each with a bound that no plan can beat.

    `cost` is J = 4 sum p^2 + sum o^2 + sum m^2 + 8 sum (h - e)^2, `cost_bound` its lower bound and
    `ratio` their quotient, 1 for a plan that provably cannot be improved. `seed` and `version`
    reproduce the plan from the same players, history and constraints.

    `short_range` and `out_range` are the largest differences in small tables and in sit-outs, after
    any round, among the players present in all rounds so far; `twice_running` counts the times a
    player had one twice running although another present had had it less often.
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
    """Return the certificate of these rounds, in the order played, all with equal weight.

    `fixed` pairs are left out of the pair counts, as they cannot vary.
    """
    played, fixed_pairs = tuple(rounds), tuple(fixed)
    count = record(played, fixed_pairs)
    overlaps = None if fixed_pairs else _forced_overlaps(played)
    forced_partners = 0 if fixed_pairs else _forced_partner_repeats(played)
    partner = _pair_measure(count, count.partners, forced_partners)
    opponent = _pair_measure(count, count.opponents, overlaps[0] if overlaps else 0)
    meetings = dict(count.opponents)
    for pair, times in count.partners.items():
        meetings[pair] = meetings.get(pair, 0) + times
    meeting = _pair_measure(count, meetings, overlaps[1] if overlaps else 0)
    shares = _share_measure(count)
    cost, cost_bound = (
        4 * _squares(getattr(partner, side), count.partners)
        + _squares(getattr(opponent, side), count.opponents)
        + _squares(getattr(meeting, side), meetings)
        + 8 * getattr(shares, side)
        for side in ("value", "bound")
    )
    if not fixed_pairs:
        cost_bound = max(cost_bound, _steady_bound(played))
    return Certificate(
        players=_player_lines(count, meetings),
        rounds=len(played),
        partner_repeats=partner,
        opponent_repeats=opponent,
        meeting_repeats=meeting,
        shares=shares,
        dealer=_dealer_measure(count),
        seats=_seat_measure(count),
        back_to_back=_back_to_back(count, overlaps[2] if overlaps else 0),
        short_range=count.short.spread,
        out_range=count.out.spread,
        twice_running=count.short.unfair + count.out.unfair,
        cost=cost,
        cost_bound=cost_bound,
        seed=seed,
        version=version,
    )


def _squares(repeats: Fraction, counts: dict[IndexPair, int]) -> Fraction:
    """Return the sum of x^2, given the sum of x(x-1)/2."""
    return 2 * repeats + sum(counts.values())


def _pair_measure(count: Record, counts: dict[IndexPair, int], overlap_bound: int) -> Measure:
    fill_bound = level_fill(sum(counts.values()), count.common)
    times = counts.values()
    all_pairs_met = len(counts) == count.common.total()
    return Measure(
        Fraction(sum(map(pairs, times))),
        Fraction(max(fill_bound, overlap_bound)),
        min(times, default=0) if all_pairs_met else 0,
        max(times, default=0),
    )


def _forced_partner_repeats(played: Sequence[PlayedRound]) -> int:
    """Return a lower bound on partner repeats, forced by tables of six or eight."""
    sizes = [_table_sizes(round_) for round_ in played]
    if not any(tables and tables[0] > 4 for tables in sizes):
        return 0
    present = [set(round_.present) for round_ in played]
    outs = [len(round_.out) for round_ in played]
    return sum(
        overlap_of_partners(
            sizes[first],
            sizes[second],
            len(present[first] & present[second]) - outs[first] - outs[second],
        )
        for first, second in combinations(range(len(played)), 2)
    )


def _table_sizes(played: PlayedRound) -> tuple[int, ...]:
    return tuple(sorted(map(len, played.tables), reverse=True))


def _forced_overlaps(played: Sequence[PlayedRound]) -> tuple[int, int, int]:
    """Return lower bounds on repeated opponents, meetings, and meetings in consecutive rounds."""
    sizes = [_table_sizes(round_) for round_ in played]
    present = [set(round_.present) for round_ in played]
    opponents = meetings = consecutive = 0
    for first, second in combinations(range(len(played)), 2):
        shared_players = len(present[first] & present[second])
        shared_players -= len(played[first].out) + len(played[second].out)
        opponents += overlap(sizes[first], sizes[second], shared_players, True)
        repeats = overlap(sizes[first], sizes[second], shared_players, False)
        meetings += repeats
        consecutive += repeats if second == first + 1 else 0
    return opponents, meetings, consecutive


def _steady_bound(played: Sequence[PlayedRound]) -> Fraction:
    """Return a lower bound on J if the same players always sit at the same sizes, one over four."""
    rooms = {(frozenset(round_.present), _table_sizes(round_), round_.out) for round_ in played}
    _people, sizes, out = next(iter(rooms), (frozenset(), (), ()))
    if len(rooms) != 1 or out or max(sizes, default=0) <= 4:
        return Fraction(0)
    return steady_bound(sizes, len(played))


def _share_measure(count: Record) -> Measure:
    value = bound = Fraction(0)
    for kind in KINDS:
        seat_counts, expected = count.seat_counts[kind], count.expected[kind]
        if any(seat_counts):
            value += sum((x - e) ** 2 for x, e in zip(seat_counts, expected, strict=True))
            bound += best_rounding(expected, sum(seat_counts))
    twos, threes = count.seat_counts[2], count.seat_counts[3]
    short = [twos[player] + threes[player] for player in sorted(count.always_present)]
    return Measure(value, bound, min(short, default=0), max(short, default=0))


def _dealer_measure(count: Record) -> Measure:
    value = sum(
        ((x - e) ** 2 for x, e in zip(count.deals, count.deals_expected, strict=True)), Fraction(0)
    )
    bound = best_rounding(count.deals_expected, sum(count.deals))
    return Measure(value, bound, min(count.deals, default=0), max(count.deals, default=0))


def _seat_measure(count: Record) -> Measure:
    value = sum(pairs(times) for seats in count.seats for times in seats)
    bound = sum(level_seats(times) for times in count.seat_counts[4])
    return Measure(Fraction(value), Fraction(bound))


def _back_to_back(count: Record, bound: int) -> Measure:
    repeats = sum(len(earlier & later) for earlier, later in pairwise(count.met_pairs))
    return Measure(Fraction(repeats), Fraction(bound))


def _player_lines(count: Record, meetings: dict[IndexPair, int]) -> tuple[PlayerLine, ...]:
    partners, opponents, players_met = (
        Counter(player for pair in counts for player in pair)
        for counts in (count.partners, count.opponents, meetings)
    )
    partnerships = Counter[int]()
    for (first, second), times in count.partners.items():
        partnerships[first] += times
        partnerships[second] += times
    return tuple(
        PlayerLine(
            player=player_id,
            rounds=sum(count.seat_counts[kind][player] for kind in KINDS),
            partners=partners[player],
            partner_repeats=partnerships[player] - partners[player],
            opponents=opponents[player],
            met=players_met[player],
            fours=count.seat_counts[4][player],
            threes=count.seat_counts[3][player],
            twos=count.seat_counts[2][player],
            larger=sum(count.seat_counts[size][player] for size in SIZES if size > 4),
            sit_outs=count.seat_counts[OUT][player],
            deals=count.deals[player],
            deals_due=count.deals_expected[player],
            seats=tuple(count.seats[player]),  # type: ignore[arg-type]
            had={size: count.seat_counts[size][player] for size in SIZES},
        )
        for player, player_id in enumerate(count.people)
    )
