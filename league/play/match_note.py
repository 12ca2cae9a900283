"""What the match of a game says beside it: which of its games this is, and how the match stands.

Matches are another area's; `league.apps` puts in who can say it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.seating.models import Table


@dataclass(frozen=True, slots=True)
class MatchNote:
    """`line`: how the match stands in one short line. `head`: which game of the match it is, and
    the games won. `notes`: what it began with, and what it counts. `outcome`: who has won the
    match, empty while it goes on. `address`: where all matches stand."""

    line: str
    head: str
    notes: tuple[str, ...]
    outcome: str
    address: str


NoteOf = Callable[[Table, Sequence[str]], MatchNote | None]
NOTES: list[NoteOf] = []


def match_note(table: Table, sides: Sequence[str]) -> MatchNote | None:
    """What the match of a table's game says, its sides by these names; None for a game that is no
    part of a match of several."""
    if not table.round.by_tournament:
        return None
    found = (note_of(table, sides) for note_of in NOTES)
    return next((note for note in found if note is not None), None)
