"""In which order to play the rounds of an evening: small tables level at every moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from league.pairing.seating.balance import Watch
from league.pairing.seating.history import SHORT
from league.pairing.seating.table_layout import Shape

WIDTH = 40  # how many beginnings are followed at a time


@dataclass
class _Beginning:
    order: tuple[int, ...]
    short: Watch
    out: Watch
    again: int

    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        unfair = self.short.unfair + self.out.unfair
        return unfair, self.short.spread + self.out.spread, self.again, self.order


def best_order(
    lines: Sequence[list[int]], shape: Shape, short: Watch, out: Watch
) -> list[list[int]]:
    """The same rounds in the order that is fairest if the evening stops after any of them.

    First nobody is to have a small table (or sit out) twice running before another who has had it
    less; then the spread is to be least; then as few pairs as possible meet in neighbouring rounds.
    `short` and `out` say what went before. The same people must be present throughout.
    """
    here = set(lines[0]) if lines else set()
    having = [_having(line, shape) for line in lines]
    met = [_met(line, shape) for line in lines]
    beginnings = [_Beginning((), short.copy(), out.copy(), 0)]
    for _ in lines:
        longer = []
        for start in beginnings:
            for number in range(len(lines)):
                if number not in start.order:
                    longer.append(_play(start, number, having, met, here))
        longer.sort(key=_Beginning.rank)
        beginnings = longer[:WIDTH]
    return [lines[number] for number in beginnings[0].order]


def _play(
    start: _Beginning,
    number: int,
    having: list[tuple[set[int], set[int]]],
    met: list[set[tuple[int, int]]],
    here: set[int],
) -> _Beginning:
    short, out = start.short.copy(), start.out.copy()
    if having[number][0]:
        short.see(having[number][0], here)
    if having[number][1]:
        out.see(having[number][1], here)
    again = len(met[start.order[-1]] & met[number]) if start.order else 0
    return _Beginning((*start.order, number), short, out, start.again + again)


def _having(line: list[int], shape: Shape) -> tuple[set[int], set[int]]:
    short = {one for one, kind in zip(line, shape.kinds, strict=True) if kind in SHORT}
    return short, set(shape.outs(line))


def _met(line: list[int], shape: Shape) -> set[tuple[int, int]]:
    return {
        (min(pair), max(pair)) for table in shape.tables(line) for pair in combinations(table, 2)
    }
