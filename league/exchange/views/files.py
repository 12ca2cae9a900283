"""Imports of players, sessions, results, hands and tournaments, and of a league's teams and
fixtures; the page about all files of a club; the background jobs of large sheets."""

import gzip
from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe
from django_tasks import task

from league import worker
from league.access import ClubRequest, club_page, password_first, reaches
from league.errors import Refused
from league.exchange.fixture_sheets import (
    FIXTURES,
    FIXTURES_NEED,
    fixture_columns,
    fixture_rows,
    import_fixture_sheet,
    preview_fixtures,
)
from league.exchange.forms import AgreedForm, SheetForm
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.league_sheets import (
    MOST_LINES,
    TEAMS,
    TEAMS_NEED,
    import_team_sheet,
    preview_teams,
    team_rows,
)
from league.exchange.people_import import import_people, preview_import
from league.exchange.results_sheet import import_results, preview_results
from league.exchange.sessions_import import import_sessions, preview_sessions
from league.exchange.sheet_import import examples
from league.exchange.sheet_reading import match_in
from league.exchange.sheets import (
    BY_HAND,
    HANDS,
    MEMBERS,
    PLANNED,
    RESULTS,
    ROUNDS,
    SESSIONS,
    download,
    sheet,
)
from league.exchange.tournament_sheet import import_tournament_sheet, preview_tournament
from league.exchange.views.dry_run import (
    ORDER,
    Agreement,
    Import,
    RenderedPreview,
    import_page,
    page_context,
    render_preview,
    rows_of,
)
from league.members.actions.jobs import Outcome, actor_of_job, continue_job, run_job
from league.members.models import Club, Job, Role
from league.members.models.activity import FILES_LAST
from league.members.queries import job_of, visible_jobs
from league.teams.models import TeamLeague
from league.teams.queries import by_division, league_of
from league.teams.views.leagues import secretary_page

COLUMNS = (*HANDS, *BY_HAND)
HANDS_NEED = ("date", "session", "game", "table", "hand", "player 1", "player 2", "dealer")
HANDS_IMPORT = Import(
    what="hands",
    kind=Job.Kind.IMPORT_HANDS,
    notation=True,
    columns=COLUMNS,
    needed=HANDS_NEED,
    preview=lambda club, rows, at: preview_hands(club, rows, at=at),
    save=lambda club, rows, agreement: import_hands(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Added %(n)d session.", "Added %(n)d sessions.", n),
)
PEOPLE_IMPORT = Import(
    what="people",
    kind=Job.Kind.IMPORT_PEOPLE,
    columns=MEMBERS,
    needed=("name",),
    days=("joined", "inactive since"),
    parts={"name": ("first name", "surname")},
    preview=lambda club, rows, _at: preview_import(club, rows),
    save=lambda club, rows, agreement: import_people(
        club, rows, agreed=agreement.agreed, by=agreement.by, also=agreement.also
    ),
    words=lambda n: ngettext("Added %(n)d player.", "Added %(n)d players.", n),
    back="members",
)
RESULTS_NEED = ("date", "session", "game", "table", "player 1", "player 2", "points 1", "points 2")
RESULTS_IMPORT = Import(
    what="results",
    kind=Job.Kind.IMPORT_RESULTS,
    columns=RESULTS,
    needed=RESULTS_NEED,
    preview=lambda club, rows, at: preview_results(club, rows, at=at),
    save=lambda club, rows, agreement: import_results(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Added %(n)d session.", "Added %(n)d sessions.", n),
)
SESSIONS_IMPORT = Import(
    what="sessions",
    kind=Job.Kind.IMPORT_SESSIONS,
    columns=PLANNED,
    ignored=SESSIONS[len(PLANNED) :],
    needed=("date",),
    parts={"session": ("name",)},
    preview=lambda club, rows, at: preview_sessions(club, rows, at=at),
    save=lambda club, rows, agreement: import_sessions(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Planned %(n)d session.", "Planned %(n)d sessions.", n),
)
TOURNAMENTS_IMPORT = Import(
    what="tournaments",
    kind=None,
    columns=ROUNDS,
    needed=("kind", "tournament", "entry 1"),
    unlike=gettext_lazy(
        "This is not a sheet of rounds. On the tournament's Standings page, download “Rounds as "
        "CSV” or “Rounds as a spreadsheet”: the standings and the bracket follow from the rounds."
    ),
    preview=lambda club, rows, at: preview_tournament(club, rows, at=at),
    save=lambda club, rows, agreement: import_tournament_sheet(
        club, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
    ),
    words=lambda n: ngettext("Added %(n)d tournament.", "Added %(n)d tournaments.", n),
    back="tournaments",
    most=MOST_LINES,
)

IMPORTS: dict[str, Import] = {
    kind.kind: kind
    for kind in (PEOPLE_IMPORT, SESSIONS_IMPORT, RESULTS_IMPORT, HANDS_IMPORT)
    if kind.kind
}


@task()
def look_at_sheet(job: int) -> None:
    """Preview the sheet of a job."""
    run_job(job, _preview)


@task()
def order_sheet(job: int) -> None:
    """Import the sheet of a job as agreed."""
    run_job(job, _import, _saved)


def _preview(job: Job, sentence: str = "") -> Outcome:
    kind = IMPORTS[job.kind]
    worker.begin("reading")
    rows = rows_of(kind, bytes(job.upload or b""), match_in(job.params.get("match", "")))
    worker.begin("checking")
    preview = kind.preview(job.club, rows, timezone.now())
    worker.begin("preparing")
    rendered = render_preview(job.club, kind, preview, job.params.get("also", ()))
    return Outcome(
        Job.State.READY,
        sentence,
        leads_to="check_import",
        preview=rendered.part,
        agreed=rendered.agreed,
    )


def _import(job: Job) -> Outcome:
    kind = IMPORTS[job.kind]
    worker.begin("reading")
    rows = rows_of(kind, bytes(job.upload or b""), match_in(job.params.get("match", "")))
    agreement = Agreement(
        job.params["agreed"], job.params["also"], actor_of_job(job), timezone.now()
    )
    worker.begin("checking")
    try:
        made = kind.save(job.club, rows, agreement)
    except Refused as refused:
        if refused.status != 409:
            raise
        return _preview(job, _("This is not the list you checked. Check it again."))
    return _saved(job, len(made))


def _saved(job: Job, made: int) -> Outcome:
    kind = IMPORTS[job.kind]
    return Outcome(sentence=kind.words(made) % {"n": made}, leads_to=kind.back)


@club_page("member")
@require_safe
def club_files(request: ClubRequest, club: Club) -> HttpResponse:
    """The downloads of players, sessions, results and hands, and for organisers their imports."""
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    context = {"club": club, "here": "sessions", "organiser": organiser}
    context["jobs"] = visible_jobs(club, request.rank)
    return render(request, "exchange/club_files.html", context)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_sheet(request: ClubRequest, club: Club, kind: Import) -> HttpResponse:
    """Import a sheet: first a preview, then all of it or nothing."""
    return import_page(request, club, kind)


@club_page("organiser")
@require_safe
def example_sheet(request: ClubRequest, club: Club, what: str, kind: str) -> HttpResponse:
    """A sheet to fill in, with one or two sample lines."""
    example = examples(club.local(timezone.now()).date()).get(what)
    if example is None:
        raise Http404
    content = sheet(example.headings, example.lines, kind=kind)
    return download(content, name=f"example {what}", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def check_import(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The preview of a large sheet, once its job has made it; agreeing imports the sheet."""
    job = job_of(club, public_id, request.rank)
    form = AgreedForm(request.POST or None)
    if job.state != Job.State.READY or job.kind not in IMPORTS:
        return redirect("job", club.slug, public_id)
    if form.is_bound and form.is_valid():
        continue_job(job, task=ORDER, params={**job.params, **form.cleaned_data})
        return redirect("job", club.slug, public_id)
    kind = IMPORTS[job.kind]
    rendered = RenderedPreview(mark_safe(job.preview), job.agreed)  # noqa: S308 - written by our own template
    context = page_context(club, kind, rendered)
    context |= {"form": SheetForm(notation=kind.notation), "job": job}
    return render(request, f"exchange/{kind.what}.html", context)


@require_safe
@club_page("member")
def job_file(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The file of an export, for an hour; asks for the password if it is for owners."""
    job = job_of(club, public_id, request.rank)
    if job.file is None or timezone.now() > job.changed_at + FILES_LAST:
        raise Http404
    send = password_first(_job_download) if job.least == Role.Rank.OWNER else _job_download
    return send(request, job)


def _job_download(_request: HttpRequest, job: Job) -> HttpResponse:
    return download(gzip.decompress(job.file or b""), name=job.file_name, kind=job.file_kind)


def _lines_words(n: int) -> str:
    return ngettext("Imported %(n)d line.", "Imported %(n)d lines.", n)


def _teams_words(n: int) -> str:
    return ngettext("Imported %(n)d team.", "Imported %(n)d teams.", n)


def _matches_words(n: int) -> str:
    return ngettext("Imported %(n)d match.", "Imported %(n)d matches.", n)


def teams_import(league: TeamLeague) -> Import:
    """The import of a league's teams."""
    return Import(
        what="teams",
        kind=None,
        columns=TEAMS,
        needed=TEAMS_NEED,
        days=("left",),
        preview=lambda _club, rows, _at: preview_teams(league, rows),
        save=lambda _club, rows, agreement: import_team_sheet(
            league, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
        ),
        words=_teams_words,
        back="team_league",
        about=(league.public_id,),
        about_name=league.name,
        most=MOST_LINES,
    )


def fixtures_import(league: TeamLeague) -> Import:
    """The import of a league's fixtures and results."""
    return Import(
        what="fixtures",
        kind=None,
        columns=fixture_columns(league),
        needed=FIXTURES_NEED,
        days=("date", "planned"),
        preview=lambda _club, rows, at: preview_fixtures(league, rows, at=at),
        save=lambda _club, rows, agreement: import_fixture_sheet(
            league, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
        ),
        words=_matches_words,
        back="team_league",
        about=(league.public_id,),
        about_name=league.name,
        most=MOST_LINES,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def import_league_teams(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Import a sheet of teams: first a preview, then all of it or nothing."""
    return import_page(request, club, teams_import(league_of(club, public_id)))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def import_league_fixtures(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Import a sheet of fixtures and results: first a preview, then all of it or nothing."""
    return import_page(request, club, fixtures_import(league_of(club, public_id)))


@require_safe
@secretary_page
def league_example(
    request: HttpRequest, club: Club, public_id: str, what: str, kind: str
) -> HttpResponse:
    """A sheet to fill in, with a few sample lines."""
    league = league_of(club, public_id)
    if what == "teams":
        team = ["The Ship A", "Division 1", "The Ship", "The Ship Inn", "Rose Whitfield"]
        lines: list[list[object]] = [
            [*team, "Rose Whitfield", "", "", ""],
            ["The Ship A", "", "", "", "", "Ted Marsh", "", "", ""],
            ["The Bell", "Division 1", "", "The Bell", "Ann Stone", "", "Ann Stone; Bill Reed"],
        ]
        return download(sheet(TEAMS, _padded(lines, len(TEAMS)), kind=kind), name=what, kind=kind)
    if what != "fixtures":
        raise Http404
    today = club.local(timezone.now()).date()
    won, lost = league.games // 2 + 1, league.games - league.games // 2 - 1
    division, home, away = _example_teams(league)
    lines = [
        [1, (today - timedelta(7)).isoformat(), "", "", division, home, away, "", won, lost],
        [2, (today + timedelta(7)).isoformat(), "", "", division, away, home],
    ]
    rows = _padded(lines, len(FIXTURES))
    return download(sheet(FIXTURES, rows, kind=kind), name=what, kind=kind)


def _example_teams(league: TeamLeague) -> tuple[str, str, str]:
    """A division and two of its teams; those of the example of teams if there are none yet."""
    for division, teams in by_division(league, league.teams.all()):
        if len(teams) > 1:
            return division.name if division else "", teams[0].name, teams[1].name
    return "Division 1", "The Ship A", "The Bell"


def _padded(lines: list[list[object]], cells: int) -> list[list[object]]:
    return [[*line, *[""] * (cells - len(line))] for line in lines]


@require_safe
@secretary_page
def export_teams(request: HttpRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every team with its players; the sheet can be imported again."""
    league = league_of(club, public_id)
    content = sheet(TEAMS, team_rows(league), kind=kind)
    return download(content, name=f"{league.name} teams", kind=kind)


@require_safe
@club_page("member")
def export_team_fixtures(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Every match with its day and its result; the sheet can be imported again."""
    league = league_of(club, public_id)
    columns = fixture_columns(league)
    rows = _padded(list(fixture_rows(league)), len(columns))
    return download(sheet(columns, rows, kind=kind), name=f"{league.name} fixtures", kind=kind)
