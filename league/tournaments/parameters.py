"""The options of a stage that an organiser may choose, with their defaults. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from league.ranking.tie_breaks import Unplayed

HANDS, BELL, TARGET = "hands", "bell", "target"
EXTRA_HAND, CUT = "extra_hand", "cut"
PICKED, DRAWN, FOLDED = "picked", "drawn", "folded"
MOVEMENTS = (
    "winners-up",
    "up-and-down",
    "winners-stay",
    "fixed-seat",
    "colours",
    "by-standing",
    "random-draw",
)
"""The movements that Progressive Euchre may use."""
RANGES = {
    "rounds": (1, 40),
    "hands": (1, 40),
    "bell_points": (1, 50),
    "groups": (1, 16),
    "through": (1, 8),
    "given_points": (0, 50),
}
"""The range of each number that may be chosen, both ends included."""
WORDS: dict[str, tuple[str | int, ...]] = {
    "unit": (HANDS, BELL, TARGET),
    "movement": MOVEMENTS,
    "tie": (EXTRA_HAND, CUT),
    "games": (1, 3, 5, 7, 9),
    "partners": ("", PICKED, DRAWN, FOLDED),
    "unplayed": tuple(Unplayed),
}
"""The allowed values of options that are no number; all others are yes or no."""
PARAMETERS: dict[str, tuple[str, ...]] = {
    "progressive": ("movement", "rounds", "unit", "hands", "bell_points", "tie", "short_apart"),
    "rotation": ("rounds",),
    "round_robin": ("games", "laps", "slam", "twice", "given_points"),
    "swiss": ("rounds", "games", "laps", "slam", "unplayed", "given_points"),
    "knockout": ("games", "laps", "slam", "third_place", "consolation"),
    "double": ("games", "laps", "slam"),
    "groups": ("groups", "through", "games", "laps", "slam", "twice", "third_place"),
}
"""The options that each format offers."""
FOR_EVERYBODY = (
    "won",
    "points",
    "difference",
    "above",
    "share",
    "difference_a_hand",
    "win_rate",
    "euchres",
    "lone_marches",
    "head_to_head",
)
FOR_PAIRS = ("match_points", "without_byes", "buchholz", "buchholz_cut1", "sonneborn_berger")
"""Measures that a ranking may use, by their codes in `league.ranking`; some suit pairs only."""
MOST_MEASURES = 8


@dataclass(frozen=True, slots=True)
class StageOptions:
    """The options of a stage; each format reads those that apply to it.

    unit         a game is a number of `hands`, or lasts until the head table has `bell_points`
                 and rings, or is played to the ruleset's own target
    tie          how a tied table decides who moves
    short_apart  points made at tables of two or three have their own column, and the player's
                 average round counts in their place
    games        a match is best of this many
    laps         points above the target count towards the next game of the match
    slam         a game won with the losers at 0 counts as two games
    twice        everybody meets twice
    consolation  losers of the first match play on in a bracket of their own
    third_place  the losers of the semi-finals meet
    through      how many entries of each of the `groups` get into the bracket
    partners     after a seeding round they are `picked`, `drawn` or `folded`
    ranking      comma-separated codes of measures, the most important first; empty for the
                 format's default
    """

    rounds: int = 8
    unit: str = HANDS
    hands: int = 8
    bell_points: int = 5
    movement: str = "winners-up"
    tie: str = EXTRA_HAND
    short_apart: bool = True
    games: int = 1
    laps: bool = False
    slam: bool = False
    twice: bool = False
    consolation: bool = False
    third_place: bool = False
    groups: int = 2
    through: int = 2
    partners: str = ""
    ranking: str = ""
    unplayed: str = str(Unplayed.OWN_SCORE)
    given_points: int = 0

    @property
    def measures(self) -> list[str]:
        """The codes of the chosen measures; empty for the format's default."""
        return self.ranking.split(",") if self.ranking else []


FEWEST_SWISS_ROUNDS = 3


def enough_swiss_rounds(pairs: int) -> int:
    """The rounds of a Swiss that find the best of so many pairs."""
    return max(FEWEST_SWISS_ROUNDS, (pairs - 1).bit_length())


def read_options(parameters: Mapping[str, Any]) -> StageOptions:
    """The stored options; those that are missing have their defaults."""
    return StageOptions(**parameters)


def invalid_options(parameters: Any) -> list[str]:
    """The names of options with values that are not allowed."""
    if not isinstance(parameters, Mapping):
        return ["parameters"]
    types = {f.name: type(f.default) for f in fields(StageOptions)}
    return [
        str(n)[:20] for n, value in parameters.items() if not _is_allowed(n, value, types.get(n))
    ]


def _is_allowed(name: Any, value: Any, kind: type | None) -> bool:
    if kind is None or not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
        return False
    if name in RANGES:
        least, most = RANGES[name]
        return value in range(least, most + 1)
    if name == "ranking":
        return not value or _are_measures(str(value).split(","))
    return name not in WORDS or value in WORDS[name]


def _are_measures(codes: list[str]) -> bool:
    are_known = set(codes) <= {*FOR_EVERYBODY, *FOR_PAIRS}
    return are_known and len(set(codes)) == len(codes) <= MOST_MEASURES


def options_json(choice: StageOptions) -> dict[str, Any]:
    """The options as they are stored in JSON."""
    return asdict(choice)
