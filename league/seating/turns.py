"""Whose turn it is for a small table or to sit out: strictly those who have had least of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from league.seating.history import OUT, SHORT, Portion, Share

Turn = tuple[Fraction, int, bool]  # how far ahead of what is owed, how often had, had it last


def turns(portions: Sequence[Portion], *, out: bool) -> list[int]:
    """For each player a rank: 0 is next for a small table (or, with `out`, to sit out).

    Next is who has had least against what was to be expected while present tonight, so a late
    arrival is not made to catch up. Nobody is due twice running before another who has had it less
    often. Equal ranks mean an equal claim: the optimiser may choose among them.
    """
    share: Callable[[Portion], Share] = _out_share if out else _short_share
    claims = []
    for portion in portions:
        mine = share(portion)
        running = portion.last == OUT if out else portion.last in SHORT
        claims.append((mine.had - mine.owed, mine.had, running))
    classes = sorted(set(claims))
    order = _class_order(classes)
    rank = {claim: place for place, claim in enumerate(order)}
    return [rank[claim] for claim in claims]


def _short_share(portion: Portion) -> Share:
    return portion.short_tonight


def _out_share(portion: Portion) -> Share:
    return portion.out_tonight


def _class_order(classes: list[Turn]) -> list[Turn]:
    """The classes of equal claim, best claim first; twice running only after all who had less."""
    waiting, order = list(classes), []
    while waiting:
        first = waiting[0]
        if first[2]:
            first = next((other for other in waiting if other[1] < first[1]), first)
        waiting.remove(first)
        order.append(first)
    return order
