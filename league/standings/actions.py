"""Actions on standings: choose measures, hold back standings, save places; pots."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club, touch_sessions
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.ranking.measures import MEASURES
from league.ranking.pots import BY_PLACE, Balance
from league.seasons.actions import lock_season, refuse_closed
from league.seasons.models import Season
from league.sessions.actions import bump, lock, repeat_session
from league.sessions.models import Session
from league.standings.models import GivenPlace, Payment, Pot, SessionPlace, money_of
from league.standings.pot_queries import pot_sheets, sheet_of
from league.standings.pot_sheet import Sheets
from league.standings.pot_text import odd_payment_text, paid_out_text, short_box_text

MOST_POTS = 20
"""Per session or season."""
POT_FIELDS = ("name", "source", "amount", "payout", "shares", "rounded_to")
"""What a session planned a week later copies of a pot."""
LOGGED_AS: dict[str, str] = {
    Payment.Kind.STAKE: "pay in",
    Payment.Kind.RETURN: "give back prize",
    Payment.Kind.PRIZE: "pay out",
    Payment.Kind.REFUND: "pay back",
    Payment.Kind.CLUB: "book to club",
    Payment.Kind.WAIVED: "let off",
    Payment.Kind.NOT_IN: "leave out",
}


@transaction.atomic
def add_pot(
    scope: Session | Season,
    *,
    name: str,
    source: str,
    amount: Decimal,
    payout: str,
    shares: Sequence[str] = (),
    rounded_to: int = 1,
    counts_from: date | None = None,
    by: Actor,
    at: datetime,
) -> Pot:
    """Add a pot to a session or a season. Refuses more than `MOST_POTS` (`many-pots`)."""
    lock_club(scope.club)
    if scope.pots.count() >= MOST_POTS:
        raise Refused(
            "many-pots", _("There are too many pots already. Delete one first."), status=409
        )
    scope_fields = {"season": scope} if isinstance(scope, Season) else {"session": scope}
    data: dict[str, Any] = {"name": name, "source": source, "payout": payout}
    data |= {"shares": list(shares)} | ({"rounded_to": rounded_to} if rounded_to > 1 else {})
    rule = data | {"amount": amount, "counts_from": counts_from}
    pot = Pot.objects.create(club=scope.club, made_at=at, **rule, **scope_fields)
    data |= {"amount": str(amount), "of": str(scope)}
    data |= {"counts_from": str(counts_from)} if counts_from else {}
    log_action(scope.club, by, "add pot", pot, session=pot.session, new=data)
    return pot


@transaction.atomic
def repeat_with_pots(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Plan the same a week later, with the pots of the session, if the club tracks prize money, but
    not their payments."""
    repeated = repeat_session(club_session, by=by, at=at)
    if repeated.club.keeps_pots:
        copy_pots(club_session, repeated, by=by, at=at)
    return repeated


@transaction.atomic
def copy_pots(source: Session, club_session: Session, *, by: Actor, at: datetime) -> None:
    """Add the pots of another session, without their payments, to one that has none."""
    lock_club(club_session.club)
    if club_session.pots.exists():
        return
    for pot in source.pots.all():
        rule = {field: getattr(pot, field) for field in POT_FIELDS}
        add_pot(club_session, **rule, by=by, at=at)


@transaction.atomic
def change_pot(pot: Pot, *, name: str, by: Actor, at: datetime, **rule: Any) -> None:
    """Change the name of a pot, and its `amount`, what it is `rounded_to` and the day it
    `counts_from`, if they are given. Refuses another rule for a pot that has paid out a prize
    (`pot-paid-out`): what is owed and won follows from it."""
    lock_club(pot.club)
    changed = {field: value for field, value in rule.items() if value != getattr(pot, field)}
    if changed:
        _refuse_fixed(pot, at=at)
    old = {"name": pot.name} | {field: str(getattr(pot, field)) for field in changed}
    new = {"name": name} | {field: str(value) for field, value in changed.items()}
    _save_pot(pot, {"name": name, **changed}, old, new, by=by)


@transaction.atomic
def change_shares(pot: Pot, shares: Sequence[str], *, payout: str, by: Actor, at: datetime) -> None:
    """Change the share of each place, in percent or in money by the `payout`. Refuses a pot that
    places do not win (`not-by-place`), and one that has paid out a prize (`pot-paid-out`)."""
    lock_club(pot.club)
    if not pot.is_by_place:
        raise Refused("not-by-place", _("Places don't win this pot."), status=409)
    old: dict[str, Any] = {"shares": pot.shares}
    new: dict[str, Any] = {"shares": list(shares)}
    if payout != pot.payout:
        old, new = {"payout": pot.payout} | old, {"payout": payout} | new
    _refuse_fixed(pot, at=at)
    _save_pot(pot, new, old, new, by=by)


@transaction.atomic
def change_payout(pot: Pot, payout: str, *, by: Actor, at: datetime) -> None:
    """Change who wins a pot; if nobody, it stays with the club. Once it is over, that is a decision
    about this pot alone: the next ones planned after it are won as it was meant to be. Refuses
    places, before and after (`by-place`), and a pot that has paid out a prize (`pot-paid-out`)."""
    lock_club(pot.club)
    if not {pot.payout, payout}.isdisjoint(BY_PLACE):
        raise Refused("by-place", _("Places win this pot: change their shares."), status=409)
    is_left = pot.is_over and payout == Pot.Payout.KEPT
    fields = {"left_to_club": is_left} | ({} if is_left else {"payout": payout})
    old, new = {"payout": pot.current_payout}, {"payout": payout}
    _refuse_fixed(pot, at=at)
    _save_pot(pot, fields, old, new, by=by)


def _refuse_fixed(pot: Pot, *, at: datetime) -> None:
    if sheet_of(pot, at=at).is_fixed:
        message = _("This pot has paid out. Undo these payments first.")
        raise Refused("pot-paid-out", message, status=409)


def _save_pot(
    pot: Pot, fields: dict[str, Any], old: dict[str, Any], new: dict[str, Any], *, by: Actor
) -> None:
    for field, value in fields.items():
        setattr(pot, field, value)
    pot.save(update_fields=list(fields))
    log_action(pot.club, by, "change pot", pot, session=pot.session, old=old, new=new)


@transaction.atomic
def drop_pot(pot: Pot, *, by: Actor) -> None:
    """Delete a pot, with the payments that were undone, and who was let off or left out; the log
    still has them. Refuses one with other payments (`pot-paid`)."""
    lock_club(pot.club)
    if any(one.is_money for one in pot.payments.filter(withdrawn_at=None)):
        message = _("This pot has payments. Undo them first.")
        raise Refused("pot-paid", message, status=409)
    pot.payments.all().delete()
    log_action(pot.club, by, "drop pot", pot, session=pot.session, old={"name": pot.name})
    pot.delete()


@transaction.atomic
def record_payment(
    pot: Pot,
    member: Member | None,
    *,
    kind: str,
    amount: Decimal,
    by: Actor,
    at: datetime,
    seen: int | None = None,
    anyway: bool = False,
) -> Payment:
    """Record that a member paid into the pot or was paid from it, or, without a member, that it
    was booked to the club.

    `seen` is the number of payments, including withdrawn ones, that the page showed. Refuses
    (`pot-changed`) if it has changed, so that a second tap records nothing twice. Refuses a member
    of another club (`unknown-member`), an impossible amount (`bad-amount`), to let off or leave out
    once prizes are paid (`pot-paid-out`), and unless `anyway` one that fits nothing (`odd-payment`)
    and to pay out more than the box of all pots holds (`box-short`).
    """
    lock_club(pot.club)
    if seen is not None and pot.payments.count() != seen:
        message = _("Someone else just changed this pot. Check it again.")
        raise Refused("pot-changed", message, status=409)
    if member and member.club_id != pot.club_id:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    if kind != Payment.Kind.NOT_IN and not 0 < amount < 1_000_000:
        raise field_refusal("amount", "bad-amount", _("Enter an amount above zero."))
    payment = Payment(pot=pot, member=member, kind=kind, amount=amount, entered_at=at)
    if not anyway or not payment.is_money:
        found = pot_sheets(pot.scope, at=at)
        _refuse_odd(payment, found)
        if payment.is_out:
            refuse_above_cash(found, amount, pot.club)
        if not payment.is_money and found.sheet_of(pot).has_paid_prizes:
            raise Refused("pot-paid-out", paid_out_text(payment), status=409)
    return save_payment(payment, by=by)


def save_payment(payment: Payment, *, by: Actor) -> Payment:
    """Record a checked payment. The caller holds the club's lock."""
    payment.entered_as = by.label[:80]
    payment.save(force_insert=True)
    action, pot = LOGGED_AS[payment.kind], payment.pot
    subject = payment.member or pot
    log_action(pot.club, by, action, subject, session=pot.session, new=_audit_data(payment))
    return payment


def _refuse_odd(payment: Payment, found: Sheets) -> None:
    """A prize that is not due, more back than there was, or let off more than is owed."""
    rows = [row for sheet in found.sheets if sheet.pot == payment.pot for row in sheet.rows]
    balance = next((row.balance for row in rows if row.member == payment.member), Balance())
    message = odd_payment_text(payment, balance)
    if message:
        is_short = payment.is_out and _is_above_cash(found, payment.amount)
        texts = [message, short_box_text(found, payment.pot.club)] if is_short else [message]
        fields = {"amount": texts}
        asks = "" if payment.kind == Payment.Kind.WAIVED else "anyway"
        raise Refused("odd-payment", message, fields=fields, status=409, asks=asks)


def _is_above_cash(found: Sheets, amount: Decimal) -> bool:
    return amount > money_of(found.in_box)


def refuse_above_cash(found: Sheets, amount: Decimal, club: Club) -> None:
    if _is_above_cash(found, amount):
        message = short_box_text(found, club)
        fields = {"amount": [message]}
        raise Refused("box-short", message, fields=fields, status=409, asks="anyway")


@transaction.atomic
def withdraw_payment(payment: Payment, *, by: Actor, at: datetime) -> Payment:
    """Withdraw a payment; the entry stays, marked as withdrawn."""
    lock_club(payment.pot.club)
    payment.refresh_from_db()
    if payment.withdrawn_at is None:
        payment.withdrawn_at, payment.withdrawn_as = at, by.label[:80]
        payment.save(update_fields=["withdrawn_at", "withdrawn_as"])
        pot = payment.pot
        old = _audit_data(payment)
        subject = payment.member or pot
        log_action(pot.club, by, "withdraw payment", subject, session=pot.session, old=old)
    return payment


def _audit_data(payment: Payment) -> dict[str, str]:
    amount = {"amount": str(payment.amount)} if payment.amount else {}
    return {"pot": payment.pot.name, **amount, "kind": payment.kind}


@transaction.atomic
def choose_measures(club: Club, codes: Sequence[str], *, by: Actor) -> Club:
    """Rank the club's sessions and seasons by `codes`, in order. Sessions with their own list keep
    it. Refuses an unknown code (`unknown-measure`)."""
    _refuse_unknown(codes)
    locked = Club.objects.select_for_update().get(pk=club.pk)
    old, locked.measures = locked.measures, list(codes)
    locked.save(update_fields=["measures"])
    touch_sessions(locked)
    log_action(locked, by, "choose measures", locked, old=old, new=locked.measures)
    return locked


@transaction.atomic
def choose_session_measures(club_session: Session, codes: Sequence[str], *, by: Actor) -> Session:
    """Rank this session by `codes`; with an empty list the club's ranking applies."""
    _refuse_unknown(codes)
    locked = lock(club_session)
    old, locked.measures = locked.measures, list(codes)
    locked.save(update_fields=["measures"])
    log_action(
        locked.club, by, "choose measures", locked, session=locked, old=old, new=locked.measures
    )
    bump(locked)
    return locked


@transaction.atomic
def hold_standings(club_session: Session, *, by: Actor) -> Session:
    """Show the session's standings to organisers only, until they are released."""
    return _set_held(club_session, held=True, action="hold standings", by=by)


@transaction.atomic
def release_standings(club_session: Session, *, by: Actor) -> Session:
    """Show the session's standings again to everyone who may see the club's."""
    return _set_held(club_session, held=False, action="release standings", by=by)


def _set_held(club_session: Session, *, held: bool, action: str, by: Actor) -> Session:
    locked = lock(club_session, to_change=False)  # prizes are often given after it is closed
    if locked.standings_held != held:
        locked.standings_held = held
        locked.save(update_fields=["standings_held"])
        log_action(locked.club, by, action, locked, session=locked)
        bump(locked)
    return locked


@transaction.atomic
def choose_season_measures(season: Season, codes: Sequence[str], *, by: Actor) -> Season:
    """Rank this season by `codes`; with an empty list the club's ranking applies. Refuses a closed
    season (`season-closed`)."""
    _refuse_unknown(codes)
    locked = lock_season(season)
    refuse_closed(locked)
    old, locked.measures = locked.measures, list(codes)
    locked.save(update_fields=["measures"])
    log_action(locked.club, by, "choose measures", locked, old=old, new=locked.measures)
    return locked


@transaction.atomic
def save_places(club_session: Session, places: Mapping[int, GivenPlace]) -> None:
    """Store the places that a tournament gives the players of its session, by member id.

    They replace the places stored before; with an empty mapping the session is ranked by its games
    again. Call this within an action on the tournament that holds the session's lock; it does not
    raise the revision itself.
    """
    SessionPlace.objects.filter(session=club_session).exclude(member__in=places).delete()
    SessionPlace.objects.bulk_create(
        [
            SessionPlace(
                session=club_session, member_id=member, place=given.place, figures=given.stored
            )
            for member, given in places.items()
        ],
        update_conflicts=True,
        unique_fields=["session", "member"],
        update_fields=["place", "figures"],
    )


def _refuse_unknown(codes: Sequence[str]) -> None:
    for code in codes:
        if code not in MEASURES:
            raise Refused("unknown-measure", _("There is no such measure."))
