"""Planning of one round, of the tables that have finished, or of a whole evening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import Rng, in_order
from league.pairing.seating.constraints import (
    Constraints,
    Violation,
    refuse_contradictions,
    violations,
)
from league.pairing.seating.dealers import seat_evening
from league.pairing.seating.evening_problem import (
    Attendance,
    Lines,
    Presence,
    Problem,
    plan_attendance,
    turn_comes_first,
)
from league.pairing.seating.fairness import Certificate, certificate
from league.pairing.seating.heuristic_search import RoundSearch, best_evening, search_round
from league.pairing.seating.history import PlayedRound, Tally, tally
from league.pairing.seating.large_tables import is_large, search_large_evening, search_large_round
from league.pairing.seating.table_layout import Shape, cached_shape, seat_table
from league.pairing.seating.table_sizes import LARGEST, Composition, composition

VERSION = "4"  # raised whenever the same input would give another plan
EFFORTS = ("quick", "thorough")
STEPS = {"first": 3_000, "quick": 12_000, "thorough": 200_000}
MOST_PLAYERS = 1_200  # planned in about two seconds
AHEAD = 24  # with fewer players, a room with many small tables is planned a round ahead


@dataclass(frozen=True)
class Plan:
    """A drafted round. `tables` are in seat order (0 and 2 of four are partners, 0 deals first).

    `numbers` are the table numbers of the room. `broken` lists the hard constraints that could not
    be kept. The same players, history, constraints, `seed` and `version` give the same plan. `cost`
    is what the search minimised, in hundredths of J, and only compares plans of the same round.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...]
    numbers: tuple[int, ...]
    seed: int
    version: str
    cost: int
    broken: tuple[Violation, ...]

    def played(self, age: int = 0) -> PlayedRound:
        """Return the round as history."""
        return PlayedRound(self.tables, self.out, age)


def plan_round(
    players: Iterable[PlayerId],
    *,
    seed: int,
    history: Iterable[PlayedRound] = (),
    constraints: Constraints | None = None,
    sizes: Composition | Sequence[int] | None = None,
    policy: str = "club",
    numbers: Sequence[int] | None = None,
) -> Plan:
    """Plan the next round of these players.

    `sizes` is the organiser's choice of tables (see `alternatives`); players left over sit out.
    Without it the policy decides. To reseat only tables that have finished, pass their players and
    the free table `numbers`; the rest of the room is not changed.

    Raises PairingRefused for fewer than two players, for more than MOST_PLAYERS, for the same
    player twice, for sizes that do not fit, and for constraints that contradict each other.
    """
    people = in_order(players)
    if len(people) > MOST_PLAYERS:
        raise PairingRefused(
            "too-many-players",
            "At most %(most)d players can be seated together; %(players)d are here.",
            values={"players": len(people), "most": MOST_PLAYERS},
        )
    constraints = (constraints or Constraints()).of(people)
    shape = _choose_shape(people, sizes, policy)
    room = tuple(numbers) if numbers is not None else tuple(range(1, len(shape.sizes) + 1))
    if len(set(room)) != len(room) or len(room) < len(shape.sizes):
        raise PairingRefused(
            "too-few-tables",
            "%(needed)d tables are needed and %(free)d are free.",
            values={"needed": len(shape.sizes), "free": len(set(room))},
        )
    refuse_contradictions(constraints, shape.sizes, room, shape.out)
    played = tuple(history)
    count = tally(people, played)
    rng = Rng(seed)
    present = tuple(range(len(people)))
    if is_large([shape]):
        line, cost = search_large_round(shape, present, count, constraints, rng)
        return _make_plan(people, count, constraints, shape, room, seed, line, cost, rng)
    next_two = Attendance(people, (present, present), (shape, shape))
    problem = Problem(next_two, played, count, constraints, rng, "glance", True)
    may_look_ahead = _should_look_ahead(shape) and turn_comes_first(problem) is not None
    steps = STEPS["first" if may_look_ahead else "quick"] + 40 * len(people)
    found = search_round(shape, present, count, constraints, rng, steps)
    if may_look_ahead and found.is_in_turn:
        _way, _cost, lines = best_evening(problem)
        candidate = RoundSearch(shape, count, constraints).evaluate(lines[0])
        if (candidate.broken, candidate.ranks) == (0, found.ranks):
            found = candidate
    line, cost = found.line, found.cost
    return _make_plan(people, count, constraints, shape, room, seed, line, cost, rng)


def _should_look_ahead(shape: Shape) -> bool:
    """Whether to plan this round with the next: in small rooms with over a third at short tables.

    There, who has a short table now largely decides who can meet whom next.
    """
    seats_at_fours = 4 * shape.sizes.count(4)
    return shape.nobody < AHEAD and 3 * (shape.nobody - seats_at_fours) > shape.nobody


def _choose_shape(
    people: tuple[PlayerId, ...], sizes: Composition | Sequence[int] | None, policy: str
) -> Shape:
    repeated = [player for player, next_player in pairwise(people) if player == next_player]
    if repeated:
        raise PairingRefused("player-twice", f"{repeated[0]} is named twice.", (repeated[0],))
    rule = composition(len(people), policy)
    if sizes is None:
        return cached_shape(rule.sizes, rule.out)
    chosen_sizes = sizes.sizes if isinstance(sizes, Composition) else tuple(sizes)
    out = len(people) - sum(chosen_sizes)
    if not chosen_sizes or not all(2 <= size <= LARGEST for size in chosen_sizes) or out < 0:
        raise PairingRefused(
            "sizes-do-not-fit",
            "Tables of %(sizes)s do not fit %(players)d players.",
            values={"sizes": ", ".join(map(str, chosen_sizes)), "players": len(people)},
        )
    return cached_shape(tuple(sorted(chosen_sizes, reverse=True)), out)


def _make_plan(
    people: tuple[PlayerId, ...],
    count: Tally,
    constraints: Constraints,
    shape: Shape,
    room: tuple[int, ...],
    seed: int,
    line: list[int],
    cost: int,
    rng: Rng,
) -> Plan:
    table_of = {count.index[player]: table for player, table in constraints.bound_tables().items()}
    locked = {count.index[player]: seat for player, (_, seat) in constraints.locked.items()}
    numbered = number_tables(shape.tables(line), room, table_of)
    tables = tuple(
        tuple(people[player] for player in seat_table(table, count.portions, rng, locked))
        for _, table in numbered
    )
    numbers = tuple(number for number, _ in numbered)
    out = in_order(people[player] for player in shape.outs(line))
    broken = violations(constraints, tables, out, numbers)
    return Plan(tables, out, numbers, seed, VERSION, cost, broken)


def number_tables(
    tables: list[list[int]], room: Sequence[int], table_of: dict[int, int]
) -> list[tuple[int, list[int]]]:
    """Number the tables, those with players bound to a table first; return them in room order."""
    free_numbers = list(room)
    numbered: list[tuple[int, list[int]]] = []
    unnumbered = []
    for table in tables:
        kept_numbers = sorted(
            {table_of[player] for player in table if player in table_of} & set(free_numbers),
            key=free_numbers.index,
        )
        if kept_numbers:
            free_numbers.remove(kept_numbers[0])
            numbered.append((kept_numbers[0], table))
        else:
            unnumbered.append(table)
    numbered += zip(free_numbers, unnumbered, strict=False)
    return sorted(numbered, key=lambda entry: list(room).index(entry[0]))


@dataclass(frozen=True)
class EveningPlan:
    """The rounds of an evening and its certificate.

    `way` says where it comes from: "schedule" (ready-made), "search", or "turns" (a search that
    starts with small tables dealt by turn).
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[Plan, ...]
    certificate: Certificate
    way: str
    seed: int
    version: str

    @property
    def broken(self) -> tuple[tuple[int, Violation], ...]:
        """The hard constraints that could not be kept, each with its round number from 1."""
        return tuple(
            (number, violation)
            for number, plan in enumerate(self.rounds, 1)
            for violation in plan.broken
        )


def plan_evening(
    players: Iterable[PlayerId],
    rounds: int,
    *,
    seed: int,
    history: Iterable[PlayedRound] = (),
    constraints: Constraints | None = None,
    policy: str = "club",
    table: Mapping[int, Sequence[int]] | None = None,
    presence: Presence | None = None,
    effort: str = "quick",
    level_always: bool = False,
) -> EveningPlan:
    """Plan so many rounds for these players; with `history` of tonight, the rest of the evening.

    `presence` holds the first and last round (from 1) of players who are not present throughout.
    `table` is a club's own table of sizes (see `composition`). `level_always` prefers evenings in
    which small tables and sit-outs differ by one at most after every round, even at the cost of
    some repeats. If players come or go, plan again from there.

    Raises PairingRefused as `plan_round` does, and for presence outside the evening.
    """
    played = tuple(history)
    constraints = constraints or Constraints()
    attendance = plan_attendance(players, rounds, presence or {}, policy, table)
    most_tables = max(len(shape.sizes) for shape in attendance.shapes)
    room = tuple(range(1, most_tables + 1))
    for number, shape in enumerate(attendance.shapes):
        in_round = constraints.of(attendance.names(number))
        try:
            refuse_contradictions(in_round, shape.sizes, room[: len(shape.sizes)], shape.out)
        except PairingRefused as refused:
            if attendance.is_steady:
                raise
            sentence = f"Round {number + 1}: {refused}"
            raise PairingRefused(refused.code, sentence, refused.people) from refused
    count = tally(attendance.people, played)
    constraints = constraints.of(attendance.people)
    problem = Problem(attendance, played, count, constraints, Rng(seed), effort, level_always)
    large = is_large(attendance.shapes)
    way, cost, lines = search_large_evening(problem) if large else best_evening(problem)
    plans = _make_plans(attendance, count, constraints, room, lines, seed, cost)
    proof = certificate(
        [plan.played() for plan in plans], fixed=constraints.fixed, seed=seed, version=VERSION
    )
    return EveningPlan(attendance.people, plans, proof, way, seed, VERSION)


def _make_plans(
    attendance: Attendance,
    count: Tally,
    constraints: Constraints,
    room: Sequence[int],
    lines: Lines,
    seed: int,
    cost: int,
) -> tuple[Plan, ...]:
    """Number the tables, share deals and seats evenly, and list the broken constraints."""
    people = attendance.people
    table_of = {count.index[player]: table for player, table in constraints.bound_tables().items()}
    locked = {count.index[player]: seat for player, (_, seat) in constraints.locked.items()}
    numbered = [
        number_tables(shape.tables(line), room[: len(shape.sizes)], table_of)
        for line, shape in zip(lines, attendance.shapes, strict=True)
    ]
    seated_rounds = seat_evening(
        [[table for _, table in tables] for tables in numbered],
        count.portions,
        locked,
        Rng(seed),
    )
    plans = []
    for tables, seated, line, shape in zip(
        numbered, seated_rounds, lines, attendance.shapes, strict=True
    ):
        names = tuple(tuple(people[player] for player in table) for table in seated)
        out = tuple(people[player] for player in sorted(shape.outs(line)))
        order = tuple(number for number, _ in tables)
        broken = violations(constraints, names, out, order)
        plans.append(Plan(names, out, order, seed, VERSION, cost, broken))
    return tuple(plans)
