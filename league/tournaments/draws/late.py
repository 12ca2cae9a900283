"""What it costs to let somebody into a format that is full. No database."""

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
from league.tournaments.draws.pairs import numbered, rounds_of
from league.tournaments.models import Entry, Stage
from league.tournaments.stage_state import BRACKETS, NEWCOMER, StageState


@dataclass(frozen=True, slots=True)
class LargerBracket:
    """Nobody has played yet: everybody is redrawn, into a larger bracket with byes."""

    order: tuple[int, ...]
    bracket: Bracket
    seed: int

    kind = "larger"

    @property
    def first(self) -> list[tuple[int, int]]:
        """Who meets whom at once; two that have byes may meet in the second round at once."""
        return [(int(one.first), int(one.second or 0)) for one in self.bracket.ready()]

    @property
    def byes(self) -> list[int]:
        """Who goes on without a match of the first round, in the order of the draw."""
        main = [m for m in self.bracket.matches.values() if m.part is Part.MAIN and m.round == 1]
        free = {match.winner for match in main if match.state is State.BYE}
        return [one for one in self.order if one in free]

    @property
    def seen(self) -> str:
        """Tells this draw from any other: who agrees to it says which was looked at."""
        return hashlib.sha256(",".join(map(str, self.order)).encode()).hexdigest()[:16]


def by_seed_and_lot(entries: Iterable[Entry], seed: int) -> list[int]:
    """The order of the draw: seeds first, in order, the others by lot."""
    drawn = sorted(entries, key=lambda one: (one.pk is None, one.pk))
    Rng(seed).shuffle(drawn)
    drawn.sort(key=lambda one: (one.seed is None, one.seed or 0))
    return [one.pk or NEWCOMER for one in drawn]


def draw_order(state: StageState, entries: Collection[Entry], seed: int) -> list[int]:
    """The order of the draw, in which those kept apart who have no seed are in different matches
    of a bracket's first round, or in different groups, where that can be."""
    order = by_seed_and_lot(entries, seed)
    together: Collection[Collection[int]] = ()
    if state.apart and state.stage.format in BRACKETS:
        together = first_meetings(len(order))
    elif state.apart and state.stage.format == Stage.Format.GROUPS:
        with pairing_refusals():
            together = [
                list(map(int, one)) for one in snake(range(len(order)), state.chosen.groups)
            ]
    seeded = sum(entry.seed is not None for entry in entries)
    return [int(one) for one in spread(order, together, set(state.apart), fixed=seeded)]


def larger_bracket(state: StageState, seed: int) -> LargerBracket:
    """Everybody and one entry more drawn into a larger bracket. A draft is no matter.

    Refuses (`no-place-left`) once somebody has played.
    """
    state = replace(state, rounds=state.published)
    if state.stage.format not in BRACKETS:
        raise Refused("no-place-left", _("This is not a bracket."), status=409)
    if len(state.published) != 1 or not state.untouched:
        message = _("The bracket is full and a match has started, so entry is closed.")
        raise Refused("no-place-left", message, status=409)
    order = draw_order(state, [*state.entries.values(), Entry()], seed)
    return LargerBracket(tuple(order), bracket_for(state, order), seed)


@dataclass(frozen=True, slots=True)
class RedrawnRounds:
    """The rounds to come as they would be: of all, or of one `group` by its number.

    The newcomer is `NEWCOMER` in them. `after` rounds stay as they are; of how many the stage (its
    groups) has had `before`.
    """

    group: int
    after: int
    rounds: Rounds
    before: int
    seed: int

    kind = "redraw"

    @property
    def total(self) -> int:
        """How many rounds there are then."""
        return max(self.before if self.group else 0, self.after + len(self.rounds))

    @property
    def more(self) -> int:
        """How many rounds more than without."""
        return self.total - self.before

    @property
    def seen(self) -> str:
        """Tells this draw from any other: who agrees to it says which was looked at."""
        pairs = ";".join(f"{p.first}-{p.second}" for one in self.rounds for p in one)
        return hashlib.sha256(f"{self.group},{self.after}:{pairs}".encode()).hexdigest()[:16]


FULL = ("fixtures-full", "groups-full", "groups-drawn", "no-place-left")
"""Refusals of a late entry that a redraw may overcome."""


def late_plan(state: StageState, seed: int) -> RedrawnRounds | LargerBracket:
    """How one entry more can come in where the draw is full, by this seed; refuses with the
    reason where it cannot."""
    if state.stage.format in BRACKETS:
        return larger_bracket(state, seed)
    return redraw_rounds(state, seed)


def refuse_full(state: StageState) -> None:
    """Refuse, with the reason, where there is no way to come into a full draw."""
    if state.stage.format in BRACKETS:
        larger_bracket(state, 0)
    else:
        _refuse_drawn(state)


def has_byes(state: StageState) -> bool:
    """Whether a round robin has a place left: in each round to come one pair sits out."""
    to_come = len(state.published) < rounds_of(state)
    return len(state.entries) % 2 == 1 and not state.stage.redrawn and to_come


def _with_one_more(state: StageState) -> tuple[int, ...]:
    """The group, or all of a round robin, in which one entry more takes the byes to come; empty
    where no bye is left."""
    if state.stage.format == Stage.Format.ROUND_ROBIN and has_byes(state):
        return (*numbered(state), NEWCOMER)
    if state.stage.format == Stage.Format.GROUPS and state.bracket_from is None:
        with suppress(Refused):
            return group_with_late(state)
    return ()


def missed_by_byes(state: StageState) -> list[int]:
    """Whom one more entry would never meet if it took the byes to come: whose bye is past."""
    field = _with_one_more(state)
    if not field:
        return []
    to_come = round_robin(field, double=state.chosen.twice)[len(state.published) :]
    mine = [both for one in to_come for both in one if NEWCOMER in (both.first, both.second)]
    meets = Counter(who for both in mine for who in (both.first, both.second))
    times = 2 if state.chosen.twice else 1
    return [one for one in field if one in state.playing and meets[one] < times]


def _refuse_drawn(state: StageState) -> None:
    if not state.published:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    groups = state.stage.format == Stage.Format.GROUPS and state.bracket_from is None
    if not groups and state.stage.format != Stage.Format.ROUND_ROBIN:
        message = _("The group matches are drawn, so entry is closed.")
        raise Refused("groups-drawn", message, status=409)


def redraw_rounds(state: StageState, seed: int) -> RedrawnRounds:
    """The rounds that are not published yet redrawn with one entry more; a draft is no matter.

    In groups it joins the smallest. Who has left and whose matches are struck out meets nobody.
    Refuses other formats, and groups when the bracket is drawn (`groups-drawn`).
    """
    _refuse_drawn(state)
    state = replace(state, rounds=state.published)
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        return _of(state, numbered(state), 0, rounds_of(state), seed)
    groups = groups_of(state)
    number = min(range(1, len(groups) + 1), key=lambda n: len(groups[n - 1]))
    before = len(rounds_of_groups(state))
    return _of(state, list(groups[number - 1]), number, before, seed)


def _of(state: StageState, entries: list[int], group: int, before: int, seed: int) -> RedrawnRounds:
    times = 2 if state.chosen.twice else 1
    met = [match.entries for match in state.matches if set(match.entries) <= set(entries)]
    here = _not_struck(state, entries, due=times * len(entries))
    rounds = remaining_rounds(
        [*here, NEWCOMER],
        met,
        times=times,
        byes={one: many for one, many in state.byes_had().items() if one in here},
        seed=seed,
    )
    return RedrawnRounds(group, len(state.published), rounds, before, seed)


def _not_struck(state: StageState, entries: Iterable[int], *, due: int) -> list[int]:
    """The entries but those that left before half of the matches `due`."""
    played = Counter(one for match in state.matches if match.played for one in match.entries)
    return [entry for entry in entries if entry in state.playing or 2 * played[entry] >= due]
