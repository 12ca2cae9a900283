"""Drawing a round: each format decides who meets whom, where, and who has a bye. No database."""

from league.tournaments.draws.groups import groups_then_knockout
from league.tournaments.draws.knockout import bracket_of, knockout
from league.tournaments.draws.rounds import (
    fixture_round_count,
    progressive,
    rotation,
    round_robin,
    swiss,
)
from league.tournaments.models import Stage
from league.tournaments.stage_state import CLOSED, DrawnTable, NextDraw, RoundDraw, StageState

FORMATS: dict[str, NextDraw] = {
    Stage.Format.PROGRESSIVE: progressive,
    Stage.Format.ROTATION: rotation,
    Stage.Format.ROUND_ROBIN: round_robin,
    Stage.Format.SWISS: swiss,
    Stage.Format.KNOCKOUT: knockout,
    Stage.Format.DOUBLE: knockout,
    Stage.Format.GROUPS: groups_then_knockout,
}


def rounds_due(state: StageState) -> int | None:
    """The number of rounds of a stage; None while the results decide it."""
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        return fixture_round_count(state)
    if state.stage.format in CLOSED:
        is_over = state.in_bracket and bracket_of(state).over
        return len(state.published) if is_over else None
    return state.options.rounds


__all__ = ["FORMATS", "DrawnTable", "NextDraw", "RoundDraw", "rounds_due"]
