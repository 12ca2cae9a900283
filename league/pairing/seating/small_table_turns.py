"""Whose turn it is for a small table or to sit out: strictly those who have had least of it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from league.pairing.seating.history import OUT, SHORT, Share, Tally

Turn = tuple[Fraction, int, bool]  # how much counted as had, how often had, had it last
AWAY = 2  # what somebody may have missed while away without its counting as had


class Due(NamedTuple):
    """A place in the order of turns: how many better claims there are, and whether twice running.

    Equal means an equal claim: the optimiser may choose.
    """

    rank: int
    again: bool


def turns(count: Tally, *, out: bool) -> list[Due]:
    """For each player the place in the order for a small table (or, with `out`, to sit out).

    Next, with rank 0, is who has had least tonight. What a late arrival missed counts as had, so
    that nobody is made to catch up; so does, beyond two, what somebody missed while away. Nobody is
    due twice running before another who has had it less often, and of those who have had it as
    often one who had it last comes after the others.
    """
    claims = _claims(count, out)
    due: dict[Turn, Due] = {}
    rank, before = -1, None
    for claim in _class_order(sorted(set(claims))):
        rank += claim[:2] != before
        before = claim[:2]
        due[claim] = Due(rank, claim[2])
    return [due[claim] for claim in claims]


class TurnRecord(NamedTuple):
    """How somebody stands: how often tonight, whether the last time, and with whom to compare.

    `level`: nothing counts as had but what was had. `always`: placed as often as anybody.
    """

    had: int
    again: bool
    level: bool
    always: bool


def turn_records(count: Tally, *, out: bool) -> list[TurnRecord]:
    """How each player stands with small tables (or, with `out`, sit-outs)."""
    most = max(portion.rounds_tonight for portion in count.portions)
    return [
        TurnRecord(had, running, counted == had, portion.rounds_tonight == most)
        for (counted, had, running), portion in zip(
            _claims(count, out), count.portions, strict=True
        )
    ]


def _claims(count: Tally, out: bool) -> list[Turn]:
    claims = []
    for portion in count.portions:
        share = portion.out_tonight if out else portion.short_tonight
        running = portion.last == OUT if out else portion.last in SHORT
        claims.append((_counted(share), share.had, running))
    return claims


def _counted(share: Share) -> Fraction:
    return share.had + share.missed + max(share.away - AWAY, Fraction(0))


def _class_order(classes: list[Turn]) -> list[Turn]:
    """The classes of equal claim, best claim first; twice running only after all who had less."""
    waiting, order = list(classes), []
    while waiting:
        first = waiting[0]
        while first[2]:
            less = [other for other in waiting if other[1] < first[1]]
            if not less:
                break
            first = less[0]  # who may have had it last as well, and another less still
        waiting.remove(first)
        order.append(first)
    return order
