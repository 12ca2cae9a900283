"""Who stands where, and why: the ranking engine. Pure functions from results to tables.

Nothing is read, stored or rounded on the way: all arithmetic is exact (`Fraction`), so the order in
which results were entered never matters, and a random draw takes a seed and always falls the same
way. `season` and `team_league` are rooms with front doors of their own. Here:

    rank               `Tally` sums by player -> `Line`s, best first, each with the `Decision`s and
                       `Note`s that explain it; by the `Measure`s of `MEASURES` that `ordered` picks
    rank_players       the same, with whoever finished no game after everybody who has
    compare_games      the `Measure`s of a table in which different games were played
    in_places          the same lines by places that a tournament gives; `places_taken` separates
                       ties of pairs from pairs
    merged, total      the arithmetic of tallies, over the fields named in `SUMMED`
    meetings           `Finish`es of games -> who beat whom (`Meetings`), for head-to-head
    opposition_scores  `Faced` rounds -> Buchholz, Sonneborn-Berger (`PairTally`), by FIDE's rules
    MatchFacts         a match of `GameFacts`: who won it, whether it is over
    Career             a player's `PlayedGame`s and `Deal`s in figures, each a `Rate`: a count out
                       of a count
    points_made_up     points for rounds at small tables of a progressive night
    rated              `RatedGame`s in the order of play -> a Plackett-Luce `Rating` a player
    ledger, settled    a `PotRule` and what is `Counted` -> a `Ledger` in whole cents; `Balance`s

`RankingError` says that values were given for something that they cannot answer.
"""

from league.ranking import season, team_league
from league.ranking.head_to_head import Finish, Meetings, meetings
from league.ranking.match import GameFacts, MatchFacts
from league.ranking.measures import (
    HEAD_TO_HEAD,
    LOT,
    MEASURES,
    SUMMED,
    Measure,
    RankingError,
    Tally,
    compare_games,
    merged,
    ordered,
    total,
)
from league.ranking.opposition import (
    BUCHHOLZ,
    BUCHHOLZ_CUT1,
    MATCH_POINTS,
    SONNEBORN_BERGER,
    Faced,
    How,
    PairTally,
    Unplayed,
    opposition_scores,
)
from league.ranking.pots import PLACES, Balance, Counted, Ledger, PotLine, PotRule, ledger, settled
from league.ranking.rating import RatedGame, Rating, rated
from league.ranking.small_tables import points_made_up
from league.ranking.statistics import Calls, Career, Company, Deal, PlayedGame, Rate
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
    "BUCHHOLZ",
    "BUCHHOLZ_CUT1",
    "HEAD_TO_HEAD",
    "LOT",
    "MATCH_POINTS",
    "MEASURES",
    "PLACES",
    "SONNEBORN_BERGER",
    "SUMMED",
    "Balance",
    "Calls",
    "Career",
    "Company",
    "Counted",
    "Deal",
    "Decision",
    "Faced",
    "Finish",
    "GameFacts",
    "How",
    "Ledger",
    "Line",
    "MatchFacts",
    "Measure",
    "Meetings",
    "Note",
    "PairTally",
    "PlayedGame",
    "PotLine",
    "PotRule",
    "RankingError",
    "Rate",
    "RatedGame",
    "Rating",
    "Tally",
    "Unplayed",
    "compare_games",
    "in_places",
    "ledger",
    "meetings",
    "merged",
    "opposition_scores",
    "ordered",
    "places_taken",
    "points_made_up",
    "rank",
    "rank_players",
    "rated",
    "season",
    "settled",
    "team_league",
    "total",
]
