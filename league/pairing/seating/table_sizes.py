"""How many tables of which size for so many players: the club's rule and the other clubs' rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

from league.pairing.errors import PairingRefused

LARGEST = 8
MOST_WAYS = 6  # offered to an organiser, the club's rule among them
MOST_LARGE = 3  # and of those with a table of five, six or eight
MOST_UNUSUAL = 3  # tables of another size than four among them
MOST_OUT = 3  # people who sit out in a way that is offered
OUT_COSTS = 20  # what a player who sits out costs, beside the costs of tables
# What a table of each size costs, by the size most tables are to have.
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
# What one player loses by not sitting at a table of four; orders the alternatives offered.
_LOSS = {3: 1, 2: 2, "out": 3}


@dataclass(frozen=True)
class Composition:
    """The sizes of the tables, largest first, and how many people sit out."""

    sizes: tuple[int, ...]
    out: int = 0

    @property
    def players(self) -> int:
        """Everybody it places, sitting out included."""
        return sum(self.sizes) + self.out

    @property
    def short(self) -> int:
        """Seats at tables of two and three."""
        return sum(size for size in self.sizes if size < 4)

    def __str__(self) -> str:
        tables = " + ".join(map(str, self.sizes))
        return f"{tables} and {self.out} out" if self.out else tables


def composition(
    n: int, policy: str = "club", table: Mapping[int, Sequence[int]] | None = None
) -> Composition:
    """The tables for `n` players.

    `club` is the Nanaimo table and its closed form: nobody sits out, then as many tables of four
    as possible. `no_twos` takes tables of three instead of a table of two. `sitout` plays full
    tables only. Of the policies with tables of five, six and eight the cheapest sum of
    TABLE_COSTS is taken, then most people at the usual size, then fewest tables, then the larger
    first. `table` is a club's own rule, `{players: sizes}`; numbers it does not name follow
    `policy`.

    Raises PairingRefused for nobody, for one player, and for a row of `table` that does not fit.
    """
    if policy not in POLICIES:
        raise ValueError(f"unknown seating policy {policy!r}")
    if n <= 0:
        raise PairingRefused("nobody-present", "Nobody is here yet, so there is nobody to seat.")
    if n == 1:
        raise PairingRefused("one-player", "One player is here; a game needs at least two.")
    if table and n in table:
        return _own_row(n, tuple(table[n]))
    if policy in LARGE_POLICIES:
        return _cheapest(n, policy)
    if n < 4:
        return Composition((n,))
    return {"club": _club, "no_twos": _no_twos, "sitout": _sitout}[policy](n)


def _club(n: int) -> Composition:
    fours, rest = divmod(n, 4)
    if rest == 1:  # one left over would wait: break a table of four instead
        return Composition((4,) * (fours - 1) + (3, 2))
    return Composition((4,) * fours + ((rest,) if rest else ()))


def _no_twos(n: int) -> Composition:
    threes = -n % 4
    if n == 5:  # 3 + 2 is the only way to seat five
        return Composition((4,), 1)
    return Composition((4,) * ((n - 3 * threes) // 4) + (3,) * threes)


def _sitout(n: int) -> Composition:
    return Composition((4,) * (n // 4), n % 4)


_Choice = tuple[int, int, int, tuple[int, ...]]  # cost, usual seats, tables, sizes: least is best


def _cheapest(n: int, policy: str) -> Composition:
    """The cheapest tables for so many; refused where nobody at all could be seated."""
    sizes = _choices(n, policy)[n][3]
    if not sizes:
        raise PairingRefused(
            "too-few-for-policy",
            "The club's tables are too large for %(players)d players. Choose other tables.",
            values={"players": n},
        )
    tables = tuple(-size for size in sizes)
    return Composition(tables, n - sum(tables))


@cache
def _choices(n: int, policy: str) -> list[_Choice]:
    """The best tables for every number up to `n`; sizes stand negated, so that larger is less."""
    usual, sizes = LARGE_POLICIES[policy]
    costs = TABLE_COSTS[usual]
    best: list[_Choice] = [(0, 0, 0, ())]
    for people in range(1, n + 1):
        cost, seats, tables, chosen = best[people - 1]
        choices = [(cost + OUT_COSTS, seats, tables, chosen)]
        for size in sizes:
            if size <= people:
                cost, seats, tables, chosen = best[people - size]
                more = tuple(sorted((*chosen, -size)))
                usual_seats = seats - size * (size == usual)
                choices.append((cost + costs[size], usual_seats, tables + 1, more))
        best.append(min(choices))
    return best


def _own_row(n: int, sizes: tuple[int, ...]) -> Composition:
    if not sizes or not all(2 <= size <= LARGEST for size in sizes) or sum(sizes) > n:
        raise PairingRefused(
            "bad-rule-table",
            "The club's own rule for %(players)d players, %(sizes)s, must name tables of 2 to 8 "
            "that seat at most %(players)d.",
            values={"players": n, "sizes": str(sizes)},
        )
    return Composition(tuple(sorted(sizes, reverse=True)), n - sum(sizes))


def alternatives(n: int) -> tuple[Composition, ...]:
    """Ways to seat `n` players an organiser may choose from: the club's rule first.

    The others follow by what they cost the players: a seat at a table of three 1, at a table of two
    2, sitting out 3.
    """
    rule = composition(n)
    compositions = {rule}
    most = n // 4
    for fours in range(max(0, most - 3), most + 1):
        for out in range(min(MOST_OUT, n - 2) + 1):
            compositions.update(_fill(n, fours, out))
    others = sorted(compositions - {rule}, key=_loss)
    return (rule, *others[: MOST_WAYS - 1])


def large_alternatives(n: int, sizes: Collection[int]) -> tuple[Composition, ...]:
    """Ways to seat `n` players at tables of these `sizes`, some larger than four: fours, and at
    most MOST_UNUSUAL others. Those where fewest sit out first, then the cheapest by TABLE_COSTS,
    then those with most fours."""
    costs, compositions = TABLE_COSTS[4], []
    unusual = sorted(size for size in sizes if size in costs and size != 4)
    for out, count in product(range(MOST_OUT + 1), range(1, MOST_UNUSUAL + 1)):
        for others in combinations_with_replacement(unusual, count):
            fours, left = divmod(n - out - sum(others), 4)
            if fours >= 0 and not left and others[-1] > 4:
                tables = tuple(sorted((*others, *[4] * fours), reverse=True))
                compositions.append((out, sum(costs[size] for size in others), -fours, tables))
    best = sorted(compositions)[:MOST_LARGE]
    return tuple(Composition(tables, out) for out, _cost, _fours, tables in best)


def _fill(n: int, fours: int, out: int) -> list[Composition]:
    rest = n - 4 * fours - out
    ways = []
    for threes in range(max(rest, 0) // 3 + 1):
        twos, odd = divmod(rest - 3 * threes, 2)
        if not odd and rest >= 0 and fours + threes + twos:
            ways.append(Composition((4,) * fours + (3,) * threes + (2,) * twos, out))
    return ways


def _loss(one: Composition) -> tuple[int, int, tuple[int, ...]]:
    loss = sum(size * _LOSS.get(size, 0) for size in one.sizes) + one.out * _LOSS["out"]
    return loss, one.out, one.sizes
