"""Who goes up and down between the divisions of a season. Pure.

Between two neighbours as many go up as go down, so divisions keep their sizes. Nobody goes both
ways. Where people are level on the border, a lot decides, and both sides of it are marked.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

UP, STAY, DOWN = "up", "stay", "down"


@dataclass(frozen=True, slots=True)
class DivisionPlace:
    """Somebody in the final table of a division. `rank` 1 is the first; who never came has the
    last. `placed`: they came often enough for a place, and so may go up."""

    who: str
    rank: int
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of somebody; `by_lot` where somebody level with them goes the other way."""

    outcome: str = STAY
    by_lot: bool = False


def division_moves(
    divisions: Sequence[Sequence[DivisionPlace]], moving: int, *, seed: str
) -> dict[str, Move]:
    """The proposed moves, the highest division first; `moving` go up and down at each border.

    Fewer do where a lower division has too few with a place, or a middle one too few people for
    both borders.
    """
    ordered = [sorted(people, key=lambda one: _order(one, seed)) for people in divisions]
    ups, downs = [0] * len(ordered), [0] * len(ordered)
    for above in range(len(ordered) - 1):
        fit = sum(one.placed for one in ordered[above + 1])
        count = min(moving, fit, len(ordered[above]) - ups[above])
        downs[above] = ups[above + 1] = count
    found: dict[str, Move] = {}
    for people, up, down in zip(ordered, ups, downs, strict=True):
        found |= _decided(people, up, down)
    return found


def _decided(people: Sequence[DivisionPlace], up: int, down: int) -> dict[str, Move]:
    """The best `up` of a division go up, the worst `down` go down."""
    outcomes = [UP] * up + [STAY] * (len(people) - up - down) + [DOWN] * down
    by_level: dict[tuple[bool, int], set[str]] = {}
    for one, outcome in zip(people, outcomes, strict=True):
        by_level.setdefault((one.placed, one.rank), set()).add(outcome)
    return {
        one.who: Move(outcome, by_lot=len(by_level[one.placed, one.rank]) > 1)
        for one, outcome in zip(people, outcomes, strict=True)
    }


def _order(one: DivisionPlace, seed: str) -> tuple[bool, int, bytes]:
    """Those with a place by rank, then the others; level people by a lot anybody can draw again."""
    lot = hashlib.sha256(f"{seed}:{one.who}".encode()).digest()
    return (not one.placed, one.rank, lot)
