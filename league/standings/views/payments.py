"""Payments into and out of pots: settling up with players, what goes to the club, undoing."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.languages import money
from league.members.models import Club, Member
from league.seasons.views import season_of
from league.sessions.queries import session_of
from league.standings import actions, pot_settling
from league.standings.forms import (
    BothForm,
    LetOffForm,
    PartForm,
    PaymentForm,
    ReturnForm,
    SettleForm,
)
from league.standings.models import Payment, Pot
from league.standings.pot_queries import Scope
from league.standings.views.pots import (
    EVERYONE,
    pot_or_404,
    pots_page,
    redirect_after_all,
    redirect_to_pots,
    total_of,
    url_of_pots,
)

SAID: dict[str, Any] = {
    Payment.Kind.RETURN: gettext_lazy("%(name)s gave back %(sum)s."),
    Payment.Kind.REFUND: gettext_lazy("%(name)s got back %(sum)s."),
    Payment.Kind.STAKE: gettext_lazy("%(name)s paid %(sum)s."),
    Payment.Kind.PRIZE: gettext_lazy("%(name)s received %(sum)s."),
    Payment.Kind.WAIVED: gettext_lazy("%(name)s was let off %(sum)s."),
    Payment.Kind.NOT_IN: gettext_lazy("%(name)s is not in “%(pot)s”."),
    Payment.Kind.CLUB: gettext_lazy("Booked %(sum)s to the club."),
}
"""What a tap recorded of one player; of two kinds, the later one here says it."""


@require_POST
@club_page("organiser")
def session_pot_settle(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member has settled all pots of a session."""
    return _settle_account(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_settle(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member has settled all pots of a season."""
    return _settle_account(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_all_paid(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone has paid what they owe to the pots of a session."""
    return _pay_in_for_all(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_all_paid(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone has paid what they owe to the pots of a season."""
    return _pay_in_for_all(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_all_back(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone got back what they paid too much to the pots of a session."""
    return _pay_back_for_all(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_all_back(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone got back what they paid too much to the pots of a season."""
    return _pay_back_for_all(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_part(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member paid a part of what they owe to the pots of a session."""
    return _pay_part(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_part(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member paid a part of what they owe to the pots of a season."""
    return _pay_part(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_let_off(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member need not pay the rest to the pots of a session."""
    return _let_off(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_let_off(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member need not pay the rest to the pots of a season."""
    return _let_off(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def pot_leave_out(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that players, or all others, are not in a pot."""
    pot = pot_or_404(club, public_id)
    wanted = {text.replace("\0", "") for text in request.POST.getlist("member")}
    members = list(club.members.filter(public_id__in=wanted))
    if not wanted:
        return pots_page(request, pot.scope, status=422, leaving_pot=pot)
    if len(members) < len(wanted):
        raise Refused("unknown-member", _("There is no such player."), status=404)
    how: dict[str, Any] = {"by": actor_of(request), "at": timezone.now()}
    payments = pot_settling.leave_out(pot, members, only="only" in request.POST, **how)
    if len(payments) > 1:
        return redirect(f"{_page_url(request, pot)}?after={EVERYONE}")
    _show_payments(request, payments)
    member: Any = payments[0].member
    return redirect(f"{_page_url(request, pot)}?after={member.public_id}#settle")


@require_POST
@club_page("organiser")
def pot_book(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that what is left of a pot went to the club."""
    pot, total = pot_or_404(club, public_id), total_of(request)
    pot_settling.book_to_club(pot, total, by=actor_of(request), at=timezone.now())
    return redirect_after_all(pot.scope)


@require_POST
@club_page("organiser")
def pot_payment(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record a payment; one that the box can't pay comes back to be confirmed."""
    pot, form = pot_or_404(club, public_id), PaymentForm(request.POST)
    member, values = _validated_payment(club, form)
    try:
        payment = actions.record_payment(
            pot, member, by=actor_of(request), at=timezone.now(), **values
        )
    except Refused as refused:
        if not refused.asks:
            raise
        refused.show_in(form)
        data = {"paying_pot": pot, "payment_form": form, "refused": refused}
        return pots_page(request, pot.scope, status=refused.status, **data)
    _show_payments(request, [payment])
    return redirect_to_pots(pot.scope)


@require_POST
@club_page("organiser")
def payment_withdraw(
    request: ClubRequest, club: Club, public_id: str, payment: int
) -> HttpResponse:
    """Withdraw a payment, with all that the same tap recorded of its player. Return to the
    `session` at whose door that was."""
    recorded_payment = _payment_or_404(club, public_id, payment)
    undone = pot_settling.withdraw_together(
        recorded_payment, by=actor_of(request), at=timezone.now(), of=recorded_payment.member
    )
    return _redirect_undone(request, _page_url(request, recorded_payment.pot), undone)


@require_POST
@club_page("organiser")
def payment_undo(request: ClubRequest, club: Club, public_id: str, payment: int) -> HttpResponse:
    """Undo the tap that recorded a payment: withdraw all payments of it. Return to the `session` at
    whose door that was."""
    recorded_payment = _payment_or_404(club, public_id, payment)
    undone = pot_settling.withdraw_together(
        recorded_payment, by=actor_of(request), at=timezone.now()
    )
    return _redirect_undone(request, _page_url(request, recorded_payment.pot), undone)


def _redirect_undone(request: ClubRequest, url: str, undone: Sequence[Payment]) -> HttpResponse:
    """Say what was undone: of one player beside their name, otherwise at the top."""
    people = {one.member for one in undone}
    member = people.pop() if len(people) == 1 else None
    if undone and (member or len(undone) == 1):
        words = {"payment": _sentences(undone)}
        messages.success(request, _("Undone: %(payment)s") % words)
    elif undone:
        text = ngettext("%(n)d payment undone.", "%(n)d payments undone.", len(undone))
        messages.success(request, text % {"n": len(undone)})
    return redirect(f"{url}?undone={member.public_id}#settle" if member else url)


def _page_url(request: ClubRequest, pot: Pot) -> str:
    """The page from which a pot was changed: its own, or that of the session at whose door."""
    form = ReturnForm(request.POST)
    is_at_a_door = form.is_valid() and form.cleaned_data["session"]
    return url_of_pots(
        session_of(pot.club, form.cleaned_data["session"]) if is_at_a_door else pot.scope
    )


def _payment_or_404(club: Club, public_id: str, payment: int) -> Payment:
    pot = pot_or_404(club, public_id)
    return get_object_or_404(pot.payments.select_related("member"), pk=payment)


def _validated_payment(club: Club, form: SettleForm) -> tuple[Member, dict[str, Any]]:
    """The member of a payment and the other values of its form. Refuses an invalid form."""
    if not form.is_valid():
        texts = [*form.errors.get("amount", ()), _("Choose who paid, and an amount above zero.")]
        raise Refused("bad-payment", texts[0])
    values = dict(form.cleaned_data)
    return get_object_or_404(club.members, public_id=values.pop("member")), values


def _settle_account(request: ClubRequest, scope: Scope) -> HttpResponse:
    is_both = "against" in request.POST
    form = (BothForm if is_both else SettleForm)(request.POST)
    member, values = _validated_payment(scope.club, form)
    settle: Any = pot_settling.settle_both if is_both else pot_settling.settle
    try:
        payments = settle(scope, member, by=actor_of(request), at=timezone.now(), **values)
    except Refused as refused:
        if not refused.asks:
            raise
        data = {"unpaid": member, "refused": refused}
        return pots_page(request, scope, status=refused.status, **data)
    _show_payments(request, payments)
    return redirect(f"{url_of_pots(scope)}?after={member.public_id}#settle")


def _pay_part(request: ClubRequest, scope: Scope) -> HttpResponse:
    form = PartForm(request.POST)
    member, values = _validated_payment(scope.club, form)
    values = {"amount": values["amount"], "owed": values["owed"]}
    by, at = actor_of(request), timezone.now()
    try:
        payments = pot_settling.pay_part(scope, member, by=by, at=at, **values)
    except Refused as refused:
        if "amount" not in refused.fields:
            raise
        refused.show_in(form)
        return pots_page(request, scope, status=422, part_of=member.public_id, part_form=form)
    _show_payments(request, payments)
    return redirect(f"{url_of_pots(scope)}?after={member.public_id}#settle")


def _let_off(request: ClubRequest, scope: Scope) -> HttpResponse:
    member, values = _validated_payment(scope.club, LetOffForm(request.POST))
    by, at = actor_of(request), timezone.now()
    payments = pot_settling.let_off(scope, member, owed=values["owed"], by=by, at=at)
    _show_payments(request, payments)
    return redirect(f"{url_of_pots(scope)}?after={member.public_id}#settle")


def _show_payments(request: ClubRequest, payments: Sequence[Payment]) -> None:
    """Say what one player has just paid, and received."""
    messages.success(request, _sentences(payments))


def _sentences(payments: Sequence[Payment]) -> str:
    ways = [[one for one in payments if one.is_out == is_out] for is_out in (False, True)]
    return " ".join(_payments_text(one_way) for one_way in ways if one_way)


def _payments_text(payments: Sequence[Payment]) -> str:
    """What one player has paid or received: of several pots, how much of each; and whether it was
    too much before."""
    text = SAID[max((payment.kind for payment in payments), key=list(SAID).index)]
    member, pot = payments[0].member, payments[0].pot
    club = pot.club
    words = {"name": member.name if member else "", "pot": pot.name}
    words["sum"] = money(sum(payment.cents for payment in payments), club)
    if len(payments) > 1:
        parts = [f"{money(payment.cents, club)} {payment.pot}" for payment in payments]
        words["sum"] += f" ({' + '.join(parts)})"
    return str(text % words)


def _pay_back_for_all(request: ClubRequest, scope: Scope) -> HttpResponse:
    total = total_of(request)
    pot_settling.pay_back_for_all(scope, total, by=actor_of(request), at=timezone.now())
    return redirect_after_all(scope)


def _pay_in_for_all(request: ClubRequest, scope: Scope) -> HttpResponse:
    total = total_of(request)
    pot_settling.pay_in_for_all(scope, total, by=actor_of(request), at=timezone.now())
    return redirect_after_all(scope)
