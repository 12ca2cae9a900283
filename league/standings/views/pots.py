"""Prizes and pots of a session or a season: what they hold, who owes, who has won, who paid."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.seasons.models import Season
from league.seasons.views import season_of
from league.sessions.models import Session
from league.sessions.queries import places_by_member, refuse_held, session_of
from league.standings import actions, pot_settling
from league.standings.forms import (
    MEMBERS_KINDS,
    PayoutForm,
    PotChangeForm,
    PotForm,
    SharesForm,
    TotalForm,
)
from league.standings.models import Pot
from league.standings.pot_accounts import (
    Account,
    SettleUp,
    account_of,
    own_stakes,
    paid_at_the_door,
    settle_up_of,
    taken_for_season,
    taken_tonight,
)
from league.standings.pot_queries import Scope, failed_call_word, last_with_pots, sheet_of
from league.standings.pot_text import account_texts, payments_text
from league.standings.pot_totals import night_account, own_stakes_text, own_total_text
from league.standings.season_queries import refuse_held_pots
from league.standings.stake_debts import stake_debts

EVERYONE = "everyone"
"""In place of the player who has just settled, where a tap has just recorded payments of all."""


@require_safe
@club_page("member")
def session_pots(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The pots of a session."""
    club_session = session_of(club, public_id)
    try:
        refuse_held(club_session, request.rank)
    except Refused as held:
        return _own_stakes_page(request, club_session, held)
    return pots_page(request, club_session)


@require_safe
@club_page("member")
def season_pots(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The pots of a season."""
    season = season_of(club, public_id)
    try:
        refuse_held_pots(season, request.rank)
    except Refused as held:
        return _own_stakes_page(request, season, held)
    return pots_page(request, season)


@require_POST
@club_page("organiser")
def session_pot_add(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add a pot to a session."""
    return _add_pot(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
def session_pot_copy(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add the pots of the last session that had any."""
    club_session = session_of(club, public_id)
    if source := last_with_pots(club_session):
        actions.copy_pots(source, club_session, by=actor_of(request), at=timezone.now())
    return redirect("session_pots", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_pot_add(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Add a pot to a season."""
    return _add_pot(request, season_of(club, public_id))


@require_POST
@club_page("organiser")
def pot_change(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Change the name of a pot, and the rest of its rule while it has paid nothing out."""
    pot, at = pot_or_404(club, public_id), timezone.now()
    is_fixed = sheet_of(pot, at=at).is_fixed
    form = PotChangeForm(request.POST, instance=pot, is_fixed=is_fixed)
    if not form.is_valid():
        return pots_page(request, pot.scope, status=422, changed_pot=pot, change_form=form)
    pot = pot_or_404(club, public_id)  # the form has changed its own
    actions.change_pot(pot, by=actor_of(request), at=at, **form.cleaned_data)
    changes_debts = not {"amount", "counts_from"}.isdisjoint(form.changed_data)
    texts = account_texts([sheet_of(pot, at=at)], club) if changes_debts else []
    messages.success(request, " ".join([_("Saved."), *texts]))
    return redirect_to_pots(pot.scope)


@require_POST
@club_page("organiser")
def pot_shares(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Change the share of each place while no prize is paid out."""
    pot, form = pot_or_404(club, public_id), SharesForm(request.POST)
    if not form.is_valid():
        return pots_page(request, pot.scope, status=422, refused_pot=pot, shares_form=form)
    actions.change_shares(pot, by=actor_of(request), at=timezone.now(), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect_to_pots(pot.scope)


@require_POST
@club_page("organiser")
def pot_payout(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Change who wins a pot while no prize is paid out; if nobody, it stays with the club."""
    pot, form = pot_or_404(club, public_id), PayoutForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-payout", _("Choose who wins it."))
    payout, at = form.cleaned_data["payout"], timezone.now()
    actions.change_payout(pot, payout, by=actor_of(request), at=at)
    text = _("Saved.")
    if payout == Pot.Payout.KEPT:
        text = _(
            "“%(pot)s” stays with the club. To carry it over, add a pot next time into which the"
            " club puts that sum."
        )
    messages.success(request, text % {"pot": pot.name})
    return redirect_to_pots(pot.scope)


@require_POST
@club_page("organiser")
def pot_give_back(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Record that all stakes of a pot that nobody has won were given back."""
    pot, total = pot_or_404(club, public_id), total_of(request)
    pot_settling.give_back_stakes(pot, total, by=actor_of(request), at=timezone.now())
    return redirect_after_all(pot.scope)


@require_POST
@club_page("organiser")
def pot_drop(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Delete a pot without payments, or with undone ones only."""
    pot = pot_or_404(club, public_id)
    actions.drop_pot(pot, by=actor_of(request))
    messages.success(request, _("Deleted %(pot)s.") % {"pot": pot.name})
    return redirect_to_pots(pot.scope)


def redirect_after_all(scope: Scope) -> HttpResponse:
    """The page itself says what a tap recorded of several players, as long as it can be undone."""
    return redirect(f"{url_of_pots(scope)}?after={EVERYONE}")


def total_of(request: ClubRequest) -> Decimal:
    form = TotalForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-payment", _("Enter an amount above zero."))
    total: Decimal = form.cleaned_data["amount"]
    return total


def pot_or_404(club: Club, public_id: str) -> Pot:
    pots = club.pots.select_related("club", "session", "season")
    return get_object_or_404(pots, public_id=public_id)


def url_of_pots(scope: Scope) -> str:
    page = "season_pots" if isinstance(scope, Season) else "session_pots"
    return reverse(page, args=[scope.club.slug, scope.public_id])


def own_debts_context(club: Club, player: Member | None) -> dict[str, Any]:
    """What a player owes in stakes in all, and the names and addresses of the pages that say it."""
    debts = stake_debts(club, player).get(player.pk, {}) if player and club.keeps_pots else {}
    return {
        "own_total": own_stakes_text(sum(debts.values()), club),
        "own_debts": [(scope.name, url_of_pots(scope)) for scope in debts],
    }


def redirect_to_pots(scope: Scope) -> HttpResponse:
    return redirect(url_of_pots(scope))


def _add_pot(request: ClubRequest, scope: Scope) -> HttpResponse:
    form = _new_pot_form(scope, request.POST)
    if not form.is_valid():
        return pots_page(request, scope, form=form, status=422)
    if not scope.club.keeps_pots:
        raise Refused("pots-off", _("Prize money is turned off in Settings."), status=409)
    actions.add_pot(scope, by=actor_of(request), at=timezone.now(), **form.cleaned_data)
    return redirect_to_pots(scope)


def _new_pot_form(scope: Scope, data: Any = None) -> PotForm:
    today = scope.club.local(timezone.now()).date()
    return PotForm(data, scope=scope, beaten=failed_call_word(scope), today=today)


def pots_page(
    request: ClubRequest, scope: Scope, *, status: int = 200, **data: Any
) -> HttpResponse:
    """The pots of a scope, with the form to add one. `data` is what else the page shows: a form
    that was refused, and where it belongs."""
    club, is_organiser = scope.club, reaches(request.rank, Role.Rank.ORGANISER)
    is_season = isinstance(scope, Season)
    if isinstance(scope, Session) and scope.state == Session.State.PLANNED:
        data["signed_up"] = sum(places_by_member(scope).values())
    context: dict[str, Any] = {"club": club, "scope": scope, "organiser": is_organiser}
    context["kinds"] = MEMBERS_KINDS
    context["part_of"] = request.GET.get("part")
    context |= {"form": _new_pot_form(scope)} | data
    context["here"] = "standings" if is_season else "sessions"
    context["season" if is_season else "club_session"] = scope
    context["player"] = player_of(club, request.user)
    context |= _season_with_pots(scope)
    if club.keeps_pots:
        settling = settle_up_of(scope, at=timezone.now())
        context["found"] = settling.found
        if own_account := account_of(settling, context["player"]):
            season = context.get("season_with_pots")
            of_season = own_account.of_season.net
            context["own_total"] = own_total_text(own_account.net, club, season, of_season)
        if is_organiser and isinstance(scope, Session) and not settling.found.sheets:
            context["last_with_pots"] = last_with_pots(scope)
        if is_organiser:
            _add_change_forms(settling, data)
            _add_other_debts(settling, scope)
            context |= _settle_up_context(settling, scope) | _just_settled(request, scope, settling)
    return render(request, "standings/pots.html", context, status=status)


def _add_change_forms(settling: SettleUp, data: dict[str, Any]) -> None:
    """Give each pot the form that changes it: a refused one as it was filled in."""
    for sheet in settling.found.sheets:
        form = PotChangeForm(instance=sheet.pot, is_fixed=sheet.is_fixed)
        if sheet.pot == data.get("changed_pot"):
            form = data["change_form"]
        sheet.pot.change_form = form  # type: ignore[attr-defined]


def _add_other_debts(settling: SettleUp, scope: Scope) -> None:
    """Beside each player, what they also owe to other sessions and seasons."""
    here = {sheet.pot.scope for sheet in settling.sheets}
    debts = stake_debts(scope.club) if settling.accounts else {}
    for account in settling.accounts:
        own = debts.get(account.member.pk, {})
        others = {one: cents for one, cents in own.items() if cents > 0 and one not in here}
        account.member.also_owes = links_to(others)  # type: ignore[attr-defined]


def links_to(debts: Mapping[Scope, int]) -> list[tuple[str, str, int]]:
    """The name of each session or season with the address of its list to settle, and the sum."""
    return [(scope.name, f"{url_of_pots(scope)}#settle", cents) for scope, cents in debts.items()]


def _season_with_pots(scope: Scope) -> dict[str, Season]:
    season = scope.season if isinstance(scope, Session) else None
    return {"season_with_pots": season} if season and season.pots.exists() else {}


def _settle_up_context(settling: SettleUp, scope: Scope) -> dict[str, Any]:
    debts = [account.debt for account in settling.accounts if account.owes]
    refunds = [account.refund for account in settling.accounts if account.gets_back]
    for_season = taken_for_season(scope)
    return {
        "settling": settling,
        "taken": taken_tonight(settling, scope, for_season),
        "paid": paid_at_the_door(settling, scope),
        "night_account": night_account(settling.found, for_season),
        "left_in_box": max(0, settling.found.cash + for_season),
        "for_season": for_season,
        "debtors": len(debts),
        "debts": sum(debts),
        "creditors": len(refunds),
        "refunds": sum(refunds),
    }


def _just_settled(request: ClubRequest, scope: Scope, settling: SettleUp) -> dict[str, Any]:
    """What can be undone: the latest payments, if one tap recorded them of several players; or what
    one player has just settled, and if the list goes on, the account that follows theirs. Or whose
    payment was just undone."""
    after = request.GET.get("after")
    if "undone" in request.GET and settling.accounts:
        whose = get_object_or_404(scope.club.members, public_id=request.GET["undone"])
        return {"settled": whose, "next_account": _next_account(settling, whose)}
    payments = [payment for sheet in settling.sheets for payment in sheet.payments]
    latest = max(payments, key=lambda payment: payment.pk, default=None)
    if latest is None:
        return {}
    tap, on_page = pot_settling.payments_of_tap(latest), {payment.pk for payment in payments}
    is_of_many = len({payment.member_id for payment in tap}) > 1 or latest.member is None
    if after == EVERYONE or (is_of_many and on_page.issuperset(payment.pk for payment in tap)):
        return {"undo": latest, "undo_text": payments_text(tap)}
    member = latest.member
    if member is None or after != member.public_id:
        return {}
    if not settling.accounts:
        return {"undo": latest}
    return {"settled": member, "undo": latest, "next_account": _next_account(settling, member)}


def _next_account(settling: SettleUp, member: Member) -> Account | None:
    """The account of a member, or the one that follows in the list."""
    place = (member.sort_key, member.pk)
    following = (one for one in settling.accounts if (one.member.sort_key, one.member.pk) >= place)
    return next(following, None)


def _own_stakes_page(request: ClubRequest, scope: Scope, held: Refused) -> HttpResponse:
    """The reader's own stakes, while the standings are held back from them; refused without any."""
    club, player = scope.club, player_of(scope.club, request.user)
    stakes = own_stakes(scope, player, at=timezone.now()) if player and club.keeps_pots else []
    if not stakes:
        raise held
    is_season = isinstance(scope, Season)
    context: dict[str, Any] = {"club": club, "scope": scope, "held": held, "stakes": stakes}
    own_total = sum(row.balance.to_pay for _pot, row in stakes)
    context["own_total"] = own_total_text(own_total, club)
    context |= _season_with_pots(scope)
    context["here"] = "standings" if is_season else "sessions"
    context["season" if is_season else "club_session"] = scope
    return render(request, "standings/own_stakes.html", context)
