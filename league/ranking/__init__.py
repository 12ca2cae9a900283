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
    league_table       matches of teams (`Met`, `GameScore`) by `LeagueRules` -> a `LeagueTable`;
                       `reaches` the places still possible, `ending_of` who goes up and down
    line_up_faults     who may play for a team, by `SquadRules`; `transfer_faults` who may move
    player_records     the leading players of a league, `pair_records` the pairs
    entrants           `Evening`s and `SeasonRules` -> everybody's season (`Entrant`);
                       `ranked_by` and `season_lines` make the table of it
    division_moves     `DivisionPlace`s -> who goes up and down
    Career             a player's `PlayedGame`s and `Deal`s in figures, each a `Rate`: a count out
                       of a count
    reach_by_wins      wins and the rounds left -> the places in reach (`PlaceReach`);
                       `best_places` and `most_points` the same of a season
    points_made_up     points for rounds at small tables of a progressive night
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
    Unplayed,
    opposition_scores,
)
from league.ranking.pots import PLACES, Balance, Counted, Ledger, PotLine, PotRule, ledger, settled
from league.ranking.promotion import DivisionPlace, division_moves
from league.ranking.rating import RatedGame, Rating, rated
from league.ranking.reachable import PlaceReach, best_places, most_points, reach_by_wins
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
from league.ranking.small_tables import points_made_up
from league.ranking.squads import (
    Appearance,
    LineUp,
    SquadFault,
    SquadPlace,
    SquadRules,
    Transfers,
    keeps_division,
    line_up_faults,
    registration_faults,
    squad_faults,
    transfer_faults,
)
from league.ranking.statistics import Calls, Career, Company, Deal, PlayedGame, Rate
from league.ranking.tables import Decision, Line, Note, in_places, places_taken, rank
from league.ranking.team_league import LeagueTable, Record, league_table, split_record
from league.ranking.team_match import AWAY, HOME, GameScore, Met, game_score, standing
from league.ranking.team_moves import Ending, ending_of, section_ties
from league.ranking.team_places import Reach, reaches
from league.ranking.team_records import Played, PlayerRecord, pair_records, player_records
from league.ranking.team_rules import (
    TIE_BREAKS,
    LateCard,
    LeagueRules,
    number_from,
    plain,
    rules_from_json,
    rules_to_json,
)

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
    "TIE_BREAKS",
    "Appearance",
    "Balance",
    "Calls",
    "Career",
    "Company",
    "Counted",
    "Deal",
    "Decision",
    "DivisionPlace",
    "Ending",
    "Entrant",
    "Evening",
    "Faced",
    "Finish",
    "GameFacts",
    "GameScore",
    "How",
    "LateCard",
    "LeagueRules",
    "LeagueTable",
    "Ledger",
    "Line",
    "LineUp",
    "MatchFacts",
    "Measure",
    "Meetings",
    "Met",
    "Note",
    "PairTally",
    "PlaceReach",
    "Played",
    "PlayedGame",
    "PlayerRecord",
    "PotLine",
    "PotRule",
    "RankingError",
    "Rate",
    "RatedGame",
    "Rating",
    "Reach",
    "Record",
    "SeasonRules",
    "SquadFault",
    "SquadPlace",
    "SquadRules",
    "Tally",
    "Transfers",
    "Unplayed",
    "best_places",
    "division_moves",
    "ending_of",
    "entrants",
    "game_score",
    "in_places",
    "keeps_division",
    "league_table",
    "ledger",
    "line_up_faults",
    "meetings",
    "merged",
    "most_points",
    "number_from",
    "opposition_scores",
    "ordered",
    "pair_records",
    "places_taken",
    "plain",
    "player_records",
    "points_made_up",
    "rank",
    "ranked_by",
    "rated",
    "reach_by_wins",
    "reaches",
    "registration_faults",
    "rules_from_json",
    "rules_to_json",
    "season_lines",
    "section_ties",
    "settled",
    "split_record",
    "squad_faults",
    "standing",
    "total",
    "transfer_faults",
]
