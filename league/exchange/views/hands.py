"""Hands of past evenings brought in as a sheet."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.exchange.forms import SheetForm, packed
from league.exchange.hands_import import HandsPreview, import_hands, preview_hands
from league.exchange.reading import Row
from league.exchange.sheet_trouble import read_rows
from league.exchange.sheet_words import BY_HAND, HANDS
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
    return _page(request, club, form)


def _rows(form: SheetForm) -> list[Row]:
    return read_rows(form.content, known=COLUMNS, needed=NEEDED, most=MOST_HANDS)


def _page(request: ClubRequest, club: Club, form: SheetForm) -> HttpResponse:
    changed = getattr(form, "refused", None)
    found = _looked(club, form, again=bool(changed and changed.status == 409))
    refused = getattr(form, "refused", None)
    wrong = bool(form.errors) or bool(found and found.troubles)
    context: dict[str, Any] = {"club": club, "form": form, "found": found, "here": "sessions"}
    context |= {"needed": NEEDED, "carried": packed(form.content) if found else ""}
    status = refused.status if refused else 422 if wrong else 200
    return render(request, "exchange/hands.html", context, status=status)


def _looked(club: Club, form: SheetForm, *, again: bool) -> HandsPreview | None:
    if again:
        return preview_hands(club, _rows(form), at=timezone.now())
    if not form.is_bound:
        return None
    return attempt(form, lambda: preview_hands(club, _rows(form), at=timezone.now()))
