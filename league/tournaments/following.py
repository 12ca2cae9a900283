"""What follows a tournament: its final, or the tournament of pairs after a seeding round."""

from typing import Any

from league.members.names import sort_key
from league.tournaments.draws.knockout import bracket_of, corrections
from league.tournaments.models import Entry, Tournament
from league.tournaments.parameters import read_options
from league.tournaments.queries import (
    NameOf,
    are_settled,
    entry_name,
    followed_by,
    is_entered,
    stage_of,
)
from league.tournaments.stage_state import BRACKETS, StageState, load_stage


def following_context(state: StageState, own: int | None, name_of: NameOf) -> dict[str, Any]:
    """The tournament after this one; of a final, who won it and whether the reader plays in it."""
    tournament = state.stage.tournament
    later = followed_by(tournament)
    if later is None or read_options(stage_of(later).parameters).partners:
        return {"followed_by": later}
    later.club = tournament.club
    champions = champions_of(later)
    return {
        "followed_by": later,
        "final": later,
        "final_won_by": entry_name(champions, name_of) if champions else "",
        "in_final": is_entered(later, state.entries[own].member if own else None),
    }


def finalists(state: StageState, name_of: NameOf, *, by_seed: bool) -> list[str]:
    """Who is in a bracket of seeds before it is published: the best first, or by name."""
    if state.stage.format not in BRACKETS or state.published:
        return []
    entries = [entry for entry in state.active_entries.values() if entry.seed]
    names = [entry_name(e, name_of) for e in sorted(entries, key=lambda e: e.seed or 0)]
    return names if by_seed else sorted(names, key=sort_key)


def champions_of(final: Tournament) -> Entry | None:
    """The pair that has won a final; None before its result is certain."""
    state = load_stage(stage_of(final))
    if not state.in_bracket or corrections(state) or not are_settled(state):
        return None
    champion = bracket_of(state).champion
    return None if champion is None else state.entries[int(champion)]


def may_play_on_as_pairs(state: StageState) -> bool:
    """Whether individuals have played all rounds, so that they can go on as pairs."""
    if state.of_pairs or state.draft is not None or state.last is None:
        return False
    if len(state.published) < state.options.rounds:
        return False
    is_cancelled = state.stage.tournament.state == Tournament.State.CANCELLED
    return not state.last.open_matches and not is_cancelled
