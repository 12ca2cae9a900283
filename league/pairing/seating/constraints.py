"""What people request when they are seated: who with whom, who apart, who stays in a seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from league.pairing.errors import PlayerId
from league.pairing.rng import in_order
from league.pairing.seating.history import are_partners

Pair = tuple[PlayerId, PlayerId]
Tables = Sequence[Sequence[PlayerId]]
NOWHERE: Mapping = MappingProxyType({})


@dataclass(frozen=True)
class Constraints:
    """The constraints for a round or an evening; pairs are unordered.

    Hard, kept or named: `never` (not at one table), `fixed` (always partners), `apart_partner`
    (never partners), `together` (always at one table), `stays` (player to table number), `locked`
    (player to table number and seat 0 to 3). Soft, weighed against the rest: `avoid` (rather not at
    one table), `guests` (spread over the tables). Table numbers are those of the room, from 1.
    """

    never: tuple[Pair, ...] = ()
    avoid: tuple[Pair, ...] = ()
    fixed: tuple[Pair, ...] = ()
    apart_partner: tuple[Pair, ...] = ()
    together: tuple[Pair, ...] = ()
    stays: Mapping[PlayerId, int] = field(default_factory=lambda: NOWHERE)
    locked: Mapping[PlayerId, tuple[int, int]] = field(default_factory=lambda: NOWHERE)
    guests: frozenset[PlayerId] = frozenset()

    def of(self, players: Iterable[PlayerId]) -> Constraints:
        """The constraints that concern these players only; a pair counts when both are here."""
        here = set(players)

        def both(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
            return tuple(pair for pair in pairs if pair[0] in here and pair[1] in here)

        return Constraints(
            never=both(self.never),
            avoid=both(self.avoid),
            fixed=both(self.fixed),
            apart_partner=both(self.apart_partner),
            together=both(self.together),
            stays={one: table for one, table in self.stays.items() if one in here},
            locked={one: place for one, place in self.locked.items() if one in here},
            guests=frozenset(self.guests & here),
        )

    def about(self, players: Collection[PlayerId]) -> Constraints:
        """The hard constraints that name one of these players."""

        def either(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
            return tuple(pair for pair in pairs if pair[0] in players or pair[1] in players)

        return Constraints(
            never=either(self.never),
            fixed=either(self.fixed),
            apart_partner=either(self.apart_partner),
            together=either(self.together),
            stays={one: table for one, table in self.stays.items() if one in players},
            locked={one: place for one, place in self.locked.items() if one in players},
        )

    def people(self) -> set[PlayerId]:
        """Everybody whom a hard constraint names."""
        pairs = (*self.never, *self.fixed, *self.apart_partner, *self.together)
        return {one for pair in pairs for one in pair} | {*self.stays, *self.locked}

    def bound_tables(self) -> dict[PlayerId, int]:
        """Everybody bound to a table of the room, with its number."""
        table_of = dict(self.stays)
        table_of.update({one: place[0] for one, place in self.locked.items()})
        return table_of

    def __bool__(self) -> bool:
        """Whether anybody asks for anything."""
        pairs = (self.never, self.avoid, self.fixed, self.apart_partner, self.together)
        return any(pairs) or bool(self.stays or self.locked or self.guests)


@dataclass(frozen=True)
class Violation:
    """A hard constraint that a plan breaks: its kind, who, and the sentence for the organiser."""

    kind: str
    people: tuple[PlayerId, ...]
    sentence: str


_SENTENCES = {
    "never": "{} and {} are at one table though they are never to meet.",
    "fixed": "{} and {} do not play as partners though they are a fixed pair.",
    "apart_partner": "{} and {} are partners though they are not to be.",
    "together": "{} and {} are not at one table though they asked to be.",
    "stays": "{} does not keep table {}.",
    "locked": "{} does not keep seat {} of table {}.",
}


def violations(
    constraints: Constraints, tables: Tables, out: Sequence[PlayerId], numbers: Sequence[int]
) -> tuple[Violation, ...]:
    """Every hard constraint these tables do not keep, counted from the tables themselves.

    Every second seat of a table of four, six or eight is a partner. A constraint about somebody who
    is not placed at all is not broken; one who sits out cannot keep a table or a partner who plays.
    """
    place = {
        one: (number, seat, len(table))
        for number, table in zip(numbers, tables, strict=True)
        for seat, one in enumerate(table)
    }
    here = set(place) | set(out)
    found = []
    for kind in ("never", "fixed", "apart_partner", "together"):
        for first, second in getattr(constraints, kind):
            if {first, second} <= here and not _pair_holds(
                kind, place.get(first), place.get(second)
            ):
                found.append(_name(kind, (first, second), (first, second)))
    for one in in_order(constraints.stays):
        if one in here and (one not in place or place[one][0] != constraints.stays[one]):
            found.append(_name("stays", (one,), (one, constraints.stays[one])))
    for one in in_order(constraints.locked):
        table, seat = constraints.locked[one]
        if one in here and (one not in place or place[one][:2] != (table, seat)):
            found.append(_name("locked", (one,), (one, seat + 1, table)))
    return tuple(found)


def _name(kind: str, people: tuple[PlayerId, ...], facts: tuple[object, ...]) -> Violation:
    return Violation(kind, people, _SENTENCES[kind].format(*facts))


def _pair_holds(
    kind: str, first: tuple[int, int, int] | None, second: tuple[int, int, int] | None
) -> bool:
    if first is None or second is None:  # a fixed pair may rest together, never one without other
        return kind in ("never", "apart_partner") or first is second
    same = first[0] == second[0]
    partners = same and are_partners(first[2], first[1], second[1])
    return {
        "never": not same,
        "fixed": partners,
        "apart_partner": not partners,
        "together": same,
    }[kind]
