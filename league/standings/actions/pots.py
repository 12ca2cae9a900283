"""Pots: adding one, taking one away, and writing down what was really paid."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_club, refused_at
from league.members.audit import Actor, note
from league.members.models import Member
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.models import Payment, Pot
from league.standings.pot_queries import accounts_of, money_of, pot_sheets

MOST = 20
"""Pots of one session or season."""


@transaction.atomic
def add_pot(
    scope: Session | Season,
    *,
    name: str,
    source: str,
    amount: Decimal,
    payout: str,
    shares: Sequence[str] = (),
    by: Actor,
    at: datetime,
) -> Pot:
    """Give a session or a season a pot with its rule. Refuses more than `MOST` (`many-pots`)."""
    lock_club(scope.club)
    if scope.pots.count() >= MOST:
        raise Refused("many-pots", _("That is enough pots."), status=409)
    of = {"season": scope} if isinstance(scope, Season) else {"session": scope}
    told = {"name": name, "source": source, "payout": payout, "shares": list(shares)}
    pot = Pot.objects.create(club=scope.club, amount=amount, made_at=at, **told, **of)
    told |= {"amount": str(amount), "of": str(scope)}
    note(scope.club, by, "add pot", pot, session=pot.session, new=told)
    return pot


@transaction.atomic
def drop_pot(pot: Pot, *, by: Actor) -> None:
    """Take a pot away. Refuses (`pot-paid`) one into or out of which something was paid."""
    lock_club(pot.club)
    if pot.payments.exists():
        message = _("Payments are written down for this pot: it stays.")
        raise Refused("pot-paid", message, status=409)
    note(pot.club, by, "drop pot", pot, session=pot.session, old={"name": pot.name})
    pot.delete()


@transaction.atomic
def record_payment(
    pot: Pot,
    member: Member,
    *,
    out: bool,
    amount: Decimal,
    by: Actor,
    at: datetime,
    seen: int | None = None,
) -> Payment:
    """Write down that somebody paid into the pot, or (`out`) was paid from it.

    `seen` is how many payments, withdrawn ones too, the one who writes has seen: with another
    number now it is refused (`pot-changed`), so that a second tap writes nothing twice. Refuses
    another club's person (`unknown-member`) and what is no sum (`bad-amount`).
    """
    lock_club(pot.club)
    if seen is not None and pot.payments.count() != seen:
        message = _("Something else was written down for this pot meanwhile. Look again.")
        raise Refused("pot-changed", message, status=409)
    if member.club_id != pot.club_id:
        raise Refused("unknown-member", _("There is no such member."), status=404)
    if not 0 < amount < 1_000_000:
        raise refused_at("amount", "bad-amount", _("Give a sum above nothing."))
    payment = Payment.objects.create(
        pot=pot, member=member, out=out, amount=amount, entered_at=at, entered_as=by.label[:80]
    )
    action = "pay out" if out else "pay in"
    note(pot.club, by, action, member, session=pot.session, new=_told(payment))
    return payment


@transaction.atomic
def settle(
    scope: Session | Season, member: Member, *, out: bool, amount: Decimal, by: Actor, at: datetime
) -> list[Payment]:
    """Write down that somebody paid all they owe to the pots of a session or a season, or (`out`)
    got all they have won: one payment for each pot.

    `amount` is what the one who writes was shown. Refuses (`pot-changed`) where it is another sum
    by now, so that a second tap writes nothing.
    """
    lock_club(scope.club)
    accounts = accounts_of(pot_sheets(scope, at=at).sheets)
    mine = next((one for one in accounts if one.member.pk == member.pk), None)
    parts = (mine.gets if out else mine.pays) if mine else []
    if not parts or money_of(sum(cents for _pot, cents in parts)) != amount:
        message = _("Something has changed meanwhile. Look again.")
        raise Refused("pot-changed", message, status=409)
    return [
        record_payment(pot, member, out=out, amount=money_of(cents), by=by, at=at)
        for pot, cents in parts
    ]


@transaction.atomic
def withdraw_payment(payment: Payment, *, by: Actor, at: datetime) -> Payment:
    """Take back what was written down of a payment; the entry stays, marked."""
    lock_club(payment.pot.club)
    payment.refresh_from_db()
    if payment.withdrawn_at is None:
        payment.withdrawn_at, payment.withdrawn_as = at, by.label[:80]
        payment.save(update_fields=["withdrawn_at", "withdrawn_as"])
        pot = payment.pot
        old = _told(payment)
        note(pot.club, by, "withdraw payment", payment.member, session=pot.session, old=old)
    return payment


def _told(payment: Payment) -> dict[str, str | bool]:
    return {"pot": payment.pot.name, "amount": str(payment.amount), "out": payment.out}
