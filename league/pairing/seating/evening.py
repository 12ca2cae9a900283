"""An evening ahead: several rounds at once, by construction or by search, the better of the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import Rng
from league.pairing.seating.annealing import Stop
from league.pairing.seating.constraints import Constraints, Violation, violations
from league.pairing.seating.contradictions import refuse_contradictions
from league.pairing.seating.dealers import seat_evening
from league.pairing.seating.evening_problem import Attendance, Lines, Presence, Problem, attendance
from league.pairing.seating.evening_search import best_evening
from league.pairing.seating.fairness import Certificate, certificate
from league.pairing.seating.history import PlayedRound, Tally, tally
from league.pairing.seating.large_tables import is_large, search_large_evening
from league.pairing.seating.rounds import VERSION, Plan, number_tables


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
            (number, wish) for number, plan in enumerate(self.rounds, 1) for wish in plan.broken
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
    numbers: Sequence[int] | None = None,
    effort: str = "quick",
    level_always: bool = False,
    stop: Stop | None = None,
) -> EveningPlan:
    """Plan so many rounds for these players; with `history` of tonight, the rest of the evening.

    `presence` names first and last round (from 1) of those not there throughout. `table` is a
    club's own table of sizes (see `composition`), `numbers` the tables of the room. `level_always`
    prefers evenings whose small tables and sit-outs differ by one at most whenever it stops,
    even at some cost in repeats. When people come or go, plan again from there.

    Raises PairingRefused as `plan_round` does, and for presence outside the evening.
    """
    past = tuple(history)
    constraints = constraints or Constraints()
    plan_of = attendance(players, rounds, presence or {}, policy, table)
    most = max(len(shape.sizes) for shape in plan_of.shapes)
    room = tuple(numbers) if numbers is not None else tuple(range(1, most + 1))
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
    problem = Problem(plan_of, past, count, constraints, Rng(seed), effort, level_always, stop)
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
