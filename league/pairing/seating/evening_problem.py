"""The problem of an evening: attendance, turns, the order of the rounds, and the cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import Rng, in_order
from league.pairing.seating.annealing import (
    KINDS,
    OUT_TURN,
    SCALE,
    Board,
    Matrix,
    constraint_costs,
    expected_seats,
)
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.history import OUT, SHORT, PlayedRound, Tally
from league.pairing.seating.lower_bounds import best_rounding, level_fill, overlap
from league.pairing.seating.schedules import has_schedule
from league.pairing.seating.small_table_turns import Waiting, Watch, to_bits
from league.pairing.seating.table_layout import Shape, cached_shape
from league.pairing.seating.table_sizes import composition

Presence = Mapping[PlayerId, tuple[int, int]]


@dataclass(frozen=True)
class Attendance:
    """The people of an evening in order, and the players present and the shape of every round."""

    people: tuple[PlayerId, ...]
    present: tuple[tuple[int, ...], ...]
    shapes: tuple[Shape, ...]

    @property
    def is_steady(self) -> bool:
        """Whether all players are present in every round."""
        return all(len(present) == len(self.people) for present in self.present)

    def names(self, number: int) -> tuple[PlayerId, ...]:
        """Return the players present in a round."""
        return tuple(self.people[player] for player in self.present[number])

    def expected(self) -> list[dict[int, Fraction]]:
        """Return each player's fair share of all seats of the evening, by table size."""
        expected = [{kind: Fraction(0) for kind in KINDS} for _ in self.people]
        for present, shape in zip(self.present, self.shapes, strict=True):
            shares = {kind: share for kind, share in expected_seats(shape).items() if share}
            for player in present:
                for kind, share in shares.items():
                    expected[player][kind] += share
        return expected


def plan_attendance(
    players: Iterable[PlayerId],
    rounds: int,
    presence: Presence,
    policy: str,
    table: Mapping[int, Sequence[int]] | None = None,
) -> Attendance:
    """Return who is present in each round, and the shapes of the rounds.

    `presence` holds the first and last round (from 1) of players who are not present throughout.
    Raises PairingRefused for the same player twice, presence outside the evening, and a round with
    fewer than two players.
    """
    people = in_order(players)
    if len(set(people)) != len(people):
        repeated = next(player for index, player in enumerate(people) if player in people[:index])
        raise PairingRefused("player-twice", f"{repeated} is named twice.", (repeated,))
    if rounds < 1:
        raise PairingRefused("no-rounds", "An evening has at least one round.")
    for player in in_order(presence):
        first, last = presence[player]
        if player not in people or not 1 <= first <= last <= rounds:
            raise PairingRefused(
                "bad-presence",
                "%(player)s cannot be there from round %(from)d to round %(to)d of %(rounds)d.",
                (player,),
                {"player": player, "from": first, "to": last, "rounds": rounds},
            )
    spans = [presence.get(player, (1, rounds)) for player in people]
    present = tuple(
        tuple(index for index, (first, last) in enumerate(spans) if first <= number <= last)
        for number in range(1, rounds + 1)
    )
    return Attendance(people, present, tuple(_round_shapes(present, policy, table)))


def _round_shapes(
    present_by_round: Sequence[Sequence[int]],
    policy: str,
    table: Mapping[int, Sequence[int]] | None,
) -> Iterable[Shape]:
    for number, present in enumerate(present_by_round, 1):
        try:
            rule = composition(len(present), policy, table)
        except PairingRefused as refused:
            refused.values["round"] = number
            raise
        yield cached_shape(rule.sizes, rule.out)


Lines = list[list[int]]


@dataclass(frozen=True)
class Problem:
    """The input of a search for an evening."""

    attendance: Attendance
    past: Sequence[PlayedRound]
    count: Tally
    constraints: Constraints
    rng: Rng
    effort: str
    level_always: bool

    @property
    def is_plain(self) -> bool:
        """Whether all players are alike: no history and no constraints."""
        return not self.constraints and not self.past

    @property
    def has_known_schedule(self) -> bool:
        """Whether a long search was made beforehand for exactly this evening."""
        is_usual = self.is_plain and self.attendance.is_steady and not self.level_always
        return is_usual and has_schedule(self.attendance.shapes)


def make_board(
    problem: Problem,
    lines: Lines,
    pair_costs: tuple[Matrix, Matrix],
    seat_costs: dict[int, list[int]],
) -> Board:
    place_costs = [constraint_costs(problem.count, problem.constraints)] * len(lines)
    return Board(problem.attendance.shapes, lines, pair_costs, seat_costs, place_costs)


def watches(problem: Problem) -> tuple[Watch, Watch]:
    """Return the small tables and the sit-outs of tonight so far.

    Spreads count the players present from the start. Fixed pairs are exempt, as they need a table
    of four, and cannot sit out if only one player does.
    """
    indices = range(len(problem.attendance.people))
    portions = problem.count.portions
    fixed_players = frozenset(
        problem.count.index[player] for pair in problem.constraints.fixed for player in pair
    )
    most_rounds = max(portion.rounds_tonight for portion in portions)
    always_present = {i for i in indices if portions[i].rounds_tonight == most_rounds}
    short = Watch(
        always_present - fixed_players,
        {player: portions[player].short_tonight.had for player in indices},
        {player for player in indices if portions[player].last in SHORT},
        exempt=fixed_players,
    )
    one_out_at_most = max(shape.out for shape in problem.attendance.shapes) < 2
    out = Watch(
        always_present - fixed_players if one_out_at_most else set(always_present),
        {player: portions[player].out_tonight.had for player in indices},
        {player for player in indices if portions[player].last == OUT},
        exempt=fixed_players if one_out_at_most else frozenset(),
    )
    return short, out


def turn_comes_first(problem: Problem) -> tuple[Waiting, Waiting] | None:
    """Return all players and those whose turn comes first, for small tables and for sitting out.

    Return None if players come or go, or do not start level: then turns depend on attendance.
    """
    most_rounds = max(portion.rounds_tonight for portion in problem.count.portions)
    all_played = all(portion.rounds_tonight == most_rounds for portion in problem.count.portions)
    if not problem.attendance.is_steady or not all_played:
        return None
    turns = []
    for watch in watches(problem):
        players = sorted(watch.always_present)
        fewest = min((watch.times[player] for player in players), default=0)
        if any(watch.times[player] > fewest + 1 for player in players):
            return None
        waiting = [player for player in players if watch.times[player] == fewest]
        turns.append((to_bits(players), to_bits(waiting)))
    return turns[0], turns[1]


BEAM_WIDTH = 40  # how many partial orders are kept at a time


@dataclass
class _PartialOrder:
    order: tuple[int, ...]
    short: Watch
    out: Watch
    repeats: int

    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        unfair = self.short.unfair + self.out.unfair
        return unfair, self.short.spread + self.out.spread, self.repeats, self.order


def best_order(
    lines: Sequence[list[int]], shape: Shape, short: Watch, out: Watch
) -> list[list[int]]:
    """Sort the rounds so that the evening is as fair as possible after any of them (beam search).

    First, nobody has a small table (or sits out) twice running before another who has had it less;
    then the spread is least; then fewest pairs meet in consecutive rounds. `short` and `out` count
    earlier rounds. The same players must be present throughout.
    """
    present = set(lines[0]) if lines else set()
    short_and_out = [_short_and_out(line, shape) for line in lines]
    meeting_pairs = [_meeting_pairs(line, shape) for line in lines]
    partial_orders = [_PartialOrder((), short.copy(), out.copy(), 0)]
    for _ in lines:
        extended = []
        for partial in partial_orders:
            for number in range(len(lines)):
                if number not in partial.order:
                    extended.append(_extend(partial, number, short_and_out, meeting_pairs, present))
        extended.sort(key=_PartialOrder.rank)
        partial_orders = extended[:BEAM_WIDTH]
    return [lines[number] for number in partial_orders[0].order]


def _extend(
    partial: _PartialOrder,
    number: int,
    short_and_out: list[tuple[set[int], set[int]]],
    meeting_pairs: list[set[tuple[int, int]]],
    present: set[int],
) -> _PartialOrder:
    short, out = partial.short.copy(), partial.out.copy()
    if short_and_out[number][0]:
        short.add_round(short_and_out[number][0], present)
    if short_and_out[number][1]:
        out.add_round(short_and_out[number][1], present)
    repeats = len(meeting_pairs[partial.order[-1]] & meeting_pairs[number]) if partial.order else 0
    return _PartialOrder((*partial.order, number), short, out, partial.repeats + repeats)


def _short_and_out(line: list[int], shape: Shape) -> tuple[set[int], set[int]]:
    short = {player for player, kind in zip(line, shape.kinds, strict=True) if kind in SHORT}
    return short, set(shape.outs(line))


def _meeting_pairs(line: list[int], shape: Shape) -> set[tuple[int, int]]:
    return {
        (min(pair), max(pair)) for table in shape.tables(line) for pair in combinations(table, 2)
    }


Found = tuple[str, int, Lines]  # where the evening comes from, its cost, the rounds


class Evaluator:
    """Computes the cost of an evening: hard constraints, then turns at small tables, then J."""

    def __init__(
        self, problem: Problem, pair_costs: tuple[Matrix, Matrix], seat_costs: dict[int, list[int]]
    ) -> None:
        self.problem, self.pair_costs, self.seat_costs = problem, pair_costs, seat_costs

    def evaluate(self, way: str, lines: Lines) -> Found:
        """Return the evening in its best order, with its cost."""
        problem = self.problem
        short, out = watches(problem)
        if problem.attendance.is_steady and len(set(problem.attendance.shapes)) == 1:
            lines = best_order(lines, problem.attendance.shapes[0], short, out)
        board = make_board(problem, lines, self.pair_costs, self.seat_costs)
        for line, shape, present in zip(
            lines, problem.attendance.shapes, problem.attendance.present, strict=True
        ):
            at_short, sitting_out = _short_and_out(line, shape)
            short.add_round(at_short, present)
            out.add_round(sitting_out, present)
        cost = board.cost + OUT_TURN * (short.unfair + out.unfair)
        if problem.level_always:
            cost += OUT_TURN * max(0, short.spread - 1) + OUT_TURN * max(0, out.spread - 1)
        return way, cost, lines

    def is_optimal(self, found: Found) -> bool:
        """Whether the evening provably cannot be improved; always False if it is not plain."""
        problem = self.problem
        if not problem.is_plain or not problem.attendance.is_steady:
            return False
        return found[1] <= self._lower_bound() + SCALE // 2

    def _lower_bound(self) -> Fraction:
        """Return the lower bound of a plain evening's cost, on the scale of the board."""
        shape, rounds = self.problem.attendance.shapes[0], len(self.problem.attendance.shapes)
        player_count = shape.nobody
        fours = shape.sizes.count(4)
        partners = 2 * fours * rounds
        opponents = (4 * fours + 3 * shape.sizes.count(3) + shape.sizes.count(2)) * rounds
        cells = [rounds] * (player_count * (player_count - 1) // 2)
        round_pairs = rounds * (rounds - 1) // 2
        shared_players = player_count - 2 * shape.out
        pair_bound = 4 * (2 * level_fill(partners, cells) + partners)
        for total, opposing in ((opponents, True), (partners + opponents, False)):
            forced = round_pairs * overlap(shape.sizes, shape.sizes, shared_players, opposing)
            pair_bound += 2 * max(level_fill(total, cells), forced) + total
        bound = Fraction(pair_bound)
        for kind, share in expected_seats(shape).items():
            expected = [share * rounds] * player_count
            rounding = best_rounding(expected, shape.kinds.count(kind) * rounds)
            bound += 8 * (rounding - sum(e * e for e in expected))
        return bound * SCALE
