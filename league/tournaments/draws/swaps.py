"""Editing a draft: which entries may swap, and the faults of a draw. No database."""

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
    """Something wrong with a draw, by its `kind`.

    again     two entries meet again; they met in round `number`
    partners  two players are partners again, as in round `number`
    apart     two entries that are to be kept apart
    bye       a second bye
    early     two seeds could meet too early, with `number` entries left
    no-bye    a seed without the bye it should have
    group     two of the best seeds in one group
    """

    kind: str
    entries: frozenset[int]
    number: int = 0


@dataclass(frozen=True)
class Layout:
    """A drafted round, and the facts that decide its faults.

    `seats` has the table and position of each entry (`NO_TABLE` for a bye), `last_meetings` and
    `last_partnerships` the round in which two entries last met or were partners, `byes` the byes
    so far. `places` are positions in a bracket's first round, from the top.
    """

    seats: Mapping[int, tuple[int, int]]
    last_meetings: Mapping[frozenset[int], int] = field(default_factory=dict)
    last_partnerships: Mapping[frozenset[int], int] = field(default_factory=dict)
    apart_pairs: Collection[frozenset[int]] = ()
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
        """The number of rounds of the bracket."""
        return max(self.places.values(), default=0).bit_length()

    def swapped(self, entry: int, other: int) -> "Layout":
        """The same draw with two entries swapped."""
        return replace(
            self,
            seats=_swap_values(self.seats, entry, other),
            places=_swap_values(self.places, entry, other),
            groups=_swap_values(self.groups, entry, other),
        )

    def faults(self) -> set[Fault]:
        return {fault for entry in self.seats for fault in self.faults_of(entry)}

    def faults_of(self, entry: int) -> Iterator[Fault]:
        """All faults that concern one entry."""
        table, position = self.seats[entry]
        if table == NO_TABLE and self.byes.get(entry):
            yield Fault(BYE, frozenset((entry,)))
        table_entries = self.tables.get(table, [])
        for other in table_entries:
            pair = frozenset((entry, other))
            if pair in self.last_meetings:
                yield Fault(AGAIN, pair, self.last_meetings[pair])
            are_partners = len(table_entries) == 4 and abs(self.seats[other][1] - position) == 2
            if are_partners and pair in self.last_partnerships:
                yield Fault(PARTNERS, pair, self.last_partnerships[pair])
        for pair in self.apart_pairs:
            if entry in pair and self._is_together(pair):
                yield Fault(APART, pair)
        if entry in self.seeds:
            yield from self._seed_faults(entry)

    def _is_together(self, pair: frozenset[int]) -> bool:
        """Whether two entries meet in this round, or are in the same group."""
        tables = {entry: self.seats[entry][0] for entry in pair if entry in self.seats}
        units = {(self.groups or tables).get(entry, NO_TABLE) for entry in pair}
        return len(units) == 1 and NO_TABLE not in units

    def _seed_faults(self, entry: int) -> Iterator[Fault]:
        seed = self.seeds[entry]
        bye_count = 2**self.rounds - len(self.places) if entry in self.places else 0
        if seed <= bye_count and self.places[entry] ^ 1 in self.places.values():
            yield Fault(NO_BYE, frozenset((entry,)))
        for other, other_seed in self.seeds.items():
            if other == entry:
                continue
            pair, lower_seed = frozenset((entry, other)), max(seed, other_seed)
            if entry in self.places and other in self.places:
                # two places meet in the round given by their highest differing bit
                meeting_round = (self.places[entry] ^ self.places[other]).bit_length()
                if meeting_round < self.rounds - (lower_seed - 1).bit_length() + 1:
                    yield Fault(EARLY, pair, 2 ** (self.rounds - meeting_round + 1))
            elif lower_seed <= self.group_count and self._is_same_group(entry, other):
                yield Fault(GROUP, pair)

    def _is_same_group(self, entry: int, other: int) -> bool:
        return self.groups.get(entry) == self.groups.get(other)

    def cost(self, entry: int, other: int) -> tuple[list[Fault], list[Fault]]:
        """The faults that a swap would bring and those it would fix, the worst first."""
        before, after = (
            {*layout.faults_of(entry), *layout.faults_of(other)}
            for layout in (self, self.swapped(entry, other))
        )
        return _worst_first(after - before), _worst_first(before - after)


def layout_of(state: StageState) -> Layout:
    """The layout of a stage's draft."""
    assert state.draft is not None
    seats = {
        entry: (match.key, position)
        for match in state.draft.matches
        for position, entry in match.sides.items()
    } | {entry: (NO_TABLE, position) for position, entry in enumerate(state.draft.byes)}
    return Layout(
        seats=seats,
        last_meetings=_last_meetings(state) if state.stage.format == Format.SWISS else {},
        last_partnerships={} if state.of_pairs else _last_partnerships(state),
        apart_pairs=() if state.stage.format == Format.ROUND_ROBIN else state.apart_pairs,
        byes=state.byes_had(),
        seeds=_seed_ranks(state, seats),
        places=_bracket_places(state) if state.stage.format in BRACKETS else {},
        groups=_group_indexes(state) if state.stage.format == Format.GROUPS else {},
        group_count=state.options.groups if state.stage.format == Format.GROUPS else 0,
    )


def may_swap(state: StageState) -> bool:
    """Whether the draft can be edited: in brackets and fixtures only in the first round."""
    if state.draft is None:
        return False
    return not follows_numbers(state) or state.draft.number == 1


def follows_numbers(state: StageState) -> bool:
    """Whether all later rounds follow from the first draw, as in brackets and fixtures."""
    return state.stage.format in (*CLOSED, Format.ROUND_ROBIN)


def _swap_values(mapping: Mapping[int, Any], entry: int, other: int) -> Mapping[int, Any]:
    if entry not in mapping or other not in mapping:
        return mapping
    return {**mapping, entry: mapping[other], other: mapping[entry]}


def _worst_first(faults: Collection[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda f: (WORST.index(f.kind), f.number, sorted(f.entries)))


def _seed_ranks(state: StageState, drawn_entries: Collection[int]) -> dict[int, int]:
    """The drawn entries that have a seed, ranked from 1."""
    entries = [state.entries[key] for key in state.entries if key in drawn_entries]
    seeded = [entry for entry in entries if entry.seed is not None]
    seeded.sort(key=lambda entry: (entry.seed or 0, entry.number or 0))
    return {entry.pk: rank for rank, entry in enumerate(seeded, 1)}


def _last_meetings(state: StageState) -> dict[frozenset[int], int]:
    """The round in which two entries last met."""
    return {
        frozenset(match.entries): facts.number
        for facts in state.published
        for match in facts.matches
        if len(match.entries) == 2 and not match.is_unplayed_walkover
    }


def _last_partnerships(state: StageState) -> dict[frozenset[int], int]:
    """The round in which two individuals were last partners."""
    return {
        frozenset((match.sides[seat], match.sides[seat + 2])): facts.number
        for facts in state.published
        for match in facts.matches
        for seat in (0, 1)
        if len(match.sides) == 4
    }


def _bracket_places(state: StageState) -> dict[int, int]:
    """Each entry's place in the first round of the bracket, from the top."""
    first_round = [m for m in bracket_of(state).meetings if m.part is Part.MAIN and m.round == 1]
    return {
        int(source.entry): 2 * (meeting.number - 1) + side
        for meeting in first_round
        for side, source in enumerate((meeting.first, meeting.second))
        if source.entry is not None
    }


def _group_indexes(state: StageState) -> dict[int, int]:
    return {entry: index for index, group in enumerate(groups_of(state)) for entry in group}
