"""Who takes which part in a ready-made schedule, so that history and wishes are best served."""

from __future__ import annotations

from collections.abc import Sequence

from league.pairing.rng import QUANTILES, Rng, thresholds
from league.pairing.seating.annealing import Stop
from league.pairing.seating.seat_board import SCALE, Matrix
from league.pairing.seating.table_layout import Shape

STAGE = 100


def fit(
    lines: Sequence[Sequence[int]],
    shape: Shape,
    prices: tuple[Matrix, Matrix],
    seat: dict[int, list[int]],
    chance: Rng,
    steps: int,
    stop: Stop | None = None,
) -> list[list[int]]:
    """The schedule with real players in place of its parts, cast by annealing over exchanges.

    With `steps` 0 the cast is drawn by lot, which is as good when nothing tells people apart.
    """
    cast = list(range(shape.nobody))
    chance.shuffle(cast)
    if steps:
        cast = _Casting(lines, shape, prices, seat, cast).search(chance, steps, stop)
    return [[cast[part] for part in line] for line in lines]


class _Casting:
    """How often any two parts partner and oppose each other, and what a cast costs."""

    def __init__(
        self,
        lines: Sequence[Sequence[int]],
        shape: Shape,
        prices: tuple[Matrix, Matrix],
        seat: dict[int, list[int]],
        cast: list[int],
    ) -> None:
        n = shape.nobody
        self.cast, self.partner, self.opponent, self.seat = cast, *prices, seat
        self.seats = [[(kind, 0) for kind in (0, 2, 3, 4)] for _ in range(n)]
        meetings: list[dict[int, list[int]]] = [{} for _ in range(n)]
        had = [dict.fromkeys((0, 2, 3, 4), 0) for _ in range(n)]
        for line in lines:
            for place, (mate, left, right) in enumerate(shape.mates):
                had[line[place]][shape.kinds[place]] += 1
                for other, which in ((mate, 0), (left, 1), (right, 1)):
                    if other != shape.nobody:
                        meetings[line[place]].setdefault(line[other], [0, 0])[which] += 1
        self.seats = [list(seats.items()) for seats in had]
        self.meetings = [
            [(other, many[0], many[1]) for other, many in sorted(row.items())] for row in meetings
        ]

    def price(self, part: int, one: int, skip: int) -> int:
        """What it costs that `one` takes this part; the meeting with the part `skip` left out."""
        partner, opponent, cast = self.partner[one], self.opponent[one], self.cast
        total = sum(self.seat[kind][one] * many for kind, many in self.seats[part])
        for other, partners, opponents in self.meetings[part]:
            if other != skip:
                who = cast[other]
                total += partners * partner[who] + opponents * opponent[who]
        return total

    def search(self, chance: Rng, steps: int, stop: Stop | None) -> list[int]:
        """Anneal over exchanges of two players' parts; the best cast seen."""
        n, cast, limits = len(self.cast), self.cast, thresholds()
        cost, best, best_cast = 0, 0, cast[:]
        stages = max(1, steps // STAGE)
        for stage in range(stages):
            left = stages - stage
            temperature = 12 * SCALE * 1000 * left * left // (stages * stages)
            for _ in range(STAGE):
                a, b = chance.below(n), chance.below(n)
                one, other = cast[a], cast[b]
                change = (
                    self.price(a, other, b) - self.price(a, one, b)
                    + self.price(b, one, a) - self.price(b, other, a)
                )  # fmt: skip
                if change * 1_000_000 <= temperature * limits[chance.below(QUANTILES)]:
                    cast[a], cast[b] = other, one
                    cost += change
                    if cost < best:
                        best, best_cast = cost, cast[:]
            if stop is not None and stop():
                break
        return best_cast
