"""A club's evenings as a sheet: out as a list, in as a season's calendar."""

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.sessions_import import import_sessions, preview_sessions
from league.exchange.sessions_sheet import session_rows
from league.exchange.sheet_words import PLANNED, SESSIONS
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import Import, import_page
from league.members.models import Club, Job

OF_SESSIONS = Import(
    what="sessions",
    kind=Job.Kind.IMPORT_SESSIONS,
    columns=PLANNED,
    passed_over=SESSIONS[len(PLANNED) :],
    needed=("date",),
    look=lambda club, rows, at: preview_sessions(club, rows, at=at),
    order=lambda club, rows, asked: import_sessions(
        club, rows, agreed=asked.agreed, by=asked.by, at=asked.at
    ),
    words=lambda n: ngettext("%(n)d session is planned.", "%(n)d sessions are planned.", n),
)


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
    return import_page(request, club, OF_SESSIONS)
