"""Who stands where, and why: the ranking engine. Pure functions from results to tables.

Nothing is read, stored or rounded on the way: all arithmetic is exact (`Fraction`), so the order in
which results were entered never matters, and a random draw takes a seed and always falls the same
way. A dozen functions answer, each with the values it takes and gives:

    rank               `Tally` sums by player -> `Line`s, best first, each with the `Decision`s and
                       `Note`s that explain it; by the `Measure`s of `MEASURES` that `ordered` picks
    in_places          the same lines by places that a tournament gives; `places_taken` tells ties
                       of pairs from pairs
    merged, total      the arithmetic of tallies, over the fields named in `SUMMED`
    meetings           `Finish`es of games -> who beat whom (`Meetings`), for head-to-head
    opposition_scores  `Faced` rounds -> Buchholz, Sonneborn-Berger (`PairTally`), by FIDE's rules
    MatchFacts         a match of `GameFacts`: who won it, whether it is over
    league_table       matches of teams (`Met`, `GameScore`) and a `Scheme` -> a `LeagueTable`
    entrants           `Evening`s and `SeasonRules` -> everybody's season (`Entrant`);
                       `ranked_by` and `season_lines` make the table of it
    division_moves     `DivisionPlace`s -> who goes up and down
    Career             a player's `PlayedGame`s and `Deal`s in figures, each a `Rate`: a count out
                       of a count
    rated              `RatedGame`s in the order of play -> a Plackett-Luce `Rating` a player
    ledger, settled    a `PotRule` and what is `Counted` -> a `Ledger` in whole cents; `Balance`s

`RankingError` says that values were asked for something that they cannot answer.
"""

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
    opposition_scores,
)
from league.ranking.pots import PLACES, Balance, Counted, Ledger, PotLine, PotRule, ledger, settled
from league.ranking.promotion import DivisionPlace, division_moves
from league.ranking.rating import RatedGame, Rating, rated
from league.ranking.season_rules import (
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
from league.ranking.statistics import Calls, Career, Company, Deal, PlayedGame, Rate
from league.ranking.tables import Decision, Line, Note, in_places, places_taken, rank
from league.ranking.team_league import LeagueTable, Record, Scheme, league_table
from league.ranking.team_match import AWAY, HOME, GameScore, Met

__all__ = [
    "AVERAGE",
    "AWAY",
    "BEST",
    "BEST_GAMES",
    "BUCHHOLZ",
    "BUCHHOLZ_CUT1",
    "DROP",
    "HEAD_TO_HEAD",
    "HOME",
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
    "DivisionPlace",
    "Entrant",
    "Evening",
    "Faced",
    "Finish",
    "GameFacts",
    "GameScore",
    "How",
    "LeagueTable",
    "Ledger",
    "Line",
    "MatchFacts",
    "Measure",
    "Meetings",
    "Met",
    "Note",
    "PairTally",
    "PlayedGame",
    "PotLine",
    "PotRule",
    "RankingError",
    "Rate",
    "RatedGame",
    "Rating",
    "Record",
    "Scheme",
    "SeasonRules",
    "Tally",
    "division_moves",
    "entrants",
    "in_places",
    "league_table",
    "ledger",
    "meetings",
    "merged",
    "opposition_scores",
    "ordered",
    "places_taken",
    "rank",
    "ranked_by",
    "rated",
    "season_lines",
    "settled",
    "total",
]
