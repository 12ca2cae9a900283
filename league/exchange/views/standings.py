"""Files to download: standings of a session and of a season."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_page
from league.exchange.sheets import download, sheet
from league.members.models import Club
from league.sessions.queries import session_of
from league.standings import queries
from league.standings.asked import asked
from league.standings.labels import LABELS
from league.standings.queries import Standings
from league.standings.season_queries import division_of, season_standings
from league.standings.tables import rows_of


@club_page("member")
def export_session(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    club_session = session_of(club, public_id)
    table = queries.session_standings(club_session, at=timezone.now())
    name = f"{club_session.held_on} {club_session.name}"
    return download(standings_sheet(request, club, table, kind), name=name, kind=kind)


@club_page("member")
def export_season(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    season = get_object_or_404(club.seasons.select_related("club"), public_id=public_id)
    wanted = asked(request.GET, set())
    division = division_of(season, list(season.divisions.all()), wanted.division or "all")
    table = season_standings(
        season, at=timezone.now(), by=wanted.by, upto=wanted.upto, division=division
    )
    name = f"{season.name} {division.name}" if division else season.name
    return download(standings_sheet(request, club, table, kind), name=name, kind=kind)


def standings_sheet(request: ClubRequest, club: Club, table: Standings, kind: str) -> bytes:
    """Every line with all its figures, what is still open, and why it stands where it does."""
    headers = [_("Place"), _("Shared"), _("Player"), _("Guest"), _("Games"), _("Games open")]
    headers += [str(LABELS[measure.code].name) for measure in table.columns]
    names = queries.names(table.people, club, request.rank)
    yes = _("yes")
    rows = [
        [
            row.rank,
            yes if row.shared else "",
            row.name,
            yes if row.is_guest else "",
            row.games,
            row.open_games,
            *(row.values[measure.code] for measure in table.columns),
            " ".join(row.why),
        ]
        for row in rows_of(table, names)
    ]
    return sheet([*headers, _("How the place was decided")], rows, kind=kind)
