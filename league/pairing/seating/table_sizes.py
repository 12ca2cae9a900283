"""Table sizes for a number of players: the usual rule, other policies, and alternatives."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

from league.pairing.errors import PairingRefused

LARGEST = 8
MOST_WAYS = 6  # alternatives offered to an organiser, the usual rule included
MOST_LARGE = 3  # alternatives with a table of five, six or eight
MOST_UNUSUAL = 3  # tables of another size than four in one of these
MOST_OUT = 3  # players who sit out in an alternative
OUT_COSTS = 20  # the cost of a player who sits out, next to the costs of tables
# The cost of a table of each size, by the size that most tables are to have.
TABLE_COSTS = {4: {4: 0, 5: 2, 6: 2, 3: 3, 8: 3, 2: 6}, 6: {6: 0, 4: 1, 8: 1, 5: 2, 3: 4, 2: 7}}
# The sizes of the policies with larger tables, and the size that most tables have.
LARGE_POLICIES = {
    "fives": (4, (2, 3, 4, 5)),
    "sixes": (4, (2, 3, 4, 6)),
    "fives_sixes": (4, (2, 3, 4, 5, 6)),
    "no_small": (4, (4, 5, 6)),
    "six_main": (6, (3, 4, 5, 6, 8)),
}
POLICIES = ("club", "no_twos", "sitout", *LARGE_POLICIES)
# The cost for one player of not sitting at a table of four; orders the alternatives.
_LOSS = {3: 1, 2: 2, "out": 3}


@dataclass(frozen=True)
class Composition:
    """The sizes of the tables, largest first, and how many players sit out."""

    sizes: tuple[int, ...]
    out: int = 0

    @property
    def players(self) -> int:
        """The number of players, those who sit out included."""
        return sum(self.sizes) + self.out

    @property
    def short(self) -> int:
        """The number of seats at tables of two and three."""
        return sum(size for size in self.sizes if size < 4)

    def __str__(self) -> str:
        tables = " + ".join(map(str, self.sizes))
        return f"{tables} and {self.out} out" if self.out else tables


def composition(
    n: int, policy: str = "club", table: Mapping[int, Sequence[int]] | None = None
) -> Composition:
    """Return the tables for `n` players.

    `club` is the Nanaimo table and its closed form: nobody sits out, then as many tables of four
    as possible. `no_twos` uses tables of three instead of a table of two. `sitout` uses tables of
    four only. The policies with tables of five, six and eight minimise the sum of TABLE_COSTS, then
    prefer most players at the usual size, then fewest tables, then larger ones. `table` is a
    club's own rule, `{players: sizes}`; numbers of players not in it follow `policy`.

    Raises PairingRefused for fewer than two players, and for a row of `table` that does not fit.
    """
    if policy not in POLICIES:
        raise ValueError(f"unknown seating policy {policy!r}")
    if n <= 0:
        raise PairingRefused("nobody-present", "Nobody is here yet, so there is nobody to seat.")
    if n == 1:
        raise PairingRefused("one-player", "One player is here; a game needs at least two.")
    if table and n in table:
        return _custom_row(n, tuple(table[n]))
    if policy in LARGE_POLICIES:
        return _cheapest(n, policy)
    if n < 4:
        return Composition((n,))
    return {"club": _club_rule, "no_twos": _without_twos, "sitout": _full_tables_only}[policy](n)


def _club_rule(n: int) -> Composition:
    fours, remainder = divmod(n, 4)
    if remainder == 1:  # break up a table of four, so that nobody sits out
        return Composition((4,) * (fours - 1) + (3, 2))
    return Composition((4,) * fours + ((remainder,) if remainder else ()))


def _without_twos(n: int) -> Composition:
    threes = -n % 4
    if n == 5:  # 3 + 2 is the only way to seat five
        return Composition((4,), 1)
    return Composition((4,) * ((n - 3 * threes) // 4) + (3,) * threes)


def _full_tables_only(n: int) -> Composition:
    return Composition((4,) * (n // 4), n % 4)


# Cost, seats at the usual size (negated), tables, sizes (negated): the least is best.
_Candidate = tuple[int, int, int, tuple[int, ...]]


def _cheapest(n: int, policy: str) -> Composition:
    """Return the cheapest tables; raises PairingRefused if no player could be seated."""
    sizes = _best_candidates(n, policy)[n][3]
    if not sizes:
        raise PairingRefused(
            "too-few-for-policy",
            "The club's tables are too large for %(players)d players. Choose other tables.",
            values={"players": n},
        )
    tables = tuple(-size for size in sizes)
    return Composition(tables, n - sum(tables))


@cache
def _best_candidates(n: int, policy: str) -> list[_Candidate]:
    """Return the best tables for every number of players up to `n`."""
    usual, sizes = LARGE_POLICIES[policy]
    costs = TABLE_COSTS[usual]
    best: list[_Candidate] = [(0, 0, 0, ())]
    for players in range(1, n + 1):
        cost, seats, tables, chosen_sizes = best[players - 1]
        choices = [(cost + OUT_COSTS, seats, tables, chosen_sizes)]
        for size in sizes:
            if size <= players:
                cost, seats, tables, chosen_sizes = best[players - size]
                new_sizes = tuple(sorted((*chosen_sizes, -size)))
                usual_seats = seats - size * (size == usual)
                choices.append((cost + costs[size], usual_seats, tables + 1, new_sizes))
        best.append(min(choices))
    return best


def _custom_row(n: int, sizes: tuple[int, ...]) -> Composition:
    if not sizes or not all(2 <= size <= LARGEST for size in sizes) or sum(sizes) > n:
        raise PairingRefused(
            "bad-rule-table",
            "The club's own rule for %(players)d players, %(sizes)s, must name tables of 2 to 8 "
            "that seat at most %(players)d.",
            values={"players": n, "sizes": str(sizes)},
        )
    return Composition(tuple(sorted(sizes, reverse=True)), n - sum(sizes))


def alternatives(n: int) -> tuple[Composition, ...]:
    """Return the ways to seat `n` players that an organiser may choose from, the usual one first.

    The others are sorted by cost: 1 for a seat at a table of three, 2 for one at a table of two, 3
    for sitting out.
    """
    rule = composition(n)
    compositions = {rule}
    most_fours = n // 4
    for fours in range(max(0, most_fours - 3), most_fours + 1):
        for out in range(min(MOST_OUT, n - 2) + 1):
            compositions.update(_compositions(n, fours, out))
    other_compositions = sorted(compositions - {rule}, key=_loss_key)
    return (rule, *other_compositions[: MOST_WAYS - 1])


def large_alternatives(n: int, sizes: Collection[int]) -> tuple[Composition, ...]:
    """Return ways to seat `n` players with at least one table larger than four.

    They use tables of four and at most MOST_UNUSUAL of the other `sizes`. Those with fewest players
    out come first, then the cheapest by TABLE_COSTS, then those with most tables of four.
    """
    costs, compositions = TABLE_COSTS[4], []
    unusual = sorted(size for size in sizes if size in costs and size != 4)
    for out, count in product(range(MOST_OUT + 1), range(1, MOST_UNUSUAL + 1)):
        for other_sizes in combinations_with_replacement(unusual, count):
            fours, remainder = divmod(n - out - sum(other_sizes), 4)
            if fours >= 0 and not remainder and other_sizes[-1] > 4:
                tables = tuple(sorted((*other_sizes, *[4] * fours), reverse=True))
                compositions.append((out, sum(costs[size] for size in other_sizes), -fours, tables))
    best = sorted(compositions)[:MOST_LARGE]
    return tuple(Composition(tables, out) for out, _cost, _fours, tables in best)


def _compositions(n: int, fours: int, out: int) -> list[Composition]:
    remainder = n - 4 * fours - out
    compositions = []
    for threes in range(max(remainder, 0) // 3 + 1):
        twos, left_over = divmod(remainder - 3 * threes, 2)
        if not left_over and remainder >= 0 and fours + threes + twos:
            compositions.append(Composition((4,) * fours + (3,) * threes + (2,) * twos, out))
    return compositions


def _loss_key(composition: Composition) -> tuple[int, int, tuple[int, ...]]:
    loss = (
        sum(size * _LOSS.get(size, 0) for size in composition.sizes)
        + composition.out * _LOSS["out"]
    )
    return loss, composition.out, composition.sizes
