"""Leagues of teams: match cards to a table, by the rules of a printed rulebook.

    league_table -> LeagueTable     matches and `LeagueRules` -> the ranked teams, each with its
                                    `Record`; `split_record` separates home and away
    reaches -> Reach                the places each team can still reach; `cannot_lead` are those
                                    that can no longer finish first
    ending_of -> Ending             who goes up and down at the end; `section_ties` are play-offs
    player_records -> PlayerRecord  the leading players of a league, `pair_records` the leading
                                    pairs; both from `PairGame`s

Its modules are public too:

    match     one match: the games on its card, their points, whether it counts
    rules     what a match, a game and a missing card are worth
    squads    who may play for a team, and who may transfer
"""

from league.ranking.team_league import match, rules, squads
from league.ranking.team_league.moves import Ending, ending_of, section_ties
from league.ranking.team_league.places import Reach, cannot_lead, reaches
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
    "cannot_lead",
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
