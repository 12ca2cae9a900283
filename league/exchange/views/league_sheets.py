"""A league's sheets: its teams and its fixtures with their results, brought in and taken out."""

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.fixture_sheets import (
    FIXTURES,
    FIXTURES_NEED,
    fixture_columns,
    fixture_rows,
    import_fixture_sheet,
    preview_fixtures,
)
from league.exchange.league_sheets import (
    MOST_LINES,
    TEAMS,
    TEAMS_NEED,
    import_team_sheet,
    preview_teams,
    team_rows,
)
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import Import, import_page
from league.members.models import Club
from league.teams.models import TeamLeague
from league.teams.queries import league_of
from league.teams.views.leagues import secretary_page


def _words(n: int) -> str:
    return ngettext("Imported %(n)d line.", "Imported %(n)d lines.", n)


def _teams_words(n: int) -> str:
    return ngettext("Imported %(n)d team.", "Imported %(n)d teams.", n)


def of_teams(league: TeamLeague) -> Import:
    """Sheets of a league's teams."""
    return Import(
        what="teams",
        kind=None,
        columns=TEAMS,
        needed=TEAMS_NEED,
        days=("left",),
        look=lambda _club, rows, _at: preview_teams(league, rows),
        order=lambda _club, rows, agreement: import_team_sheet(
            league, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
        ),
        words=_teams_words,
        back="team_league",
        about=(league.public_id,),
        about_name=league.name,
        most=MOST_LINES,
    )


def of_fixtures(league: TeamLeague) -> Import:
    """Sheets of a league's fixtures and results."""
    return Import(
        what="fixtures",
        kind=None,
        columns=fixture_columns(league),
        needed=FIXTURES_NEED,
        days=("date", "planned"),
        look=lambda _club, rows, at: preview_fixtures(league, rows, at=at),
        order=lambda _club, rows, agreement: import_fixture_sheet(
            league, rows, agreed=agreement.agreed, by=agreement.by, at=agreement.at
        ),
        words=_words,
        back="team_league",
        about=(league.public_id,),
        about_name=league.name,
        most=MOST_LINES,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def import_league_teams(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Bring a sheet of teams: first what it would do, then all of it or nothing."""
    return import_page(request, club, of_teams(league_of(club, public_id)))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def import_league_fixtures(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Bring a sheet of fixtures and results: first what it would do, then all or nothing."""
    return import_page(request, club, of_fixtures(league_of(club, public_id)))


@require_safe
@secretary_page
def league_example(
    request: HttpRequest, club: Club, public_id: str, what: str, kind: str
) -> HttpResponse:
    """A sheet to fill in, with a line or two that show how."""
    league = league_of(club, public_id)
    if what == "teams":
        one = ["The Ship A", "Division 1", "The Ship", "The Ship Inn", "Rose Whitfield"]
        lines: list[list[object]] = [
            [*one, "Rose Whitfield", "", "", ""],
            ["The Ship A", "", "", "", "", "Ted Marsh", "", "", ""],
            ["The Bell", "Division 1", "", "The Bell", "Ann Stone", "", "Ann Stone; Bill Reed"],
        ]
        return download(sheet(TEAMS, _filled(lines, len(TEAMS)), kind=kind), name=what, kind=kind)
    if what != "fixtures":
        raise Http404
    today = club.local(timezone.now()).date()
    won, lost = league.games // 2 + 1, league.games - league.games // 2 - 1
    match = ["Division 1", "The Ship A", "The Bell", ""]
    back = ["Division 1", "The Bell", "The Ship A", ""]
    lines = [
        [1, (today - timedelta(7)).isoformat(), "", *match, won, lost],
        [2, (today + timedelta(7)).isoformat(), "", *back],
    ]
    rows = _filled(lines, len(FIXTURES))
    return download(sheet(FIXTURES, rows, kind=kind), name=what, kind=kind)


def _filled(lines: list[list[object]], cells: int) -> list[list[object]]:
    return [[*line, *[""] * (cells - len(line))] for line in lines]


@require_safe
@secretary_page
def export_teams(request: HttpRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every team with its players; the same sheet comes in again."""
    league = league_of(club, public_id)
    content = sheet(TEAMS, team_rows(league), kind=kind)
    return download(content, name=f"{league.name} teams", kind=kind)


@require_safe
@club_page("member")
def export_team_fixtures(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Every match with its day and its result; the same sheet comes in again."""
    league = league_of(club, public_id)
    columns = fixture_columns(league)
    rows = _filled(list(fixture_rows(league)), len(columns))
    return download(sheet(columns, rows, kind=kind), name=f"{league.name} fixtures", kind=kind)
