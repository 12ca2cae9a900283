"""Editing a draft: which two may swap, and what a draw then has that it should not. No database."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from league.pairing.formats.knockout import Part
from league.tournaments.draws.groups import groups_of
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Stage
from league.tournaments.stage_state import BRACKETS, CLOSED, StageState

Format = Stage.Format
AGAIN, PARTNERS, APART, BYE, EARLY, NO_BYE, GROUP = (
    "again",
    "partners",
    "apart",
    "bye",
    "early",
    "no-bye",
    "group",
)
WORST = (APART, AGAIN, PARTNERS, EARLY, NO_BYE, GROUP, BYE)
"""The kinds of faults, the worst first."""
NO_TABLE = -1


@dataclass(frozen=True, slots=True)
class Fault:
    """What a draw has that it should not: a meeting `again` or `partners` again (in round `number`
    before), two to be kept `apart`, a second `bye`, two seeds who meet too `early` (`number` are
    left then), a seed with `no-bye`, two of the best in one `group`."""

    kind: str
    entries: frozenset[int]
    number: int = 0


@dataclass(frozen=True)
class Layout:
    """A drafted round: by entry its table and position, `NO_TABLE` for a bye; and what is known.

    `places` are those of a bracket's first round from the top, `groups` the group of each entry.
    """

    seats: Mapping[int, tuple[int, int]]
    met: Mapping[frozenset[int], int] = field(default_factory=dict)
    partners: Mapping[frozenset[int], int] = field(default_factory=dict)
    apart: Collection[frozenset[int]] = ()
    byes: Mapping[int, int] = field(default_factory=dict)
    seeds: Mapping[int, int] = field(default_factory=dict)
    places: Mapping[int, int] = field(default_factory=dict)
    groups: Mapping[int, int] = field(default_factory=dict)
    group_count: int = 0

    @cached_property
    def tables(self) -> dict[int, list[int]]:
        by_table: dict[int, list[int]] = {}
        for entry, (table, _position) in self.seats.items():
            by_table.setdefault(table, []).append(entry)
        by_table.pop(NO_TABLE, None)
        return by_table

    @cached_property
    def rounds(self) -> int:
        """How many rounds the bracket has."""
        return max(self.places.values(), default=0).bit_length()

    def swapped(self, one: int, other: int) -> "Layout":
        """The same draw in which two have changed places."""
        return replace(
            self,
            seats=_exchanged(self.seats, one, other),
            places=_exchanged(self.places, one, other),
            groups=_exchanged(self.groups, one, other),
        )

    def faults(self) -> set[Fault]:
        return {fault for seat in self.seats for fault in self.faults_of(seat)}

    def faults_of(self, one: int) -> Iterator[Fault]:
        """All that is wrong for one entry."""
        table, position = self.seats[one]
        if table == NO_TABLE and self.byes.get(one):
            yield Fault(BYE, frozenset((one,)))
        sat = self.tables.get(table, [])
        for other in sat:
            both = frozenset((one, other))
            if both in self.met:
                yield Fault(AGAIN, both, self.met[both])
            partners = len(sat) == 4 and abs(self.seats[other][1] - position) == 2
            if partners and both in self.partners:
                yield Fault(PARTNERS, both, self.partners[both])
        for both in self.apart:
            if one in both and self._together(both):
                yield Fault(APART, both)
        if one in self.seeds:
            yield from self._seed_faults(one)

    def _together(self, both: frozenset[int]) -> bool:
        """Whether two meet in this round, or in groups whether they will."""
        of = self.groups or {who: self.seats[who][0] for who in both if who in self.seats}
        where = {of.get(who, NO_TABLE) for who in both}
        return len(where) == 1 and NO_TABLE not in where

    def _seed_faults(self, one: int) -> Iterator[Fault]:
        seed = self.seeds[one]
        free = 2**self.rounds - len(self.places) if one in self.places else 0
        if seed <= free and self.places[one] ^ 1 in self.places.values():
            yield Fault(NO_BYE, frozenset((one,)))
        for other, theirs in self.seeds.items():
            if other == one:
                continue
            both, lower = frozenset((one, other)), max(seed, theirs)
            if one in self.places and other in self.places:
                meet = (self.places[one] ^ self.places[other]).bit_length()
                if meet < self.rounds - (lower - 1).bit_length() + 1:
                    yield Fault(EARLY, both, 2 ** (self.rounds - meet + 1))
            elif lower <= self.group_count and self.groups.get(one) == self.groups.get(other):
                yield Fault(GROUP, both)

    def cost(self, one: int, other: int) -> tuple[list[Fault], list[Fault]]:
        """What a swap of two would bring, and what it would mend, the worst first."""
        after = self.swapped(one, other)
        now, then = (
            {fault for who in (one, other) for fault in each.faults_of(who)}
            for each in (self, after)
        )
        return _in_order(then - now), _in_order(now - then)


def layout_of(state: StageState) -> Layout:
    """The draft of a stage as it stands."""
    assert state.draft is not None
    seats = {
        entry: (match.key, position)
        for match in state.draft.matches
        for position, entry in match.sides.items()
    } | {entry: (NO_TABLE, position) for position, entry in enumerate(state.draft.byes)}
    return Layout(
        seats=seats,
        met=_met(state) if state.stage.format == Format.SWISS else {},
        partners={} if state.of_pairs else _partners(state),
        apart=() if state.stage.format == Format.ROUND_ROBIN else state.apart,
        byes=state.byes_had(),
        seeds=_seeds(state, seats),
        places=_places(state) if state.stage.format in BRACKETS else {},
        groups=_groups(state) if state.stage.format == Format.GROUPS else {},
        group_count=state.chosen.groups if state.stage.format == Format.GROUPS else 0,
    )


def may_swap(state: StageState) -> bool:
    """Whether the draft can be edited: in a bracket and in fixtures later rounds follow it."""
    if state.draft is None:
        return False
    return not follows_numbers(state) or state.draft.number == 1


def follows_numbers(state: StageState) -> bool:
    """Whether all that is drawn later follows the numbers of the draw: brackets and fixtures."""
    return state.stage.format in (*CLOSED, Format.ROUND_ROBIN)


def _exchanged(places: Mapping[int, Any], one: int, other: int) -> Mapping[int, Any]:
    if one not in places or other not in places:
        return places
    return {**places, one: places[other], other: places[one]}


def _in_order(faults: Collection[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda one: (WORST.index(one.kind), one.number, sorted(one.entries)))


def _seeds(state: StageState, drawn: Collection[int]) -> dict[int, int]:
    """Those drawn who have a seed, from 1 in their order."""
    seeded = [
        entry for entry in state.entries.values() if entry.pk in drawn and entry.seed is not None
    ]
    seeded.sort(key=lambda one: (one.seed or 0, one.number or 0))
    return {one.pk: rank for rank, one in enumerate(seeded, 1)}


def _met(state: StageState) -> dict[frozenset[int], int]:
    """Who has met whom, in which round last."""
    return {
        frozenset(match.entries): one.number
        for one in state.published
        for match in one.matches
        if len(match.entries) == 2 and match.games
    }


def _partners(state: StageState) -> dict[frozenset[int], int]:
    """Which individuals have been partners, in which round last."""
    return {
        frozenset((match.sides[place], match.sides[place + 2])): one.number
        for one in state.published
        for match in one.matches
        for place in (0, 1)
        if len(match.sides) == 4
    }


def _places(state: StageState) -> dict[int, int]:
    """Each entry's place in the first round of the bracket, from the top."""
    first = [m for m in bracket_of(state).meetings if m.part is Part.MAIN and m.round == 1]
    return {
        int(source.entry): 2 * (meeting.number - 1) + side
        for meeting in first
        for side, source in enumerate((meeting.first, meeting.second))
        if source.entry is not None
    }


def _groups(state: StageState) -> dict[int, int]:
    return {one: number for number, group in enumerate(groups_of(state)) for one in group}
