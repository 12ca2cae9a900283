"""Who stands where, and why: the ranking engine. Pure functions from results to tables.

What comes in are plain values: what somebody took from finished games (`measures.Tally`), who beat
whom (`head_to_head.Finish`), counted hands (`statistics.Deal`). Nothing is read, kept or rounded on
the way: all arithmetic is exact (`Fraction`), so the order of entry never matters.

    measures        what can be ranked by: sums of somebody's games, and a function a measure
    tables          the ranking itself: `rank` orders by measures and says which tie-break decided
    head_to_head    who beat whom inside a group that is tied
    opposition      the strength of the opponents met: Buchholz, Sonneborn-Berger
    match           a match of several games: who won it, whether it is over
    team_match      the same for a match of teams over several boards
    team_league     the table of a team league, with its points and deductions
    season_rules    how a season's sessions become one table
    promotion       who goes up and down between divisions
    statistics      one player's play in figures, each out of a count
    rating          Plackett-Luce ratings of players, with their uncertainty
    pots            what a pot holds, who owes and who has won what, in whole cents

Deciding by random draw takes a seed and always falls the same way (`tables.rank`).
"""

from league.ranking import (
    head_to_head,
    match,
    measures,
    opposition,
    pots,
    promotion,
    rating,
    season_rules,
    statistics,
    tables,
    team_league,
    team_match,
)

__all__ = [
    "head_to_head",
    "match",
    "measures",
    "opposition",
    "pots",
    "promotion",
    "rating",
    "season_rules",
    "statistics",
    "tables",
    "team_league",
    "team_match",
]
