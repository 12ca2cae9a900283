"""Organisers' buttons while a tournament runs, each with its own URL, form and action."""

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import club_page
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.tournaments import actions
from league.tournaments.forms import DecideForm, MoveForm, PublishForm, ReasonForm
from league.tournaments.models import Match, Tournament
from league.tournaments.queries import tournament_of

SEEDS = 2**31
Button = Callable[..., str]


def tournament_button(
    page: str = "tournament", *, form_on: str = "tournament"
) -> Callable[[Button], Callable[..., HttpResponse]]:
    """Decorate an organiser's button as a view that redirects to `page`.

    The button takes the request, the tournament and the other URL arguments, and returns a message
    for the organiser, or "". If it is refused, the page `form_on` shows why.
    """

    def decorated(button: Button) -> Callable[..., HttpResponse]:
        @require_POST
        @club_page("organiser")
        @wraps(button)
        def view(request: HttpRequest, club: Club, public_id: str, **kwargs: Any) -> HttpResponse:
            tournament = tournament_of(club, public_id)
            try:
                sentence = button(request, tournament, **kwargs)
            except Refused as refused:
                messages.error(request, refused.message)
                return redirect(form_on, club.slug, public_id)
            if sentence:
                messages.success(request, sentence)
            return redirect(page, club.slug, public_id)

        return view

    return decorated


@tournament_button("tournament_draw")
def tournament_draw_round(request: HttpRequest, tournament: Tournament) -> str:
    """Draw or redraw the next round."""
    actions.draw_round(tournament, by=actor_of(request), seed=secrets.randbelow(SEEDS))
    return ""


@tournament_button()
def tournament_discard(request: HttpRequest, tournament: Tournament) -> str:
    actions.discard_draw(tournament, by=actor_of(request))
    return _("Discarded the draft.")


@tournament_button()
def tournament_publish(request: HttpRequest, tournament: Tournament) -> str:
    version = valid(PublishForm(request.POST))["version"]
    by, at = actor_of(request), timezone.now()
    row = actions.publish_draw(tournament, by=by, at=at, version=version)
    return _("Published round %(n)d.") % {"n": row.number}


@tournament_button("tournament_draw")
def tournament_take_back(request: HttpRequest, tournament: Tournament) -> str:
    actions.take_draw_back(tournament, by=actor_of(request), at=timezone.now())
    return _("The round is a draft again.")


@tournament_button()
def tournament_bell(request: HttpRequest, tournament: Tournament) -> str:
    stopped = actions.ring_bell(tournament, by=actor_of(request), at=timezone.now())
    text = ngettext("Stopped %(n)d game.", "Stopped %(n)d games.", stopped)
    return text % {"n": stopped}


@tournament_button()
def tournament_force(request: HttpRequest, tournament: Tournament) -> str:
    reason = valid(ReasonForm(request.POST))["reason"]
    actions.force_round(tournament, reason=reason, by=actor_of(request), at=timezone.now())
    return _("Ended the round. The reason is saved.")


@tournament_button()
def tournament_finish(request: HttpRequest, tournament: Tournament) -> str:
    actions.finish_tournament(tournament, by=actor_of(request), at=timezone.now())
    return _("Closed the tournament.")


@tournament_button()
def tournament_cancel(request: HttpRequest, tournament: Tournament) -> str:
    actions.cancel_tournament(tournament, by=actor_of(request), at=timezone.now())
    return _("Called off the tournament.")


@tournament_button(form_on="tournament_edit")
def tournament_move(request: HttpRequest, tournament: Tournament) -> str:
    """Continue a tournament in another session."""
    session_id = valid(MoveForm(request.POST))["session"]
    club_session = tournament.club.sessions.filter(public_id=session_id).first()
    if club_session is None:
        raise Refused("unknown-session", _("Choose one of the club's sessions."))
    actions.move_to_session(tournament, club_session, by=actor_of(request))
    return _("The tournament continues in %(session)s.") % {"session": club_session.name}


@tournament_button()
def tournament_decide(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Decide a tied match, or give a match to one side."""
    row, by = _match(tournament, match), actor_of(request)
    data = valid(DecideForm(request.POST))
    actions.decide_match(tournament, row, by=by, at=timezone.now(), **data)
    return _("Decided match %(n)d.") % {"n": row.number}


@tournament_button()
def tournament_game(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Start the next game of a match of several."""
    row, by = _match(tournament, match), actor_of(request)
    seed = secrets.randbelow(SEEDS)
    table = actions.next_game(tournament, row, by=by, at=timezone.now(), seed=seed)
    return _("Started the next game at table %(n)d.") % {"n": table.number}


@tournament_button()
def tournament_unseat(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Unseat the next game of a match that is decided."""
    row, by = _match(tournament, match), actor_of(request)
    actions.unseat_game(tournament, row, by=by, at=timezone.now())
    return _("Unseated the next game. The match is over.")


@tournament_button()
def tournament_follow(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Update the bracket after a correction."""
    undone = actions.follow_correction(tournament, _match(tournament, match), by=actor_of(request))
    text = ngettext(
        "Updated the bracket; %(n)d match was undone.",
        "Updated the bracket; %(n)d matches were undone.",
        len(undone),
    )
    return text % {"n": len(undone)}


def _match(tournament: Tournament, key: int) -> Match:
    matches = Match.objects.select_related("stage_round__stage")
    return get_object_or_404(matches, stage_round__stage__tournament=tournament, pk=key)
