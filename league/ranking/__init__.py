"""Who stands where, and why: the ranking engine. Pure functions from results to tables.

Nothing is read, stored or rounded: all arithmetic is exact (`Fraction`), so the order in which
results were entered never matters. A random draw takes a seed and is reproducible. The package
itself offers the table:

    rank               `Tally` sums by player -> `Line`s, best first, each with the `Decision`s and
                       `Note`s that explain it; by the measures that `ordered` picks
    rank_players       the same, with players who finished no game after all who did
    in_places          the same lines by places that a tournament gives; `places_taken` tells two
                       tied pairs from the two players of one pair
    RankingError       the values given cannot answer what was requested of them

Its modules are public too; code outside imports nothing but these:

    measures       what a table can rank by (`MEASURES`), and the arithmetic of `Tally`
    tie_breaks     who beat whom, for head-to-head; Buchholz and Sonneborn-Berger by FIDE's rules
    match_facts    a match of games: who won it, whether it is over
    statistics     a player's statistics from hands and games, each a count out of a total
    rating         finished games -> a Plackett-Luce rating per player
    pots           what a pot holds, in whole cents, and who owes it or has won it
    season         which evenings count, and who moves between divisions
    reachable      the places that can still be reached
    team_league    leagues of teams by a printed rulebook
"""

from league.ranking import (
    match_facts,
    measures,
    pots,
    rating,
    reachable,
    season,
    statistics,
    team_league,
    tie_breaks,
)
from league.ranking.measures import RankingError
from league.ranking.tables import (
    Decision,
    Line,
    Note,
    in_places,
    places_taken,
    rank,
    rank_players,
)

__all__ = [
    "Decision",
    "Line",
    "Note",
    "RankingError",
    "in_places",
    "match_facts",
    "measures",
    "places_taken",
    "pots",
    "rank",
    "rank_players",
    "rating",
    "reachable",
    "season",
    "statistics",
    "team_league",
    "tie_breaks",
]
