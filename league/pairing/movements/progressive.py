"""Progressive Euchre as Foster and Keller print it: winners up one table, partners change."""

from league.pairing.movements.crossing import SMALL_TABLES
from league.pairing.movements.definition import Preset
from league.pairing.movements.ladder import Steps, movement

ODD = (
    "When the players do not fill tables of four, the lowest tables have three or two. "
    f"{SMALL_TABLES} A player due for one swaps with a player there; if several "
    "are due, a random draw decides."
)

PRESET = Preset(
    code="winners-up",
    name="Winners up, partners change",
    explanation=(
        "Winners move up one table. Losers stay, but the losers of the head table go to the last "
        "table; the winners of the head table stay there. Everyone changes partner: you get "
        "the one you have had less often."
    ),
    odd=ODD,
    next_round=movement(Steps(winners=-1, losers=0, head_losers_last=True)),
)

UP_AND_DOWN = Preset(
    code="up-and-down",
    name="Winners up, losers down",
    explanation=(
        "Winners move up one table and losers down one. The winners of the head table and the "
        "losers of the last table stay. Everyone changes partner."
    ),
    odd=ODD,
    next_round=movement(Steps(winners=-1, losers=1)),
)

WINNERS_STAY = Preset(
    code="winners-stay",
    name="Winners stay, losers move",
    explanation=(
        "Winners stay at their table and change partners. Losers move down one table, from the "
        "last table to the head table, and change partners too."
    ),
    odd=ODD,
    next_round=movement(Steps(winners=0, losers=1, round_again=True)),
)
