"""Late entries where the draw is full: a larger bracket or redrawn rounds. No database."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing import Rng
from league.pairing.formats import Rounds, first_meetings, remaining_rounds, round_robin, spread
from league.pairing.formats.groups import snake
from league.pairing.formats.knockout import Bracket, Part, State
from league.tournaments.draws.groups import group_with_late, groups_of, rounds_of_groups
from league.tournaments.draws.knockout import bracket_for
from league.tournaments.draws.rounds import entries_in_draw_order, fixture_round_count
from league.tournaments.models import Entry, Stage
from league.tournaments.stage_state import BRACKETS, NEWCOMER, StageState


@dataclass(frozen=True, slots=True)
class LargerBracket:
    """A larger bracket with byes, for which everybody is redrawn; nobody has played yet."""

    order: tuple[int, ...]
    bracket: Bracket
    seed: int

    kind = "larger"

    @property
    def first(self) -> list[tuple[int, int]]:
        """The pairings ready to play, including second-round matches between two byes."""
        return [(int(pair.first), int(pair.second or 0)) for pair in self.bracket.ready()]

    @property
    def byes(self) -> list[int]:
        """The entries without a first-round match, in the order of the draw."""
        main = [m for m in self.bracket.matches.values() if m.part is Part.MAIN and m.round == 1]
        bye_holders = {match.winner for match in main if match.state is State.BYE}
        return [entry for entry in self.order if entry in bye_holders]

    @property
    def seen(self) -> str:
        """A fingerprint of this draw, sent back to confirm exactly the draw that was seen."""
        return hashlib.sha256(",".join(map(str, self.order)).encode()).hexdigest()[:16]


def seeds_then_random(entries: Iterable[Entry], seed: int) -> list[int]:
    """The order of the draw: seeds first, in order, the other entries at random."""
    drawn = sorted(entries, key=lambda entry: (entry.pk is None, entry.pk))
    Rng(seed).shuffle(drawn)
    drawn.sort(key=lambda entry: (entry.seed is None, entry.seed or 0))
    return [entry.pk or NEWCOMER for entry in drawn]


def draw_order(state: StageState, entries: Collection[Entry], seed: int) -> list[int]:
    """The order of the draw, with entries to be kept apart spread out where possible.

    Unseeded ones go into different first-round matches of a bracket, or into different groups.
    """
    order = seeds_then_random(entries, seed)
    position_sets: Collection[Collection[int]] = ()
    if state.apart_pairs and state.stage.format in BRACKETS:
        position_sets = first_meetings(len(order))
    elif state.apart_pairs and state.stage.format == Stage.Format.GROUPS:
        with pairing_refusals():
            groups = snake(range(len(order)), state.options.groups)
            position_sets = [list(map(int, group)) for group in groups]
    seeded = sum(entry.seed is not None for entry in entries)
    spread_order = spread(order, position_sets, set(state.apart_pairs), fixed=seeded)
    return [int(entry) for entry in spread_order]


def larger_bracket(state: StageState, seed: int) -> LargerBracket:
    """All entries and one more drawn into a larger bracket. A draft is ignored.

    Refuses (`no-place-left`) once somebody has played.
    """
    state = replace(state, rounds=state.published)
    if state.stage.format not in BRACKETS:
        raise Refused("no-place-left", _("This is not a bracket."), status=409)
    if len(state.published) != 1 or not state.is_untouched:
        message = _("The bracket is full and a match has started, so entry is closed.")
        raise Refused("no-place-left", message, status=409)
    order = draw_order(state, [*state.entries.values(), Entry()], seed)
    return LargerBracket(tuple(order), bracket_for(state, order), seed)


@dataclass(frozen=True, slots=True)
class RedrawnRounds:
    """The remaining rounds with a late entry: of one `group` by its number, or of all (0).

    The late entry is `NEWCOMER` in them. The first `after` rounds stay as they are; without it
    the stage (all its groups) has `rounds_before` rounds.
    """

    group: int
    after: int
    rounds: Rounds
    rounds_before: int
    seed: int

    kind = "redraw"

    @property
    def total(self) -> int:
        """The number of rounds with the late entry."""
        return max(self.rounds_before if self.group else 0, self.after + len(self.rounds))

    @property
    def added_rounds(self) -> int:
        """How many rounds the late entry adds."""
        return self.total - self.rounds_before

    @property
    def seen(self) -> str:
        """A fingerprint of this draw, sent back to confirm exactly the draw that was seen."""
        pairs = ";".join(f"{p.first}-{p.second}" for pairings in self.rounds for p in pairings)
        return hashlib.sha256(f"{self.group},{self.after}:{pairs}".encode()).hexdigest()[:16]


FULL = ("fixtures-full", "groups-full", "groups-drawn", "no-place-left")
"""Refusals of a late entry that a redraw may overcome."""


def late_plan(state: StageState, seed: int) -> RedrawnRounds | LargerBracket:
    """How one more entry can join a full draw, by this seed; refuses if it cannot."""
    if state.stage.format in BRACKETS:
        return larger_bracket(state, seed)
    return redraw_rounds(state, seed)


def refuse_full(state: StageState) -> None:
    """Refuse, with the reason, if there is no way to join the full draw."""
    if state.stage.format in BRACKETS:
        larger_bracket(state, 0)
    else:
        _refuse_unredrawable(state)


def has_byes(state: StageState) -> bool:
    """Whether a round robin has a place left: one pair sits out in each remaining round."""
    has_rounds_left = len(state.published) < fixture_round_count(state)
    return len(state.entries) % 2 == 1 and not state.stage.redrawn and has_rounds_left


def _field_with_newcomer(state: StageState) -> tuple[int, ...]:
    """The group, or the whole round robin, in which a late entry takes the remaining byes.

    Empty if no bye is left.
    """
    if state.stage.format == Stage.Format.ROUND_ROBIN and has_byes(state):
        return (*entries_in_draw_order(state), NEWCOMER)
    if state.stage.format == Stage.Format.GROUPS and state.bracket_from is None:
        with suppress(Refused):
            return group_with_late(state)
    return ()


def missed_by_byes(state: StageState) -> list[int]:
    """Entries that a late entry, taking the remaining byes, would never meet: those whose own bye
    is over."""
    field = _field_with_newcomer(state)
    if not field:
        return []
    remaining_rounds = round_robin(field, double=state.options.twice)[len(state.published) :]
    sides = [(p.first, p.second) for pairings in remaining_rounds for p in pairings]
    meetings = Counter(entry for pair in sides if NEWCOMER in pair for entry in pair)
    times = 2 if state.options.twice else 1
    return [entry for entry in field if entry in state.active_entries and meetings[entry] < times]


def _refuse_unredrawable(state: StageState) -> None:
    if not state.published:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    in_groups = state.stage.format == Stage.Format.GROUPS and state.bracket_from is None
    if not in_groups and state.stage.format != Stage.Format.ROUND_ROBIN:
        message = _("The group matches are drawn, so entry is closed.")
        raise Refused("groups-drawn", message, status=409)


def redraw_rounds(state: StageState, seed: int) -> RedrawnRounds:
    """The unpublished rounds redrawn with one more entry; a draft is ignored.

    In groups it joins the smallest. Entries whose matches are struck out are left out. Refuses
    other formats, and groups once the bracket is drawn (`groups-drawn`).
    """
    _refuse_unredrawable(state)
    state = replace(state, rounds=state.published)
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        return _redraw(state, entries_in_draw_order(state), 0, fixture_round_count(state), seed)
    groups = groups_of(state)
    number = min(range(1, len(groups) + 1), key=lambda n: len(groups[n - 1]))
    rounds_before = len(rounds_of_groups(state))
    return _redraw(state, list(groups[number - 1]), number, rounds_before, seed)


def _redraw(
    state: StageState, entries: list[int], group: int, rounds_before: int, seed: int
) -> RedrawnRounds:
    times = 2 if state.options.twice else 1
    meetings = [match.entries for match in state.matches if set(match.entries) <= set(entries)]
    field = _without_struck(state, entries, due=times * len(entries))
    rounds = remaining_rounds(
        [*field, NEWCOMER],
        meetings,
        times=times,
        byes={entry: count for entry, count in state.byes_had().items() if entry in field},
        seed=seed,
    )
    return RedrawnRounds(group, len(state.published), rounds, rounds_before, seed)


def _without_struck(state: StageState, entries: Iterable[int], *, due: int) -> list[int]:
    """The entries without those that left before playing half of the matches `due`."""
    played_counts = Counter(
        entry for match in state.matches if match.played for entry in match.entries
    )
    return [
        entry
        for entry in entries
        if entry in state.active_entries or 2 * played_counts[entry] >= due
    ]
