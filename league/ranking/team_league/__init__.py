"""Leagues of teams: match cards to a table, by the rules of a printed rulebook.

LeagueRules        what a match, a game and a missing card are worth, and the order of
                   `TIE_BREAKS`; `rules_from_json` and `rules_to_json` read and write them
fates              what becomes of the results of teams that left; `is_void` of one of them
game_score         a score as written -> a `GameScore`; `standing` of a match (`Met`) so far
league_table       matches by `LeagueRules` -> a `LeagueTable` of `Record`s;
                   `split_record` the same at home and away
reaches            the places each team can still take (`Reach`)
ending_of          who goes up and down at the end (`Ending`); `section_ties` to be played off
line_up_faults     who may play for a team, by `SquadRules`; `transfer_faults` who may move
player_records     the leading players of a league, `pair_records` the pairs
"""

from league.ranking.team_league.match import (
    AWAY,
    HOME,
    GameScore,
    Met,
    fates,
    game_score,
    is_void,
    standing,
)
from league.ranking.team_league.moves import Ending, ending_of, section_ties
from league.ranking.team_league.places import Reach, reaches
from league.ranking.team_league.records import Played, PlayerRecord, pair_records, player_records
from league.ranking.team_league.rules import (
    TIE_BREAKS,
    LateCard,
    LeagueRules,
    number_from,
    plain,
    rules_from_json,
    rules_to_json,
)
from league.ranking.team_league.squads import (
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
from league.ranking.team_league.table import LeagueTable, Record, league_table, split_record

__all__ = [
    "AWAY",
    "HOME",
    "TIE_BREAKS",
    "Appearance",
    "Ending",
    "GameScore",
    "LateCard",
    "LeagueRules",
    "LeagueTable",
    "LineUp",
    "Met",
    "Played",
    "PlayerRecord",
    "Reach",
    "Record",
    "SquadFault",
    "SquadPlace",
    "SquadRules",
    "Transfers",
    "ending_of",
    "fates",
    "game_score",
    "is_void",
    "keeps_division",
    "league_table",
    "line_up_faults",
    "number_from",
    "pair_records",
    "plain",
    "player_records",
    "reaches",
    "registration_faults",
    "rules_from_json",
    "rules_to_json",
    "section_ties",
    "split_record",
    "squad_faults",
    "standing",
    "transfer_faults",
]
