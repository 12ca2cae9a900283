"""Plans one round, one release of finished tables, or a whole evening."""

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
    attendance,
    turn_comes_first,
)
from league.pairing.seating.evening_search import best_evening
from league.pairing.seating.fairness import Certificate, certificate
from league.pairing.seating.history import PlayedRound, Tally, tally
from league.pairing.seating.large_tables import is_large, search_large_evening, search_large_round
from league.pairing.seating.round_search import RoundSearch, search_round
from league.pairing.seating.table_layout import Shape, seat_table, shape_of
from league.pairing.seating.table_sizes import LARGEST, Composition, composition

VERSION = "4"  # raised whenever the same input would give another plan
EFFORTS = ("quick", "thorough")
STEPS = {"first": 3_000, "quick": 12_000, "thorough": 200_000}
MOST_PLAYERS = 1_200  # planned in about two seconds
AHEAD = 24  # players below which a very uneven room is planned a round ahead


@dataclass(frozen=True)
class Plan:
    """A drafted round. `tables` are in seat order (0 and 2 of four are partners, 0 deals first).

    `numbers` are the table numbers of the room. `broken` names the hard constraints for which no
    seating was found. The same people, history, constraints, `seed` and `version` give the same
    plan. `cost` is what the search minimised, in hundredths of J; it compares plans of the same
    round only.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    out: tuple[PlayerId, ...]
    numbers: tuple[int, ...]
    seed: int
    version: str
    cost: int
    broken: tuple[Violation, ...]

    def played(self, age: int = 0) -> PlayedRound:
        """The round as history."""
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
    """Seat these players now.

    `sizes` is the organiser's choice of tables (see `alternatives`); those it leaves over sit out.
    Without it the policy decides. To reseat the tables that have finished, give their players and
    the table `numbers` that are free; the rest of the room is not touched.

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
    shape = _shape(people, sizes, policy)
    room = tuple(numbers) if numbers is not None else tuple(range(1, len(shape.sizes) + 1))
    if len(set(room)) != len(room) or len(room) < len(shape.sizes):
        raise PairingRefused(
            "too-few-tables",
            "%(needed)d tables are needed and %(free)d are free.",
            values={"needed": len(shape.sizes), "free": len(set(room))},
        )
    refuse_contradictions(constraints, shape.sizes, room, shape.out)
    past = tuple(history)
    count = tally(people, past)
    rng = Rng(seed)
    here = tuple(range(len(people)))
    if is_large([shape]):
        line, cost = search_large_round(shape, here, count, constraints, rng)
        return _plan(people, count, constraints, shape, room, seed, line, cost, rng)
    two = Attendance(people, (here, here), (shape, shape))
    problem = Problem(two, past, count, constraints, rng, "glance", True)
    ahead = _looks_ahead(shape) and turn_comes_first(problem) is not None
    steps = STEPS["first" if ahead else "quick"] + 40 * len(people)
    found_round = search_round(shape, here, count, constraints, rng, steps)
    if ahead and found_round.in_turn:
        looked_ahead = RoundSearch(shape, count, constraints).weigh(best_evening(problem)[2][0])
        if (looked_ahead.broken, looked_ahead.ranks) == (0, found_round.ranks):
            found_round = looked_ahead
    line, cost = found_round.line, found_round.cost
    return _plan(people, count, constraints, shape, room, seed, line, cost, rng)


def _looks_ahead(shape: Shape) -> bool:
    """Whether to plan the next round with this one, as in small rooms, over a third of them short.

    There, who sits short now decides much of who can meet whom next.
    """
    full = 4 * shape.sizes.count(4)
    return shape.nobody < AHEAD and 3 * (shape.nobody - full) > shape.nobody


def _shape(
    people: tuple[PlayerId, ...], sizes: Composition | Sequence[int] | None, policy: str
) -> Shape:
    twice = [one for one, other in pairwise(people) if one == other]
    if twice:
        raise PairingRefused("player-twice", f"{twice[0]} is named twice.", (twice[0],))
    rule = composition(len(people), policy)
    if sizes is None:
        return shape_of(rule.sizes, rule.out)
    chosen = sizes.sizes if isinstance(sizes, Composition) else tuple(sizes)
    out = len(people) - sum(chosen)
    if not chosen or not all(2 <= size <= LARGEST for size in chosen) or out < 0:
        raise PairingRefused(
            "sizes-do-not-fit",
            "Tables of %(sizes)s do not fit %(players)d players.",
            values={"sizes": ", ".join(map(str, chosen)), "players": len(people)},
        )
    return shape_of(tuple(sorted(chosen, reverse=True)), out)


def _plan(
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
    table_of = {count.index[one]: table for one, table in constraints.bound_tables().items()}
    locked = {count.index[one]: seat for one, (_, seat) in constraints.locked.items()}
    numbered = number_tables(shape.tables(line), room, table_of)
    tables = tuple(
        tuple(people[one] for one in seat_table(table, count.portions, rng, locked))
        for _, table in numbered
    )
    numbers = tuple(number for number, _ in numbered)
    out = in_order(people[one] for one in shape.outs(line))
    broken = violations(constraints, tables, out, numbers)
    return Plan(tables, out, numbers, seed, VERSION, cost, broken)


def number_tables(
    tables: list[list[int]], room: Sequence[int], table_of: dict[int, int]
) -> list[tuple[int, list[int]]]:
    """Give each table a number of the room, first where somebody keeps a table; in room order."""
    free = list(room)
    numbered: list[tuple[int, list[int]]] = []
    waiting = []
    for table in tables:
        wanted = sorted(
            {table_of[one] for one in table if one in table_of} & set(free), key=free.index
        )
        if wanted:
            free.remove(wanted[0])
            numbered.append((wanted[0], table))
        else:
            waiting.append(table)
    numbered += zip(free, waiting, strict=False)
    return sorted(numbered, key=lambda entry: list(room).index(entry[0]))


@dataclass(frozen=True)
class EveningPlan:
    """The rounds of an evening, its certificate, and the hard constraints that could not be kept.

    `way` says where it comes from: "schedule" (found beforehand or by construction), "search", or
    "turns" (searched with the small tables dealt out in turn first).
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[Plan, ...]
    certificate: Certificate
    way: str
    seed: int
    version: str

    @property
    def broken(self) -> tuple[tuple[int, Violation], ...]:
        """Round number (from 1) and constraint."""
        return tuple(
            (number, one) for number, plan in enumerate(self.rounds, 1) for one in plan.broken
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

    `presence` names first and last round (from 1) of those not there throughout. `table` is a
    club's own table of sizes (see `composition`). `level_always` prefers evenings whose small
    tables and sit-outs differ by one at most whenever it stops, even at some cost in repeats. When
    people come or go, plan again from there.

    Raises PairingRefused as `plan_round` does, and for presence outside the evening.
    """
    past = tuple(history)
    constraints = constraints or Constraints()
    plan_of = attendance(players, rounds, presence or {}, policy, table)
    most = max(len(shape.sizes) for shape in plan_of.shapes)
    room = tuple(range(1, most + 1))
    for number, shape in enumerate(plan_of.shapes):
        here = constraints.of(plan_of.names(number))
        try:
            refuse_contradictions(here, shape.sizes, room[: len(shape.sizes)], shape.out)
        except PairingRefused as refused:
            if plan_of.steady:
                raise
            sentence = f"Round {number + 1}: {refused}"
            raise PairingRefused(refused.code, sentence, refused.people) from refused
    count = tally(plan_of.people, past)
    constraints = constraints.of(plan_of.people)
    problem = Problem(plan_of, past, count, constraints, Rng(seed), effort, level_always)
    large = is_large(plan_of.shapes)
    way, cost, lines = search_large_evening(problem) if large else best_evening(problem)
    plans = _seated(plan_of, count, constraints, room, lines, seed, cost)
    proof = certificate(
        [plan.played() for plan in plans], fixed=constraints.fixed, seed=seed, version=VERSION
    )
    return EveningPlan(plan_of.people, plans, proof, way, seed, VERSION)


def _seated(
    plan_of: Attendance,
    count: Tally,
    constraints: Constraints,
    room: Sequence[int],
    lines: Lines,
    seed: int,
    cost: int,
) -> tuple[Plan, ...]:
    """Number the tables, level the deals and seats, and name what is broken."""
    people = plan_of.people
    table_of = {count.index[one]: number for one, number in constraints.bound_tables().items()}
    locked = {count.index[one]: seat for one, (_, seat) in constraints.locked.items()}
    numbered = [
        number_tables(shape.tables(line), room[: len(shape.sizes)], table_of)
        for line, shape in zip(lines, plan_of.shapes, strict=True)
    ]
    seated_rounds = seat_evening(
        [[table for _, table in tables] for tables in numbered],
        count.portions,
        locked,
        Rng(seed),
    )
    plans = []
    for tables, seated, line, shape in zip(
        numbered, seated_rounds, lines, plan_of.shapes, strict=True
    ):
        names = tuple(tuple(people[one] for one in table) for table in seated)
        out = tuple(people[one] for one in sorted(shape.outs(line)))
        order = tuple(number for number, _ in tables)
        broken = violations(constraints, names, out, order)
        plans.append(Plan(names, out, order, seed, VERSION, cost, broken))
    return tuple(plans)
