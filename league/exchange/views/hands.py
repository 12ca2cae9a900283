"""Hands of past evenings brought in as a sheet."""

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.sheet_words import BY_HAND, HANDS
from league.exchange.views.dry_run import Import, import_page
from league.members.models import Club, Job

COLUMNS = (*HANDS, *BY_HAND)
NEEDED = ("date", "session", "game", "table", "hand", "player 1", "player 2", "dealer")
OF_HANDS = Import(
    what="hands",
    kind=Job.Kind.IMPORT_HANDS,
    columns=COLUMNS,
    needed=NEEDED,
    look=lambda club, rows, at: preview_hands(club, rows, at=at),
    order=lambda club, rows, asked: import_hands(
        club, rows, agreed=asked.agreed, by=asked.by, at=asked.at
    ),
    words=lambda n: ngettext("%(n)d session is added.", "%(n)d sessions are added.", n),
)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_hands_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of hands: first what it would do, then all of it or nothing."""
    return import_page(request, club, OF_HANDS)
