"""One round searched for: the line of players, and how many hard wishes it still breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from league.pairing.rng import Rng
from league.pairing.seating.annealing import Cooling, Stop, anneal
from league.pairing.seating.constraints import Wishes
from league.pairing.seating.cost_matrix import (
    HARD,
    expected_seats,
    kept_at_best,
    pair_prices,
    seat_prices,
    turn_prices,
    wish_places,
)
from league.pairing.seating.exact_search import Fitting, Looks, Sparing, Turn
from league.pairing.seating.history import OUT, SHORT, Tally
from league.pairing.seating.initial_seating import opening
from league.pairing.seating.linked_players import Ties
from league.pairing.seating.seat_board import SCALE, Board
from league.pairing.seating.small_table_turns import turns
from league.pairing.seating.table_layout import Shape

MILD = 40 * SCALE  # a hard wish while the search looks for any way at all to keep them
MILD_TURN = 5 * SCALE  # and a turn out of order meanwhile
ATTEMPTS = 4
LARGE = 240  # players beyond which there is one attempt only: the others would take half a minute
Places = dict[int, list[int]]


@dataclass(frozen=True)
class Settled:
    """A round found: the line, its price and how many hard wishes it breaks.

    `turns` is the part of the price for sitting out or small before others' turn, `ranks` the
    better claims passed over so, sit-outs first; `in_turn` says that wishes let nothing be fairer.
    """

    line: list[int]
    cost: int
    broken: int
    turns: int
    ranks: tuple[int, int]
    in_turn: bool = False


def settle(
    shape: Shape,
    here: Sequence[int],
    count: Tally,
    wishes: Wishes,
    chance: Rng,
    steps: int,
    stop: Stop | None = None,
) -> Settled:
    """The fairest round found for the players `here`, the hard wishes kept if that can be.

    From the second attempt on the wishes are first made mild, so that the search can pass through
    seatings that break them. If a wish is broken after all, or somebody has been passed over, every
    way of placing those who wish something is gone through, and the fairest is searched from.
    """
    room = Settling(shape, count, wishes)
    best: Settled | None = None
    for attempt in range(ATTEMPTS if len(here) <= LARGE else 1):
        line = room.opening(here, chance)
        if attempt:
            line = room.passing_through(line, chance, steps, stop)
        found = room.improved(line, chance, steps, stop)
        if best is None or found.cost < best.cost:
            best = found
        if not best.broken or (stop is not None and stop()):
            break
    assert best is not None
    ties = Ties(count, wishes)
    least = Fitting(shape, here, ties, room.turn, Looks(0)).least
    if (best.broken, best.turns) <= (0, least):
        return replace(best, in_turn=True)
    spared = Sparing(shape, here, count, ties).fairest(chance)
    if spared.fit.line is None:
        return best
    fair = Settling(shape, count, wishes, spared.turn)
    found = fair.improved(spared.fit.line, chance, steps, stop)
    line = min(found, fair.weigh(best.line), key=lambda one: one.cost).line
    return room.weigh(line)


class Settling:
    """The prices of one round, and the searches made with them."""

    def __init__(
        self, shape: Shape, count: Tally, wishes: Wishes, turn: Turn | None = None
    ) -> None:
        self.shape, self.count, self.wishes = shape, count, wishes
        self.share = seat_prices(count, [expected_seats(shape)] * len(count.portions))
        self.turn = turn or turn_prices(count)
        self.places = _sum(wish_places(count, wishes), self.turn)
        self.pairs = pair_prices(count, wishes)

    def opening(self, here: Sequence[int], chance: Rng) -> list[int]:
        """A line to search from."""
        first = {kind: [max(price, 0) for price in row] for kind, row in self.places.items()}
        return opening(self.shape, self.pairs, first, chance, here)

    def passing_through(
        self, line: list[int], chance: Rng, steps: int, stop: Stop | None
    ) -> list[int]:
        """Another line to search from, found with wishes and turns made mild."""
        turn = turn_prices(self.count, MILD_TURN, MILD_TURN)
        places = _sum(wish_places(self.count, self.wishes, MILD), turn)
        pairs = pair_prices(self.count, self.wishes, MILD)
        warm = Board([self.shape], [line], pairs, self.share, [places])
        return anneal(warm, chance, Cooling(4 * steps, hot=30), stop=stop)[0]

    def improved(self, line: list[int], chance: Rng, steps: int, stop: Stop | None) -> Settled:
        """The best round found from a line; wishes and turns are firm."""
        return self.weigh(anneal(self._board(line), chance, Cooling(steps), stop=stop)[0])

    def weigh(self, line: list[int]) -> Settled:
        """What a line is worth as a round."""
        cost = self._board(line).cost
        placed = list(zip(self.shape.kinds, line, strict=True))
        ranks = [
            sum(due[one].rank for kind, one in placed if kind in kinds)
            for kinds, due in (
                ((OUT,), turns(self.count, out=True)),
                (SHORT, turns(self.count, out=False)),
            )
        ]
        return Settled(
            line,
            cost,
            broken=round((cost - kept_at_best(self.count, self.wishes)) / HARD),
            turns=sum(self.turn[kind][one] for kind, one in placed),
            ranks=(ranks[0], ranks[1]),
        )

    def _board(self, line: list[int]) -> Board:
        return Board([self.shape], [line], self.pairs, self.share, [self.places])


def _sum(some: Places, more: Places) -> Places:
    return {
        kind: [one + other for one, other in zip(some[kind], more[kind], strict=True)]
        for kind in some
    }
