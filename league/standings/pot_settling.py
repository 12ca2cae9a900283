"""Actions of Settle up: payments of several pots or players at once, and taking them back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, NoReturn

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club
from league.members.audit import Actor
from league.members.languages import money
from league.members.models import Club, Member
from league.ranking.pots import REFUND
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.actions import (
    record_payment,
    refuse_above_cash,
    save_payment,
    withdraw_payment,
)
from league.standings.models import Payment, Pot, cents_of, money_of
from league.standings.pot_accounts import Account, Part, SettleUp, settle_up_of
from league.standings.pot_queries import pot_sheets, sheet_of
from league.standings.pot_text import paid_out_text


@transaction.atomic
def settle(
    scope: Session | Season,
    member: Member,
    *,
    out: bool,
    amount: Decimal,
    by: Actor,
    at: datetime,
    anyway: bool = False,
) -> list[Payment]:
    """Record that a member paid all they owe to the pots of a session or a season and gave back
    what was too much, or (`out`) received all that is theirs: a payment for each part of a pot. To
    tonight's session, also their stakes of its season.

    `amount` is the sum that the page showed. Refuses (`pot-changed`) if it has changed, so that a
    second tap records nothing. Refuses, unless `anyway`, to pay out more than the box of all pots
    holds (`box-short`).
    """
    lock_club(scope.club)
    found = settle_up_of(scope, at=at)
    own_account = next((one for one in found.accounts if one.member.pk == member.pk), None)
    parts = (own_account.receives if out else own_account.pays) if own_account else []
    if not parts or money_of(sum(part.cents for part in parts)) != amount:
        _refuse_changed()
    if out and not anyway:
        _refuse_short_box(found, parts, scope.club)
    return [_record(part, member, by=by, at=at) for part in parts]


@transaction.atomic
def settle_both(
    scope: Session | Season,
    member: Member,
    *,
    amount: Decimal,
    against: Decimal,
    by: Actor,
    at: datetime,
    anyway: bool = False,
) -> list[Payment]:
    """Record at one tap that a member paid `amount` and received `against`, so that only the
    difference changes hands. Refuses as `settle`."""
    how: dict[str, Any] = {"by": by, "at": at, "anyway": anyway}
    paid = settle(scope, member, out=False, amount=amount, **how)
    return paid + settle(scope, member, out=True, amount=against, **how)


def _record(part: Part, member: Member, *, by: Actor, at: datetime) -> Payment:
    how: dict[str, Any] = {"anyway": True, "by": by, "at": at}
    return record_payment(part.pot, member, kind=part.kind, amount=money_of(part.cents), **how)


@transaction.atomic
def pay_part(
    scope: Session | Season,
    member: Member,
    *,
    amount: Decimal,
    owed: Decimal,
    by: Actor,
    at: datetime,
) -> list[Payment]:
    """Record that a member paid a part of what they owe: it goes to the pots in the order of the
    page, until it is used up. `owed` is the sum that the page showed. Refuses (`pot-changed`) if it
    has changed, and more than it (`above-debt`)."""
    lock_club(scope.club)
    account = _debtor(scope, member, owed, at=at)
    if amount > owed:
        message = _(
            "%(name)s owes only %(sum)s. Take money for a later session there, once it is open."
        )
        message %= {"name": member.label, "sum": money(account.debt, scope.club)}
        raise field_refusal("amount", "above-debt", message)
    return [_record(part, member, by=by, at=at) for part in _shared_out(account.owes, amount)]


@transaction.atomic
def let_off(
    scope: Session | Season, member: Member, *, owed: Decimal, by: Actor, at: datetime
) -> list[Payment]:
    """Record that a member need not pay the rest of what they owe. `owed` is the sum that the page
    showed. Refuses (`pot-changed`) if it has changed."""
    lock_club(scope.club)
    account = _debtor(scope, member, owed, at=at)
    return [
        _record(replace(part, kind=Payment.Kind.WAIVED), member, by=by, at=at)
        for part in account.owes
    ]


@transaction.atomic
def leave_out(
    pot: Pot, members: Sequence[Member], *, only: bool = False, by: Actor, at: datetime
) -> list[Payment]:
    """Record that players are not in a pot, or with `only` all others, so that they owe nothing and
    win nothing; what they have paid they get back. Refuses (`pot-changed`) players who are out
    already, or if nobody is left to leave out, and a pot that has paid prizes (`pot-paid-out`)."""
    lock_club(pot.club)
    sheet = sheet_of(pot, at=at)
    if not set(members) <= set(sheet.can_be_left_out):
        _refuse_changed()
    out = [one for one in sheet.can_be_left_out if (one in members) != only]
    if not out:
        _refuse_changed()
    how: dict[str, Any] = {"kind": Payment.Kind.NOT_IN, "amount": Decimal(0), "entered_at": at}
    payments = [Payment(pot=pot, member=member, **how) for member in out]
    if sheet.has_paid_prizes:
        raise Refused("pot-paid-out", paid_out_text(payments[0]), status=409)
    return [save_payment(payment, by=by) for payment in payments]


def _debtor(scope: Session | Season, member: Member, owed: Decimal, *, at: datetime) -> Account:
    """The account of a member who owes this sum. Refuses if that has changed."""
    accounts = settle_up_of(scope, at=at).accounts
    account = next((one for one in accounts if one.member.pk == member.pk), None)
    if not account or not account.owes or money_of(account.debt) != owed:
        _refuse_changed()
    return account


def _shared_out(parts: Sequence[Part], amount: Decimal) -> list[Part]:
    """The first of these parts that a sum pays; of the last one, what the sum still pays."""
    paid, left = [], cents_of(amount)
    for part in parts:
        if left > 0:
            paid.append(replace(part, cents=min(left, part.cents)))
            left -= part.cents
    return paid


@transaction.atomic
def pay_in_for_all(scope: Session | Season, total: Decimal, *, by: Actor, at: datetime) -> int:
    """Record that everyone paid what they owe to the pots of a session or a season; return how many
    players that were.

    `total` is the sum that the page showed. Refuses (`pot-changed`) if it has changed.
    """
    lock_club(scope.club)
    debtors = [account for account in settle_up_of(scope, at=at).accounts if account.owes]
    if not debtors or money_of(sum(account.debt for account in debtors)) != total:
        _refuse_changed()
    for account in debtors:
        for part in account.owes:
            _record(part, account.member, by=by, at=at)
    return len(debtors)


@transaction.atomic
def pay_back_for_all(scope: Session | Season, total: Decimal, *, by: Actor, at: datetime) -> int:
    """Record that everyone got back what they paid too much to the pots of a session or a season,
    as all of a cancelled one; return how many players that were.

    `total` is the sum that the page showed. Refuses (`pot-changed`) if it has changed, and to pay
    back more than the box of all pots holds (`box-short`).
    """
    lock_club(scope.club)
    found = settle_up_of(scope, at=at)
    creditors = [account for account in found.accounts if account.gets_back]
    if not creditors or money_of(sum(account.refund for account in creditors)) != total:
        _refuse_changed()
    _refuse_short_box(found, [part for one in creditors for part in one.gets_back], scope.club)
    for account in creditors:
        for part in account.gets_back:
            _record(part, account.member, by=by, at=at)
    return len(creditors)


@transaction.atomic
def give_back_stakes(pot: Pot, total: Decimal, *, by: Actor, at: datetime) -> int:
    """Record that the stakes of a pot which nobody has won went back to the players, with what they
    paid above; return how many players that were. `total` is the sum that the page showed. Refuses
    (`pot-changed`) if it has changed, or if the pot can still be won."""
    lock_club(pot.club)
    sheet = sheet_of(pot, at=at)
    if not pot.is_over or not sheet.unclaimed or money_of(sheet.paid_by_payers) != total:
        _refuse_changed()
    for row in sheet.payers:
        _record(Part(REFUND, pot, row.balance.paid, row.balance), row.member, by=by, at=at)
    return len(sheet.payers)


@transaction.atomic
def book_to_club(pot: Pot, total: Decimal, *, by: Actor, at: datetime) -> Payment:
    """Record that what is left of a pot went from its box to the club. `total` is the sum that the
    page showed. Refuses (`pot-changed`) if it has changed, and to book more than the box of all
    pots holds (`box-short`)."""
    lock_club(pot.club)
    found = pot_sheets(pot.scope, at=at)
    refuse_above_cash(found, total, pot.club)
    if money_of(found.bookable(found.sheet_of(pot))) != total:
        _refuse_changed()
    return record_payment(
        pot, None, kind=Payment.Kind.CLUB, amount=total, anyway=True, by=by, at=at
    )


@transaction.atomic
def withdraw_together(
    payment: Payment, *, by: Actor, at: datetime, of: Member | None = None
) -> list[Payment]:
    """Withdraw a payment and all that were recorded with it by one tap, or just those `of` one
    player; return them."""
    together = [one for one in payments_of_tap(payment) if of in (None, one.member)]
    return [withdraw_payment(one, by=by, at=at) for one in together]


def payments_of_tap(payment: Payment) -> list[Payment]:
    """The payments that one tap recorded, a payment among them, without those withdrawn."""
    tap = {"entered_at": payment.entered_at, "entered_as": payment.entered_as}
    recorded = Payment.objects.filter(pot__club=payment.pot.club_id, **tap, withdrawn_at=None)
    return list(recorded.select_related("pot__club", "member"))


def _refuse_short_box(found: SettleUp, parts: Sequence[Part], club: Club) -> None:
    """Tonight's prizes are not paid from the season's money, nor the other way round."""
    for sheets, cents in found.cash_needed(parts):
        refuse_above_cash(sheets, money_of(cents), club)


def _refuse_changed() -> NoReturn:
    raise Refused("pot-changed", _("Something has changed. Check it again."), status=409)
