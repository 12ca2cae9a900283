"""Somebody joins when the draw is full: what that would cost, seen first and then agreed to."""

import secrets

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
from league.tournaments.draws.late import DrawnAnew, drawn_anew
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.forms import EnterForm, LateForm
from league.tournaments.models import Tournament
from league.tournaments.picture import Picture, picture_of
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
    """The rounds to come as they would be with a late pair, by another seed each time."""
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
    plan = drawn_anew(picture, secrets.randbelow(SEEDS))
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
    context["rounds"] = _rounds(picture, plan, join_names([member.name, partner.name]))
    return render(request, "tournaments/late.html", context)


def _rounds(picture: Picture, plan: DrawnAnew, newcomer: str) -> list[RoundToCome]:
    """Each round to come in words: its number, who meets, who sits out."""
    names = {key: entry_name(one, lambda who: who.name) for key, one in picture.entries.items()}
    names[NEWCOMER] = newcomer
    return [
        (
            number,
            [(names[int(p.first)], names[int(p.second)]) for p in one if p.second is not None],
            [names[int(p.first)] for p in one if p.second is None],
        )
        for number, one in enumerate(plan.rounds, plan.after + 1)
    ]


def _entered(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = LateForm(request.POST, free=not_entered(tournament), pairs=True)
    if not form.is_valid():
        raise Refused("bad_form", _("Load the page again: something is missing."))
    told = form.cleaned_data
    by, at = actor_of(request), timezone.now()
    try:
        made = actions.enter_drawn_anew(tournament, **told, by=by, at=at)
    except Refused as refused:
        if refused.code != "plan_changed":
            raise
        messages.error(request, refused.message)
        return _looked_at(request, tournament, told["member"], told["partner"])
    name = entry_name(made, lambda who: who.name)
    messages.success(
        request, _("Entered: %(name)s. The rounds to come are drawn anew.") % {"name": name}
    )
    return redirect("tournament_entries", tournament.club.slug, tournament.public_id)
