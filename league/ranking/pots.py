"""What a pot holds, who owes it what and who has won what. Pure; all money in whole cents.

Everything is computed from the results: sessions played, places, counts of recorded hands. What
cannot be divided evenly, and what no one has won, stays in the pot and is reported as left.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.ranking.tables import places_taken

__all__ = [
    "AMOUNTS",
    "BY_PLACE",
    "COUNTED_FROM_HANDS",
    "KEPT",
    "NOT_IN",
    "PLACES",
    "PRIZE",
    "REFUND",
    "RETURN",
    "STAKE",
    "WAIVED",
    "Balance",
    "Counted",
    "Ledger",
    "PotLine",
    "PotRule",
    "balance_of",
    "ledger",
]

ENTRY, ONCE, EUCHRED, SUM = "entry", "once", "euchred", "sum"
PLACES, AMOUNTS = "places", "amounts"
MOST_LONERS, EACH_LONER = "most_loners", "each_loner"
MOST_EUCHRES, KEPT = "most_euchres", "kept"
BY_PLACE = (PLACES, AMOUNTS)
"""Payouts to the places: by percent, and by fixed amounts."""
STAKE, REFUND, PRIZE, RETURN = "stake", "refund", "prize", "return"
WAIVED = "waived"
"""No money: what a player was let off, so that they owe less."""
NOT_IN = "out"
"""No money: a player is not in the pot, so that they owe nothing and win nothing."""
COUNTED_FROM_HANDS = {EUCHRED, MOST_LONERS, EACH_LONER, MOST_EUCHRES}
"""Sources and payouts for which a game with only a final score counts nothing."""


@dataclass(frozen=True, slots=True)
class PotRule:
    """How a pot is paid into and paid out. `cents` is the amount of one payment (with `SUM`, paid
    once by the club); `shares` are the percentages, or with `AMOUNTS` the cents, of the first,
    second, ... place. Each prize is rounded down to `unit` cents."""

    source: str
    cents: int
    payout: str
    shares: tuple[Fraction, ...] = ()
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Counted:
    """A player's counts from recorded hands. `rank` is None without a place in the table."""

    evenings: int = 0
    euchred: int = 0
    euchres: int = 0
    lone_marches: int = 0
    rank: int | None = None

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            self.evenings + other.evenings,
            self.euchred + other.euchred,
            self.euchres + other.euchres,
            self.lone_marches + other.lone_marches,
            self.rank or other.rank,
        )


@dataclass(frozen=True, slots=True)
class PotLine:
    """One player's part of a pot, in cents: `owes` is `times` the rule's cents, less what was
    `waived`; `won` was won by `won_by`, the number of lone marches or euchres, or the place, which
    `shared_by` so many entries have: 1 for the partners of one pair. It is 0 if the pot is not won
    by place."""

    times: int
    owes: int
    won_by: int
    won: int
    shared_by: int = 0
    waived: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The state of a pot, in cents: `holds` is all that is owed (or the club's sum), of which `won`
    has been won and `left` has not, some of it because prizes are `rounded_off`."""

    lines: Mapping[int, PotLine]
    holds: int
    times: int
    rounded_off: Fraction = Fraction(0)

    @property
    def won(self) -> int:
        return sum(line.won for line in self.lines.values())

    @property
    def left(self) -> int:
        return self.holds - self.won

    @property
    def waived(self) -> int:
        return sum(line.waived for line in self.lines.values())


def ledger(
    rule: PotRule,
    players: Mapping[int, Counted],
    let_off: Mapping[int, int] | None = None,
    not_in: Collection[int] = (),
) -> Ledger:
    """The pot by its rule, from the counts of everyone who played, the cents that some of them
    were let off, and those who are not in it: the places of the others close up."""
    people = {player: counted for player, counted in players.items() if player not in not_in}
    places = places_taken(_ranks(players), _ranks(people)) if rule.payout in BY_PLACE else {}
    times_by_player = {
        player: _times_owed(rule.source, counted) for player, counted in people.items()
    }
    payment_count = sum(times_by_player.values())
    waived = {
        player: min((let_off or {}).get(player, 0), times * rule.cents)
        for player, times in times_by_player.items()
    }
    all_owed = rule.cents * payment_count - sum(waived.values())
    holds = rule.cents if rule.source == SUM else all_owed
    exact = _winnings(rule, holds, people, places)
    winnings = {player: int(cents) - int(cents) % rule.unit for player, cents in exact.items()}
    lines = {
        player: PotLine(
            times=times_by_player[player],
            owes=times_by_player[player] * rule.cents - waived[player],
            won_by=places.get(player, (_count_won_by(rule.payout, counted), 0))[0],
            won=winnings.get(player, 0),
            shared_by=places.get(player, (0, 0))[1],
            waived=waived[player],
        )
        for player, counted in people.items()
    }
    rounded_off = sum(exact.values(), Fraction(0)) - sum(winnings.values())
    return Ledger(lines, holds, payment_count, rounded_off)


def _times_owed(source: str, counted: Counted) -> int:
    times = {ENTRY: counted.evenings, ONCE: int(counted.evenings > 0), EUCHRED: counted.euchred}
    return times.get(source, 0)


def _count_won_by(payout: str, counted: Counted) -> int:
    if payout in (MOST_LONERS, EACH_LONER):
        return counted.lone_marches
    return counted.euchres if payout == MOST_EUCHRES else 0


def _winnings(
    rule: PotRule, holds: int, people: Mapping[int, Counted], places: Mapping[int, tuple[int, int]]
) -> dict[int, Fraction]:
    """What each player has won, before it is rounded down."""
    if rule.payout in BY_PLACE:
        return _split_by_place(_prizes_of_places(rule, holds), places)
    return _split_by_count(holds, _winning_counts(rule.payout, people))


def _prizes_of_places(rule: PotRule, holds: int) -> list[Fraction]:
    """The prize of each place in cents. Amounts are paid in order until the pot is empty."""
    if rule.payout == PLACES:
        return [holds * share / 100 for share in rule.shares]
    left, prizes = Fraction(holds), []
    for amount in rule.shares:
        prizes.append(min(amount, left))
        left -= prizes[-1]
    return prizes


def _winning_counts(payout: str, people: Mapping[int, Counted]) -> dict[int, int]:
    counts = {player: _count_won_by(payout, counted) for player, counted in people.items()}
    if payout in (MOST_LONERS, MOST_EUCHRES):
        most = max(counts.values(), default=0)
        counts = {player: 1 for player, count in counts.items() if count == most > 0}
    return counts


def _ranks(people: Mapping[int, Counted]) -> dict[int, int]:
    return {player: counted.rank for player, counted in people.items() if counted.rank}


def _split_by_count(holds: int, counts: Mapping[int, int]) -> dict[int, Fraction]:
    """The pot divided in proportion to the counts."""
    total = sum(counts.values())
    return {player: Fraction(holds * count, total) for player, count in counts.items() if count}


def _split_by_place(
    prizes: Sequence[Fraction], places_by_player: Mapping[int, tuple[int, int]]
) -> dict[int, Fraction]:
    """Each place's prize. Players who share a place split the prizes of the places it takes up."""
    winnings: dict[int, Fraction] = {}
    for place, entries in set(places_by_player.values()):
        tied = [player for player, taken in places_by_player.items() if taken == (place, entries)]
        together = sum(prizes[place - 1 : place - 1 + entries], Fraction(0))
        winnings |= dict.fromkeys(tied, together / len(tied))
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


def balance_of(line: PotLine, payments: Iterable[tuple[str, int]]) -> Balance:
    """A player's part of a pot compared with the payments made, each (kind, cents)."""
    sums: Counter[str] = Counter()
    for kind, cents in payments:
        sums[kind] += cents
    return Balance(
        owes=line.owes,
        paid=sums[STAKE] - sums[REFUND],
        won=line.won,
        got=sums[PRIZE] - sums[RETURN],
        paid_back=sums[REFUND],
        given_back=sums[RETURN],
    )
