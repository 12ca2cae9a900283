"""Drawing a round: each format says who meets whom, where, and who has a bye. No database."""

from league.tournaments.draws.drawn import Drawn, DrawnTable, NextDraw
from league.tournaments.draws.pairs import round_robin, rounds_of, swiss
from league.tournaments.draws.progressive import progressive
from league.tournaments.draws.rotation import rotation
from league.tournaments.models import Stage
from league.tournaments.picture import Picture

FORMATS: dict[str, NextDraw] = {
    Stage.Format.PROGRESSIVE: progressive,
    Stage.Format.ROTATION: rotation,
    Stage.Format.ROUND_ROBIN: round_robin,
    Stage.Format.SWISS: swiss,
}


def rounds_due(picture: Picture) -> int | None:
    """How many rounds a stage has; None where the results decide."""
    if picture.stage.format == Stage.Format.ROUND_ROBIN:
        return rounds_of(picture)
    return picture.chosen.rounds


__all__ = ["FORMATS", "Drawn", "DrawnTable", "NextDraw", "rounds_due"]
