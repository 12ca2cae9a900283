"""Constraints on who sits with whom, their violations, and contradictions between them."""

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

    Hard constraints are kept, or reported if broken: `never` (not at one table), `fixed` (always
    partners), `apart_partner` (never partners), `together` (always at one table), `stays` (player
    to table number), `locked` (player to table number and seat 0 to 3). Soft ones are weighed
    against other costs: `avoid` (preferably not at one table), `guests` (spread over the tables).
    Table numbers are those of the room, from 1.
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
        """Return the constraints on these players; pairs are kept only if both are among them."""
        present = set(players)

        def pairs_within(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
            return tuple(pair for pair in pairs if pair[0] in present and pair[1] in present)

        return Constraints(
            never=pairs_within(self.never),
            avoid=pairs_within(self.avoid),
            fixed=pairs_within(self.fixed),
            apart_partner=pairs_within(self.apart_partner),
            together=pairs_within(self.together),
            stays={player: table for player, table in self.stays.items() if player in present},
            locked={player: place for player, place in self.locked.items() if player in present},
            guests=frozenset(self.guests & present),
        )

    def about(self, players: Collection[PlayerId]) -> Constraints:
        """Return the hard constraints that name one of these players."""

        def pairs_naming(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
            return tuple(pair for pair in pairs if pair[0] in players or pair[1] in players)

        return Constraints(
            never=pairs_naming(self.never),
            fixed=pairs_naming(self.fixed),
            apart_partner=pairs_naming(self.apart_partner),
            together=pairs_naming(self.together),
            stays={player: table for player, table in self.stays.items() if player in players},
            locked={player: place for player, place in self.locked.items() if player in players},
        )

    def people(self) -> set[PlayerId]:
        """Return all players named by a hard constraint."""
        pairs = (*self.never, *self.fixed, *self.apart_partner, *self.together)
        return {player for pair in pairs for player in pair} | {*self.stays, *self.locked}

    def bound_tables(self) -> dict[PlayerId, int]:
        """Return the players bound to a table of the room, with its number."""
        table_of = dict(self.stays)
        table_of.update({player: place[0] for player, place in self.locked.items()})
        return table_of

    def __bool__(self) -> bool:
        """Whether there is any constraint."""
        pairs = (self.never, self.avoid, self.fixed, self.apart_partner, self.together)
        return any(pairs) or bool(self.stays or self.locked or self.guests)


@dataclass(frozen=True)
class Violation:
    """A hard constraint that a plan breaks: its kind, the players, and a sentence about it."""

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
    """Return every hard constraint that these tables break.

    At a table of four, six or eight every second seat is a partner. A constraint is not broken if a
    player of it is not placed at all; players who sit out break a constraint on their table, or on
    a partner who plays.
    """
    place_of = {
        player: (number, seat, len(table))
        for number, table in zip(numbers, tables, strict=True)
        for seat, player in enumerate(table)
    }
    placed_players = set(place_of) | set(out)
    broken = []
    for kind in ("never", "fixed", "apart_partner", "together"):
        for first, second in getattr(constraints, kind):
            if {first, second} <= placed_players and not _is_pair_kept(
                kind, place_of.get(first), place_of.get(second)
            ):
                broken.append(_violation(kind, (first, second), (first, second)))
    for player in in_order(placed_players & constraints.stays.keys()):
        table = constraints.stays[player]
        if player not in place_of or place_of[player][0] != table:
            broken.append(_violation("stays", (player,), (player, table)))
    for player in in_order(placed_players & constraints.locked.keys()):
        table, seat = constraints.locked[player]
        if player not in place_of or place_of[player][:2] != (table, seat):
            broken.append(_violation("locked", (player,), (player, seat + 1, table)))
    return tuple(broken)


def _violation(kind: str, people: tuple[PlayerId, ...], facts: tuple[object, ...]) -> Violation:
    return Violation(kind, people, _SENTENCES[kind].format(*facts))


def _is_pair_kept(
    kind: str, first: tuple[int, int, int] | None, second: tuple[int, int, int] | None
) -> bool:
    if first is None or second is None:  # a fixed pair may sit out, but only together
        return kind in ("never", "apart_partner") or first is second
    is_same_table = first[0] == second[0]
    are_paired = is_same_table and are_partners(first[2], first[1], second[1])
    return {
        "never": not is_same_table,
        "fixed": are_paired,
        "apart_partner": not are_paired,
        "together": is_same_table,
    }[kind]


def refuse_contradictions(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> None:
    """Raise PairingRefused with all contradictions found for tables of these sizes.

    `constraints` are those of the players present, of whom so many sit `out`. If none is found, a
    seating may still not exist: the plan then reports the constraints it breaks.
    """
    problems = contradictions(constraints, sizes, numbers, out)
    if problems:
        people = tuple(dict.fromkeys(player for names, _ in problems for player in names))
        raise PairingRefused(
            "constraints-contradict", " ".join(sentence for _, sentence in problems), people
        )


Contradiction = tuple[tuple[PlayerId, ...], str]  # the players concerned, and the sentence


def contradictions(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int], out: int = 0
) -> list[Contradiction]:
    """Return the contradictions, each as the players concerned and a sentence."""
    problems = _self_pairs(constraints)
    if problems:
        return problems
    problems += _clashing_pairs(constraints)
    problems += _pairs_in_conflict(constraints)
    problems += _place_contradictions(constraints, sizes, numbers)
    problems += _group_contradictions(constraints, sizes, out)
    problems += _cliques_too_large(constraints, sizes, out)
    return problems


def _as_sets(pairs: Iterable[Pair]) -> set[frozenset[PlayerId]]:
    return {frozenset(pair) for pair in pairs}


def _self_pairs(constraints: Constraints) -> list[Contradiction]:
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
    never, never_partners = _as_sets(constraints.never), _as_sets(constraints.apart_partner)
    problems: list[Contradiction] = []
    for first, second in constraints.fixed:
        if frozenset((first, second)) in never | never_partners:
            sentence = f"{first} and {second} are a fixed pair and are also to be kept apart."
            problems.append(((first, second), sentence))
    for first, second in constraints.together:
        if frozenset((first, second)) in never:
            sentence = f"{first} and {second} are to sit together and are also never to meet."
            problems.append(((first, second), sentence))
    return problems


def _pairs_in_conflict(constraints: Constraints) -> list[Contradiction]:
    partners_of: dict[PlayerId, set[PlayerId]] = {}
    for first, second in constraints.fixed:
        partners_of.setdefault(first, set()).add(second)
        partners_of.setdefault(second, set()).add(first)
    problems: list[Contradiction] = []
    for player in in_order(partners_of):
        if len(partners_of[player]) > 1:
            names = in_order(partners_of[player])
            listed = " and ".join(map(str, names))
            problems.append(
                ((player, *names), f"{player} is in more than one fixed pair, with {listed}.")
            )
    return problems


def _place_contradictions(
    constraints: Constraints, sizes: Sequence[int], numbers: Sequence[int]
) -> list[Contradiction]:
    problems: list[Contradiction] = []
    table_of = constraints.bound_tables()
    taken: dict[tuple[int, int], PlayerId] = {}
    for player in in_order(table_of):
        if table_of[player] not in numbers:
            problems.append(
                ((player,), f"{player} keeps table {table_of[player]}, which is not being seated.")
            )
        if player in constraints.stays and constraints.stays[player] != table_of[player]:
            stays = constraints.stays[player]
            sentence = f"{player} keeps table {stays} and is locked to table {table_of[player]}."
            problems.append(((player,), sentence))
        place = constraints.locked.get(player)
        if place is None:
            continue
        if not 0 <= place[1] < max(sizes):
            problems.append(
                ((player,), f"{player} is locked to seat {place[1] + 1}, which no table has.")
            )
        if place in taken:
            sentence = f"{taken[place]} and {player} are locked to the same seat."
            problems.append(((taken[place], player), sentence))
        taken.setdefault(place, player)
    return problems + _locked_pair_contradictions(constraints, table_of)


def _locked_pair_contradictions(
    constraints: Constraints, table_of: dict[PlayerId, int]
) -> list[Contradiction]:
    problems: list[Contradiction] = []
    for first, second in (*constraints.fixed, *constraints.together):
        if first in table_of and second in table_of and table_of[first] != table_of[second]:
            sentence = f"{first} and {second} belong together but keep different tables."
            problems.append(((first, second), sentence))
    for first, second in constraints.never:
        if first in table_of and second in table_of and table_of[first] == table_of[second]:
            sentence = f"{first} and {second} are never to meet but keep the same table."
            problems.append(((first, second), sentence))
    for pairs, must_be_partners in ((constraints.fixed, True), (constraints.apart_partner, False)):
        for first, second in pairs:
            first_place, second_place = (
                constraints.locked.get(first),
                constraints.locked.get(second),
            )
            if not first_place or not second_place or first_place[0] != second_place[0]:
                continue
            if ((first_place[1] - second_place[1]) % 2 == 0) != must_be_partners:
                sentence = f"The seats {first} and {second} are locked to break their request."
                problems.append(((first, second), sentence))
    return problems


def _group_contradictions(
    constraints: Constraints, sizes: Sequence[int], out: int
) -> list[Contradiction]:
    """Return groups that must share a table but are too large, or include two who may not meet.

    A fixed pair may also sit out together.
    """
    problems: list[Contradiction] = []
    fours = sum(has_sides(size) for size in sizes)
    capacity = sum(2 * (size // 4) for size in sizes if has_sides(size))
    if len(_as_sets(constraints.fixed)) > capacity + out // 2:
        people = tuple(dict.fromkeys(player for pair in constraints.fixed for player in pair))
        names = ", ".join(f"{first} and {second}" for first, second in constraints.fixed)
        sentence = f"Fixed pairs need tables with partners, and there are {fours}: {names}."
        problems.append((people, sentence))
    never = _as_sets(constraints.never)
    clashes = never & _as_sets(constraints.together)
    for group in _table_groups(constraints):
        names = ", ".join(map(str, group))
        if len(group) > max(sizes):
            problems.append((group, f"{names} must all share a table, which no table can hold."))
        for index, first in enumerate(group):
            for second in group[index + 1 :]:
                pair = frozenset((first, second))
                if pair in never and pair not in clashes and len(group) > 2:
                    sentence = f"{names} must share a table, but {first} and {second} never meet."
                    problems.append((group, sentence))
    return problems


def _table_groups(constraints: Constraints) -> list[tuple[PlayerId, ...]]:
    """Return the groups of players that must share a table, by union-find over the constraints."""
    parent: dict[PlayerId, PlayerId] = {}

    def root(player: PlayerId) -> PlayerId:
        parent.setdefault(player, player)
        while parent[player] != player:
            player = parent[player]
        return player

    table_of = constraints.bound_tables()
    first_at: dict[int, PlayerId] = {}
    links = [*constraints.fixed, *constraints.together]
    for player in in_order(table_of):
        links.append((first_at.setdefault(table_of[player], player), player))
    for first, second in links:
        parent[root(second)] = root(first)
    groups: dict[PlayerId, list[PlayerId]] = {}
    for player in in_order(parent):
        groups.setdefault(root(player), []).append(player)
    return [tuple(group) for group in groups.values()]


def _cliques_too_large(
    constraints: Constraints, sizes: Sequence[int], out: int
) -> list[Contradiction]:
    """Return a group of which no two may meet and that is too large for the tables and sit-outs."""
    may_not_meet: dict[PlayerId, set[PlayerId]] = {}
    for first, second in constraints.never:
        may_not_meet.setdefault(first, set()).add(second)
        may_not_meet.setdefault(second, set()).add(first)
    for player in in_order(may_not_meet):
        clique = [player]
        for candidate in sorted(
            in_order(may_not_meet[player]),
            key=lambda name: -len(may_not_meet[name] & may_not_meet[player]),
        ):
            if all(candidate in may_not_meet[member] for member in clique):
                clique.append(candidate)
        if len(clique) > len(sizes) + out:
            names = ", ".join(map(str, in_order(clique)))
            sentence = f"{names} may none of them meet, and there are {len(sizes)} tables."
            return [(in_order(clique), sentence)]
    return []
