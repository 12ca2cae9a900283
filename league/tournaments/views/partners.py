"""Partners before the draw: pasted pairs, pairs made by hand, at random or by places, and split."""

import secrets

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import club_page
from league.errors import attempt, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.tournaments import actions
from league.tournaments.entry_forms import PairForm, PairsForm, PickForm
from league.tournaments.models import Entry, Tournament
from league.tournaments.queries import stage_of, tournament_of
from league.tournaments.stage_state import OF_PAIRS
from league.tournaments.views.entries import entries_page, entry_button, entry_of
from league.tournaments.views.rounds import SEEDS


@require_POST
@club_page("organiser")
def tournament_paste_pairs(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Enter the pairs of a pasted list."""
    tournament, form = tournament_of(club, public_id), PairsForm(request.POST)
    if stage_of(tournament).format not in OF_PAIRS:
        raise Http404
    by, at = actor_of(request), timezone.now()
    here_too = " ".join(request.POST.getlist("here_too")).split()
    guests = "\n".join(request.POST.getlist("guests")).splitlines()
    entered = attempt(
        form,
        lambda: actions.enter_pairs(
            tournament,
            form.cleaned_data["pairs"].splitlines(),
            by=by,
            at=at,
            here_too=here_too,
            guests=guests,
        ),
    )
    if entered is None:
        form.answered = {"here_too": " ".join(here_too), "guests": "\n".join(guests)}  # type: ignore[attr-defined]
        return entries_page(request, tournament, pasted=form)
    text = ngettext("Entered %(n)d pair.", "Entered %(n)d pairs.", len(entered))
    messages.success(request, text % {"n": len(entered)})
    return redirect("tournament_entries", club.slug, public_id)


@entry_button
def tournament_draw_partners(request: HttpRequest, tournament: Tournament) -> str:
    pairs = actions.draw_partners(tournament, seed=secrets.randbelow(SEEDS), by=actor_of(request))
    return _pairs_made_sentence(pairs)


@entry_button
def tournament_pair_up(request: HttpRequest, tournament: Tournament) -> str:
    """Make a pair of two players, chosen by hand."""
    data = valid(PairForm(request.POST, tournament=tournament))
    pair = actions.pair_up(tournament, data["one"], data["other"], by=actor_of(request))
    names = [member.name for member in pair.people]
    return _("%(one)s and %(other)s are a pair.") % {"one": names[0], "other": names[1]}


@entry_button
def tournament_by_places(request: HttpRequest, tournament: Tournament) -> str:
    """Make the pairs by the places of the seeding round."""
    seed = secrets.randbelow(SEEDS)
    pairs = actions.pair_by_places(tournament, seed=seed, by=actor_of(request))
    return _pairs_made_sentence(pairs)


def _pairs_made_sentence(pairs: list[Entry]) -> str:
    return ngettext("Made %(n)d pair.", "Made %(n)d pairs.", len(pairs)) % {"n": len(pairs)}


@entry_button
def tournament_pick(request: HttpRequest, tournament: Tournament) -> str:
    """Save the partner picked by the player whose turn it is."""
    partner = valid(PickForm(request.POST, tournament=tournament))["partner"]
    actions.pick_partner(tournament, partner, by=actor_of(request))
    return ""


@entry_button
def tournament_part(request: HttpRequest, tournament: Tournament, entry: int) -> str:
    actions.part_partners(entry_of(tournament, entry), by=actor_of(request))
    return ""
