"""Sheets of people, sessions, results and hands: out and in."""

from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.exchange.export_jobs import WRITE_RESULTS, is_small, results_file, results_of
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.people_import import import_people, people_rows, preview_import
from league.exchange.results_import import import_results, preview_results
from league.exchange.results_sheet import ended_games
from league.exchange.sessions_import import import_sessions, preview_sessions, session_rows
from league.exchange.sheet_text import BY_HAND, HANDS, MEMBERS, PLANNED, RESULTS, SESSIONS
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import Import, import_page
from league.members.actions.jobs import Work, start_job
from league.members.audit import actor_of
from league.members.models import Club, Job, Role
from league.play.models import Game
from league.standings.holding import released_session


def export_beside(
    request: ClubRequest, club: Club, work: Work, params: Mapping[str, object] | None = None
) -> HttpResponse:
    """The page of an export that takes its time; its button starts it. A link starts nothing."""
    if request.method == "POST":
        job = start_job(club, work, by=actor_of(request), params=params)
        return redirect("job", club.slug, job.public_id)
    context = {"club": club, "here": "sessions", "kind": work.kind.label}
    return render(request, "exchange/export.html", context)


COLUMNS = (*HANDS, *BY_HAND)
HANDS_NEED = ("date", "session", "game", "table", "hand", "player 1", "player 2", "dealer")
OF_HANDS = Import(
    what="hands",
    kind=Job.Kind.IMPORT_HANDS,
    notation=True,
    columns=COLUMNS,
    needed=HANDS_NEED,
    look=lambda club, rows, at: preview_hands(club, rows, at=at),
    order=lambda club, rows, agreement: import_hands(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Added %(n)d session.", "Added %(n)d sessions.", n),
)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_hands_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of hands: first what it would do, then all of it or nothing."""
    return import_page(request, club, OF_HANDS)


OF_PEOPLE = Import(
    what="people",
    kind=Job.Kind.IMPORT_PEOPLE,
    columns=MEMBERS,
    needed=("name",),
    days=("joined", "retired"),
    parts={"name": ("first name", "surname")},
    look=lambda club, rows, _at: preview_import(club, rows),
    order=lambda club, rows, agreement: import_people(
        club, rows, agreed=agreement.agreed, by=agreement.by, also=agreement.also
    ),
    words=lambda n: ngettext("Added %(n)d player.", "Added %(n)d players.", n),
    back="members",
)


@club_page("organiser")
@require_safe
def export_people(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Everybody on the list with what is written of them; e-mail addresses are in it."""
    content = sheet(MEMBERS, people_rows(club), kind=kind)
    return download(content, name=f"{club.name} people", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_people_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of people: first what each line would do, then all of it or nothing."""
    return import_page(request, club, OF_PEOPLE)


RESULTS_NEED = ("date", "session", "game", "table", "player 1", "player 2", "points 1", "points 2")
OF_RESULTS = Import(
    what="results",
    kind=Job.Kind.IMPORT_RESULTS,
    columns=RESULTS,
    needed=RESULTS_NEED,
    look=lambda club, rows, at: preview_results(club, rows, at=at),
    order=lambda club, rows, agreement: import_results(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Added %(n)d session.", "Added %(n)d sessions.", n),
)


@club_page(PUBLIC)
@require_safe
def session_results(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """A session's results as a sheet."""
    club_session = released_session(club, public_id, request.rank)
    name = f"{club_session.held_on} {club_session.name} results"
    games = list(ended_games(Game.objects.filter(session=club_session)))
    return download(results_file(club, games, request.rank, kind), name=name, kind=kind)


@club_page("member")
@require_http_methods(["GET", "HEAD", "POST"])
def club_results(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Every result of the club as a sheet."""
    if not is_small(club):
        # Names are shown by rank: who may see less than whoever started it may not have the file.
        work = Work(Job.Kind.EXPORT_RESULTS, WRITE_RESULTS, request.rank or Role.Rank.OWNER)
        return export_beside(request, club, work, {"kind": kind})
    content = results_file(club, results_of(club, request.rank), request.rank, kind)
    return download(content, name=f"{club.name} results", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_results_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of results: first what it would do, then all of it or nothing."""
    return import_page(request, club, OF_RESULTS)


OF_SESSIONS = Import(
    what="sessions",
    kind=Job.Kind.IMPORT_SESSIONS,
    columns=PLANNED,
    passed_over=SESSIONS[len(PLANNED) :],
    needed=("date",),
    look=lambda club, rows, at: preview_sessions(club, rows, at=at),
    order=lambda club, rows, agreement: import_sessions(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Planned %(n)d session.", "Planned %(n)d sessions.", n),
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
