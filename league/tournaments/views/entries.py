"""Who plays: entries, partners, seeds, latecomers, withdrawals."""

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club, Member
from league.sessions.queries import present
from league.tournaments import actions
from league.tournaments.draws.late import FULL, missed_by_byes, refuse_full
from league.tournaments.forms import EnterForm
from league.tournaments.models import Entry, Tournament
from league.tournaments.parameters import chosen
from league.tournaments.picture import CLOSED, OF_PAIRS, picture_of
from league.tournaments.queries import not_entered, stage_of, tournament_of
from league.tournaments.seeding import picking_of, placed

SEEDS = 2**31


@require_safe
@club_page("organiser")
def tournament_entries(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The list of entries."""
    return entries_page(request, tournament_of(club, public_id))


def entries_page(
    request: HttpRequest, tournament: Tournament, form: EnterForm | None = None
) -> HttpResponse:
    stage = stage_of(tournament)
    pairs = stage.format in OF_PAIRS
    free = not_entered(tournament)
    entries = list(tournament.entries.select_related("member", "partner").order_by("pk"))
    entered = {one.pk for entry in entries for one in entry.people}
    context = {
        "club": tournament.club,
        "here": "tournaments",
        "tournament": tournament,
        "pairs": pairs,
        "seeded": stage.format in CLOSED and tournament.follows_id is None,
        "begun": stage.rounds.exists(),
        "entries": entries,
        "alone": sum(entry.partner_id is None for entry in entries),
        "free": list(free),
        "here_now": sum(one.pk not in entered for one in present(tournament.session)),
        "form": form or EnterForm(free=free, pairs=pairs),
        **_seeding(tournament, entries),
    }
    status = 422 if form is not None else 200
    return render(request, "tournaments/entries.html", context, status=status)


def _seeding(tournament: Tournament, entries: list[Entry]) -> dict[str, Any]:
    """After a seeding round: everybody's place in it, and whose turn it is to pick."""
    if tournament.follows_id is None:
        return {}
    places = placed(tournament)
    named = {entry.pk: entry for entry in entries}
    for one in entries:
        one.place = places.get(one.member_id)  # type: ignore[attr-defined]
    entries.sort(key=lambda one: (one.place is None, one.place))  # type: ignore[attr-defined]
    picking = picking_of(tournament, places)
    return {
        "way": chosen(stage_of(tournament).parameters).partners,
        "picks": named.get(int(picking.picks or 0)),
        "choices": [named[int(key)] for key in picking.choices],
        "left_over": named.get(int(picking.alone or 0)),
    }


@require_POST
@club_page("organiser")
def tournament_enter(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One more entry, from the form."""
    tournament = tournament_of(club, public_id)
    pairs = stage_of(tournament).format in OF_PAIRS
    form = EnterForm(request.POST, free=not_entered(tournament), pairs=pairs)
    if form.is_valid():
        if "way" not in request.POST and (page := _page_of_two_ways(tournament, form)):
            return redirect(page)
        try:
            actions.enter(tournament, **form.cleaned_data, by=actor_of(request), at=timezone.now())
        except Refused as refused:
            if refused.code not in FULL:
                refused.show_in(form)
            elif page := _late_page(tournament, form):
                return redirect(page)
        else:
            return redirect("tournament_entries", club.slug, public_id)
    return entries_page(request, tournament, form)


def _late_page(tournament: Tournament, form: EnterForm) -> str:
    """Where it is seen how a pair can come into a full draw; empty, with the reason in the form,
    where it cannot."""
    try:
        refuse_full(picture_of(stage_of(tournament)))
    except Refused as refused:
        refused.show_in(form)
        return ""
    return _page_for(tournament, form)


def _page_of_two_ways(tournament: Tournament, form: EnterForm) -> str:
    """The same where a pair that takes the byes to come would never meet somebody."""
    picture = picture_of(stage_of(tournament))
    if not form.cleaned_data.get("partner") or not picture.published:
        return ""
    return _page_for(tournament, form) if missed_by_byes(picture) else ""


def _page_for(tournament: Tournament, form: EnterForm) -> str:
    told = {name: form.cleaned_data[name].public_id for name in ("member", "partner")}
    page = reverse("tournament_late", args=[tournament.club.slug, tournament.public_id])
    return f"{page}?{urlencode(told)}"


@require_POST
@club_page("organiser")
def tournament_entry(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """An order about one entry, or about all who are here."""
    tournament = tournament_of(club, public_id)
    order = ORDERS.get(request.POST.get("order", ""))
    try:
        if order is None:
            raise Refused("unknown-order", _("Load the page again: something is missing."))
        order(tournament, request.POST, actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("tournament_entries", club.slug, public_id)


def _entry(tournament: Tournament, data: QueryDict) -> Entry:
    key = data.get("entry", "")
    found = get_object_or_404(
        tournament.entries.select_related("member", "partner"),
        pk=int(key) if key.isdecimal() and len(key) < 16 else 0,
    )
    found.tournament = tournament
    return found


def _present(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.enter_present(tournament, by=by, at=timezone.now())


def _partners(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.draw_partners(tournament, seed=secrets.randbelow(SEEDS), by=by)


def _by_places(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.pair_by_places(tournament, seed=secrets.randbelow(SEEDS), by=by)


def _pick(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.pick_partner(tournament, _entry(tournament, data), by=by)


def _part(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.part_partners(_entry(tournament, data), by=by)


def _drop(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.drop_entry(_entry(tournament, data), by=by)


def _withdraw(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    actions.withdraw_entry(_entry(tournament, data), by=by, at=timezone.now())


def _seed(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    text = data.get("seed", "").strip()
    if text and not (text.isdecimal() and 0 < int(text[:5]) < 1000):
        raise Refused("bad-seed", _("A seed is a number from 1."))
    actions.seed_entry(_entry(tournament, data), int(text) if text else None, by=by)


def _replace(tournament: Tournament, data: QueryDict, by: Actor) -> None:
    entry = _entry(tournament, data)
    leaves, comes = (
        get_object_or_404(Member, club=tournament.club, public_id=data.get(name, ""))
        for name in ("leaves", "comes")
    )
    actions.replace_player(entry, leaves, comes, by=by, at=timezone.now())


ORDERS: dict[str, Callable[[Tournament, QueryDict, Actor], None]] = {
    "present": _present,
    "partners": _partners,
    "by_places": _by_places,
    "pick": _pick,
    "part": _part,
    "drop": _drop,
    "withdraw": _withdraw,
    "seed": _seed,
    "replace": _replace,
}
