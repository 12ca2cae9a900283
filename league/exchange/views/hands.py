"""Hands of past evenings brought in as a sheet."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.exchange.forms import SheetForm
from league.exchange.games_import import GamesPreview
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.reading import Row
from league.exchange.sheet_trouble import read_rows
from league.exchange.sheet_words import BY_HAND, HANDS
from league.exchange.views.dry_run import dry_run
from league.members.audit import actor_of
from league.members.models import Club
from league.members.views.answers import attempt

COLUMNS = (*HANDS, *BY_HAND)
NEEDED = ("date", "session", "game", "table", "hand", "player 1", "player 2", "dealer")
MOST_HANDS = 5000


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_hands_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of hands: first what it would do, then all of it or nothing."""
    form = SheetForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid() and form.cleaned_data["agreed"]:
        agreed, by, at = form.cleaned_data["agreed"], actor_of(request), timezone.now()
        made = attempt(form, lambda: import_hands(club, _rows(form), agreed=agreed, by=by, at=at))
        if made is not None:
            words = ngettext("%(n)d session is added.", "%(n)d sessions are added.", len(made))
            messages.success(request, words % {"n": len(made)})
            return redirect("sessions", club.slug)
    context = {"club": club, "here": "sessions", "needed": NEEDED, "columns": COLUMNS}
    return dry_run(request, "exchange/hands.html", form, lambda: _preview(club, form), context)


def _preview(club: Club, form: SheetForm) -> GamesPreview:
    return preview_hands(club, _rows(form), at=timezone.now())


def _rows(form: SheetForm) -> list[Row]:
    return read_rows(form.content, known=COLUMNS, needed=NEEDED, most=MOST_HANDS)
