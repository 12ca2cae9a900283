"""Club nights at random: people come and go, finished tables are reseated, constraints hold.

Used by the tests (a few dozen) and by tests/benchmarks/seating.py (a thousand).
"""

import random
from dataclasses import dataclass, field
from itertools import combinations

from league.pairing import PairingRefused
from league.pairing.seating import Constraints, Plan, PlayedRound, plan_round
from tests.pairing.seating.every_way import OUT, SMALL, Room, Turns

RELEASES = 9
KINDS = ("never", "fixed", "apart_partner", "together")


@dataclass
class Night:
    """One evening: everybody's whereabouts, what was played, and what went wrong."""

    seed: int
    whole_room: bool
    constraints: Constraints
    policy: str
    here: set = field(default_factory=set)
    running: dict = field(default_factory=dict)  # table number: people
    waiting: set = field(default_factory=set)
    played: list = field(default_factory=list)
    always: set = field(default_factory=set)
    short: dict = field(default_factory=dict)
    outs: dict = field(default_factory=dict)
    last_short: set = field(default_factory=set)
    last_out: set = field(default_factory=set)
    refusals: int = 0
    broken: list = field(default_factory=list)
    passed_over: int = 0  # times a small table or sit-out went to one who had had more of it
    needless: list = field(default_factory=list)  # and releases where that need not have been

    def spread(self, of: dict) -> int:
        """The difference among those who were there from the first round to the last.

        A fixed pair always needs a table of four, and is left out.
        """
        bound = {
            one for pair in (*self.constraints.fixed, *self.constraints.together) for one in pair
        }
        counts = [of.get(one, 0) for one in self.always - bound]
        return max(counts, default=0) - min(counts, default=0)

    @property
    def wishful(self) -> bool:
        """Whether anybody asked for anything."""
        return bool(self.constraints)


def night(seed: int) -> Night:
    """Play one evening through."""
    rng = random.Random(seed)
    people = rng.randint(4, 26)
    constraints = _wishes(rng, people) if rng.random() < 0.5 else Constraints()
    policy = rng.choice(["club", "club", "no_twos", "sitout"])
    it = Night(seed, rng.random() < 0.5, constraints, policy)
    it.here = set(range(people))
    it.always = set(it.here)
    it.waiting = set(it.here)
    for release in range(RELEASES):
        if release:
            _finish(it, rng)
            _come_and_go(it, rng, people + release * 10)
        _seat(it, seed * 100 + release)
    return it


def _wishes(rng: random.Random, people: int) -> Constraints:
    if people < 12:
        return Constraints(apart_partner=((0, 1),), avoid=((2, 3),))
    return Constraints(
        never=((0, 1), (2, 3)),
        fixed=((4, 5),) if rng.random() < 0.5 else (),
        apart_partner=((6, 7),),
        together=((8, 9),) if rng.random() < 0.3 else (),
        guests=frozenset((1, 6, 10)),
    )


def _finish(it: Night, rng: random.Random) -> None:
    """Some tables end their game, always two at least where there are two."""
    many = len(it.running)
    if not it.whole_room and many > 2:
        many = rng.randint(2, many)
    for number in rng.sample(sorted(it.running), many):
        it.waiting |= set(it.running.pop(number))


def _come_and_go(it: Night, rng: random.Random, newcomer: int) -> None:
    if rng.random() < 0.4:
        it.here.add(newcomer)
        it.waiting.add(newcomer)
    if rng.random() < 0.25 and len(it.waiting) > 4:
        gone = rng.choice(sorted(it.waiting))
        it.here.discard(gone)
        it.always.discard(gone)
        it.waiting.discard(gone)


def _seat(it: Night, seed: int) -> None:
    """Reseat whoever waits; when that cannot be, as an organiser would, wait for more tables."""
    while True:
        numbers = [number for number in range(1, 20) if number not in it.running]
        try:
            plan = plan_round(
                it.waiting,
                seed=seed,
                history=it.played,
                constraints=it.constraints,
                policy=it.policy,
                numbers=numbers,
            )
        except PairingRefused:
            it.refusals += 1
            if not it.running:
                return
            it.waiting |= set(it.running.pop(min(it.running)))
            continue
        break
    _enter(it, plan)


def _enter(it: Night, plan: Plan) -> None:
    """Check the plan against the room and put it into play."""
    placed = [one for table in plan.tables for one in table] + list(plan.out)
    assert sorted(placed) == sorted(it.waiting), "somebody is seated twice or forgotten"
    playing = {one for table in it.running.values() for one in table}
    assert not playing & set(placed), "somebody plays at another table"
    it.broken += plan.broken
    it.broken += _kept(it.constraints, plan)
    small = {one for table in plan.tables if len(table) < 4 for one in table}
    _follow_turns(it, plan, small, set(placed))
    it.played.append(PlayedRound(plan.tables, plan.out))
    for number, table in zip(plan.numbers, plan.tables, strict=True):
        it.running[number] = table
    it.waiting = set(plan.out)


def _follow_turns(it: Night, plan: Plan, small: set, placed: set) -> None:
    """Count who was passed over, and whether any other seating would have spared them that."""
    given = ((small, it.short, it.last_short), (set(plan.out), it.outs, it.last_out))
    if any(Turns(had, last, placed, it.always).passing(now) for now, had, last in given):
        room = Room(placed, [len(table) for table in plan.tables], _pairs(it.constraints))
        turns = [
            Turns(had, last, room.able(kind), it.always)
            for kind, (_, had, last) in zip((SMALL, OUT), given, strict=True)
        ]
        passed = sum(len(one.passing(now)) for one, (now, _, _) in zip(turns, given, strict=True))
        it.passed_over += passed
        if passed and room.fair(*turns):
            it.needless.append(len(it.played))
    for now, had, last in given:
        last -= placed
        last |= now
        for one in now:
            had[one] = had.get(one, 0) + 1


def _pairs(constraints: Constraints) -> dict:
    return {kind: getattr(constraints, kind) for kind in KINDS}


def _kept(constraints: Constraints, plan: Plan) -> list[str]:
    """The hard constraints these tables break, counted here once more."""
    met, partners = set(), set()
    for table in plan.tables:
        met |= {frozenset(pair) for pair in combinations(table, 2)}
        if len(table) == 4:
            partners |= {frozenset(table[0::2]), frozenset(table[1::2])}
    seated = {one for table in plan.tables for one in table}
    here = seated | set(plan.out)
    pairs = {
        kind: [frozenset(pair) for pair in of_kind] for kind, of_kind in _pairs(constraints).items()
    }
    wrong = [f"{set(pair)} meet" for pair in pairs["never"] if pair in met]
    wrong += [f"{set(pair)} partner" for pair in pairs["apart_partner"] if pair in partners]
    split = [pair for pair in pairs["fixed"] if pair & seated and pair not in partners]
    wrong += [f"{set(pair)} split" for pair in split if pair <= here]
    lone = [pair for pair in pairs["together"] if pair & seated and pair not in met]
    wrong += [f"{set(pair)} apart" for pair in lone if pair <= here]
    return wrong
