"""The schedules found beforehand, and the rotations that are perfect by construction.

`schedules.json` holds, by policy, number of players and rounds, one string a round: the players as
letters of LETTERS, table after table in the order of the composition, those who sit out last.
"rotations" hold the first rounds of a rotation and its step, "schedules" whole evenings, "steady"
evenings that are level at every moment. Every one is checked again by tests/seating.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
Lines = list[list[int]]


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    text = (Path(__file__).parent / "schedules.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def schedule(policy: str, players: int, rounds: int, *, steady: bool = False) -> Lines | None:
    """The best evening found beforehand, if one was looked for."""
    book = _file()["steady" if steady else "schedules"]
    found = book.get(policy, {}).get(str(players), {}).get(str(rounds))
    return None if found is None else [_read(line) for line in found]


def rotation(policy: str, players: int) -> Lines | None:
    """All rounds of the perfect rotation for so many players, if one is known.

    Round t is a first round with every player moved t steps round their circle; players that
    fill no circle stand still.
    """
    found = _file()["rotations"].get(policy, {}).get(str(players))
    if found is None:
        return None
    circle = found["circle"]
    return [
        [_moved(one, step, circle, players) for one in _read(first)]
        for step in range(circle)
        for first in found["first"]
    ]


def _moved(one: int, step: int, circle: int, players: int) -> int:
    home, place = divmod(one, circle)
    if (home + 1) * circle > players:
        return one
    return home * circle + (place + step) % circle


def arithmetic(tables: int, rounds: int) -> Lines | None:
    """The fixed-seat movement N 0, S -1, E +1, W +2, where nobody meets twice.

    True for up to as many rounds as tables when their number is coprime to 6 and at least five:
    the paths of any two chairs then differ by 1, 2 or 3 tables a round.
    """
    if tables < 5 or not tables % 2 or not tables % 3 or rounds > tables:
        return None
    lines = []
    for turn in range(rounds):
        line = []
        for table in range(tables):
            for chair, step in enumerate((0, 1, -1, 2)):
                line.append(chair * tables + (table - step * turn) % tables)
        lines.append(line)
    return lines


def _read(line: str) -> list[int]:
    return [LETTERS.index(letter) for letter in line]


def written(line: Sequence[int]) -> str:
    """A round as it stands in the file."""
    return "".join(LETTERS[one] for one in line)
