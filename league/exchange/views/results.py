"""Results of games as a sheet: out, of a session or of the whole club, and in."""

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.exchange.export_jobs import WRITE_RESULTS, is_small, results_file, results_of
from league.exchange.result_rows import ended_games
from league.exchange.results_import import import_results, preview_results
from league.exchange.sheet_words import RESULTS
from league.exchange.sheets import download
from league.exchange.views.beside import export_beside
from league.exchange.views.dry_run import Import, import_page
from league.members.actions.jobs import Work
from league.members.models import Club, Job, Role
from league.play.models import Game
from league.sessions.queries import session_of

NEEDED = ("date", "session", "game", "table", "player 1", "player 2", "points 1", "points 2")
OF_RESULTS = Import(
    what="results",
    kind=Job.Kind.IMPORT_RESULTS,
    columns=RESULTS,
    needed=NEEDED,
    look=lambda club, rows, at: preview_results(club, rows, at=at),
    order=lambda club, rows, asked: import_results(
        club, rows, agreed=asked.agreed, by=asked.by, at=asked.at
    ),
    words=lambda n: ngettext("%(n)d session is added.", "%(n)d sessions are added.", n),
)


@club_page(PUBLIC)
@require_safe
def session_results(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """A session's results as a sheet."""
    club_session = session_of(club, public_id)
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
    content = results_file(club, results_of(club), request.rank, kind)
    return download(content, name=f"{club.name} results", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_results_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of results: first what it would do, then all of it or nothing."""
    return import_page(request, club, OF_RESULTS)
