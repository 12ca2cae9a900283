"""A club's people as a sheet."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page
from league.exchange.people_sheet import people_rows
from league.exchange.sheet_words import MEMBERS
from league.exchange.sheets import download, sheet
from league.members.models import Club


@club_page("organiser")
@require_safe
def export_people(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Everybody on the list with what is written of them; e-mail addresses are in it."""
    content = sheet(MEMBERS, people_rows(club), kind=kind)
    return download(content, name=f"{club.name} people", kind=kind)
