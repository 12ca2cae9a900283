"""Groups, then a knock-out of the best of each: first the fixtures, then the bracket."""

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
from league.tournaments.draws.pairs import numbered, round_of_fixtures
from league.tournaments.models import Stage
from league.tournaments.stage_state import (
    NEWCOMER,
    Drawn,
    Sizes,
    StageState,
    group_joined,
    redrawn_rounds,
)
from league.tournaments.standing import matches_due, matches_played, standing_of, struck_out

Groups = tuple[tuple[int, ...], ...]


def groups_then_knockout(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """The next round of all groups side by side; when they are done, of the bracket."""
    number = len(state.published)
    rounds = rounds_of_groups(state)
    if number < len(rounds):
        return round_of_fixtures(state, rounds[number], struck_in(state))
    if state.bracket_from is not None:
        return drawn_bracket(state, bracket_for(state, state.cards[0]["players"]))
    players = list(seeds_of(state))
    card = {"from": number + 1, "to": number + 1, "players": players, "seed": seed}
    return replace(drawn_bracket(state, bracket_for(state, players)), card=card)


def rounds_of_groups(state: StageState) -> Rounds:
    """The fixtures of all groups; of a group redrawn only the rounds since then."""
    return side_by_side(
        [
            redrawn_rounds(state, number) or round_robin(group, double=state.chosen.twice)
            for number, group in enumerate(groups_of(state), 1)
        ]
    )


def groups_of(state: StageState) -> Groups:
    """The groups, of even strength by the seeding. Who came late is in the place of a bye, or in
    the group whose rounds to come were redrawn for them."""
    order = numbered(state)
    late = [one for one in order if state.entries[one].late]
    with pairing_refusals():
        made = snake([one for one in order if one not in late], state.chosen.groups)
        redraw_rounds: set[int] = set()
        for one in late:
            group = group_joined(state, one)
            if group is None:
                made = with_late(made, [one], full=redraw_rounds)
            else:
                redraw_rounds.add(group)
                made = add_to_group(made, one, group)
    return tuple(tuple(int(one) for one in group) for group in made)


def group_with_late(state: StageState) -> tuple[int, ...]:
    """The group in which one more entry takes the place of the bye, with it.

    Refuses where no group has a bye to give up, or that group is played out.
    """
    full = {n for n in range(1, state.chosen.groups + 1) if redrawn_rounds(state, n)}
    with pairing_refusals():
        made = with_late(groups_of(state), [NEWCOMER], full=full)
    grown = next(one for one in made if NEWCOMER in one)
    played = len(state.published)
    if played >= len(round_robin(grown, double=state.chosen.twice)):
        message = _("The group matches are drawn, so entry is closed.")
        raise Refused("groups-drawn", message, status=409)
    return tuple(int(one) for one in grown)


def group_states(state: StageState) -> list[StageState]:
    """Each group as a round robin of its own."""
    return [_alone(state, number, group) for number, group in enumerate(groups_of(state), 1)]


def fixtures_played(state: StageState) -> dict[int, tuple[int, int]]:
    """How many matches each entry of a round robin or of groups has played, and of how many; of
    none once the bracket is drawn."""
    each = []
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        each = [state]
    elif state.stage.format == Stage.Format.GROUPS and state.bracket_from is None:
        each = group_states(state)
    return {one: (matches_played(s, one), matches_due(s)) for s in each for one in s.entries}


def seeds_of(state: StageState) -> tuple[int, ...]:
    """Who goes through, in the order of the bracket's seeding; who has left does not.

    If fewer are left of a group than were to get through, so many of each group do.
    """
    ranked = [
        tuple(line.who for line in standing_of(one).lines if line.who in state.playing)
        for one in group_states(state)
    ]
    left = tuple(one for one in ranked if one)
    through = min([state.chosen.through, *map(len, left)])
    with pairing_refusals():
        seeds = knockout_seeds(left, through)
    return tuple(int(one) for one in seeds)


def _alone(state: StageState, number: int, group: tuple[int, ...]) -> StageState:
    stage = copy(state.stage)
    stage.format = Stage.Format.ROUND_ROBIN
    rounds = tuple(
        replace(
            one,
            matches=tuple(match for match in one.matches if match.group == number),
            byes=tuple(entry for entry in one.byes if entry in group),
        )
        for one in state.rounds
    )
    entries = {key: state.entries[key] for key in group}
    return replace(state, stage=stage, entries=entries, rounds=rounds)


def struck_in(state: StageState) -> frozenset[int]:
    """Those who left a round robin, or their group, before half their matches."""
    of_groups = state.stage.format == Stage.Format.GROUPS
    each = group_states(state) if of_groups else [state]
    return frozenset(one for part in each for one in struck_out(part))
