"""An organiser's button on a page of a tournament."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.sessions.attendance import arrive, checked_in_elsewhere
from league.tournaments.models import Tournament
from league.tournaments.queries import tournament_of

Button = Callable[..., str]


def tournament_button(
    page: str = "tournament", *, form_on: str = "tournament"
) -> Callable[[Button], Callable[..., HttpResponse]]:
    """Decorate an organiser's button as a view that redirects to `page`, or back to the entries.

    The button takes the request, the tournament and the other URL arguments, and returns a message
    for the organiser, or "". If it is refused, the page `form_on` shows why; for players who are
    checked in elsewhere, a page asks whether to check them in here too.
    """

    def decorated(button: Button) -> Callable[..., HttpResponse]:
        @require_POST
        @club_page("organiser")
        @wraps(button)
        def view(request: HttpRequest, club: Club, public_id: str, **kwargs: Any) -> HttpResponse:
            tournament = tournament_of(club, public_id)
            try:
                _check_in_here_too(request, tournament)
                sentence = button(request, tournament, **kwargs)
            except Refused as refused:
                if refused.code == "elsewhere":
                    return _ask_here_too(request, tournament, refused, form_on)
                messages.error(request, refused.message)
                return redirect(form_on, club.slug, public_id)
            if sentence:
                messages.success(request, sentence)
            back = "tournament_entries" if request.POST.get("back") == "entries" else page
            return redirect(back, club.slug, public_id)

        return view

    return decorated


def _check_in_here_too(request: HttpRequest, tournament: Tournament) -> None:
    """Check in the players for whom the organiser said yes."""
    keys = request.POST.get("here_too", "").split()
    others = checked_in_elsewhere(tournament.session) if keys else {}
    for member in Member.objects.filter(pk__in=others) if keys else ():
        if member.public_id in keys:
            by, at = actor_of(request), timezone.now()
            arrive(tournament.session, member, by=by, at=at, even_if_elsewhere=True)


def _ask_here_too(
    request: HttpRequest, tournament: Tournament, refused: Refused, back: str
) -> HttpResponse:
    sent = [(k, v) for k, v in request.POST.items() if k not in ("csrfmiddlewaretoken", "here_too")]
    context = {"club": tournament.club, "here": "tournaments", "tournament": tournament}
    context |= {"refused": refused, "sent": sent, "back": back}
    return render(request, "tournaments/here_too.html", context, status=refused.status)
