"""Groups, then a knock-out of the best of each group: first the fixtures, then the bracket."""

from copy import copy
from dataclasses import replace

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing.formats import Rounds, round_robin
from league.pairing.formats.groups import (
    add_to_group,
    knockout_seeds,
    side_by_side,
    snake,
    with_late,
)
from league.tournaments.draws.knockout import bracket_for, drawn_bracket
from league.tournaments.draws.rounds import entries_in_draw_order, round_of_fixtures
from league.tournaments.models import Stage
from league.tournaments.stage_state import (
    NEWCOMER,
    RoundDraw,
    Sizes,
    StageState,
    group_joined,
    redrawn_rounds,
)
from league.tournaments.standing import matches_due, matches_played, standing_of, struck_out

Groups = tuple[tuple[int, ...], ...]


def groups_then_knockout(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """The next round of all groups in parallel; once they are done, of the bracket."""
    number = len(state.published)
    rounds = rounds_of_groups(state)
    if number < len(rounds):
        return round_of_fixtures(state, rounds[number], withdrawn_early(state))
    if state.bracket_from is not None:
        return drawn_bracket(state, bracket_for(state, state.cards[0]["players"]))
    players = list(qualifiers(state))
    card = {"from": number + 1, "to": number + 1, "players": players, "seed": seed}
    return replace(drawn_bracket(state, bracket_for(state, players)), card=card)


def rounds_of_groups(state: StageState) -> Rounds:
    """The fixtures of all groups; for a redrawn group only the rounds since the redraw."""
    return side_by_side(
        [
            redrawn_rounds(state, number) or round_robin(group, double=state.options.twice)
            for number, group in enumerate(groups_of(state), 1)
        ]
    )


def groups_of(state: StageState) -> Groups:
    """The groups, balanced by the seeding.

    A late entry takes the place of a bye, or joins the group whose remaining rounds were redrawn
    for it.
    """
    order = entries_in_draw_order(state)
    late_entries = [entry for entry in order if state.entries[entry].late]
    with pairing_refusals():
        on_time = [entry for entry in order if entry not in late_entries]
        groups = snake(on_time, state.options.groups)
        redrawn_groups: set[int] = set()
        for entry in late_entries:
            number = group_joined(state, entry)
            if number is None:
                groups = with_late(groups, [entry], full=redrawn_groups)
            else:
                redrawn_groups.add(number)
                groups = add_to_group(groups, entry, number)
    return tuple(tuple(int(entry) for entry in group) for group in groups)


def group_with_late(state: StageState) -> tuple[int, ...]:
    """The group in which a late entry takes the place of the bye, including `NEWCOMER`.

    Refuses if no group has a bye left, or if that group has played all its rounds.
    """
    full_groups = {n for n in range(1, state.options.groups + 1) if redrawn_rounds(state, n)}
    with pairing_refusals():
        groups = with_late(groups_of(state), [NEWCOMER], full=full_groups)
    joined_group = next(group for group in groups if NEWCOMER in group)
    if len(state.published) >= len(round_robin(joined_group, double=state.options.twice)):
        message = _("The group matches are drawn, so entry is closed.")
        raise Refused("groups-drawn", message, status=409)
    return tuple(int(entry) for entry in joined_group)


def group_states(state: StageState) -> list[StageState]:
    """Each group as a separate round robin."""
    return [_group_state(state, number, group) for number, group in enumerate(groups_of(state), 1)]


def fixtures_played(state: StageState) -> dict[int, tuple[int, int]]:
    """The matches played and due for each entry of a round robin or a group.

    Empty once the bracket is drawn, and for other formats.
    """
    round_robins = []
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        round_robins = [state]
    elif state.stage.format == Stage.Format.GROUPS and state.bracket_from is None:
        round_robins = group_states(state)
    return {
        entry: (matches_played(part, entry), matches_due(part))
        for part in round_robins
        for entry in part.entries
    }


def qualifiers(state: StageState) -> tuple[int, ...]:
    """The entries that go through to the bracket, in seeding order, without those that have left.

    Every group sends the same number: if a group has too few entries left, the others send fewer.
    """
    rankings = [
        tuple(line.who for line in standing_of(group).lines if line.who in state.active_entries)
        for group in group_states(state)
    ]
    rankings = [ranking for ranking in rankings if ranking]
    through = min([state.options.through, *map(len, rankings)])
    with pairing_refusals():
        seeds = knockout_seeds(tuple(rankings), through)
    return tuple(int(entry) for entry in seeds)


def _group_state(state: StageState, number: int, group: tuple[int, ...]) -> StageState:
    stage = copy(state.stage)
    stage.format = Stage.Format.ROUND_ROBIN
    rounds = tuple(
        replace(
            facts,
            matches=tuple(match for match in facts.matches if match.group == number),
            byes=tuple(entry for entry in facts.byes if entry in group),
        )
        for facts in state.rounds
    )
    entries = {key: state.entries[key] for key in group}
    return replace(state, stage=stage, entries=entries, rounds=rounds)


def withdrawn_early(state: StageState) -> frozenset[int]:
    """The entries that left a round robin, or their group, before half their matches."""
    has_groups = state.stage.format == Stage.Format.GROUPS
    round_robins = group_states(state) if has_groups else [state]
    return frozenset(entry for part in round_robins for entry in struck_out(part))
