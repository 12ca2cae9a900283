"""Leagues of teams: match cards to a table, by the rules of a printed rulebook.

rules              a room of its own: what a match, a game and a missing card are worth
squads             a room of its own: who may play for a team, and who may move
fates              what becomes of the results of teams that left; `is_void` of one of them
card_games         the games of a card -> those that count (`CardGame`), with laps and slams;
                   `uncounted` the games written in vain
game_score         a score as written -> a `GameScore`; `standing` of a match (`Met`) so far
league_table       matches by `LeagueRules` -> a `LeagueTable` of `Record`s;
                   `split_record` the same at home and away
reaches            the places each team can still take (`Reach`)
ending_of          who goes up and down at the end (`Ending`); `section_ties` to be played off
player_records     the leading players of a league, `pair_records` the pairs
"""

from league.ranking.team_league import rules, squads
from league.ranking.team_league.match import (
    AWAY,
    HOME,
    CardGame,
    GameScore,
    Met,
    card_games,
    fates,
    game_score,
    is_void,
    standing,
    uncounted,
)
from league.ranking.team_league.moves import Ending, ending_of, section_ties
from league.ranking.team_league.places import Reach, reaches
from league.ranking.team_league.table import (
    LeagueTable,
    PairGame,
    PlayerRecord,
    Record,
    league_table,
    pair_records,
    player_records,
    split_record,
)

__all__ = [
    "AWAY",
    "HOME",
    "CardGame",
    "Ending",
    "GameScore",
    "LeagueTable",
    "Met",
    "PairGame",
    "PlayerRecord",
    "Reach",
    "Record",
    "card_games",
    "ending_of",
    "fates",
    "game_score",
    "is_void",
    "league_table",
    "pair_records",
    "player_records",
    "reaches",
    "rules",
    "section_ties",
    "split_record",
    "squads",
    "standing",
    "uncounted",
]
