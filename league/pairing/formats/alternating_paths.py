"""Rounds that trade chains of meetings, so that nobody is wanted twice in one of them."""

from collections.abc import Iterable
from itertools import combinations

from league.pairing.formats.pairings import EntryId

Facing = dict[EntryId, EntryId]
"""Whom everybody meets in a round; who is not in it meets nobody."""


def chain(here: Facing, there: Facing, start: EntryId) -> list[EntryId]:
    """From one who plays `there` and not `here`: the opponent there, that one's opponent here, and
    so on. Where these are an even number, `there` has one meeting more of the chain."""
    sides = [start]
    turn, other = there, here
    while (met := turn.get(sides[-1])) is not None:
        sides.append(met)
        turn, other = other, turn
    return sides


def linked(here: Facing, there: Facing, start: EntryId) -> list[EntryId]:
    """Everybody whom meetings of the two rounds join with one, be it a chain or a ring."""
    found = {start: None}
    to_see = [start]
    while to_see:
        side = to_see.pop()
        for met in (here.get(side), there.get(side)):
            if met is not None and met not in found:
                found[met] = None
                to_see.append(met)
    return list(found)


def trade(here: Facing, there: Facing, sides: Iterable[EntryId]) -> None:
    """Let two rounds exchange the meetings of those who are linked."""
    for side in sides:
        met_here, met_there = here.pop(side, None), there.pop(side, None)
        if met_there is not None:
            here[side] = met_there
        if met_here is not None:
            there[side] = met_here


def fill_up(rounds: list[Facing]) -> None:
    """Move meetings to the rounds before, as long as one can take one more from a later one."""
    moved = True
    while moved:
        moved = False
        for early, late in combinations(rounds, 2):
            for side in [one for one in late if one not in early]:
                if side in late and side not in early:
                    sides = chain(early, late, side)
                    if len(sides) % 2 == 0:
                        trade(early, late, sides)
                        moved = True
    rounds[:] = [one for one in rounds if one]
