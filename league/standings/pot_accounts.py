"""What each player still has to pay to, or receive from, all pots that are settled on one page."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time

from league.members.models import Member
from league.ranking.pots import PRIZE, REFUND, RETURN, STAKE, Balance
from league.seasons.models import Season
from league.sessions.models import Attendance, Session
from league.standings.models import Payment, Pot
from league.standings.pot_queries import PLAYED, Scope, pot_sheets
from league.standings.pot_sheet import PotRow, PotSheet, Sheets


@dataclass(frozen=True, slots=True)
class Part:
    """What one member has to pay to or to receive from one pot, by the balance of both; `kind` is
    that of the payment which does it. `is_fixed`: the pot has paid prizes, so that nobody can be
    let off or left out any more."""

    kind: str
    pot: Pot
    cents: int
    balance: Balance
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """What one member still has to pay to, or to receive from, all pots of a page: the part of each
    pot, and the totals. `gives_back` and `gets_back` are what a correction has made too much."""

    member: Member
    owes: Sequence[Part]
    gives_back: Sequence[Part]
    gets: Sequence[Part]
    gets_back: Sequence[Part]

    def with_parts_of(self, other: "Account") -> "Account":
        return Account(
            other.member,
            owes=[*self.owes, *other.owes],
            gives_back=[*self.gives_back, *other.gives_back],
            gets=[*self.gets, *other.gets],
            gets_back=[*self.gets_back, *other.gets_back],
        )

    @property
    def pays(self) -> Sequence[Part]:
        return [*self.owes, *self.gives_back]

    @property
    def receives(self) -> Sequence[Part]:
        return [*self.gets, *self.gets_back]

    @property
    def debt(self) -> int:
        return sum(part.cents for part in self.owes)

    @property
    def can_be_let_off(self) -> bool:
        return not any(part.is_fixed for part in self.owes)

    @property
    def has_rest(self) -> bool:
        """Whether the player has paid some of what they owe, or got it back, and can be let off the
        rest. Stakes paid at earlier sessions into a pot of the season are no part of it."""
        parts = [part for part in self.owes if not part.pot.is_paid_each_session_of_season]
        return self.can_be_let_off and any(part.balance.fees_in for part in parts)

    @property
    def excess(self) -> int:
        """What the player has to give back, of all pots."""
        return sum(part.cents for part in self.gives_back)

    @property
    def refund(self) -> int:
        """What the player gets back, of all pots."""
        return sum(part.cents for part in self.gets_back)

    @property
    def net(self) -> int:
        """What the player brings, or (below zero) gets, in all. A prize counts once its pot is
        over."""
        prizes = sum(part.cents for part in self.gets if part.pot.is_over)
        return self.to_pay - prizes - self.refund

    @property
    def of_season(self) -> "Account":
        """The part of it that is for the pots of a season."""
        sides = (self.owes, self.gives_back, self.gets, self.gets_back)
        return Account(
            self.member, *([part for part in side if part.pot.season_id] for side in sides)
        )

    @property
    def brings(self) -> int:
        return max(0, self.net)

    @property
    def takes(self) -> int:
        return max(0, -self.net)

    @property
    def can_book_both(self) -> bool:
        """Whether debts can be set against what is the player's, which doesn't change any more."""
        is_final = all(part.pot.is_over for part in self.gets)
        return bool(self.pays) and bool(self.receives) and is_final

    @property
    def to_pay(self) -> int:
        return sum(part.cents for part in self.pays)

    @property
    def to_get(self) -> int:
        return sum(part.cents for part in self.receives)


@dataclass(frozen=True, slots=True)
class Paid:
    """What a player paid at one tap: a payment of it, and the sum of all of them."""

    member: Member
    payment: Payment
    cents: int


@dataclass(frozen=True, slots=True)
class SettleUp:
    """What is settled on one page: the pots `found` of a session or a season, and of tonight's
    session also the stakes `of_season` of those who came."""

    found: Sheets
    of_season: Sheets
    accounts: Sequence[Account]

    @property
    def sheets(self) -> Sequence[PotSheet]:
        return [*self.found.sheets, *self.of_season.sheets]

    @property
    def has_prizes_due(self) -> bool:
        return any(account.gets for account in self.accounts)

    @property
    def in_box(self) -> int:
        """The cash that should be in the box for all these pots."""
        return max(0, self.found.cash + self.of_season.cash)

    def cash_needed(self, parts: Sequence[Part]) -> list[tuple[Sheets, int]]:
        """What paying out `parts` takes from the box of the page's pots, and of the season's."""
        pots = {sheet.pot.pk for sheet in self.found.sheets}
        own = sum(part.cents for part in parts if part.pot.pk in pots)
        return [(self.found, own), (self.of_season, sum(part.cents for part in parts) - own)]


def settle_up_of(scope: Scope, *, at: datetime) -> SettleUp:
    """What is settled on the page of a session or a season. A prize of a running season is not
    due at the door: it can still change."""
    found, season = pot_sheets(scope, at=at), season_at_the_door(scope)
    of_season = pot_sheets(season, at=at) if season else Sheets([], False)
    if isinstance(scope, Season) or not of_season.sheets:
        return SettleUp(found, of_season, accounts_of(found.sheets))
    here = set(Attendance.objects.filter(session=scope.pk).values_list("member", flat=True))
    # Who left before they had a seat is not on its list any more.
    paid_here = {one.member_id for one in _since(scope, _payments_of(of_season))}
    of_those_here = [
        replace(account, gets=())
        for account in accounts_of(of_season.sheets)
        if account.member.pk in here or (account.gets_back and account.member.pk in paid_here)
    ]
    return SettleUp(found, of_season, _joined([*accounts_of(found.sheets), *of_those_here]))


def season_at_the_door(scope: Scope) -> Season | None:
    """The running season of a session, whose stakes are settled with the session's: while it is
    open, and afterwards until the next one of the season."""
    season = None if isinstance(scope, Season) else scope.season
    if isinstance(scope, Season) or not season or season.closed_at or not scope.has_been_open:
        return None
    later = season.sessions.filter(held_on__gt=scope.held_on, state__in=PLAYED)
    return season if scope.state == Session.State.OPEN or not later.exists() else None


def taken_tonight(settling: SettleUp, scope: Scope, for_season: int) -> int | None:
    """The stakes taken at the door of an open session, also `for_season`, less what went back. None
    without stakes, and for any other session or a season."""
    if isinstance(scope, Season) or scope.state != Session.State.OPEN:
        return None
    if not any(row.line.owes for sheet in settling.sheets for row in sheet.rows):
        return None
    return _stakes_in(_payments_of(settling.found)) + for_season


def taken_for_season(scope: Scope) -> int:
    """The stakes of its season taken from a session's date until the next one's, less what went
    back. Two queries."""
    season = None if isinstance(scope, Season) else scope.season
    if isinstance(scope, Season) or not season:
        return 0
    payments = Payment.objects.filter(pot__season=season, kind__in=(STAKE, REFUND))
    payments = payments.filter(withdrawn_at=None, entered_at__gte=_midnight(scope))
    later = season.sessions.filter(held_on__gt=scope.held_on, state__in=PLAYED)
    if following := later.order_by("held_on").first():
        payments = payments.filter(entered_at__lt=_midnight(following))
    return _stakes_in(payments)


def _midnight(club_session: Session) -> datetime:
    """The first moment of a session's date."""
    return datetime.combine(club_session.held_on, time.min, tzinfo=club_session.club.zone)


def paid_at_the_door(settling: SettleUp, scope: Scope) -> list[Paid]:
    """The stakes that players paid at the door of a session, also those for its season, by name."""
    if isinstance(scope, Season):
        return []
    taps: dict[tuple[Member, datetime, str], list[Payment]] = defaultdict(list)
    for one in [*_payments_of(settling.found), *_since(scope, _payments_of(settling.of_season))]:
        if one.kind == STAKE and one.member:
            taps[one.member, one.entered_at, one.entered_as].append(one)
    paid = [
        Paid(member, together[0], sum(one.cents for one in together))
        for (member, *_tap), together in taps.items()
    ]
    return sorted(paid, key=lambda one: (one.member.sort_key, one.payment.pk))


def _payments_of(sheets: Sheets) -> list[Payment]:
    return [one for sheet in sheets.sheets for one in sheet.payments]


def _since(scope: Session, payments: Iterable[Payment]) -> list[Payment]:
    """The payments since a session's date."""
    return [one for one in payments if one.entered_at >= _midnight(scope)]


def account_of(settling: SettleUp, member: Member | None) -> Account | None:
    """The account of a member with something open."""
    return next((one for one in settling.accounts if one.member == member), None)


def _stakes_in(payments: Iterable[Payment]) -> int:
    signs = {STAKE: 1, REFUND: -1}
    return sum(signs.get(one.kind, 0) * one.cents for one in payments)


def own_stakes(scope: Scope, member: Member, *, at: datetime) -> list[tuple[Pot, PotRow]]:
    """What a player pays, or has paid, to each pot of a session or a season."""
    return [
        (sheet.pot, row)
        for sheet in pot_sheets(scope, at=at).sheets
        for row in sheet.rows
        if row.member == member and (row.line.owes or row.balance.paid)
    ]


def accounts_of(sheets: Sequence[PotSheet]) -> list[Account]:
    """The accounts of all members with something open, by name."""
    balances: dict[int, list[tuple[Pot, Balance]]] = defaultdict(list)
    people: dict[int, Member] = {}
    for sheet in sheets:
        for row in sheet.rows:
            if row.balance.to_pay or row.balance.to_get:
                people[row.member.pk] = row.member
                balances[row.member.pk].append((sheet.pot, row.balance))
    fixed = {sheet.pot for sheet in sheets if sheet.has_paid_prizes}
    return _by_name(_account(member, balances[pk], fixed) for pk, member in people.items())


def _by_name(accounts: Iterable[Account]) -> list[Account]:
    return sorted(accounts, key=lambda account: (account.member.sort_key, account.member.pk))


def _joined(accounts: Iterable[Account]) -> list[Account]:
    """One account of each member; without those with nothing open."""
    by_member: dict[int, Account] = {}
    for account in accounts:
        before = by_member.get(account.member.pk)
        by_member[account.member.pk] = before.with_parts_of(account) if before else account
    return _by_name(one for one in by_member.values() if one.pays or one.receives)


def _account(
    member: Member, balances: Sequence[tuple[Pot, Balance]], fixed: Collection[Pot]
) -> Account:
    return Account(
        member,
        owes=_above_zero(Part(STAKE, pot, one.to_pay, one, pot in fixed) for pot, one in balances),
        gives_back=_above_zero(Part(RETURN, pot, one.to_give_back, one) for pot, one in balances),
        gets=_above_zero(Part(PRIZE, pot, one.to_get, one) for pot, one in balances),
        gets_back=_above_zero(Part(REFUND, pot, one.to_get_back, one) for pot, one in balances),
    )


def _above_zero(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if part.cents > 0]


def has_moved_prizes(scope: Scope, *, at: datetime) -> bool:
    """Whether a player received a prize of this session or season that a correction has moved."""
    payouts = Payment.objects.filter(pot__in=scope.pots.all(), kind=PRIZE, withdrawn_at=None)
    return payouts.exists() and any(sheet.giving_back for sheet in pot_sheets(scope, at=at).sheets)
