"""The round's clock, from the organiser's side."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club
from league.sessions import actions
from league.sessions.forms import MinutesForm
from league.sessions.models import Session
from league.sessions.queries import session_of


@require_POST
@club_page("organiser")
def clock(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Start, pause, lengthen or stop the clock."""
    club_session = session_of(club, public_id)
    _order(request, club_session, actor_of(request))
    return redirect("board", club.slug, public_id)


def _order(request: HttpRequest, club_session: Session, by: Actor) -> None:
    now, to = timezone.now(), request.POST.get("to")
    if to == "start":
        minutes = _minutes(request) if request.POST.get("minutes") else None
        actions.start_clock(club_session, by=by, at=now, minutes=minutes)
    elif to == "pause":
        actions.pause_clock(club_session, by=by, at=now)
    elif to == "extend":
        actions.extend_clock(club_session, by=by, at=now, minutes=_minutes(request))
    elif to == "stop":
        actions.stop_clock(club_session, by=by)
    else:
        raise Refused("unknown-order", _("The clock can start, pause, get longer, or stop."))


def _minutes(request: HttpRequest) -> int:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        message = _("Give the clock a whole number of minutes.")
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return int(form.cleaned_data["minutes"])
