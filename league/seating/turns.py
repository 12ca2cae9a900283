"""Whose turn it is for a small table or to sit out: strictly those who have had least of it."""

from __future__ import annotations

from fractions import Fraction

from league.seating.history import OUT, SHORT, Share, Tally

Turn = tuple[Fraction, int, bool]  # how much counted as had, how often had, had it last
AWAY = 2  # what somebody may be owed less than others before they are taken to have been away


def turns(count: Tally, *, out: bool) -> list[int]:
    """For each player a rank: 0 is next for a small table (or, with `out`, to sit out).

    Next is who has had least tonight. What a late arrival missed counts as had, so that nobody is
    made to catch up; so does, beyond two, what somebody was owed less than others because of
    being away. Nobody is due twice running before another who has had it less often. Equal ranks
    mean an equal claim: the optimiser may choose among them.
    """
    claims = []
    for portion in count.portions:
        share = portion.out_tonight if out else portion.short_tonight
        most = count.most_out if out else count.most_short
        running = portion.last == OUT if out else portion.last in SHORT
        claims.append((_counted(share, most), share.had, running))
    order = _class_order(sorted(set(claims)))
    rank = {claim: place for place, claim in enumerate(order)}
    return [rank[claim] for claim in claims]


def _counted(share: Share, most: Fraction) -> Fraction:
    away = most - share.owed - share.missed - AWAY
    return share.had + share.missed + max(away, Fraction(0))


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
