"""Who sits out or sits small where requests stand in the way: every way tried, fairest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from league.pairing.rng import Rng
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.cost_matrix import (
    KINDS,
    PASSED,
    PairConstraints,
    pair_constraints,
    turn_prices,
)
from league.pairing.seating.history import OUT, SHORT, Tally
from league.pairing.seating.small_table_turns import TurnRecord, turn_records
from league.pairing.seating.table_layout import Shape

FREE = -1  # a seat that anybody may take
# The three ways to make couples of four people; couples sit at places 0 and 2, and 1 and 3.
COUPLES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))


@dataclass(frozen=True)
class Group:
    """People who sit at one table, or rest together if they may; often one alone.

    `least` is the smallest table that has what they ask for: four where there are partners among
    them, more than a seat's number where somebody is locked to it.
    """

    members: tuple[int, ...]
    least: int
    may_rest: bool


class HardConstraints:
    """The hard constraints of a room, checked table by table. People are indices of the tally."""

    def __init__(self, count: Tally, constraints: Constraints) -> None:
        self.bonds: PairConstraints = pair_constraints(constraints, count.index)
        self.keepers = {count.index[one] for one in constraints.bound_tables()}
        self.locked_seats = {
            count.index[one]: seat + 1 for one, (_, seat) in constraints.locked.items()
        }
        self.partner_of = dict(self.bonds.partners)
        self.partner_of.update({other: one for one, other in self.bonds.partners})
        self.foes: dict[int, set[int]] = {}
        for one, other in self.bonds.two_tables:
            self.foes.setdefault(one, set()).add(other)
            self.foes.setdefault(other, set()).add(one)

    def groups(self) -> list[Group]:
        """Everybody under a constraint, in the groups that stay together; hardest to seat first.

        Anyone who is in no group may sit anywhere.
        """
        bonds = self.bonds
        together = bonds.partners | bonds.one_table
        pairs = together | bonds.two_tables | bonds.not_partners
        people = self.keepers.union(*pairs)
        groups = [self._group(members) for members in _joined(people, together)]

        def conflicts(group: Group) -> int:
            return sum(len(self.foes.get(member, ())) for member in group.members)

        return sorted(groups, key=lambda one: (-len(one.members), -conflicts(one), one.members))

    def _group(self, members: tuple[int, ...]) -> Group:
        partners = any(member in self.partner_of for member in members)
        least = max(
            [4 if partners else 1, *(self.locked_seats.get(member, 1) for member in members)]
        )
        return Group(members, least, not self.keepers & set(members))

    def seated(self, members: Sequence[int], size: int) -> list[int] | None:
        """These people (and FREE seats) in an order that keeps every constraint, or None."""
        people = [*members, *[FREE] * (size - len(members))]
        here = set(members)
        if any(not here.isdisjoint(self.foes.get(member, ())) for member in members):
            return None
        if size < 4:
            return None if here & self.partner_of.keys() else people
        for order in COUPLES:
            seats = [people[place] for place in order]
            if self._couple(seats[0], seats[2]) and self._couple(seats[1], seats[3]):
                return seats
        return None

    def _couple(self, one: int, other: int) -> bool:
        """Whether these two may be partners."""
        for first, second in ((one, other), (other, one)):
            if first != FREE and self.partner_of.get(first, second) != second:
                return False
        return (min(one, other), max(one, other)) not in self.bonds.not_partners


def _joined(people: set[int], pairs: frozenset[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The people cut into groups that no pair crosses."""
    group_of = {person: {person} for person in people}
    for one, other in sorted(pairs):
        whole = group_of[one] | group_of[other]
        group_of.update(dict.fromkeys(whole, whole))
    return sorted({tuple(sorted(group)) for group in group_of.values()})


LOOKS = 20_000  # places looked at for somebody before the search gives up


@dataclass(frozen=True)
class FairSeating:
    """The fairest seating found, and the prices of seats by which it is the cheapest."""

    fit: ExactSeating
    turn: Turn


class FairTurnSearch:
    """A room in which the small tables or sit-outs cannot all go to those whose turn it is."""

    def __init__(
        self, shape: Shape, here: Sequence[int], count: Tally, hard: HardConstraints
    ) -> None:
        self.shape, self.here, self.count, self.hard = shape, here, count, hard
        self.work = WorkLimit(LOOKS)

    def fairest(self, rng: Rng) -> FairSeating:
        """A seating that passes over nobody; without one, that with the fewest turns out of order.

        It is enough to pass over nobody of those who were here all the time, if one cannot spare
        everybody.
        """
        plain = turn_prices(self.count)
        best = FairSeating(self._fit(plain, WorkLimit(LOOKS), rng), plain)
        kinds = [kinds for kinds in ((OUT,), SHORT) if set(kinds) & set(self.shape.kinds)]
        if best.fit.line is None or not kinds:
            return best
        people = {kinds: self._turn_records(kinds, rng) for kinds in kinds}
        for here_all_the_time in (False, True):
            seatings: list[tuple[int, int, FairSeating]] = []
            for rules in product(*(_rules(people[one], here_all_the_time) for one in kinds)):
                turn = _with_rules(plain, dict(zip(kinds, rules, strict=True)))
                must = sum(len(must) for must, _ in rules)
                fit = self._fit(turn, self.work, rng)
                if fit.line is not None and fit.price + PASSED * must < PASSED:
                    seatings.append(
                        (fit.price + PASSED * must, len(seatings), FairSeating(fit, turn))
                    )
            if seatings:
                return min(seatings)[2]
        return best

    def _fit(self, turn: Turn, work: WorkLimit, rng: Rng) -> ExactSeating:
        return ExactSearch(self.shape, self.here, self.hard, turn, work).search(rng)

    def _turn_records(self, kinds: Sequence[int], rng: Rng) -> dict[int, TurnRecord]:
        """How those stand who can have a seat of these kinds while every constraint is kept."""
        stand = turn_records(self.count, out=OUT in kinds)
        bound = sorted(one for group in self.hard.groups() for one in group.members)
        free = [one for one in self.here if one not in bound]
        able = {one for one in bound if self._can_have(one, kinds, rng)}
        if free and self._can_have(free[0], kinds, rng):
            able.update(free)
        return {one: stand[one] for one in sorted(able)}

    def _can_have(self, one: int, kinds: Sequence[int], rng: Rng) -> bool:
        turn = {kind: [0] * len(self.count.portions) for kind in KINDS}
        for kind in kinds:
            turn[kind][one] = -1
        return self._fit(turn, self.work, rng).price == -1


Rule = tuple[Collection[int], Collection[int]]  # who must have it, and who must not


def _rules(people: dict[int, TurnRecord], here_all_the_time: bool) -> Iterator[Rule]:
    """Every way to pass over nobody: who must have it then, and who must not.

    Of those who compare, all who have had it less often than some number must have it and none who
    have had it more often; the same for all people and those who would have it twice running.
    """
    level = {
        one
        for one, stand in people.items()
        if stand.level and (stand.always or not here_all_the_time)
    }
    times = sorted({0, *(stand.had for stand in people.values())})
    for most, again in product(times, repeat=2):
        must = {
            one
            for one, stand in people.items()
            if stand.had < again or (one in level and stand.had < most)
        }
        never = {
            one
            for one, stand in people.items()
            if (stand.again and stand.had > again) or (one in level and stand.had > most)
        }
        if not must & never:
            yield must, never


def _with_rules(plain: Turn, rules: dict[Sequence[int], Rule]) -> Turn:
    """The prices with the rules in them: a seat of its kind is worth much or costs much."""
    turn = {kind: row[:] for kind, row in plain.items()}
    for kinds, (must, never) in rules.items():
        for kind in kinds:
            for one in must:
                turn[kind][one] -= PASSED
            for one in never:
                turn[kind][one] += PASSED
    return turn


FORBIDDEN = 10**30  # the price of a seat that a constraint rules out
Claim = tuple[int, int]  # what it costs to let somebody sit out, and sit at a small table
Turn = dict[int, list[int]]  # for each size of table what it costs to put each person there


class WorkLimit:
    """How many places may still be looked at for somebody: the bound of a search's work."""

    def __init__(self, left: int) -> None:
        self.left = left


@dataclass(frozen=True)
class ExactSeating:
    """The cheapest seating that keeps every constraint; `line` is None where there is none.

    `proven` says that all others were ruled out: none is cheaper, or there is none at all. Without
    it the search gave up first.
    """

    line: list[int] | None
    price: int
    proven: bool


class ExactSearch:
    """The groups of a room are placed one after the other; everybody else fills what is left.

    A way is given up as soon as even the cheapest filling would cost as much as the best one found.
    `turn` says what a seat costs; a table of four costs nothing.
    """

    def __init__(
        self,
        shape: Shape,
        here: Sequence[int],
        hard: HardConstraints,
        turn: Turn,
        work: WorkLimit,
    ) -> None:
        self.shape, self.hard, self.turn, self.work = shape, hard, turn, work
        self.groups = hard.groups()
        bound = {one for group in self.groups for one in group.members}
        self.free = [one for one in here if one not in bound]
        # Where somebody can be: the tables, and last of all "out" as a table of size OUT.
        self.kinds = (*shape.sizes, OUT)
        self.room = [*shape.sizes, shape.out]
        self.at: list[list[int]] = [[] for _ in self.kinds]
        self.claims = self._claims()
        self.waiting = dict.fromkeys(self.claims.values(), 0)
        for one in here:
            self.waiting[self.claims[one]] += 1
        # Anyone who costs as little out as another goes out first if a small table would cost more.
        self.to_rest = sorted(self.waiting, key=lambda claim: (claim[0], -claim[1]))
        self.to_small = sorted(self.waiting, key=lambda claim: claim[1])
        self.best, self.found = FORBIDDEN, self.at
        self.least = self._filling()

    def _claims(self) -> dict[int, Claim]:
        claims = {one: self._claim(one) for one in self.free}
        for group in self.groups:
            rests = group.may_rest and len(group.members) <= self.shape.out
            for member in group.members:
                out, short = self._claim(member)
                small = short if group.least < 4 else FORBIDDEN
                claims[member] = (out if rests else FORBIDDEN, small)
        return claims

    def _claim(self, one: int) -> Claim:
        return self.turn[OUT][one], self.turn[SHORT[0]][one]

    def search(self, rng: Rng) -> ExactSeating:
        """The cheapest seating; random among people with an equal claim and no constraints."""
        self._place(0, 0)
        proven = self.work.left > 0 or self.best == self.least
        if self.best >= FORBIDDEN:
            return ExactSeating(None, FORBIDDEN, proven)
        return ExactSeating(self._line(rng), self.best, proven)

    def _place(self, number: int, spent: int) -> None:
        """Place the groups from this one on, those before it have cost so much."""
        if number == len(self.groups):
            self.best = spent + self._filling()
            self.found = [members[:] for members in self.at]
            return
        group = self.groups[number]
        for bound, where in sorted(self._choices(group, spent)):
            if bound >= self.best or not self.work.left:
                return
            self._enter(group, where, 1)
            self._place(number + 1, spent + self._price(group, where))
            self._enter(group, where, -1)

    def _choices(self, group: Group, spent: int) -> Iterator[tuple[int, int]]:
        """Where a group can go, and the least that any seating with it there costs."""
        alike = set()
        for where, kind in enumerate(self.kinds):
            if (kind, tuple(self.at[where])) in alike or not self._fits(group, where):
                continue
            if self.work.left:
                self.work.left -= 1
                alike.add((kind, tuple(self.at[where])))
                self._enter(group, where, 1)
                bound = spent + self._price(group, where) + self._filling()
                self._enter(group, where, -1)
                yield bound, where

    def _fits(self, group: Group, where: int) -> bool:
        if len(group.members) > self.room[where]:
            return False
        if self.kinds[where] == OUT:
            return group.may_rest
        members = self.at[where] + list(group.members)
        size = self.kinds[where]
        return size >= group.least and self.hard.seated(members, size) is not None

    def _price(self, group: Group, where: int) -> int:
        return sum(self.turn[self.kinds[where]][member] for member in group.members)

    def _enter(self, group: Group, where: int, step: int) -> None:
        """Put a group at a table (or out), or with -1 take the last one away again."""
        many = len(group.members)
        if step > 0:
            self.at[where] += group.members
        else:
            del self.at[where][-many:]
        self.room[where] -= step * many
        for member in group.members:
            self.waiting[self.claims[member]] -= step

    def _filling(self) -> int:
        """What it costs at least to fill the places left with those who wait, constraints aside."""
        left, price = dict(self.waiting), 0
        short = sum(room for kind, room in zip(self.kinds, self.room, strict=True) if kind in SHORT)
        for which, order, room in ((0, self.to_rest, self.room[-1]), (1, self.to_small, short)):
            for claim in order:
                many = min(room, left[claim])
                left[claim] -= many
                room -= many
                price += many * claim[which]
        return price

    def _line(self, rng: Rng) -> list[int]:
        """The best way found as a line of players, the places left filled as cheaply as counted."""
        waiting = self.free[:]
        rng.shuffle(waiting)
        waiting.sort(key=lambda one: (self.claims[one][0], -self.claims[one][1]))
        *tables, out = self.found
        resting = out + [waiting.pop(0) for _ in range(self.shape.out - len(out))]
        waiting.sort(key=lambda one: self.claims[one][1])
        seats = [
            self.hard.seated(members, size) or []
            for members, size in zip(tables, self.shape.sizes, strict=True)
        ]
        # The small tables take those who come first, and stand last in the line.
        for table in reversed(seats):
            for seat in [seat for seat, one in enumerate(table) if one == FREE]:
                table[seat] = waiting.pop(0)
        return [one for table in seats for one in table] + resting
