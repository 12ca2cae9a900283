"""An exact search for who sits out or at small tables when constraints interfere with turns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from league.pairing.rng import Rng
from league.pairing.seating.annealing import (
    KINDS,
    PASSED_OVER,
    PairConstraints,
    pair_constraints,
    turn_cost_rows,
)
from league.pairing.seating.constraints import Constraints
from league.pairing.seating.history import OUT, SHORT, Tally
from league.pairing.seating.small_table_turns import TurnRecord, turn_records
from league.pairing.seating.table_layout import Shape

FREE = -1  # a seat that any player may take
# The three ways to make couples of four players; couples sit at places 0 and 2, and 1 and 3.
COUPLES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))


@dataclass(frozen=True)
class Group:
    """Players who sit at one table, or sit out together if they may; often a single player.

    `smallest_table` is the smallest table size they can have: four if there are partners among
    them, and large enough for their locked seats.
    """

    members: tuple[int, ...]
    smallest_table: int
    may_sit_out: bool


class HardConstraints:
    """The hard constraints of a room, checked table by table. Players are indices of the tally."""

    def __init__(self, count: Tally, constraints: Constraints) -> None:
        self.pairs: PairConstraints = pair_constraints(constraints, count.index)
        self.bound_players = {count.index[player] for player in constraints.bound_tables()}
        self.locked_seats = {
            count.index[player]: seat + 1 for player, (_, seat) in constraints.locked.items()
        }
        self.partner_of = dict(self.pairs.partners)
        self.partner_of.update({second: first for first, second in self.pairs.partners})
        self.foes: dict[int, set[int]] = {}
        for first, second in self.pairs.two_tables:
            self.foes.setdefault(first, set()).add(second)
            self.foes.setdefault(second, set()).add(first)

    def groups(self) -> list[Group]:
        """Return the players under a constraint in groups that stay together, the hardest first.

        Players in no group may sit anywhere.
        """
        together = self.pairs.partners | self.pairs.one_table
        all_pairs = together | self.pairs.two_tables | self.pairs.not_partners
        players = self.bound_players.union(*all_pairs)
        groups = [self._group(members) for members in _linked_groups(players, together)]

        def conflicts(group: Group) -> int:
            return sum(len(self.foes.get(member, ())) for member in group.members)

        return sorted(groups, key=lambda g: (-len(g.members), -conflicts(g), g.members))

    def _group(self, members: tuple[int, ...]) -> Group:
        has_partners = any(member in self.partner_of for member in members)
        smallest_table = max(
            [4 if has_partners else 1, *(self.locked_seats.get(member, 1) for member in members)]
        )
        return Group(members, smallest_table, not self.bound_players & set(members))

    def seat_group(self, members: Sequence[int], size: int) -> list[int] | None:
        """Return the members and FREE seats in an order that keeps every constraint, or None."""
        players = [*members, *[FREE] * (size - len(members))]
        group = set(members)
        if any(not group.isdisjoint(self.foes.get(member, ())) for member in members):
            return None
        if size < 4:
            return None if group & self.partner_of.keys() else players
        for order in COUPLES:
            a, b, c, d = (players[place] for place in order)
            if self._may_be_partners(a, c) and self._may_be_partners(b, d):
                return [a, b, c, d]
        return None

    def _may_be_partners(self, first: int, second: int) -> bool:
        for player, partner in ((first, second), (second, first)):
            if player != FREE and self.partner_of.get(player, partner) != partner:
                return False
        return (min(first, second), max(first, second)) not in self.pairs.not_partners


def _linked_groups(players: set[int], pairs: frozenset[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the players in groups that no pair crosses."""
    group_of = {player: {player} for player in players}
    for first, second in sorted(pairs):
        merged = group_of[first] | group_of[second]
        group_of.update(dict.fromkeys(merged, merged))
    return sorted({tuple(sorted(group)) for group in group_of.values()})


MAX_WORK = 20_000  # placements tried before the search gives up


@dataclass(frozen=True)
class FairSeating:
    """The fairest seating found, and the turn costs for which it is the cheapest."""

    seating: ExactSeating
    turn_costs: Turn


class FairTurnSearch:
    """Searches a room in which constraints do not let all small tables or sit-outs go by turn."""

    def __init__(
        self, shape: Shape, present: Sequence[int], count: Tally, hard: HardConstraints
    ) -> None:
        self.shape, self.present, self.count, self.hard = shape, present, count, hard
        self.work = WorkLimit(MAX_WORK)

    def fairest(self, rng: Rng) -> FairSeating:
        """Return a seating that passes over nobody.

        If there is none, return one that passes over none of the players who have always been
        present, or else the one with the fewest turns out of order.
        """
        plain_costs = turn_cost_rows(self.count)
        cheapest = self._cheapest_seating(plain_costs, WorkLimit(MAX_WORK), rng)
        best = FairSeating(cheapest, plain_costs)
        kinds = [kinds for kinds in ((OUT,), SHORT) if set(kinds) & set(self.shape.kinds)]
        if cheapest.line is None or not kinds:
            return best
        records = [self._turn_records(each, rng) for each in kinds]
        for only_always_present in (False, True):
            seatings: list[tuple[int, int, FairSeating]] = []
            for rules in product(*(_turn_rules(each, only_always_present) for each in records)):
                turn_costs = _costs_with_rules(plain_costs, dict(zip(kinds, rules, strict=True)))
                seating = self._cheapest_seating(turn_costs, self.work, rng)
                # Each player who must have a seat earns PASSED_OVER if they get it.
                cost = seating.cost + PASSED_OVER * sum(len(must_have) for must_have, _ in rules)
                if seating.line is not None and cost < PASSED_OVER:
                    seatings.append((cost, len(seatings), FairSeating(seating, turn_costs)))
            if seatings:
                return min(seatings)[2]
        return best

    def _cheapest_seating(self, turn_costs: Turn, work: WorkLimit, rng: Rng) -> ExactSeating:
        return ExactSearch(self.shape, self.present, self.hard, turn_costs, work).search(rng)

    def _turn_records(self, kinds: Sequence[int], rng: Rng) -> dict[int, TurnRecord]:
        """Return the records of the players who can have these seats with all constraints kept."""
        records = turn_records(self.count, out=OUT in kinds)
        constrained = sorted(player for group in self.hard.groups() for player in group.members)
        unconstrained = [player for player in self.present if player not in constrained]
        eligible = {player for player in constrained if self._is_eligible(player, kinds, rng)}
        if unconstrained and self._is_eligible(unconstrained[0], kinds, rng):
            eligible.update(unconstrained)
        return {player: records[player] for player in sorted(eligible)}

    def _is_eligible(self, player: int, kinds: Sequence[int], rng: Rng) -> bool:
        turn_costs = {kind: [0] * len(self.count.portions) for kind in KINDS}
        for kind in kinds:
            turn_costs[kind][player] = -1
        return self._cheapest_seating(turn_costs, self.work, rng).cost == -1


TurnRule = tuple[Collection[int], Collection[int]]  # who must have it, and who must not


def _turn_rules(records: dict[int, TurnRecord], only_always_present: bool) -> Iterator[TurnRule]:
    """Yield every way to pass over nobody, as the players who must have it and who must not.

    Among comparable players, all who have had it less often than some number must have it, and
    nobody who has had it more often. The same holds between all players and those who would have it
    twice running.
    """
    comparable = {
        player
        for player, record in records.items()
        if record.level and (record.always or not only_always_present)
    }
    times = sorted({0, *(record.had for record in records.values())})
    for most_had, again_had in product(times, repeat=2):
        must_have = {
            player
            for player, record in records.items()
            if record.had < again_had or (player in comparable and record.had < most_had)
        }
        must_not_have = {
            player
            for player, record in records.items()
            if (record.again and record.had > again_had)
            or (player in comparable and record.had > most_had)
        }
        if not must_have & must_not_have:
            yield must_have, must_not_have


def _costs_with_rules(plain_costs: Turn, rules: dict[Sequence[int], TurnRule]) -> Turn:
    """Return the turn costs with the rules added, as large gains and costs."""
    turn_costs = {kind: row[:] for kind, row in plain_costs.items()}
    for kinds, (must_have, must_not_have) in rules.items():
        for kind in kinds:
            for player in must_have:
                turn_costs[kind][player] -= PASSED_OVER
            for player in must_not_have:
                turn_costs[kind][player] += PASSED_OVER
    return turn_costs


FORBIDDEN = 10**30  # the cost of a seat that a constraint rules out
Claim = tuple[int, int]  # the costs of letting a player sit out, and sit at a small table
Turn = dict[int, list[int]]  # by table size, the cost of placing each player there


class WorkLimit:
    """The number of placements that a search may still try."""

    def __init__(self, left: int) -> None:
        self.left = left


@dataclass(frozen=True)
class ExactSeating:
    """The cheapest seating that keeps every constraint; `line` is None if there is none.

    If `is_proven`, the search was complete: no other is cheaper, or there is none. Otherwise it
    gave up first.
    """

    line: list[int] | None
    cost: int
    is_proven: bool


class ExactSearch:
    """A branch and bound search: groups are placed one by one, other players fill the rest.

    A branch is cut when even the cheapest filling would cost as much as the best seating found.
    `turn_costs` holds the costs of the seats; a table of four costs nothing.
    """

    def __init__(
        self,
        shape: Shape,
        present: Sequence[int],
        hard: HardConstraints,
        turn_costs: Turn,
        work: WorkLimit,
    ) -> None:
        self.shape, self.hard, self.turn_costs, self.work = shape, hard, turn_costs, work
        self.groups = hard.groups()
        constrained = {player for group in self.groups for player in group.members}
        self.unconstrained = [player for player in present if player not in constrained]
        # The places to be: the tables, and last "out" as a table of size OUT.
        self.kinds = (*shape.sizes, OUT)
        self.room = [*shape.sizes, shape.out]
        self.placed: list[list[int]] = [[] for _ in self.kinds]
        self.claims = self._claims()
        self.unplaced = dict.fromkeys(self.claims.values(), 0)
        for player in present:
            self.unplaced[self.claims[player]] += 1
        # Of players who cost the same out, the one who costs more at a small table goes out first.
        self.out_order = sorted(self.unplaced, key=lambda claim: (claim[0], -claim[1]))
        self.short_order = sorted(self.unplaced, key=lambda claim: claim[1])
        self.best, self.best_placed = FORBIDDEN, self.placed
        self.least = self._filling_cost()

    def _claims(self) -> dict[int, Claim]:
        claims = {player: self._claim(player) for player in self.unconstrained}
        for group in self.groups:
            can_sit_out = group.may_sit_out and len(group.members) <= self.shape.out
            for member in group.members:
                out_cost, short_cost = self._claim(member)
                claims[member] = (
                    out_cost if can_sit_out else FORBIDDEN,
                    short_cost if group.smallest_table < 4 else FORBIDDEN,
                )
        return claims

    def _claim(self, player: int) -> Claim:
        return self.turn_costs[OUT][player], self.turn_costs[SHORT[0]][player]

    def search(self, rng: Rng) -> ExactSeating:
        """Return the cheapest seating, random among unconstrained players with equal claims."""
        self._place(0, 0)
        is_proven = self.work.left > 0 or self.best == self.least
        if self.best >= FORBIDDEN:
            return ExactSeating(None, FORBIDDEN, is_proven)
        return ExactSeating(self._best_line(rng), self.best, is_proven)

    def _place(self, number: int, spent: int) -> None:
        """Place the groups from this number on; those before have cost `spent`."""
        if number == len(self.groups):
            self.best = spent + self._filling_cost()
            self.best_placed = [members[:] for members in self.placed]
            return
        group = self.groups[number]
        for bound, place_index in sorted(self._choices(group, spent)):
            if bound >= self.best or not self.work.left:
                return
            self._place_group(group, place_index, 1)
            self._place(number + 1, spent + self._group_cost(group, place_index))
            self._place_group(group, place_index, -1)

    def _choices(self, group: Group, spent: int) -> Iterator[tuple[int, int]]:
        """Yield where a group can go, each with a lower bound on the cost of such seatings."""
        tried = set()
        for place_index, kind in enumerate(self.kinds):
            state = (kind, tuple(self.placed[place_index]))
            if state in tried or not self._fits(group, place_index):
                continue
            if self.work.left:
                self.work.left -= 1
                tried.add(state)
                self._place_group(group, place_index, 1)
                bound = spent + self._group_cost(group, place_index) + self._filling_cost()
                self._place_group(group, place_index, -1)
                yield bound, place_index

    def _fits(self, group: Group, place_index: int) -> bool:
        if len(group.members) > self.room[place_index]:
            return False
        if self.kinds[place_index] == OUT:
            return group.may_sit_out
        members = self.placed[place_index] + list(group.members)
        size = self.kinds[place_index]
        return size >= group.smallest_table and self.hard.seat_group(members, size) is not None

    def _group_cost(self, group: Group, place_index: int) -> int:
        return sum(self.turn_costs[self.kinds[place_index]][member] for member in group.members)

    def _place_group(self, group: Group, place_index: int, step: int) -> None:
        """Place a group at a table (or out), or with -1 remove the last one."""
        size = len(group.members)
        if step > 0:
            self.placed[place_index] += group.members
        else:
            del self.placed[place_index][-size:]
        self.room[place_index] -= step * size
        for member in group.members:
            self.unplaced[self.claims[member]] -= step

    def _filling_cost(self) -> int:
        """Return the least cost of filling the free places, ignoring constraints."""
        left, cost = dict(self.unplaced), 0
        short = sum(room for kind, room in zip(self.kinds, self.room, strict=True) if kind in SHORT)
        fillings = ((0, self.out_order, self.room[-1]), (1, self.short_order, short))
        for claim_index, order, room in fillings:
            for claim in order:
                placed = min(room, left[claim])
                left[claim] -= placed
                room -= placed
                cost += placed * claim[claim_index]
        return cost

    def _best_line(self, rng: Rng) -> list[int]:
        """Return the best seating as a line of players, the free places filled at least cost."""
        queue = self.unconstrained[:]
        rng.shuffle(queue)
        queue.sort(key=lambda player: (self.claims[player][0], -self.claims[player][1]))
        *tables, out = self.best_placed
        sitting_out = out + [queue.pop(0) for _ in range(self.shape.out - len(out))]
        queue.sort(key=lambda player: self.claims[player][1])
        seats = [
            self.hard.seat_group(members, size) or []
            for members, size in zip(tables, self.shape.sizes, strict=True)
        ]
        # The small tables take the first players, and come last in the line.
        for table in reversed(seats):
            for seat in [seat for seat, player in enumerate(table) if player == FREE]:
                table[seat] = queue.pop(0)
        return [player for table in seats for player in table] + sitting_out
