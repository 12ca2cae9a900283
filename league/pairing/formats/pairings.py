"""What every format takes and gives: who meets whom, and what came of it."""

from dataclasses import dataclass

EntryId = int | str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet in a round; `second` is None for a bye.

    The first is at home, where a format knows homes. `label` names the match where the format
    needs to find it again: the key of a match of a bracket, the number of a group.
    """

    first: EntryId
    second: EntryId | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: the hand points each side took, and who won; None for a draw.

    A `walkover` counts as won, but the two have not met.
    """

    first: EntryId
    second: EntryId
    first_points: int
    second_points: int
    winner: EntryId | None
    walkover: bool = False
