"""The front door of the formats of tournaments: facts in, pairings out.

    round_robin -> Rounds               everybody meets everybody, by Berger tables
    remaining_rounds                    the rounds to come of one that somebody joins
    swiss_round                         the next round: nearest in score, nobody twice
    bracket -> Bracket                  a knock-out, single or double, played match by match
    snake, group_rounds, knockout_seeds groups, then a knock-out
    drawn_partners, folded_partners     partners after a seeding round (Picking: by picking)
    explain, picking_explained          a format in sentences, with what to expect of it

A round is a tuple of `Pairing`; what has been played comes in as `Played`. Entries are whole
numbers or strings. Sentences are message ids with what fills them (`Sentence`).
"""

from league.pairing.formats.explanations import Sentence, explain, picking_explained
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
from league.pairing.formats.length import Choices
from league.pairing.formats.pairings import (
    EntryId,
    Pairing,
    Picking,
    Played,
    drawn_partners,
    folded_partners,
)
from league.pairing.formats.round_robins import Rounds, remaining_rounds, round_robin
from league.pairing.formats.swiss import swiss_round

__all__ = [
    "Bracket",
    "Choices",
    "EntryId",
    "Groups",
    "Kind",
    "Match",
    "Pairing",
    "Part",
    "Picking",
    "Played",
    "Rounds",
    "Sentence",
    "Source",
    "State",
    "add_to_group",
    "bracket",
    "drawn_partners",
    "explain",
    "folded_partners",
    "group_rounds",
    "knockout_seeds",
    "picking_explained",
    "remaining_rounds",
    "round_robin",
    "side_by_side",
    "snake",
    "swiss_round",
    "with_late",
]
