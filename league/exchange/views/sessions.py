"""A club's evenings as a sheet: out as a list, in as a season's calendar."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.forms import SheetForm
from league.exchange.reading import Row
from league.exchange.sessions_import import SessionsPreview, import_sessions, preview_sessions
from league.exchange.sessions_sheet import session_rows
from league.exchange.sheet_trouble import read_rows
from league.exchange.sheet_words import PLANNED, SESSIONS
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import dry_run
from league.members.audit import actor_of
from league.members.models import Club
from league.members.views.answers import attempt

MOST_SESSIONS = 5000


@club_page("member")
@require_safe
def export_sessions(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Every evening with what is planned of it, its state, its tables and how many came."""
    content = sheet(SESSIONS, session_rows(club), kind=kind)
    return download(content, name=f"{club.name} sessions", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_sessions_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of evenings to come: first what it would do, then all of it or nothing."""
    form = SheetForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid() and form.cleaned_data["agreed"]:
        agreed, by, at = form.cleaned_data["agreed"], actor_of(request), timezone.now()
        made = attempt(
            form, lambda: import_sessions(club, _rows(form), agreed=agreed, by=by, at=at)
        )
        if made is not None:
            words = ngettext("%(n)d session is planned.", "%(n)d sessions are planned.", len(made))
            messages.success(request, words % {"n": len(made)})
            return redirect("sessions", club.slug)
    context = {"club": club, "here": "sessions", "needed": ("date",), "columns": PLANNED}
    return dry_run(request, "exchange/sessions.html", form, lambda: _preview(club, form), context)


def _preview(club: Club, form: SheetForm) -> SessionsPreview:
    return preview_sessions(club, _rows(form), at=timezone.now())


def _rows(form: SheetForm) -> list[Row]:
    return read_rows(form.content, known=SESSIONS, needed=("date",), most=MOST_SESSIONS)
