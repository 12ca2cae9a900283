"""An evening to be searched for: what is given, whose turn it is, and the board it starts on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.rng import Rng
from league.pairing.seating.annealing import Stop
from league.pairing.seating.attendance import Attendance
from league.pairing.seating.balance import Waiting, Watch, bits_of
from league.pairing.seating.constraints import Wishes
from league.pairing.seating.cost_matrix import wish_places
from league.pairing.seating.history import OUT, SHORT, PlayedRound, Tally
from league.pairing.seating.rotations import looked_for
from league.pairing.seating.seat_board import Board, Matrix

Lines = list[list[int]]


@dataclass(frozen=True)
class Problem:
    """Everything a search for an evening needs to know."""

    plan_of: Attendance
    past: Sequence[PlayedRound]
    count: Tally
    wishes: Wishes
    chance: Rng
    effort: str
    level_always: bool
    stop: Stop | None

    @property
    def plain(self) -> bool:
        """Whether nothing tells the players apart: no history, no wishes."""
        return not self.wishes and not self.past

    @property
    def settled_beforehand(self) -> bool:
        """Whether a long search has been made for this very evening, and nothing more is asked."""
        usual = self.plain and self.plan_of.steady and not self.level_always
        return usual and looked_for(self.plan_of.shapes)

    def stopped(self) -> bool:
        """Whether the caller wants no more."""
        return self.stop is not None and self.stop()


def board_of(
    problem: Problem, lines: Lines, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> Board:
    place = wish_places(problem.count, problem.wishes)
    return Board(problem.plan_of.shapes, lines, prices, seat, [place] * len(lines))


def watches(problem: Problem) -> tuple[Watch, Watch]:
    """Who has had how much tonight, to go on from; spreads count those here from the start.

    Fixed pairs need a table of four, and cannot sit out one at a time.
    """
    everybody = range(len(problem.plan_of.people))
    portions = problem.count.portions
    bound = frozenset(problem.count.index[one] for pair in problem.wishes.fixed for one in pair)
    most = max(portion.rounds_tonight for portion in portions)
    always = {one for one in everybody if portions[one].rounds_tonight == most}
    short = Watch(
        always - bound,
        {one: portions[one].short_tonight.had for one in everybody},
        {one for one in everybody if portions[one].last in SHORT},
        exempt=bound,
    )
    single = max(shape.out for shape in problem.plan_of.shapes) < 2
    out = Watch(
        always - bound if single else set(always),
        {one: portions[one].out_tonight.had for one in everybody},
        {one for one in everybody if portions[one].last == OUT},
        exempt=bound if single else frozenset(),
    )
    return short, out


def turn_comes_first(problem: Problem) -> tuple[Waiting, Waiting] | None:
    """At small tables and at sitting out: everybody, and those whose turn comes first.

    None when people come or go or do not start level: then turns are a matter of attendance.
    """
    most = max(portion.rounds_tonight for portion in problem.count.portions)
    here_throughout = all(one.rounds_tonight == most for one in problem.count.portions)
    if not problem.plan_of.steady or not here_throughout:
        return None
    found = []
    for watch in watches(problem):
        everybody = sorted(watch.always)
        least = min((watch.times[one] for one in everybody), default=0)
        if any(watch.times[one] > least + 1 for one in everybody):
            return None
        waiting = [one for one in everybody if watch.times[one] == least]
        found.append((bits_of(everybody), bits_of(waiting)))
    return found[0], found[1]
