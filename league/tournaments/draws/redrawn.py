"""Fixtures drawn anew since somebody joined a full round robin, or group. No database."""

from collections.abc import Mapping, Sequence
from typing import Any

from league.pairing.formats.pairings import Pairing
from league.pairing.formats.round_robin import Rounds
from league.tournaments.picture import Picture

NEWCOMER = 0
"""Stands for somebody who has no entry yet."""


def redrawn_rounds(picture: Picture, group: int = 0) -> Rounds:
    """All rounds of the fixtures (of a group) as they were drawn anew last, those before as empty;
    none where they are as they were drawn first."""
    kept = [one for one in picture.stage.redrawn if one["group"] == group]
    if not kept:
        return ()
    keys = {entry.number or 0: key for key, entry in picture.entries.items()}
    rounds = tuple(tuple(_pairing(met, keys) for met in one) for one in kept[-1]["rounds"])
    return ((),) * kept[-1]["after"] + rounds


def _pairing(met: Sequence[int], keys: Mapping[int, int]) -> Pairing:
    return Pairing(keys[met[0]], keys[met[1]] if len(met) > 1 else None)


def group_joined(picture: Picture, entry: int) -> int | None:
    """The group that was drawn anew for a late entry; None where it took the place of a bye."""
    number = picture.entries[entry].number
    return next((one["group"] for one in picture.stage.redrawn if one["late"] == number), None)


def stored(
    rounds: Rounds, numbers: Mapping[int, int], *, late: int, group: int, after: int, seed: int
) -> dict[str, Any]:
    """What is kept of rounds drawn anew: who meets whom by `numbers`, those of the draw."""
    return {
        "late": late,
        "group": group,
        "after": after,
        "seed": seed,
        "rounds": [
            [
                [numbers[int(who)] for who in (one.first, one.second) if who is not None]
                for one in each
            ]
            for each in rounds
        ],
    }
