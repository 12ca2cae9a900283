"""The payments of pots as files for the club's books."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page
from league.exchange.payments_sheet import (
    account_headers,
    account_rows,
    payment_headers,
    payment_rows,
)
from league.exchange.sheets import download, sheet
from league.exchange.views.downloads import file_name
from league.members.models import Club
from league.seasons.views import season_of
from league.sessions.queries import session_of


@club_page("organiser")
@require_safe
def session_payments(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """The payments of a session's pots."""
    club_session = session_of(club, public_id)
    content = sheet(payment_headers(), payment_rows(club_session), kind=kind)
    return download(content, name=f"{file_name(club_session)} payments", kind=kind)


@club_page("organiser")
@require_safe
def season_payments(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """The payments of a season's own pots."""
    season = season_of(club, public_id)
    content = sheet(payment_headers(), payment_rows(season), kind=kind)
    return download(content, name=f"{season.name} payments", kind=kind)


@club_page("organiser")
@require_safe
def season_account_file(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """The account of a season's money."""
    season = season_of(club, public_id)
    content = sheet(account_headers(), account_rows(season), kind=kind)
    return download(content, name=f"{season.name} account", kind=kind)
