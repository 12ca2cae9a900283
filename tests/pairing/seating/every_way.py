"""Every way to seat a room, gone through plainly: shares no code and no idea with the planner.

People without constraints and may be put into the same kinds of places are alike, so that rooms of
thirty can be gone through as well.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

FULL, SMALL, OUT = "full", "small", "out"
EVERYWHERE = frozenset((FULL, SMALL, OUT))
Person = int | str
Pair = tuple[Person, Person]


@dataclass(frozen=True)
class Turns:
    """How often everybody has had one kind of place (small or out), and who had it last.

    `able` are those whom a legal seating can give it, `level` those of them among whom it is to be
    level: who have been here from the start.
    """

    had: Mapping[Person, int]
    last: Collection[Person]
    able: Collection[Person]
    level: Collection[Person]

    def passing(self, having: Collection[Person]) -> set[Person]:
        """Who has it though it was the turn of another who was able to have it."""
        spared = [one for one in self.able if one not in having]
        return {
            one
            for one in having
            if one in self.able and any(self._before(other, one) for other in spared)
        }

    def _before(self, other: Person, one: Person) -> bool:
        """Whether another has had it less: of those here from the start, or of all when this one
        would have it twice running."""
        less = self.had.get(other, 0) < self.had.get(one, 0)
        return less and (one in self.last or (one in self.level and other in self.level))

    def ways(self) -> Iterator[tuple[set[Person], set[Person]]]:
        """All ways to pass over nobody: who must have it, and who must not."""
        times = {one: self.had.get(one, 0) for one in self.able}
        for level, again in product(sorted({0, *times.values()}), repeat=2):
            must = {one for one in self.able if one in self.level and times[one] < level}
            must |= {one for one in self.able if times[one] < again}
            never = {one for one in self.able if one in self.level and times[one] > level}
            never |= {one for one in self.able if one in self.last and times[one] > again}
            if not must & never:
                yield must, never


class Room:
    """People, tables and hard constraints (pairs: never, fixed, apart_partner, together)."""

    def __init__(
        self,
        people: Collection[Person],
        sizes: Sequence[int],
        constraints: Mapping[str, Sequence[Pair]],
    ) -> None:
        self.people = sorted(people, key=str)
        self.sizes = tuple(sizes)
        self.out = len(self.people) - sum(sizes)
        here = set(self.people)
        self.constraints = {
            kind: {frozenset(pair) for pair in pairs if set(pair) <= here}
            for kind, pairs in constraints.items()
        }
        self.wishful = set().union(*(pair for pairs in self.constraints.values() for pair in pairs))

    def possible(self, may: Mapping[Person, frozenset[str]]) -> bool:
        """Whether any legal seating puts everybody where they may be."""
        plain = Counter(may[one] for one in self.people if one not in self.wishful)
        kinds = sorted(plain, key=sorted)

        @cache
        def fill(place: int, wishful: frozenset[Person], left: tuple[int, ...]) -> bool:
            if place > len(self.sizes):
                return True
            size = self.out if place == len(self.sizes) else self.sizes[place]
            kind = OUT if place == len(self.sizes) else FULL if size == 4 else SMALL
            ready = sorted((one for one in wishful if kind in may[one]), key=str)
            for many in range(min(size, len(ready)) + 1):
                for some in combinations(ready, many):
                    if self._legal(frozenset(some), wishful, kind, size):
                        for rest in _without(left, kinds, kind, size - many):
                            if fill(place + 1, wishful - set(some), rest):
                                return True
            return False

        wishful = frozenset(self.wishful)
        return fill(0, wishful, tuple(plain[kind] for kind in kinds))

    def _legal(
        self, some: frozenset[Person], waiting: frozenset[Person], kind: str, size: int
    ) -> bool:
        split = any(
            len(pair & some) == 1
            for kind_of in ("fixed", "together")
            for pair in self.constraints.get(kind_of, ())
        )
        if split or kind == OUT:
            return not split
        if any(pair <= some for pair in self.constraints.get("never", ())):
            return False
        fixed = [pair for pair in self.constraints.get("fixed", ()) if pair <= some]
        if size < 4:
            return not fixed
        seats = [*some, *(("anybody", number) for number in range(4 - len(some)))]
        return any(self._couples(seats, mate, fixed) for mate in seats[1:])

    def _couples(self, seats: list[Any], mate: Any, fixed: list[frozenset[Person]]) -> bool:
        """Whether the first may have this partner and the other two each other."""
        couples = {frozenset((seats[0], mate)), frozenset(seats) - {seats[0], mate}}
        return couples.isdisjoint(self.constraints.get("apart_partner", ())) and couples >= set(
            fixed
        )

    def seatable(self) -> bool:
        """Whether any seating keeps every constraint."""
        return self.possible(dict.fromkeys(self.people, EVERYWHERE))

    def able(self, kind: str) -> set[Person]:
        """Whom a legal seating can give such a place; those without constraints are alike."""
        plain = set(self.people) - self.wishful
        able = {one for one in self.wishful if self._can_have(one, kind)}
        return able | plain if plain and self._can_have(min(plain, key=str), kind) else able

    def _can_have(self, one: Person, kind: str) -> bool:
        return self.possible({**dict.fromkeys(self.people, EVERYWHERE), one: frozenset((kind,))})

    def fair(self, small: Turns, out: Turns) -> bool:
        """Whether any legal seating passes over nobody, neither at small tables nor sitting out."""
        for (short, never_short), (rest, never_rest) in product(
            list(small.ways()) if min(self.sizes) < 4 else [(set(), set())],
            list(out.ways()) if self.out else [(set(), set())],
        ):
            may = {}
            for one in self.people:
                kinds = set(EVERYWHERE)
                if one in short:
                    kinds &= {SMALL}
                if one in rest:
                    kinds &= {OUT}
                if one in never_short:
                    kinds -= {SMALL}
                if one in never_rest:
                    kinds -= {OUT}
                may[one] = frozenset(kinds)
            if all(may.values()) and self.possible(may):
                return True
        return False


def _without(
    left: tuple[int, ...], kinds: list[frozenset[str]], kind: str, many: int
) -> Iterator[tuple[int, ...]]:
    """What may be left of those without constraints when so many of them take places of a kind."""
    if not left:
        if not many:
            yield ()
        return
    most = min(many, left[0]) if kind in kinds[0] else 0
    for taken in range(most + 1):
        for rest in _without(left[1:], kinds[1:], kind, many - taken):
            yield (left[0] - taken, *rest)
