"""The one place where a draft's seats are decided: plain data in, plain data out."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who sits where: members' ids by table and position, who sits out, the figures."""

    tables: Tables
    out: tuple[int, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)


def draw(
    players: Sequence[int],
    *,
    sizes: Sequence[int],
    history: Sequence[Tables],
    seed: int,
    locked: Mapping[int, tuple[int, int]] | None = None,
) -> Drawn:
    """The fairest of a few dozen shuffles: fewest partners and table-mates met again."""
    chance = random.Random(seed)  # noqa: S311 - seats at a club, not a secret
    met = [pairs for tables in history for pairs in _pairs(tables)]
    tries = [_shuffled(players, sizes, locked or {}, chance) for _try in range(40)]
    return min(tries, key=lambda drawn: _cost(drawn.tables, met))


def _shuffled(
    players: Sequence[int],
    sizes: Sequence[int],
    locked: Mapping[int, tuple[int, int]],
    chance: random.Random,
) -> Drawn:
    rest = [one for one in players if one not in locked]
    chance.shuffle(rest)
    chairs = {place: one for one, place in locked.items()}
    tables = [
        tuple(chairs.get((t, s)) or rest.pop() for s in range(size)) for t, size in enumerate(sizes)
    ]
    return Drawn(tuple(tables), tuple(rest))


def _pairs(tables: Tables) -> Iterator[tuple[frozenset[int], bool]]:
    for table in tables:
        for one, other in combinations(range(len(table)), 2):
            partners = len(table) == 4 and other - one == 2
            yield frozenset((table[one], table[other])), partners


def _cost(tables: Tables, met: Sequence[tuple[frozenset[int], bool]]) -> int:
    now = dict(_pairs(tables))
    return sum(5 if partners and now[pair] else 1 for pair, partners in met if pair in now)
