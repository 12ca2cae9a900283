"""The front door of the tournament formats: facts in, pairings out.

    round_robin -> Rounds               all entries meet each other, by Berger tables
    remaining_rounds                    the remaining rounds, redrawn when somebody joins
    swiss_round                         the next round: close in score, no rematches
    first_meetings, spread              a random order that keeps entries apart in the first round
    drawn_partners, folded_partners     partners after a seeding round (Picking: by picking)

    fixtures, division_fixtures         a league of teams with venues; several divisions together
    homes_and_aways, venue_clashes      how evenly homes are shared, and which venues clash
    late_team_matches                   the matches of a team that joins late
    reschedule                          all future matches redrawn to include it

Three of its modules are front doors too:

    knockout        brackets, single or double, played match by match
    groups          groups, and who goes through from them to a knock-out
    explanations    a format in sentences for its players

A round is a tuple of `Pairing`; played matches are passed in as `PlayedMatch`. Entries are whole
numbers or strings.
"""

from league.pairing.formats import explanations, groups, knockout
from league.pairing.formats.bracket_matches import first_meetings
from league.pairing.formats.late_team import (
    Fixed,
    Moving,
    Placed,
    Rescheduled,
    late_team_matches,
    reschedule,
)
from league.pairing.formats.league_fixtures import (
    HomesAndAways,
    Team,
    division_fixtures,
    fixtures,
    homes_and_aways,
    venue_clashes,
)
from league.pairing.formats.pairings import (
    EntryId,
    Pairing,
    Picking,
    PlayedMatch,
    drawn_partners,
    folded_partners,
    spread,
)
from league.pairing.formats.round_robins import Rounds, remaining_rounds, round_robin
from league.pairing.formats.swiss import swiss_round

__all__ = [
    "EntryId",
    "Fixed",
    "HomesAndAways",
    "Moving",
    "Pairing",
    "Picking",
    "Placed",
    "PlayedMatch",
    "Rescheduled",
    "Rounds",
    "Team",
    "division_fixtures",
    "drawn_partners",
    "explanations",
    "first_meetings",
    "fixtures",
    "folded_partners",
    "groups",
    "homes_and_aways",
    "knockout",
    "late_team_matches",
    "remaining_rounds",
    "reschedule",
    "round_robin",
    "spread",
    "swiss_round",
    "venue_clashes",
]
