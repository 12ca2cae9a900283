"""An evening to be searched for: who is there when, whose turn it is, and what a seating costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import Rng, in_order
from league.pairing.seating.annealing import SCALE, Board, Matrix
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.cost_matrix import KINDS, OUT_TURN, constraint_costs, expected_seats
from league.pairing.seating.history import OUT, SHORT, PlayedRound, Tally
from league.pairing.seating.lower_bounds import best_rounding, level_fill, overlap
from league.pairing.seating.schedules import looked_for
from league.pairing.seating.small_table_turns import Waiting, Watch, bits_of
from league.pairing.seating.table_layout import Shape, shape_of
from league.pairing.seating.table_sizes import composition

Presence = Mapping[PlayerId, tuple[int, int]]


@dataclass(frozen=True)
class Attendance:
    """The people of an evening in order, and for every round who is present and its shape."""

    people: tuple[PlayerId, ...]
    present: tuple[tuple[int, ...], ...]
    shapes: tuple[Shape, ...]

    @property
    def steady(self) -> bool:
        """Whether everybody is there throughout."""
        return all(len(here) == len(self.people) for here in self.present)

    def names(self, number: int) -> tuple[PlayerId, ...]:
        """Who is there for a round."""
        return tuple(self.people[one] for one in self.present[number])

    def expected(self) -> list[dict[int, Fraction]]:
        """Each player's fair portion of all the seats of the evening, by size of table."""
        due = [{kind: Fraction(0) for kind in KINDS} for _ in self.people]
        for here, shape in zip(self.present, self.shapes, strict=True):
            shares = {kind: share for kind, share in expected_seats(shape).items() if share}
            for one in here:
                for kind, share in shares.items():
                    due[one][kind] += share
        return due


def attendance(
    players: Iterable[PlayerId],
    rounds: int,
    presence: Presence,
    policy: str,
    table: Mapping[int, Sequence[int]] | None = None,
) -> Attendance:
    """Work out the rounds. `presence` gives first and last round (from 1) of who is not there
    throughout.

    Raises PairingRefused for the same player twice, presence outside the evening, and a round for
    which fewer than two people are there.
    """
    people = in_order(players)
    if len(set(people)) != len(people):
        twice = next(one for place, one in enumerate(people) if one in people[:place])
        raise PairingRefused("player-twice", f"{twice} is named twice.", (twice,))
    if rounds < 1:
        raise PairingRefused("no-rounds", "An evening has at least one round.")
    for one in in_order(presence):
        first, last = presence[one]
        if one not in people or not 1 <= first <= last <= rounds:
            raise PairingRefused(
                "bad-presence",
                "%(player)s cannot be there from round %(from)d to round %(to)d of %(rounds)d.",
                (one,),
                {"player": one, "from": first, "to": last, "rounds": rounds},
            )
    present = tuple(
        tuple(
            place
            for place, one in enumerate(people)
            if presence.get(one, (1, rounds))[0] <= number <= presence.get(one, (1, rounds))[1]
        )
        for number in range(1, rounds + 1)
    )
    return Attendance(people, present, tuple(_shapes(present, policy, table)))


def _shapes(
    present: Sequence[Sequence[int]], policy: str, table: Mapping[int, Sequence[int]] | None
) -> Iterable[Shape]:
    for number, here in enumerate(present, 1):
        try:
            rule = composition(len(here), policy, table)
        except PairingRefused as refused:
            refused.values["round"] = number
            raise
        yield shape_of(rule.sizes, rule.out)


Lines = list[list[int]]


@dataclass(frozen=True)
class Problem:
    """Everything a search for an evening needs to know."""

    plan_of: Attendance
    past: Sequence[PlayedRound]
    count: Tally
    constraints: Constraints
    rng: Rng
    effort: str
    level_always: bool

    @property
    def plain(self) -> bool:
        """Whether nothing tells the players apart: no history, no constraints."""
        return not self.constraints and not self.past

    @property
    def schedule_is_known(self) -> bool:
        """Whether a long search has been made for this very evening, and nothing more is asked."""
        usual = self.plain and self.plan_of.steady and not self.level_always
        return usual and looked_for(self.plan_of.shapes)


def board_of(
    problem: Problem, lines: Lines, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
) -> Board:
    place = constraint_costs(problem.count, problem.constraints)
    return Board(problem.plan_of.shapes, lines, prices, seat, [place] * len(lines))


def watches(problem: Problem) -> tuple[Watch, Watch]:
    """Who has had how much tonight, to go on from; spreads count those here from the start.

    Fixed pairs need a table of four, and cannot sit out one at a time.
    """
    everybody = range(len(problem.plan_of.people))
    portions = problem.count.portions
    bound = frozenset(
        problem.count.index[one] for pair in problem.constraints.fixed for one in pair
    )
    most = max(portion.rounds_tonight for portion in portions)
    always = {person for person in everybody if portions[person].rounds_tonight == most}
    short = Watch(
        always - bound,
        {person: portions[person].short_tonight.had for person in everybody},
        {person for person in everybody if portions[person].last in SHORT},
        exempt=bound,
    )
    single = max(shape.out for shape in problem.plan_of.shapes) < 2
    out = Watch(
        always - bound if single else set(always),
        {person: portions[person].out_tonight.had for person in everybody},
        {person for person in everybody if portions[person].last == OUT},
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
    turns = []
    for watch in watches(problem):
        everybody = sorted(watch.always)
        least = min((watch.times[person] for person in everybody), default=0)
        if any(watch.times[person] > least + 1 for person in everybody):
            return None
        waiting = [person for person in everybody if watch.times[person] == least]
        turns.append((bits_of(everybody), bits_of(waiting)))
    return turns[0], turns[1]


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


Found = tuple[str, int, Lines]  # the way, the price, the rounds


class Judge:
    """Tells how good an evening is: hard constraints, then turns at the small tables, then J."""

    def __init__(
        self, problem: Problem, prices: tuple[Matrix, Matrix], seat: dict[int, list[int]]
    ) -> None:
        self.problem, self.prices, self.seat = problem, prices, seat

    def found(self, way: str, lines: Lines) -> Found:
        """The evening in its best order, with its price."""
        problem = self.problem
        short, out = watches(problem)
        if problem.plan_of.steady and len(set(problem.plan_of.shapes)) == 1:
            lines = best_order(lines, problem.plan_of.shapes[0], short, out)
        board = board_of(problem, lines, self.prices, self.seat)
        for line, shape, here in zip(
            lines, problem.plan_of.shapes, problem.plan_of.present, strict=True
        ):
            short.see((o for o, k in zip(line, shape.kinds, strict=True) if k in SHORT), here)
            out.see(shape.outs(line), here)
        cost = board.cost + OUT_TURN * (short.unfair + out.unfair)
        if problem.level_always:
            cost += OUT_TURN * max(0, short.spread - 1) + OUT_TURN * max(0, out.spread - 1)
        return way, cost, lines

    def perfect(self, found: Found) -> bool:
        """Whether counting shows that nothing can be better. Only told for a plain evening."""
        problem = self.problem
        if not problem.plain or not problem.plan_of.steady:
            return False
        return found[1] <= self._least() + SCALE // 2

    def _least(self) -> Fraction:
        """The lower bound of a plain evening's cost, on the scale of the board."""
        shape, rounds = self.problem.plan_of.shapes[0], len(self.problem.plan_of.shapes)
        people = shape.nobody
        fours = shape.sizes.count(4)
        partners = 2 * fours * rounds
        opponents = (4 * fours + 3 * shape.sizes.count(3) + shape.sizes.count(2)) * rounds
        cells = [rounds] * (people * (people - 1) // 2)
        couples = rounds * (rounds - 1) // 2
        both = people - 2 * shape.out
        least = 4 * (2 * level_fill(partners, cells) + partners)
        for total, opposing in ((opponents, True), (partners + opponents, False)):
            forced = couples * overlap(shape.sizes, shape.sizes, both, opposing)
            least += 2 * max(level_fill(total, cells), forced) + total
        bound = Fraction(least)
        for kind, share in expected_seats(shape).items():
            due = [share * rounds] * people
            bound += 8 * (
                best_rounding(due, shape.kinds.count(kind) * rounds) - sum(d * d for d in due)
            )
        return bound * SCALE
