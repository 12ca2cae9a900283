"""Constraints on who sits with whom, what breaks them, and those that no seating can keep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import in_order
from league.pairing.seating.history import are_partners, has_sides

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
    broken = []
    for kind in ("never", "fixed", "apart_partner", "together"):
        for first, second in getattr(constraints, kind):
            if {first, second} <= here and not _pair_holds(
                kind, place.get(first), place.get(second)
            ):
                broken.append(_name(kind, (first, second), (first, second)))
    for one in in_order(here & constraints.stays.keys()):
        table = constraints.stays[one]
        if one not in place or place[one][0] != table:
            broken.append(_name("stays", (one,), (one, table)))
    for one in in_order(here & constraints.locked.keys()):
        table, seat = constraints.locked[one]
        if one not in place or place[one][:2] != (table, seat):
            broken.append(_name("locked", (one,), (one, seat + 1, table)))
    return tuple(broken)


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


def refuse_contradictions(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> None:
    """Raise PairingRefused naming every contradiction found for tables of these sizes.

    `constraints` are those of the people present, of whom so many sit `out`. Finding none does not
    prove that a seating exists: what the search then cannot keep is named by the plan.
    """
    contradicting = contradictions(constraints, sizes, numbers, out)
    if contradicting:
        people = tuple(dict.fromkeys(one for names, _ in contradicting for one in names))
        raise PairingRefused(
            "constraints-contradict", " ".join(sentence for _, sentence in contradicting), people
        )


Contradiction = tuple[tuple[PlayerId, ...], str]


def contradictions(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> list[Contradiction]:
    """The contradictions: who is concerned, and the sentence."""
    contradicting = _pairs_with_oneself(constraints)
    if contradicting:
        return contradicting
    contradicting += _clashing_pairs(constraints)
    contradicting += _two_partners(constraints)
    contradicting += _places(constraints, sizes, numbers)
    contradicting += _crowds(constraints, sizes, out)
    contradicting += _too_many_apart(constraints, sizes, out)
    return contradicting


def _unordered(pairs: Iterable[Pair]) -> set[frozenset[PlayerId]]:
    return {frozenset(pair) for pair in pairs}


def _pairs_with_oneself(constraints: Constraints) -> list[Contradiction]:
    kinds = (
        constraints.never,
        constraints.avoid,
        constraints.fixed,
        constraints.apart_partner,
        constraints.together,
    )
    return [
        ((first,), f"{first} is named as a pair with themselves.")
        for pairs in kinds
        for first, second in pairs
        if first == second
    ]


def _clashing_pairs(constraints: Constraints) -> list[Contradiction]:
    never, apart = _unordered(constraints.never), _unordered(constraints.apart_partner)
    contradicting: list[Contradiction] = []
    for first, second in constraints.fixed:
        if frozenset((first, second)) in never | apart:
            sentence = f"{first} and {second} are a fixed pair and are also to be kept apart."
            contradicting.append(((first, second), sentence))
    for first, second in constraints.together:
        if frozenset((first, second)) in never:
            sentence = f"{first} and {second} are to sit together and are also never to meet."
            contradicting.append(((first, second), sentence))
    return contradicting


def _two_partners(constraints: Constraints) -> list[Contradiction]:
    partners: dict[PlayerId, set[PlayerId]] = {}
    for first, second in constraints.fixed:
        partners.setdefault(first, set()).add(second)
        partners.setdefault(second, set()).add(first)
    contradicting: list[Contradiction] = []
    for one in in_order(partners):
        if len(partners[one]) > 1:
            names = in_order(partners[one])
            listed = " and ".join(map(str, names))
            contradicting.append(
                ((one, *names), f"{one} is in more than one fixed pair, with {listed}.")
            )
    return contradicting


def _places(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int]
) -> list[Contradiction]:
    contradicting: list[Contradiction] = []
    table_of = constraints.bound_tables()
    taken: dict[tuple[int, int], PlayerId] = {}
    for one in in_order(table_of):
        if table_of[one] not in numbers:
            contradicting.append(
                ((one,), f"{one} keeps table {table_of[one]}, which is not being seated.")
            )
        if one in constraints.stays and constraints.stays[one] != table_of[one]:
            stays = constraints.stays[one]
            sentence = f"{one} keeps table {stays} and is locked to table {table_of[one]}."
            contradicting.append(((one,), sentence))
        place = constraints.locked.get(one)
        if place is None:
            continue
        if not 0 <= place[1] < max(sizes):
            contradicting.append(
                ((one,), f"{one} is locked to seat {place[1] + 1}, which no table has.")
            )
        if place in taken:
            sentence = f"{taken[place]} and {one} are locked to the same seat."
            contradicting.append(((taken[place], one), sentence))
        taken.setdefault(place, one)
    return contradicting + _locked_pairs(constraints, table_of)


def _locked_pairs(constraints: Constraints, table_of: dict[PlayerId, int]) -> list[Contradiction]:
    contradicting: list[Contradiction] = []
    for first, second in (*constraints.fixed, *constraints.together):
        if first in table_of and second in table_of and table_of[first] != table_of[second]:
            sentence = f"{first} and {second} belong together but keep different tables."
            contradicting.append(((first, second), sentence))
    for first, second in constraints.never:
        if first in table_of and second in table_of and table_of[first] == table_of[second]:
            sentence = f"{first} and {second} are never to meet but keep the same table."
            contradicting.append(((first, second), sentence))
    for pairs, partners in ((constraints.fixed, True), (constraints.apart_partner, False)):
        for first, second in pairs:
            one, other = constraints.locked.get(first), constraints.locked.get(second)
            if not one or not other or one[0] != other[0]:
                continue
            if ((one[1] - other[1]) % 2 == 0) != partners:
                sentence = f"The seats {first} and {second} are locked to break their request."
                contradicting.append(((first, second), sentence))
    return contradicting


def _crowds(constraints: Constraints, sizes: Sequence[int], out: int) -> list[Contradiction]:
    """Groups that must share a table and are too many for it, or hold two who may not meet.

    A fixed pair may also sit out together.
    """
    contradicting: list[Contradiction] = []
    fours = sum(has_sides(size) for size in sizes)
    hold = sum(2 * (size // 4) for size in sizes if has_sides(size))
    if len(_unordered(constraints.fixed)) > hold + out // 2:
        people = tuple(dict.fromkeys(one for pair in constraints.fixed for one in pair))
        names = ", ".join(f"{first} and {second}" for first, second in constraints.fixed)
        sentence = f"Fixed pairs need tables with partners, and there are {fours}: {names}."
        contradicting.append((people, sentence))
    never = _unordered(constraints.never)
    clashes = never & _unordered(constraints.together)
    for group in _groups(constraints):
        names = ", ".join(map(str, group))
        if len(group) > max(sizes):
            contradicting.append(
                (group, f"{names} must all share a table, which no table can hold.")
            )
        for index, first in enumerate(group):
            for second in group[index + 1 :]:
                pair = frozenset((first, second))
                if pair in never and pair not in clashes and len(group) > 2:
                    sentence = f"{names} must share a table, but {first} and {second} never meet."
                    contradicting.append((group, sentence))
    return contradicting


def _groups(constraints: Constraints) -> list[tuple[PlayerId, ...]]:
    """Everybody bound to share one table, by fixed pairs, constraints and tables kept."""
    label: dict[PlayerId, PlayerId] = {}

    def head(one: PlayerId) -> PlayerId:
        label.setdefault(one, one)
        while label[one] != one:
            one = label[one]
        return one

    table_of = constraints.bound_tables()
    first_at: dict[int, PlayerId] = {}
    bound = [*constraints.fixed, *constraints.together]
    for one in in_order(table_of):
        bound.append((first_at.setdefault(table_of[one], one), one))
    for first, second in bound:
        label[head(second)] = head(first)
    groups: dict[PlayerId, list[PlayerId]] = {}
    for one in in_order(label):
        groups.setdefault(head(one), []).append(one)
    return [tuple(group) for group in groups.values()]


def _too_many_apart(
    constraints: Constraints, sizes: Sequence[int], out: int
) -> list[Contradiction]:
    """People of whom no two may meet, and more of them than tables and people who sit out."""
    apart: dict[PlayerId, set[PlayerId]] = {}
    for first, second in constraints.never:
        apart.setdefault(first, set()).add(second)
        apart.setdefault(second, set()).add(first)
    for one in in_order(apart):
        crowd = [one]
        for other in sorted(in_order(apart[one]), key=lambda name: -len(apart[name] & apart[one])):
            if all(other in apart[member] for member in crowd):
                crowd.append(other)
        if len(crowd) > len(sizes) + out:
            names = ", ".join(map(str, in_order(crowd)))
            sentence = f"{names} may none of them meet, and there are {len(sizes)} tables."
            return [(in_order(crowd), sentence)]
    return []
