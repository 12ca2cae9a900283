"""Orders of an organiser while the tournament runs: draw, publish, ring, decide, force, close."""

import secrets
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club
from league.sessions.queries import session_of
from league.tournaments import actions
from league.tournaments.models import Match, Tournament
from league.tournaments.queries import tournament_of

SEEDS = 2**31
Order = Callable[[Tournament, QueryDict, Actor], str]
"""Does it; answers what to tell the organiser."""


@require_POST
@club_page("organiser")
def tournament_order(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """One order, by its name."""
    tournament = tournament_of(club, public_id)
    name = request.POST.get("order", "")
    try:
        if name not in ORDERS:
            raise Refused("unknown-order", _("Load the page again: something is missing."))
        said = ORDERS[name](tournament, request.POST, actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("tournament", club.slug, public_id)
    if said:
        messages.success(request, said)
    page = "tournament_draw" if name in ("draw", "redraw", "take_back") else "tournament"
    return redirect(page, club.slug, public_id)


def _draw(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    actions.draw_round(tournament, by=by, seed=secrets.randbelow(SEEDS))
    return ""


def _discard(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    actions.discard_draw(tournament, by=by)
    return _("The draw is thrown away.")


def _publish(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    version = whole(data.get("version"))
    row = actions.publish_draw(tournament, by=by, at=timezone.now(), version=version)
    return _("Round %(n)d is published.") % {"n": row.number}


def _take_back(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    row = actions.take_draw_back(tournament, by=by, at=timezone.now())
    return _("Round %(n)d is a draft again.") % {"n": row.number}


def _follow(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    match = _match(tournament, data)
    undone = actions.follow_correction(tournament, match, by=by)
    text = ngettext(
        "The bracket follows the correction; %(n)d match is undone.",
        "The bracket follows the correction; %(n)d matches are undone.",
        len(undone),
    )
    return text % {"n": len(undone)}


def _bell(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    stopped = actions.ring_bell(tournament, by=by, at=timezone.now())
    words = ngettext("%(n)d game is stopped.", "%(n)d games are stopped.", stopped)
    return words % {"n": stopped}


def _force(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    reason = data.get("reason", "")[:200]
    actions.force_round(tournament, reason=reason, by=by, at=timezone.now())
    return _("The round is over. The reason is on record.")


def _finish(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    actions.finish_tournament(tournament, by=by, at=timezone.now())
    return _("The tournament is closed.")


def _cancel(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    actions.cancel_tournament(tournament, by=by, at=timezone.now())
    return _("The tournament is called off.")


def _decide(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    match = _match(tournament, data)
    actions.decide_match(
        tournament,
        match,
        whole(data.get("winner")),
        how=data.get("how", ""),
        reason=data.get("reason", "")[:200],
        by=by,
        at=timezone.now(),
    )
    return _("Match %(n)d is decided.") % {"n": match.number}


def _game(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    match = _match(tournament, data)
    seed = secrets.randbelow(SEEDS)
    table = actions.next_game(tournament, match, by=by, at=timezone.now(), seed=seed)
    return _("The next game is on at table %(n)d.") % {"n": table.number}


def _move(tournament: Tournament, data: QueryDict, by: Actor) -> str:
    club_session = session_of(tournament.club, data.get("session", ""))
    actions.move_to_session(tournament, club_session, by=by)
    return _("The tournament goes on in %(session)s.") % {"session": club_session.name}


def _match(tournament: Tournament, data: QueryDict) -> Match:
    matches = Match.objects.filter(stage_round__stage__tournament=tournament)
    return get_object_or_404(matches, pk=whole(data.get("match")))


def whole(text: str | None) -> int:
    """A whole number of a form's own; refuses what a page never sends."""
    if text is None or not text.isdecimal() or len(text) > 15:
        raise Refused("bad-number", _("Load the page again: something is missing."))
    return int(text)


ORDERS: dict[str, Order] = {
    "draw": _draw,
    "redraw": _draw,
    "discard": _discard,
    "publish": _publish,
    "take_back": _take_back,
    "follow": _follow,
    "bell": _bell,
    "force": _force,
    "finish": _finish,
    "cancel": _cancel,
    "decide": _decide,
    "game": _game,
    "move": _move,
}
