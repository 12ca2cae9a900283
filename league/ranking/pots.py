"""What a pot holds, who owes it what and who has won what. Pure; all money in whole cents.

Everything is worked out anew from counts of recorded hands. What cannot be shared evenly, and
what nobody has won, stays in the pot and is said.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.ranking.tables import places_taken

__all__ = ["PLACES", "Balance", "Counted", "Ledger", "PotLine", "PotRule", "ledger", "settled"]

ENTRY, ONCE, EUCHRED, SUM = "entry", "once", "euchred", "sum"
PLACES, MOST_LONERS, EACH_LONER = "places", "most_loners", "each_loner"
MOST_EUCHRES, KEPT = "most_euchres", "kept"


@dataclass(frozen=True, slots=True)
class PotRule:
    """`cents` is what is paid each time (or, with `SUM`, once by the club); `shares` the percents
    of the first, second, ... place."""

    source: str
    cents: int
    payout: str
    shares: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """What recorded hands say of somebody. `rank` is None for who has no place in the table."""

    evenings: int = 0
    euchred: int = 0
    euchres: int = 0
    lone_marches: int = 0
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class PotLine:
    """One person's part: they owe `owes` = `times` x the rule's cents, and have won `won`, by
    `won_by` (lone marches, euchres, their place)."""

    times: int
    owes: int
    won_by: int
    won: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """A pot worked out: `holds` = all that is owed (or the club's sum), `won` and `left` of it."""

    lines: Mapping[int, PotLine]
    holds: int
    times: int

    @property
    def won(self) -> int:
        return sum(line.won for line in self.lines.values())

    @property
    def left(self) -> int:
        return self.holds - self.won


def ledger(rule: PotRule, people: Mapping[int, Counted]) -> Ledger:
    """The pot by its rule, out of what is counted of everybody who played."""
    times = {who: _times(rule.source, one) for who, one in people.items()}
    paid = sum(times.values())
    holds = rule.cents if rule.source == SUM else rule.cents * paid
    won = _won(rule, holds, people)
    lines = {
        who: PotLine(
            times[who], times[who] * rule.cents, _won_by(rule.payout, one), won.get(who, 0)
        )
        for who, one in people.items()
    }
    return Ledger(lines, holds, paid)


def _times(source: str, one: Counted) -> int:
    return {ENTRY: one.evenings, ONCE: int(one.evenings > 0), EUCHRED: one.euchred}.get(source, 0)


def _won_by(payout: str, one: Counted) -> int:
    if payout == PLACES:
        return one.rank or 0
    if payout in (MOST_LONERS, EACH_LONER):
        return one.lone_marches
    return one.euchres if payout == MOST_EUCHRES else 0


def _won(rule: PotRule, holds: int, people: Mapping[int, Counted]) -> dict[int, int]:
    if rule.payout == PLACES:
        ranks = {who: one.rank for who, one in people.items() if one.rank}
        return _by_place(holds, rule.shares, ranks)
    counts = {who: _won_by(rule.payout, one) for who, one in people.items()}
    if rule.payout in (MOST_LONERS, MOST_EUCHRES):
        most = max(counts.values(), default=0)
        counts = {who: 1 for who, count in counts.items() if count == most > 0}
    return _by_count(holds, counts)


def _by_count(holds: int, counts: Mapping[int, int]) -> dict[int, int]:
    """The pot shared out by counts, to whole cents downwards."""
    whole = sum(counts.values())
    return {who: holds * count // whole for who, count in counts.items() if count}


def _by_place(holds: int, shares: Sequence[Fraction], ranks: Mapping[int, int]) -> dict[int, int]:
    """Each place's percent; who share a place share the percents of the places they take up."""
    won: dict[int, int] = {}
    taken = places_taken(ranks, ranks)
    for place, entries in set(taken.values()):
        level = [who for who, one in taken.items() if one == (place, entries)]
        percent = sum(shares[place - 1 : place - 1 + entries], Fraction(0))
        each = int(holds * percent / 100 / len(level))
        won |= {who: each for who in level if each}
    return won


@dataclass(frozen=True, slots=True)
class Balance:
    """What one person still has to pay in (`to_pay`) and to get (`to_get`), over some pots; below
    zero where more was paid than is owed by today's record."""

    owes: int = 0
    paid: int = 0
    won: int = 0
    got: int = 0

    @property
    def to_pay(self) -> int:
        return self.owes - self.paid

    @property
    def to_get(self) -> int:
        return self.won - self.got


def settled(line: PotLine, payments: Iterable[tuple[bool, int]]) -> Balance:
    """A person's part of a pot beside what was paid: `payments` are (out, cents)."""
    listed = list(payments)
    paid = sum(cents for out, cents in listed if not out)
    got = sum(cents for out, cents in listed if out)
    return Balance(line.owes, paid, line.won, got)
