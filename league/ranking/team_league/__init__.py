"""Leagues of teams: match cards to a table, by the rules of a printed rulebook.

    league_table -> LeagueTable     matches by `LeagueRules` -> a `Record` of each team;
                                    `split_record` the same at home and away
    reaches -> Reach                the places each team can still take
    ending_of -> Ending             who goes up and down at the end; `section_ties` to be played off
    player_records -> PlayerRecord  the leading players of a league; `pair_records` the pairs, both
                                    out of `PairGame`s

Its rooms are front doors too:

    match     one match: its card's games, the points they come to, what counts of it
    rules     what a match, a game and a missing card are worth
    squads    who may play for a team, and who may move
"""

from league.ranking.team_league import match, rules, squads
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
    "Ending",
    "LeagueTable",
    "PairGame",
    "PlayerRecord",
    "Reach",
    "Record",
    "ending_of",
    "league_table",
    "match",
    "pair_records",
    "player_records",
    "reaches",
    "rules",
    "section_ties",
    "split_record",
    "squads",
]
