"""Prizes and pots of a session or a season: what they hold, who owes, who has won, who paid."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.seasons.models import Season
from league.seasons.views import season_of
from league.sessions.queries import released_session, session_of
from league.standings import actions
from league.standings.forms import PaymentForm, PotForm, SettleForm, SharesForm, TotalForm
from league.standings.models import Pot
from league.standings.pot_queries import Scope, Sheets, accounts_of, failed_call_word, pot_sheets


@require_safe
@club_page("member")
def session_pots(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The pots of a session."""
    club_session = released_session(club, public_id, request.rank)
    return _pots_page(request, club_session, PotForm(beaten=failed_call_word(club_session)))


@require_safe
@club_page("member")
def season_pots(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The pots of a season."""
    season = season_of(club, public_id)
    return _pots_page(request, season, PotForm(beaten=failed_call_word(season)))


@require_POST
@club_page("organiser")
def session_pot_add(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add a pot to a session."""
    return _add_pot(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def season_pot_add(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add a pot to a season."""
    return _add_pot(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_settle(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member has settled all pots of a session."""
    _settle_account(request, session_of(club, public_id))
    return redirect("session_pots", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_pot_settle(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that a member has settled all pots of a season."""
    _settle_account(request, season_of(club, public_id))
    return redirect("season_pots", club.slug, public_id)


@require_POST
@club_page("organiser")
def session_pot_all_paid(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone has paid what they owe to the pots of a session."""
    _pay_in_for_all(request, session_of(club, public_id))
    return redirect("session_pots", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_pot_all_paid(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that everyone has paid what they owe to the pots of a season."""
    _pay_in_for_all(request, season_of(club, public_id))
    return redirect("season_pots", club.slug, public_id)


@require_POST
@club_page("organiser")
def pot_shares(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Change the percent for each place while nothing is paid out."""
    pot, form = _pot_or_404(club, public_id), SharesForm(request.POST)
    if not form.is_valid():
        scope: Scope = pot.season or pot.session  # type: ignore[assignment]  # it has one of them
        add_form = PotForm(beaten=failed_call_word(scope))
        return _pots_page(request, scope, add_form, shares=(pot, form))
    actions.change_shares(pot, form.cleaned_data["shares"], by=actor_of(request))
    messages.success(request, _("Saved."))
    return _redirect_to_pots(pot)


@require_POST
@club_page("organiser")
def pot_drop(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Delete a pot without payments."""
    pot = _pot_or_404(club, public_id)
    actions.drop_pot(pot, by=actor_of(request))
    messages.success(request, _("Deleted %(pot)s.") % {"pot": pot.name})
    return _redirect_to_pots(pot)


@require_POST
@club_page("organiser")
def pot_payment(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record a payment."""
    pot = _pot_or_404(club, public_id)
    member, values = _validated_payment(club, PaymentForm(request.POST))
    actions.record_payment(pot, member, by=actor_of(request), at=timezone.now(), **values)
    messages.success(request, _("Saved for %(name)s.") % {"name": member.name})
    return _redirect_to_pots(pot)


@require_POST
@club_page("organiser")
def payment_withdraw(
    request: ClubRequest, club: Club, public_id: str, payment: int
) -> HttpResponse:
    """Withdraw a payment."""
    pot = _pot_or_404(club, public_id)
    recorded_payment = get_object_or_404(
        pot.payments.select_related("pot__club", "member"), pk=payment
    )
    actions.withdraw_payment(recorded_payment, by=actor_of(request), at=timezone.now())
    return _redirect_to_pots(pot)


def _validated_payment(club: Club, form: SettleForm) -> tuple[Member, dict[str, Any]]:
    """The member of a payment and the other values of its form. Refuses an invalid form."""
    if not form.is_valid():
        raise Refused("bad-payment", _("Choose who paid, and an amount above zero."))
    values = dict(form.cleaned_data)
    return get_object_or_404(club.members, public_id=values.pop("member")), values


def _settle_account(request: ClubRequest, scope: Scope) -> None:
    member, values = _validated_payment(scope.club, SettleForm(request.POST))
    actions.settle(scope, member, by=actor_of(request), at=timezone.now(), **values)
    messages.success(request, _("Saved for %(name)s.") % {"name": member.name})


def _pay_in_for_all(request: ClubRequest, scope: Scope) -> None:
    form = TotalForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-payment", _("Enter an amount above zero."))
    total = form.cleaned_data["amount"]
    count = actions.pay_in_for_all(scope, total, by=actor_of(request), at=timezone.now())
    text = ngettext("Saved for %(n)d player.", "Saved for %(n)d players.", count)
    messages.success(request, text % {"n": count})


def _pot_or_404(club: Club, public_id: str) -> Pot:
    pots = club.pots.select_related("club", "session", "season")
    return get_object_or_404(pots, public_id=public_id)


def _redirect_to_pots(pot: Pot) -> HttpResponse:
    if pot.season is not None:
        return redirect("season_pots", pot.club.slug, pot.season.public_id)
    return redirect("session_pots", pot.club.slug, pot.session.public_id)  # type: ignore[union-attr]


def _add_pot(request: ClubRequest, scope: Scope) -> HttpResponse:
    form = PotForm(request.POST, beaten=failed_call_word(scope))
    if not form.is_valid():
        return _pots_page(request, scope, form)
    if not scope.club.keeps_pots:
        raise Refused("pots-off", _("Prize money is turned off in Settings."), status=409)
    pot = actions.add_pot(scope, by=actor_of(request), at=timezone.now(), **form.cleaned_data)
    return _redirect_to_pots(pot)


def _pots_page(
    request: ClubRequest,
    scope: Scope,
    form: PotForm,
    *,
    shares: tuple[Pot, SharesForm] | None = None,
) -> HttpResponse:
    """The pots of a scope; with the form to add one, and the shares of a pot that were refused."""
    club, is_organiser = scope.club, reaches(request.rank, Role.Rank.ORGANISER)
    is_season = isinstance(scope, Season)
    context: dict[str, Any] = {"club": club, "scope": scope, "form": form}
    context |= {"organiser": is_organiser, "here": "standings" if is_season else "sessions"}
    context |= {"season": scope} if is_season else {"club_session": scope}
    context["found"] = (
        pot_sheets(scope, at=timezone.now()) if club.keeps_pots else Sheets([], False)
    )
    context["accounts"] = accounts_of(context["found"].sheets) if is_organiser else ()
    debts = [account.debt for account in context["accounts"] if account.owes]
    context |= {"debtors": len(debts), "debts": sum(debts)}
    context["player"] = player_of(club, request.user)
    if shares:
        context["refused_pot"], context["shares_form"] = shares
    status = 422 if form.errors or shares else 200
    return render(request, "standings/pots.html", context, status=status)
