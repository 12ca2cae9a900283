"""A pot with its players' lines and payments: what is open, in the box and left of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from league.members.models import Member
from league.ranking.pots import (
    AMOUNTS,
    BY_PLACE,
    COUNTED_FROM_HANDS,
    NOT_IN,
    PLACES,
    REFUND,
    Balance,
    Ledger,
    PotLine,
)
from league.standings.labels import Text
from league.standings.models import Payment, Pot, cents_of, pot_labels


@dataclass(frozen=True, slots=True)
class PotRow:
    """One member's line of a pot, with the payments taken into account."""

    member: Member
    line: PotLine
    balance: Balance

    @property
    def stake(self) -> int:
        """What is in the box of the member's stake. What they have paid above it is theirs."""
        return min(self.balance.paid, self.line.owes)


@dataclass(frozen=True, slots=True)
class PotSheet:
    """A pot with the lines of all members; `payments` are those not withdrawn; `beaten` is the word
    for a failed call in its games; `arrived` are the ids of those checked in without a game yet."""

    pot: Pot
    ledger: Ledger
    rows: Sequence[PotRow]
    payments: Sequence[Payment]
    beaten: str
    arrived: frozenset[int]

    @property
    def source(self) -> Text:
        return self._labels[self.pot.source]

    @property
    def payout(self) -> Text:
        return self._labels[self.pot.current_payout]

    @property
    def payouts(self) -> list[tuple[str, Text]]:
        """The ways to win a pot other than by places, each with its label."""
        return [(code, self._labels[code]) for code in Pot.Payout.values if code not in BY_PLACE]

    @property
    def payouts_by_place(self) -> list[tuple[str, Text]]:
        return [(code, self._labels[code]) for code in BY_PLACE]

    @property
    def _labels(self) -> dict[str, Text]:
        return pot_labels(self.beaten, of_season=self.pot.season_id is not None)

    @property
    def winners(self) -> list[list[PotRow]]:
        """The rows of those who have won something, by place or the most first, grouped by tie."""
        winning_rows = [row for row in self.rows if row.line.won]
        by_place = self.pot.is_by_place
        winning_rows.sort(key=lambda row: row.line.won_by if by_place else -row.line.won)
        return [
            list(tied)
            for _, tied in groupby(winning_rows, lambda row: (row.line.won_by, row.line.won))
        ]

    @property
    def unplaced(self) -> list[Member]:
        """Those who pay into a pot won by places and have no place: they can win nothing. Without
        a debt what they paid is given back."""
        if not self.pot.is_by_place or not self.has_been_open:
            return []
        paying = [row for row in self.rows if row.line.owes]
        unplaced = [row.member for row in paying if not row.line.won_by]
        return [member for member in unplaced if member.pk not in self.arrived]

    @property
    def left_out(self) -> list[Member]:
        """Those who are not in the pot, by name."""
        return [row.member for row in self.rows if row.member in self._not_in]

    @property
    def can_be_left_out(self) -> list[Member]:
        return [row.member for row in self.rows if row.member not in self._not_in]

    @property
    def _not_in(self) -> list[Member | None]:
        return [one.member for one in self.payments if one.kind == NOT_IN]

    @property
    def seen(self) -> int:
        """The number of payments, including withdrawn ones."""
        return len(self.pot.payments.all())

    @property
    def unshared(self) -> Decimal:
        """The percentage of a pot won by places that its percents leave in it."""
        if self.pot.payout != PLACES:
            return Decimal(0)
        return Decimal(100) - sum(map(Decimal, self.pot.shares))

    @property
    def shared(self) -> Decimal:
        return Decimal(100) - self.unshared

    @property
    def amounts(self) -> list[int]:
        """The fixed amounts of the places, in cents."""
        if self.pot.payout != AMOUNTS:
            return []
        return [cents_of(Decimal(share)) for share in self.pot.shares]

    @property
    def short_of_amounts(self) -> int:
        """How much less than the amounts of the places the pot holds."""
        return max(0, sum(self.amounts) - self.ledger.holds)

    @property
    def left_by_shares(self) -> int:
        """What the shares of the places leave in the pot, in whole cents."""
        return int(self._left_by_shares)

    @property
    def _left_by_shares(self) -> Fraction:
        if self.pot.payout == AMOUNTS:
            return Fraction(max(0, self.ledger.holds - sum(self.amounts)))
        return Fraction(self.unshared) * self.ledger.holds / 100

    @property
    def left_besides(self) -> int:
        """What else is left: what cannot be shared evenly, and the shares that nobody has won."""
        return self.ledger.left - self.left_by_shares

    @property
    def is_rounded(self) -> bool:
        """Whether that is only what rounding the prizes down leaves."""
        return self.ledger.left - self.ledger.rounded_off == self._left_by_shares

    @property
    def counts_hands(self) -> bool:
        """Whether recorded hands decide who pays or who wins."""
        return not COUNTED_FROM_HANDS.isdisjoint((self.pot.source, self.pot.current_payout))

    @property
    def has_paid_prizes(self) -> bool:
        """Whether a player holds a prize; not once it was given back."""
        return any(row.balance.got > 0 for row in self.rows)

    @property
    def has_money_paid(self) -> bool:
        return any(one.is_money for one in self.payments)

    @property
    def is_fixed(self) -> bool:
        """Whether its rule can't change any more: it has paid a player or the club."""
        return self.has_paid_prizes or self.booked > 0

    @property
    def is_settled(self) -> bool:
        """Whether every stake is in, every prize out, and nothing left that players may win."""
        is_open = any(row.balance.to_pay or row.balance.to_get for row in self.rows)
        return not is_open and not self.unclaimed and not self.booked_too_much

    @property
    def unclaimed(self) -> int:
        """The stakes in the box of a pot that nobody has won: the club decides about them once it
        can't be won any more. Nothing while a player holds a prize of it."""
        if not is_unwon(self.pot, self.ledger) or self.has_paid_prizes:
            return 0
        return sum(row.stake for row in self.rows)

    @property
    def payers(self) -> list[PotRow]:
        """The rows of those whose stake is in the box."""
        return [row for row in self.rows if row.stake > 0]

    @property
    def paid_by_payers(self) -> int:
        """All that they have paid, also above their stakes."""
        return sum(row.balance.paid for row in self.payers)

    @property
    def is_given_back(self) -> bool:
        """Whether the stakes of a pot that nobody has won went back to the players."""
        asks_nothing = self.pot.is_over and not self.ledger.holds
        has_paid_back = any(payment.kind == REFUND for payment in self.payments)
        return asks_nothing and is_unwon(self.pot, self.ledger) and has_paid_back

    @property
    def has_box(self) -> bool:
        """Whether there is money: not before a session is open, nor of a cancelled one."""
        return bool(self.payments) or self.has_been_open

    @property
    def has_been_open(self) -> bool:
        return not self.pot.session or self.pot.session.has_been_open

    @property
    def club_sum(self) -> int:
        """What the club itself puts in."""
        return cents_of(self.pot.amount) if self.pot.source == Pot.Source.SUM else 0

    @property
    def fees_in(self) -> int:
        return sum(row.balance.fees_in for row in self.rows)

    @property
    def paid_back(self) -> int:
        return sum(row.balance.paid_back for row in self.rows)

    @property
    def prizes_out(self) -> int:
        return sum(row.balance.prizes_out for row in self.rows)

    @property
    def given_back(self) -> int:
        return sum(row.balance.given_back for row in self.rows)

    @property
    def cash(self) -> int:
        """The cash of this pot; below zero, so much was paid out of other money."""
        came_in = (self.club_sum if self.has_box else 0) + self.fees_in + self.given_back
        return came_in - self.prizes_out - self.paid_back - self.booked

    @property
    def booked(self) -> int:
        """What was booked to the club."""
        return sum(one.cents for one in self.payments if one.kind == Payment.Kind.CLUB)

    @property
    def for_club(self) -> int:
        """What can be booked to the club: what is left of a pot that nobody can win any more, if it
        is in the box besides what players still get."""
        if not self.pot.is_over or self.unclaimed:
            return 0
        due = sum(max(0, row.balance.to_get) + row.balance.to_get_back for row in self.rows)
        return max(0, min(self.ledger.left - self.booked, self.cash - due))

    @property
    def booked_too_much(self) -> int:
        """What was booked to the club and is not its own any more, after a correction."""
        return max(0, self.booked - self.ledger.left)

    @property
    def giving_back(self) -> list[PotRow]:
        """The rows of those who have received more than they have won."""
        return [row for row in self.rows if row.balance.to_give_back]


@dataclass(frozen=True, slots=True)
class Sheets:
    """All pots of a session or a season; `provisional` while a game of it is open, or
    still to be played at a table."""

    sheets: Sequence[PotSheet]
    provisional: bool

    @property
    def has_box(self) -> bool:
        return any(sheet.has_box for sheet in self.sheets)

    @property
    def cash(self) -> int:
        """The cash of all pots; below zero, so much was paid out of other money."""
        return sum(sheet.cash for sheet in self.sheets)

    @property
    def in_box(self) -> int:
        """The cash that should be in the box for all pots."""
        return max(0, self.cash)

    @property
    def other_money(self) -> int:
        """What was paid out of other money than that of the pots."""
        return max(0, -self.cash)

    def sheet_of(self, pot: Pot) -> PotSheet:
        return next(sheet for sheet in self.sheets if sheet.pot == pot)

    def bookable(self, sheet: PotSheet) -> int:
        """What of a pot can be booked to the club: at most what is in the box of all pots."""
        return min(sheet.for_club, self.in_box)


def is_unwon(pot: Pot, pot_ledger: Ledger) -> bool:
    """Whether the players' stakes in a pot, which a player may win, are nobody's yet."""
    may_be_won = pot.source != Pot.Source.SUM and pot.current_payout != Pot.Payout.KEPT
    return may_be_won and not pot_ledger.won
