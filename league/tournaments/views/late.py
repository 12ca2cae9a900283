"""Somebody joins when the draw is full: what that would cost, seen first and then agreed to."""

import secrets
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.tournaments import actions
from league.tournaments.draws.late import DrawnAnew, late_plan, missed_by_byes
from league.tournaments.draws.late_bracket import LargerBracket
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.forms import EnterForm, LateForm
from league.tournaments.models import Entry, Tournament
from league.tournaments.picture import picture_of
from league.tournaments.queries import (
    entry_name,
    join_names,
    not_entered,
    stage_of,
    tournament_of,
)

SEEDS = 2**31
RoundToCome = tuple[int, list[tuple[str, str]], list[str]]


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_late(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """How a late pair would come into a full draw, by another seed each time it is looked at."""
    tournament = tournament_of(club, public_id)
    asked = request.POST or request.GET
    form = EnterForm(asked, free=not_entered(tournament), pairs=True)
    if not form.is_valid() or form.cleaned_data["partner"] is None:
        messages.error(request, _("Late entries come with their partner."))
        return redirect("tournament_entries", club.slug, public_id)
    try:
        if request.method == "POST":
            return _entered(request, tournament)
        return _looked_at(request, tournament, **form.cleaned_data)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("tournament_entries", club.slug, public_id)


def _looked_at(
    request: HttpRequest, tournament: Tournament, member: Member, partner: Member
) -> HttpResponse:
    picture = picture_of(stage_of(tournament))
    plan = late_plan(picture, secrets.randbelow(SEEDS))
    context = {
        "club": tournament.club,
        "here": "tournaments",
        "tournament": tournament,
        "member": member,
        "partner": partner,
        "name": join_names([member.name, partner.name]),
        "plan": plan,
        "drafted": picture.draft is not None,
    }
    names = {key: entry_name(one, lambda who: who.name) for key, one in picture.entries.items()}
    names[NEWCOMER] = join_names([member.name, partner.name])
    context |= SHOWN[plan.kind](plan, names)
    context["missed"] = [names[one] for one in missed_by_byes(picture)]
    return render(request, "tournaments/late.html", context)


def _rounds(plan: DrawnAnew, names: dict[int, str]) -> dict[str, Any]:
    """Each round to come in words: its number, who meets, who sits out."""
    rounds: list[RoundToCome] = [
        (
            number,
            [(names[int(p.first)], names[int(p.second)]) for p in one if p.second is not None],
            [names[int(p.first)] for p in one if p.second is None],
        )
        for number, one in enumerate(plan.rounds, plan.after + 1)
    ]
    return {"rounds": rounds}


def _larger(plan: LargerBracket, names: dict[int, str]) -> dict[str, Any]:
    first = [(names[one], names[other]) for one, other in plan.first]
    return {"first": first, "byes": [names[one] for one in plan.byes]}


SHOWN: dict[str, Callable[..., dict[str, Any]]] = {
    "anew": _rounds,
    "larger": _larger,
}
ENTERS: dict[str, Callable[..., Entry]] = {
    "anew": actions.enter_drawn_anew,
    "larger": actions.enter_larger_bracket,
}


def _entered(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = LateForm(request.POST, free=not_entered(tournament), pairs=True)
    if not form.is_valid():
        raise Refused("bad-form", _("Load the page again: something is missing."))
    told = dict(form.cleaned_data)
    way = told.pop("way")
    by, at = actor_of(request), timezone.now()
    try:
        made = ENTERS[way](tournament, **told, by=by, at=at)
    except Refused as refused:
        if refused.code != "plan-changed":
            raise
        messages.error(request, refused.message)
        return _looked_at(request, tournament, told["member"], told["partner"])
    name = entry_name(made, lambda who: who.name)
    messages.success(request, _("Entered: %(name)s.") % {"name": name})
    page = "tournament_draw" if way == "larger" else "tournament_entries"
    return redirect(page, tournament.club.slug, tournament.public_id)
