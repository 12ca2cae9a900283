"""Whom to pass over when wishes stand in the way of the turns: nobody, if any seating does that."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from league.seating.chance import Chance
from league.seating.fitting import Fit, Fitting, Looks, Turn
from league.seating.groups import Ties
from league.seating.history import OUT, SHORT, Tally
from league.seating.prices import KINDS, PASSED, turn_prices
from league.seating.shapes import Shape
from league.seating.turns import Standing, standings

LOOKS = 20_000  # places looked at for somebody before the search gives up


@dataclass(frozen=True)
class Spared:
    """The fairest seating found, and the prices of seats by which it is the cheapest."""

    fit: Fit
    turn: Turn


class Sparing:
    """A room in which the small tables or sit-outs cannot all go to those whose turn it is."""

    def __init__(self, shape: Shape, here: Sequence[int], count: Tally, ties: Ties) -> None:
        self.shape, self.here, self.count, self.ties = shape, here, count, ties
        self.looks = Looks(LOOKS)

    def fairest(self, chance: Chance) -> Spared:
        """A seating that passes over nobody; without one, that with the fewest turns out of order.

        It is enough to pass over nobody of those who were here all the time, if one cannot spare
        everybody.
        """
        plain = turn_prices(self.count)
        best = Spared(self._fit(plain, Looks(LOOKS), chance), plain)
        kinds = [kinds for kinds in ((OUT,), SHORT) if set(kinds) & set(self.shape.kinds)]
        if best.fit.line is None or not kinds:
            return best
        people = {kinds: self._standings(kinds, chance) for kinds in kinds}
        for here_all_the_time in (False, True):
            found: list[tuple[int, int, Spared]] = []
            for rules in product(*(_rules(people[one], here_all_the_time) for one in kinds)):
                turn = _with_rules(plain, dict(zip(kinds, rules, strict=True)))
                must = sum(len(must) for must, _ in rules)
                fit = self._fit(turn, self.looks, chance)
                if fit.line is not None and fit.price + PASSED * must < PASSED:
                    found.append((fit.price + PASSED * must, len(found), Spared(fit, turn)))
            if found:
                return min(found)[2]
        return best

    def _fit(self, turn: Turn, looks: Looks, chance: Chance) -> Fit:
        return Fitting(self.shape, self.here, self.ties, turn, looks).search(chance)

    def _standings(self, kinds: Sequence[int], chance: Chance) -> dict[int, Standing]:
        """How those stand whom a seating that keeps every wish can give a seat of these kinds."""
        stand = standings(self.count, out=OUT in kinds)
        bound = sorted(one for group in self.ties.groups() for one in group.members)
        free = [one for one in self.here if one not in bound]
        able = {one for one in bound if self._can_have(one, kinds, chance)}
        if free and self._can_have(free[0], kinds, chance):
            able.update(free)
        return {one: stand[one] for one in sorted(able)}

    def _can_have(self, one: int, kinds: Sequence[int], chance: Chance) -> bool:
        turn = {kind: [0] * len(self.count.portions) for kind in KINDS}
        for kind in kinds:
            turn[kind][one] = -1
        return self._fit(turn, self.looks, chance).price == -1


Rule = tuple[Collection[int], Collection[int]]  # who must have it, and who must not


def _rules(people: dict[int, Standing], here_all_the_time: bool) -> Iterator[Rule]:
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
