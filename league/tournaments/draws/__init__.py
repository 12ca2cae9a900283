"""Drawing a round: each format says who meets whom, where, and who has a bye. No database."""

from league.tournaments.draws.drawn import Drawn, DrawnTable, NextDraw
from league.tournaments.draws.progressive import progressive
from league.tournaments.draws.rotation import rotation
from league.tournaments.models import Stage

FORMATS: dict[str, NextDraw] = {
    Stage.Format.PROGRESSIVE: progressive,
    Stage.Format.ROTATION: rotation,
}

__all__ = ["FORMATS", "Drawn", "DrawnTable", "NextDraw"]
