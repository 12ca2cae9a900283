"""The front door of the formats of tournaments and leagues: facts in, pairings out.

    round_robin -> Rounds               everybody meets everybody, by Berger tables
    remaining_rounds                    the rounds to come of one that somebody joins
    swiss_round                         the next round: nearest in score, nobody twice
    bracket -> Bracket                  a knock-out, single or double, played match by match
    snake, group_rounds, knockout_seeds groups, then a knock-out
    fixtures, division_fixtures         a league of teams with venues; several divisions
    homes_and_aways, venue_clashes      how even that is, and what is left of clashes
    late_team_matches, reschedule       a team that joins: its matches alone, or all those to come
    drawn_partners, folded_partners     partners after a seeding round (Picking: by picking)
    explain, picking_explained          a format in sentences, with what to expect of it

A round is a tuple of `Pairing`; what has been played comes in as `Played`. Entries are whole
numbers or strings. Sentences are message ids with what fills them (`Sentence`).
"""

from league.pairing.formats.berger_tables import Rounds, round_robin
from league.pairing.formats.explanations import explain, picking_explained
from league.pairing.formats.groups import (
    Groups,
    add_to_group,
    group_rounds,
    knockout_seeds,
    side_by_side,
    snake,
    with_late,
)
from league.pairing.formats.knockout import Bracket, Kind, Match, Part, Source, State, bracket
from league.pairing.formats.late_team import Fixed, Placed, late_team_matches
from league.pairing.formats.league_fixtures import (
    HomesAndAways,
    Team,
    division_fixtures,
    fixtures,
    homes_and_aways,
    venue_clashes,
)
from league.pairing.formats.league_reschedule import Moving, Rescheduled, reschedule
from league.pairing.formats.length import Choices
from league.pairing.formats.pairings import EntryId, Pairing, Played, Sentence
from league.pairing.formats.partners import Picking, drawn_partners, folded_partners
from league.pairing.formats.redraw import remaining_rounds
from league.pairing.formats.swiss import swiss_round

__all__ = [
    "Bracket",
    "Choices",
    "EntryId",
    "Fixed",
    "Groups",
    "HomesAndAways",
    "Kind",
    "Match",
    "Moving",
    "Pairing",
    "Part",
    "Picking",
    "Placed",
    "Played",
    "Rescheduled",
    "Rounds",
    "Sentence",
    "Source",
    "State",
    "Team",
    "add_to_group",
    "bracket",
    "division_fixtures",
    "drawn_partners",
    "explain",
    "fixtures",
    "folded_partners",
    "group_rounds",
    "homes_and_aways",
    "knockout_seeds",
    "late_team_matches",
    "picking_explained",
    "remaining_rounds",
    "reschedule",
    "round_robin",
    "side_by_side",
    "snake",
    "swiss_round",
    "venue_clashes",
    "with_late",
]
