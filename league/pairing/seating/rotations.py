"""Evenings that need no search: found beforehand, by construction, or cut from a rotation."""

from __future__ import annotations

from collections.abc import Sequence

from league.pairing.rng import Rng
from league.pairing.seating import schedules as known
from league.pairing.seating.composition import POLICIES, composition
from league.pairing.seating.lower_bounds import pairs
from league.pairing.seating.table_layout import Shape

Lines = list[list[int]]
TRIES = 400  # exchanges of one round tried when a rotation is cut


def ready_made(shape: Shape, rounds: int, chance: Rng) -> list[Lines]:
    """Every evening of so many rounds for this room that is at hand, with parts for players."""
    found = []
    for policy in _policies(shape):
        found += [
            known.schedule(policy, shape.nobody, rounds),
            known.schedule(policy, shape.nobody, rounds, steady=True),
        ]
        turning = known.rotation(policy, shape.nobody)
        if turning is not None:
            found.append(cut(turning, shape, rounds, chance))
    if not shape.out and set(shape.sizes) == {4}:
        found.append(known.arithmetic(len(shape.sizes), rounds))
    return [lines for lines in found if lines is not None]


def looked_for(shapes: Sequence[Shape]) -> bool:
    """Whether an evening of these very rounds has been searched for beforehand."""
    if len(set(shapes)) != 1:
        return False
    policies = _policies(shapes[0])
    return any(known.schedule(one, shapes[0].nobody, len(shapes)) for one in policies)


def _policies(shape: Shape) -> list[str]:
    """The policies under which so many players have these very tables."""
    found = []
    for policy in POLICIES:
        rule = composition(shape.nobody, policy)
        if (rule.sizes, rule.out) == (shape.sizes, shape.out):
            found.append(policy)
    return found


def cut(turning: Lines, shape: Shape, rounds: int, chance: Rng) -> Lines:
    """Choose so many rounds of a rotation: whole turns first, then those that repeat least."""
    turns, more = divmod(rounds, len(turning))
    if not more:
        return turning * turns
    chosen = list(range(len(turning)))
    chance.shuffle(chosen)
    meetings = [_meetings(line, shape) for line in turning]
    cost = _repeats([meetings[number] for number in chosen[:more]])
    for _ in range(TRIES if 1 < more < len(turning) - 1 else 0):
        inside, outside = chance.below(more), more + chance.below(len(turning) - more)
        chosen[inside], chosen[outside] = chosen[outside], chosen[inside]
        now = _repeats([meetings[number] for number in chosen[:more]])
        if now <= cost:
            cost = now
        else:
            chosen[inside], chosen[outside] = chosen[outside], chosen[inside]
    return turning * turns + [turning[number] for number in sorted(chosen[:more])]


Kept = list[tuple[int, int]]


def _meetings(line: Sequence[int], shape: Shape) -> tuple[Kept, Kept]:
    """The pairs of a round: partners, opponents."""
    partners, opponents = [], []
    for place, (mate, left, right) in enumerate(shape.mates):
        if place < mate != shape.nobody:
            partners.append(_two(line[place], line[mate]))
        for other in (left, right):
            if place < other != shape.nobody:
                opponents.append(_two(line[place], line[other]))
    return partners, opponents


def _two(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _repeats(rounds: Sequence[tuple[Kept, Kept]]) -> int:
    """Repeats weighed as in J, of partners, opponents and meetings."""
    total = 0
    for weight, kinds in ((4, (0,)), (1, (1,)), (1, (0, 1))):
        times: dict[tuple[int, int], int] = {}
        for meetings in rounds:
            for kind in kinds:
                for pair in meetings[kind]:
                    times[pair] = times.get(pair, 0) + 1
        total += weight * sum(map(pairs, times.values()))
    return total
