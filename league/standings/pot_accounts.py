"""What each player still has to pay to, or receive from, all pots of a session or a season."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from league.members.models import Member
from league.ranking.pots import Balance
from league.sessions.models import Session
from league.standings.models import Payment, Pot
from league.standings.pot_queries import PotSheet, Scope, pot_sheets


@dataclass(frozen=True, slots=True)
class Part:
    """What one member has to pay to or to receive from one pot, by the balance of both."""

    pot: Pot
    cents: int
    balance: Balance


@dataclass(frozen=True, slots=True)
class Account:
    """What one member still has to pay to, or to receive from, all pots of a page: the part of each
    pot, and the totals. `gives_back` and `gets_back` are what a correction has made too much."""

    member: Member
    owes: Sequence[Part]
    gives_back: Sequence[Part]
    gets: Sequence[Part]
    gets_back: Sequence[Part]

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
    def excess(self) -> int:
        """What the player has to give back, of all pots."""
        return sum(part.cents for part in self.gives_back)

    @property
    def refund(self) -> int:
        """What the player gets back, of all pots."""
        return sum(part.cents for part in self.gets_back)

    @property
    def to_pay(self) -> int:
        return sum(part.cents for part in self.pays)

    @property
    def to_get(self) -> int:
        return sum(part.cents for part in self.receives)


def accounts_of(sheets: Sequence[PotSheet]) -> list[Account]:
    """The accounts of all members with something open, by name."""
    balances: dict[int, list[tuple[Pot, Balance]]] = defaultdict(list)
    people: dict[int, Member] = {}
    for sheet in sheets:
        for row in sheet.rows:
            if row.balance.to_pay or row.balance.to_get:
                people[row.member.pk] = row.member
                balances[row.member.pk].append((sheet.pot, row.balance))
    members = sorted(people.values(), key=lambda member: (member.sort_key, member.pk))
    return [_account(member, balances[member.pk]) for member in members]


def _account(member: Member, balances: Sequence[tuple[Pot, Balance]]) -> Account:
    return Account(
        member,
        owes=_above_zero(Part(pot, one.to_pay, one) for pot, one in balances),
        gives_back=_above_zero(Part(pot, one.to_give_back, one) for pot, one in balances),
        gets=_above_zero(Part(pot, one.to_get, one) for pot, one in balances),
        gets_back=_above_zero(Part(pot, one.to_get_back, one) for pot, one in balances),
    )


def _above_zero(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if part.cents > 0]


def scope_of_moved_prizes(club_session: Session, *, at: datetime) -> Scope | None:
    """The session, or else its season, in which a player received a prize that a correction since
    has moved; None for neither."""
    is_of_scope = Q(pot__session=club_session)
    if club_session.season_id:
        is_of_scope |= Q(pot__season=club_session.season_id)
    payouts = Payment.objects.filter(is_of_scope, out=True, withdrawn_at=None)
    paid_from = set(payouts.values_list("pot__season", flat=True))
    scopes: list[Scope] = [club_session] if None in paid_from else []
    if club_session.season and paid_from - {None}:
        scopes.append(club_session.season)
    for scope in scopes:
        if any(sheet.giving_back for sheet in pot_sheets(scope, at=at).sheets):
            return scope
    return None
