"""Who must share a table, and whether those named for one can all sit there as they wish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.pairing.seating.constraints import Wishes
from league.pairing.seating.cost_matrix import PairWishes, pair_wishes
from league.pairing.seating.history import Tally

FREE = -1  # a chair that anybody may take
# The three ways to make couples of four people; couples sit at places 0 and 2, and 1 and 3.
COUPLES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))


@dataclass(frozen=True)
class Group:
    """People who sit at one table, or rest together if they may; often one alone.

    `least` is the smallest table that has what they ask for: four where there are partners among
    them, more than a chair's number where somebody is locked to it.
    """

    members: tuple[int, ...]
    least: int
    may_rest: bool


class Ties:
    """The hard wishes of a room, asked table by table. People are indices of the tally."""

    def __init__(self, count: Tally, wishes: Wishes) -> None:
        self.bonds: PairWishes = pair_wishes(wishes, count.index)
        self.keepers = {count.index[one] for one in wishes.tables_kept()}
        self.chairs = {count.index[one]: seat + 1 for one, (_, seat) in wishes.locked.items()}
        self.partner_of = dict(self.bonds.partners)
        self.partner_of.update({other: one for one, other in self.bonds.partners})
        self.foes: dict[int, set[int]] = {}
        for one, other in self.bonds.two_tables:
            self.foes.setdefault(one, set()).add(other)
            self.foes.setdefault(other, set()).add(one)

    def groups(self) -> list[Group]:
        """Everybody who wishes something, in the groups that stay together; hardest to seat first.

        Whoever is in no group may sit anywhere.
        """
        bonds = self.bonds
        together = bonds.partners | bonds.one_table
        pairs = together | bonds.two_tables | bonds.not_partners
        people = self.keepers.union(*pairs)
        groups = [self._group(members) for members in _joined(people, together)]

        def conflicts(group: Group) -> int:
            return sum(len(self.foes.get(one, ())) for one in group.members)

        return sorted(groups, key=lambda one: (-len(one.members), -conflicts(one), one.members))

    def _group(self, members: tuple[int, ...]) -> Group:
        partners = any(one in self.partner_of for one in members)
        least = max([4 if partners else 1, *(self.chairs.get(one, 1) for one in members)])
        return Group(members, least, not self.keepers & set(members))

    def seated(self, members: Sequence[int], size: int) -> list[int] | None:
        """These people (and FREE chairs) in an order of seats that keeps every wish, or None."""
        chairs = [*members, *[FREE] * (size - len(members))]
        here = set(members)
        if any(not here.isdisjoint(self.foes.get(one, ())) for one in members):
            return None
        if size < 4:
            return None if here & self.partner_of.keys() else chairs
        for order in COUPLES:
            seats = [chairs[place] for place in order]
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
    group_of = {one: {one} for one in people}
    for one, other in sorted(pairs):
        whole = group_of[one] | group_of[other]
        group_of.update(dict.fromkeys(whole, whole))
    return sorted({tuple(sorted(group)) for group in group_of.values()})
