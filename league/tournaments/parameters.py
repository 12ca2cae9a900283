"""What an organiser may choose about a stage, with the usual values. Pure."""

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
"""The movements of the seating that Progressive Euchre may be played by."""
RANGES = {
    "rounds": (1, 40),
    "hands": (1, 40),
    "bell_points": (1, 50),
    "groups": (1, 16),
    "through": (1, 8),
    "given_points": (0, 50),
}
"""The least and the most of each number that may be chosen."""
WORDS: dict[str, tuple[str | int, ...]] = {
    "unit": (HANDS, BELL, TARGET),
    "movement": MOVEMENTS,
    "tie": (EXTRA_HAND, CUT),
    "games": (1, 3, 5, 7, 9),
    "partners": ("", PICKED, DRAWN, FOLDED),
    "unplayed": tuple(Unplayed),
}
"""What else may be chosen; the rest is yes or no."""
PARAMETERS: dict[str, tuple[str, ...]] = {
    "progressive": ("movement", "rounds", "unit", "hands", "bell_points", "tie", "short_apart"),
    "rotation": ("rounds",),
    "round_robin": ("games", "laps", "slam", "twice", "given_points"),
    "swiss": ("rounds", "games", "laps", "slam", "unplayed", "given_points"),
    "knockout": ("games", "laps", "slam", "third_place", "consolation"),
    "double": ("games", "laps", "slam"),
    "groups": ("groups", "through", "games", "laps", "slam", "twice", "third_place"),
}
"""What each format asks an organiser."""
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
FOR_PAIRS = ("match_points", "buchholz", "buchholz_cut1", "sonneborn_berger")
"""What a table may rank by, by the codes of `league.ranking`; some mean something to pairs only."""
MOST_MEASURES = 8


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices of a stage; each format reads those that mean something to it.

    `unit`: a game is a number of `hands`, or lasts until the head table has `bell_points` and
    rings, or goes to the ruleset's own target. `tie`: how a tied table decides who moves.
    `short_apart`: points of two- and three-handed tables stand in a column of their own, and the
    player's mean round counts in their place. `games`:
    a match is best of so many; with `laps` points above the target count towards its next game,
    with `slam` a game won with the losers at 0 counts as two of them. `twice`: everybody meets
    twice. `consolation`: who loses the first match plays on in a bracket of their own.
    `third_place`: the losers of the semi-finals meet. Of each of the `groups` so many get
    `through`. `partners`: after a seeding round they are `picked`, `drawn` or `folded`. `ranking`
    is what its table ranks by: codes of measures, the most important first, with commas between;
    empty as is usual for the format.
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
        """The codes of the measures that were chosen; empty as usual."""
        return self.ranking.split(",") if self.ranking else []


def chosen(parameters: Mapping[str, Any]) -> Chosen:
    """The stored choices; what is not among them is as usual."""
    return Chosen(**parameters)


def faults_of(parameters: Any) -> list[str]:
    """The names of the choices that no organiser can have made."""
    if not isinstance(parameters, Mapping):
        return ["parameters"]
    kinds = {one.name: type(one.default) for one in fields(Chosen)}
    return [str(n)[:20] for n, value in parameters.items() if not _may_be(n, value, kinds.get(n))]


def _may_be(name: Any, value: Any, kind: type | None) -> bool:
    if kind is None or not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
        return False
    if name in RANGES:
        least, most = RANGES[name]
        return value in range(least, most + 1)
    if name == "ranking":
        return not value or _are_measures(str(value).split(","))
    return name not in WORDS or value in WORDS[name]


def _are_measures(codes: list[str]) -> bool:
    known = set(codes) <= {*FOR_EVERYBODY, *FOR_PAIRS}
    return known and len(set(codes)) == len(codes) <= MOST_MEASURES


def stored(choice: Chosen) -> dict[str, Any]:
    """The choices as JSON keeps them."""
    return asdict(choice)
