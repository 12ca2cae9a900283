"""Seasons: which evenings count, who moves between divisions, what can still be reached.

entrants           `Evening`s and `SeasonRules` -> everybody's season (`Entrant`);
                   `ranked_by` and `season_lines` make the table of it
division_moves     `DivisionPlace`s -> who goes up and down
reach_by_wins      wins and the rounds left -> the places in reach (`PlaceReach`);
                   `best_places` and `most_points` the same of a season
"""

from league.ranking.season.divisions import DivisionPlace, division_moves
from league.ranking.season.reachable import PlaceReach, best_places, most_points, reach_by_wins
from league.ranking.season.rules import (
    AVERAGE,
    BEST,
    BEST_GAMES,
    DROP,
    Entrant,
    Evening,
    SeasonRules,
    entrants,
    ranked_by,
    season_lines,
)

__all__ = [
    "AVERAGE",
    "BEST",
    "BEST_GAMES",
    "DROP",
    "DivisionPlace",
    "Entrant",
    "Evening",
    "PlaceReach",
    "SeasonRules",
    "best_places",
    "division_moves",
    "entrants",
    "most_points",
    "ranked_by",
    "reach_by_wins",
    "season_lines",
]
