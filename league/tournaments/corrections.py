"""Results of a bracket put right after they were played on: who won now, and what that undoes."""

from dataclasses import dataclass

from league.pairing.errors import PairingRefused
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.picture import Picture


@dataclass(frozen=True, slots=True)
class Correction:
    """A match whose games now say another winner (a position) than the bracket went on with.

    `undone` are the keys of the matches that were played on the strength of it.
    """

    key: int
    label: str
    winner: int
    entry: int
    undone: tuple[int, ...]


def corrections(picture: Picture) -> list[Correction]:
    """Every correction that the bracket has not followed."""
    if not picture.in_bracket:
        return []
    now = bracket_of(picture)
    latest = {match.label: match for match in picture.matches}
    found = []
    for match in latest.values():
        winner = match.by_games
        if not match.corrected_since or winner is None or match.label not in now.matches:
            continue
        if set(match.entries) != set(now.matches[match.label].sides):
            continue
        entry = match.sides[winner]
        try:
            undone = now.undone_by(match.label, entry)
        except PairingRefused:
            continue
        keys = tuple(latest[one.key].key for one in undone if one.key in latest)
        found.append(Correction(match.key, match.label, winner, entry, keys))
    return found
