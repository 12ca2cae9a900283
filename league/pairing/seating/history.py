"""What has been played, counted: partners, opponents, small tables, sit-outs, deals and seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PlayerId

WHOLE = 100  # the weight of something that happened tonight
OUT = 0  # the size of the "table" of those who sit out
SHORT = (2, 3)
SIZES = (2, 3, 4, 5, 6, 7, 8)  # of tables
NONE = Fraction(0)


def are_partners(size: int, seat: int, other_seat: int) -> bool:
    """Whether two seats of a table of this size are partners.

    Where the number is even and four or more, every second seat is of one side; at other tables
    everybody plays alone, or nobody knows beforehand who will be whose partner.
    """
    return has_sides(size) and (other_seat - seat) % 2 == 0


def has_sides(size: int) -> bool:
    """Whether a table of this size plays as two sides."""
    return size > 2 and size % 2 == 0


@dataclass(frozen=True)
class PlayedRound:
    """One seating that was played: a round, or the tables of one release within a round.

    Everybody at the tables or out is taken to have been present for it. `age` is how many sessions
    ago it was, 0 for tonight. Seats 0 and 2 of a table of four are partners, seat 0 deals first.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...] = ()
    age: int = 0

    @property
    def weight(self) -> int:
        """What it counts against tonight's 100: last session a half, the one before a third."""
        return WHOLE // (1 + self.age)

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """Everybody it placed."""
        return (*(one for table in self.tables for one in table), *self.out)


@dataclass
class Share:
    """One player's portion of one thing against what was to be expected while present.

    `missed` is what others were already owed when the player first came, `away` what they were owed
    while the player had left.
    """

    had: int = 0
    owed: Fraction = Fraction(0)
    missed: Fraction = Fraction(0)
    away: Fraction = Fraction(0)


@dataclass
class Portion:
    """What one player has had so far: by table size, as dealer, in each seat; tonight apart."""

    sizes: dict[int, Share] = field(default_factory=lambda: {k: Share() for k in (*SIZES, OUT)})
    short_tonight: Share = field(default_factory=Share)
    out_tonight: Share = field(default_factory=Share)
    deals: Share = field(default_factory=Share)
    seats: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    rounds_tonight: int = 0
    last: int | None = None  # the size of the table sat at last tonight
    mates: frozenset[PlayerId] = frozenset()  # who else sat there
    has_left: bool = False


@dataclass
class Tally:
    """Everything the planner needs of the past, for the players of one room by their index.

    Weights are hundredths of a meeting tonight; `had` of tonight's shares counts plain times.
    """

    index: dict[PlayerId, int]
    partners: list[dict[int, int]]
    opponents: list[dict[int, int]]
    portions: list[Portion]
    most_short: Fraction = Fraction(0)  # the most anybody has been owed tonight
    most_out: Fraction = Fraction(0)
    owed_short: dict[PlayerId, Fraction] = field(default_factory=dict)
    owed_out: dict[PlayerId, Fraction] = field(default_factory=dict)


def tally(players: Sequence[PlayerId], history: Iterable[PlayedRound]) -> Tally:
    """Count the history, oldest first, for these players; others in it are passed over."""
    count = Tally(
        index={one: place for place, one in enumerate(players)},
        partners=[{} for _ in players],
        opponents=[{} for _ in players],
        portions=[Portion() for _ in players],
    )
    for played in history:
        add_round(count, played)
    for one, place in count.index.items():
        if one not in count.owed_short:
            count.portions[place].short_tonight.missed = count.most_short
            count.portions[place].out_tonight.missed = count.most_out
    return count


def add_round(count: Tally, played: PlayedRound) -> None:
    """Count one more round."""
    size_now: dict[int, int] = {}
    for table in played.tables:
        ids = [count.index.get(one, -1) for one in table]
        size_now.update((one, len(ids)) for one in ids if one >= 0)
        _count_pairs(count, ids, played.weight)
        _count_seats(count, ids, played)
    size_now.update((count.index[one], OUT) for one in played.out if one in count.index)
    _count_shares(count, size_now, played)


def _count_pairs(count: Tally, ids: Sequence[int], weight: int) -> None:
    for (seat, one), (other_seat, other) in combinations(enumerate(ids), 2):
        if one < 0 or other < 0:
            continue
        partners = are_partners(len(ids), seat, other_seat)
        counts = count.partners if partners else count.opponents
        counts[one][other] = counts[one].get(other, 0) + weight
        counts[other][one] = counts[other].get(one, 0) + weight


def _count_seats(count: Tally, ids: Sequence[int], played: PlayedRound) -> None:
    due = Fraction(played.weight, len(ids))
    for seat, one in enumerate(ids):
        if one < 0:
            continue
        portion = count.portions[one]
        portion.deals.owed += due
        if seat == 0:
            portion.deals.had += played.weight
        if len(ids) == 4:
            portion.seats[seat] += played.weight


def seats_of(played: PlayedRound) -> dict[int, int]:
    """How many sat at tables of each size in a round."""
    seats = {OUT: len(played.out), **dict.fromkeys(SIZES, 0)}
    for table in played.tables:
        seats[len(table)] += len(table)
    return seats


def expected_shares(played: PlayedRound) -> dict[int, Fraction]:
    """What each of those present could expect of the seats of each size there were."""
    seats = seats_of(played)
    everybody = sum(seats.values())
    return {size: Fraction(played.weight * many, everybody) for size, many in seats.items() if many}


def _count_shares(count: Tally, size_now: dict[int, int], played: PlayedRound) -> None:
    seats = seats_of(played)
    everybody = sum(seats.values())
    if not everybody:
        return
    if played.age == 0:
        _count_owed(count, played, seats, everybody)
    expected = expected_shares(played)
    short, out = Fraction(seats[2] + seats[3], everybody), Fraction(seats[OUT], everybody)
    for one, size in size_now.items():
        portion = count.portions[one]
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


def _count_owed(count: Tally, played: PlayedRound, seats: dict[int, int], everybody: int) -> None:
    """What everybody is owed tonight, and what newcomers have missed; of anybody."""
    short = Fraction(seats[2] + seats[3], everybody)
    out = Fraction(seats[OUT], everybody)
    mates = {one: frozenset(table) - {one} for table in played.tables for one in table}
    for one in played.present:
        if one in count.index:
            portion = count.portions[count.index[one]]
            portion.mates, portion.has_left = mates.get(one, frozenset()), False
            if one not in count.owed_short:
                portion.short_tonight.missed = count.most_short
                portion.out_tonight.missed = count.most_out
        for owed, more in ((count.owed_short, short), (count.owed_out, out)):
            owed.setdefault(one, NONE)
            if more:
                owed[one] += more
    _count_away(count, set(played.present), short, out)
    count.most_short = max([count.most_short, *(count.owed_short[o] for o in played.present)])
    count.most_out = max([count.most_out, *(count.owed_out[o] for o in played.present)])


def _count_away(count: Tally, here: set[PlayerId], short: Fraction, out: Fraction) -> None:
    """What was missed by those who have left.

    Anyone who is not placed may be playing on at a slow table. They have left when one of that
    table is placed again without them, or when they sat out.
    """
    for one, place in count.index.items():
        if one not in here and one in count.owed_short:
            portion = count.portions[place]
            portion.has_left = (
                portion.has_left or not portion.mates or not here.isdisjoint(portion.mates)
            )
            if portion.has_left:
                portion.short_tonight.away += short
                portion.out_tonight.away += out
