"""Who stands where, and why: the ranking engine. Pure functions from results to tables.

Nothing is read, stored or rounded on the way: all arithmetic is exact (`Fraction`), so the order in
which results were entered never matters, and a random draw takes a seed and always falls the same
way. Here is the table itself:

    rank               `Tally` sums by player -> `Line`s, best first, each with the `Decision`s and
                       `Note`s that explain it; by the measures that `ordered` picks
    rank_players       the same, with anyone who finished no game after everybody who has
    in_places          the same lines by places that a tournament gives; `places_taken` separates
                       ties of pairs from pairs
    RankingError       values were given for something that they cannot answer

Its rooms are front doors too; nothing outside reaches past them:

    measures       what a table can rank by (`MEASURES`), and the arithmetic of `Tally`
    tie_breaks     who beat whom, for head-to-head; Buchholz and Sonneborn-Berger by FIDE's rules
    match_facts    a match of games: who won it, whether it is over
    statistics     a player's hands and games in figures, each a count out of a count
    rating         finished games -> a Plackett-Luce rating a player
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
