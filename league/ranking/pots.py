"""What a pot holds, who owes it what and who has won what. Pure; all money in whole cents.

Everything is computed from the results: sessions played, places, counts of recorded hands. What
cannot be divided evenly, and what no one has won, stays in the pot and is reported as left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.ranking.tables import places_taken

__all__ = [
    "COUNTED_FROM_HANDS",
    "PLACES",
    "Balance",
    "Counted",
    "Ledger",
    "PotLine",
    "PotRule",
    "balance_of",
    "ledger",
    "returned_parts",
]

ENTRY, ONCE, EUCHRED, SUM = "entry", "once", "euchred", "sum"
PLACES, MOST_LONERS, EACH_LONER = "places", "most_loners", "each_loner"
MOST_EUCHRES, KEPT = "most_euchres", "kept"
COUNTED_FROM_HANDS = {EUCHRED, MOST_LONERS, EACH_LONER, MOST_EUCHRES}
"""Sources and payouts for which a game with only a final score counts nothing."""


@dataclass(frozen=True, slots=True)
class PotRule:
    """How a pot is paid into and paid out. `cents` is the amount of one payment (with `SUM`, paid
    once by the club); `shares` are the percentages of the first, second, ... place."""

    source: str
    cents: int
    payout: str
    shares: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """A player's counts from recorded hands. `rank` is None without a place in the table."""

    evenings: int = 0
    euchred: int = 0
    euchres: int = 0
    lone_marches: int = 0
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class PotLine:
    """One player's part of a pot, in cents: `owes` is `times` the rule's cents; `won` was won by
    `won_by`, the number of lone marches or euchres, or the place, which `shared_by` so many entries
    have: 1 for the partners of one pair. It is 0 if the pot is not won by place."""

    times: int
    owes: int
    won_by: int
    won: int
    shared_by: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The state of a pot, in cents: `holds` is all that is owed (or the club's sum), of which `won`
    has been won and `left` has not."""

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
    """The pot by its rule, from the counts of everyone who played."""
    times_by_player = {
        player: _times_owed(rule.source, counted) for player, counted in people.items()
    }
    payment_count = sum(times_by_player.values())
    holds = rule.cents if rule.source == SUM else rule.cents * payment_count
    winnings = _winnings(rule, holds, people)
    places = places_taken(_ranks(people), people) if rule.payout == PLACES else {}
    lines = {
        player: PotLine(
            times=times_by_player[player],
            owes=times_by_player[player] * rule.cents,
            won_by=_count_won_by(rule.payout, counted),
            won=winnings.get(player, 0),
            shared_by=places.get(player, (0, 0))[1],
        )
        for player, counted in people.items()
    }
    return Ledger(lines, holds, payment_count)


def _times_owed(source: str, counted: Counted) -> int:
    times = {ENTRY: counted.evenings, ONCE: int(counted.evenings > 0), EUCHRED: counted.euchred}
    return times.get(source, 0)


def _count_won_by(payout: str, counted: Counted) -> int:
    if payout == PLACES:
        return counted.rank or 0
    if payout in (MOST_LONERS, EACH_LONER):
        return counted.lone_marches
    return counted.euchres if payout == MOST_EUCHRES else 0


def _winnings(rule: PotRule, holds: int, people: Mapping[int, Counted]) -> dict[int, int]:
    if rule.payout == PLACES:
        return _split_by_place(holds, rule.shares, _ranks(people))
    counts = {player: _count_won_by(rule.payout, counted) for player, counted in people.items()}
    if rule.payout in (MOST_LONERS, MOST_EUCHRES):
        most = max(counts.values(), default=0)
        counts = {player: 1 for player, count in counts.items() if count == most > 0}
    return _split_by_count(holds, counts)


def _ranks(people: Mapping[int, Counted]) -> dict[int, int]:
    return {player: counted.rank for player, counted in people.items() if counted.rank}


def _split_by_count(holds: int, counts: Mapping[int, int]) -> dict[int, int]:
    """The pot divided in proportion to the counts, rounded down to whole cents."""
    total = sum(counts.values())
    return {player: holds * count // total for player, count in counts.items() if count}


def _split_by_place(
    holds: int, shares: Sequence[Fraction], ranks: Mapping[int, int]
) -> dict[int, int]:
    """The pot divided by places. Players who share a place split the percentages of the places it
    takes up."""
    winnings: dict[int, int] = {}
    places_by_player = places_taken(ranks, ranks)
    for place, entries in set(places_by_player.values()):
        tied = [player for player, taken in places_by_player.items() if taken == (place, entries)]
        percent = sum(shares[place - 1 : place - 1 + entries], Fraction(0))
        amount = int(holds * percent / 100 / len(tied))
        winnings |= {player: amount for player in tied if amount}
    return winnings


@dataclass(frozen=True, slots=True)
class Balance:
    """What one player still has to pay (`to_pay`) and to receive (`to_get`) over some pots.

    Negative where a correction since has made the amount paid too high. `paid` and `got` are less
    what went back: `paid_back` of the fees to the player, `given_back` of the prizes to the pot.
    """

    owes: int = 0
    paid: int = 0
    won: int = 0
    got: int = 0
    paid_back: int = 0
    given_back: int = 0

    @property
    def offset(self) -> int:
        """What the player has both paid and received too much, so that neither is open."""
        return max(0, min(self.paid - self.owes, self.got - self.won))

    @property
    def to_pay(self) -> int:
        return self.owes - self.paid + self.offset

    @property
    def to_get(self) -> int:
        return self.won - self.got + self.offset

    @property
    def to_get_back(self) -> int:
        """What the player has paid too much and gets back."""
        return max(0, -self.to_pay)

    @property
    def to_give_back(self) -> int:
        """What the player has received too much."""
        return max(0, -self.to_get)

    @property
    def fees_in(self) -> int:
        """All the fees that the player has paid, also those paid back."""
        return self.paid + self.paid_back

    @property
    def prizes_out(self) -> int:
        """All the prizes that the player has received, also those given back."""
        return self.got + self.given_back


def balance_of(line: PotLine, payments: Sequence[tuple[bool, int]]) -> Balance:
    """A player's part of a pot compared with the payments made, each (is_payout, cents)."""
    returned = returned_parts(line, payments)
    sums = {True: 0, False: 0}
    sums_returned = {True: 0, False: 0}
    for (is_payout, cents), back in zip(payments, returned, strict=True):
        sums[is_payout] += cents
        sums_returned[is_payout] += back
    paid_back, given_back = sums_returned[True], sums_returned[False]
    return Balance(
        owes=line.owes,
        paid=sums[False] - given_back - paid_back,
        won=line.won,
        got=sums[True] - paid_back - given_back,
        paid_back=paid_back,
        given_back=given_back,
    )


def returned_parts(line: PotLine, payments: Iterable[tuple[bool, int]]) -> list[int]:
    """How much of each payment, in their order, gives back what went the other way before.

    What comes in above the fee gives back prize money that the player holds, whatever they have
    won by now: a correction may move a prize, and move it back after it was returned. What goes
    out pays back only what is too much, or the whole fee while no prize is due.
    """
    paid = received = 0
    parts = []
    for is_payout, cents in payments:
        fee, prize = line.owes - paid, line.won - received  # still due
        if is_payout:
            part = _paid_back(cents, max(0, prize), max(0, -fee), paid)
            paid, received = paid - part, received + cents - part
        else:
            is_exact = cents == -prize != fee
            part = cents if is_exact else max(0, min(cents - max(0, fee), received))
            paid, received = paid + cents - part, received - part
        parts.append(part)
    return parts


def _paid_back(cents: int, due: int, excess: int, paid: int) -> int:
    """How much of a payout goes back of the fees `paid`. While a prize is due it is that prize,
    unless it is just what is too much; above all that is due and too much, it was a prize."""
    if cents != due and cents == (excess if due else paid):
        return cents
    return cents - due if due < cents <= due + excess else 0
