"""Counts of what has been played: partners, opponents, small tables, sit-outs, deals and seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PlayerId

WHOLE = 100  # the weight of a round played tonight
OUT = 0  # the size of the "table" of the players who sit out
SHORT = (2, 3)  # the sizes of small tables
SIZES = (2, 3, 4, 5, 6, 7, 8)  # of tables
NONE = Fraction(0)


def are_partners(size: int, seat: int, other_seat: int) -> bool:
    """Whether two seats of a table of this size are partners.

    At tables of four, six and eight every second seat is on the same side; at other tables players
    are alone, or partners are not known beforehand.
    """
    return has_sides(size) and (other_seat - seat) % 2 == 0


def has_sides(size: int) -> bool:
    """Whether a table of this size plays as two sides."""
    return size > 2 and size % 2 == 0


@dataclass(frozen=True)
class PlayedRound:
    """A seating that was played: a round, or tables of a round that were seated together.

    The players at the tables and those out were present for it. `age` is how many sessions ago it
    was, 0 for tonight. Seats 0 and 2 of a table of four are partners, and seat 0 deals first.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...] = ()
    age: int = 0

    @property
    def weight(self) -> int:
        """Tonight's rounds weigh 100, those of the last session 50, of the one before 33."""
        return WHOLE // (1 + self.age)

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """All players at its tables or out."""
        return (*(player for table in self.tables for player in table), *self.out)


@dataclass
class Share:
    """How much of one thing a player `had`, and was `owed`: the expected amount while present.

    `missed` is what others had been owed when the player first came, `away` what they were owed
    while the player had left.
    """

    had: int = 0
    owed: Fraction = Fraction(0)
    missed: Fraction = Fraction(0)
    away: Fraction = Fraction(0)


@dataclass
class Portion:
    """What one player has had so far: by table size, deals and seats; some counted for tonight."""

    sizes: dict[int, Share] = field(default_factory=lambda: {k: Share() for k in (*SIZES, OUT)})
    short_tonight: Share = field(default_factory=Share)
    out_tonight: Share = field(default_factory=Share)
    deals: Share = field(default_factory=Share)
    seats: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    rounds_tonight: int = 0
    last: int | None = None  # the size of the player's last table tonight
    mates: frozenset[PlayerId] = frozenset()  # the other players there
    has_left: bool = False


@dataclass
class Tally:
    """What the planner needs to know of the past, for the players of one room by their index.

    Weights are hundredths of a meeting tonight; `had` in tonight's shares is a plain number.
    """

    index: dict[PlayerId, int]
    partners: list[dict[int, int]]
    opponents: list[dict[int, int]]
    portions: list[Portion]
    most_short: Fraction = Fraction(0)  # the most that any player has been owed tonight
    most_out: Fraction = Fraction(0)
    owed_short: dict[PlayerId, Fraction] = field(default_factory=dict)
    owed_out: dict[PlayerId, Fraction] = field(default_factory=dict)


def tally(players: Sequence[PlayerId], history: Iterable[PlayedRound]) -> Tally:
    """Count the history, oldest round first, for these players; others in it are ignored."""
    count = Tally(
        index={player: index for index, player in enumerate(players)},
        partners=[{} for _ in players],
        opponents=[{} for _ in players],
        portions=[Portion() for _ in players],
    )
    for played in history:
        add_round(count, played)
    for player, index in count.index.items():
        if player not in count.owed_short:
            count.portions[index].short_tonight.missed = count.most_short
            count.portions[index].out_tonight.missed = count.most_out
    return count


def add_round(count: Tally, played: PlayedRound) -> None:
    """Count one more round."""
    size_of: dict[int, int] = {}
    for table in played.tables:
        ids = [count.index.get(player, -1) for player in table]
        size_of.update((player, len(ids)) for player in ids if player >= 0)
        _count_pairs(count, ids, played.weight)
        _count_seats(count, ids, played)
    size_of.update((count.index[player], OUT) for player in played.out if player in count.index)
    _count_shares(count, size_of, played)


def _count_pairs(count: Tally, ids: Sequence[int], weight: int) -> None:
    for (seat, player), (other_seat, other_player) in combinations(enumerate(ids), 2):
        if player < 0 or other_player < 0:
            continue
        partners = are_partners(len(ids), seat, other_seat)
        counts = count.partners if partners else count.opponents
        counts[player][other_player] = counts[player].get(other_player, 0) + weight
        counts[other_player][player] = counts[other_player].get(player, 0) + weight


def _count_seats(count: Tally, ids: Sequence[int], played: PlayedRound) -> None:
    expected = Fraction(played.weight, len(ids))
    for seat, player in enumerate(ids):
        if player < 0:
            continue
        portion = count.portions[player]
        portion.deals.owed += expected
        if seat == 0:
            portion.deals.had += played.weight
        if len(ids) == 4:
            portion.seats[seat] += played.weight


def seat_counts(played: PlayedRound) -> dict[int, int]:
    """Return how many players sat at tables of each size in a round."""
    seats = {OUT: len(played.out), **dict.fromkeys(SIZES, 0)}
    for table in played.tables:
        seats[len(table)] += len(table)
    return seats


def expected_shares(played: PlayedRound) -> dict[int, Fraction]:
    """Return the weighted share of the seats of each size that each present player could expect."""
    seats = seat_counts(played)
    total = sum(seats.values())
    return {
        size: Fraction(played.weight * seat_count, total)
        for size, seat_count in seats.items()
        if seat_count
    }


def _count_shares(count: Tally, size_of: dict[int, int], played: PlayedRound) -> None:
    seats = seat_counts(played)
    total = sum(seats.values())
    if not total:
        return
    if played.age == 0:
        _count_owed(count, played, seats, total)
    expected = expected_shares(played)
    short, out = Fraction(seats[2] + seats[3], total), Fraction(seats[OUT], total)
    for player, size in size_of.items():
        portion = count.portions[player]
        portion.sizes[size].had += played.weight
        for kind, share in expected.items():
            portion.sizes[kind].owed += share
        if played.age == 0:
            portion.rounds_tonight += 1
            portion.short_tonight.had += size in SHORT
            portion.out_tonight.had += size == OUT
            if short:  # most rounds of a large room have no small table: fractions are slow
                portion.short_tonight.owed += short
            if out:
                portion.out_tonight.owed += out
            portion.last = size


def _count_owed(count: Tally, played: PlayedRound, seats: dict[int, int], total: int) -> None:
    """Count what all players are owed tonight, and what newcomers have missed."""
    short = Fraction(seats[2] + seats[3], total)
    out = Fraction(seats[OUT], total)
    mates = {player: frozenset(table) - {player} for table in played.tables for player in table}
    for player in played.present:
        if player in count.index:
            portion = count.portions[count.index[player]]
            portion.mates, portion.has_left = mates.get(player, frozenset()), False
            if player not in count.owed_short:
                portion.short_tonight.missed = count.most_short
                portion.out_tonight.missed = count.most_out
        for owed, share in ((count.owed_short, short), (count.owed_out, out)):
            owed.setdefault(player, NONE)
            if share:
                owed[player] += share
    _count_away(count, set(played.present), short, out)
    count.most_short = max(
        [count.most_short, *(count.owed_short[player] for player in played.present)]
    )
    count.most_out = max([count.most_out, *(count.owed_out[player] for player in played.present)])


def _count_away(count: Tally, present: set[PlayerId], short: Fraction, out: Fraction) -> None:
    """Count what players who have left miss.

    A player who is not placed may still be playing at a slow table. They have left if one of that
    table is placed again without them, or if they had sat out.
    """
    for player, index in count.index.items():
        if player not in present and player in count.owed_short:
            portion = count.portions[index]
            portion.has_left = (
                portion.has_left or not portion.mates or not present.isdisjoint(portion.mates)
            )
            if portion.has_left:
                portion.short_tonight.away += short
                portion.out_tonight.away += out
