"""The whole club as one file, for its owner."""

from allauth.account.decorators import reauthentication_required
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.access import ClubRequest, club_page
from league.exchange.export_jobs import WRITE_ARCHIVE, archive_file, archive_name, is_small
from league.exchange.sheets import download
from league.exchange.views.beside import export_beside
from league.members.actions.jobs import Work
from league.members.audit import actor_of
from league.members.models import Club, Job, Role


@require_http_methods(["GET", "POST"])
@club_page("owner")
@reauthentication_required
def club_archive(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything of the club to take away; the password is asked, and it is written down."""
    if not is_small(club):
        return export_beside(
            request, club, Work(Job.Kind.EXPORT_CLUB, WRITE_ARCHIVE, Role.Rank.OWNER)
        )
    at = timezone.now()
    content = archive_file(club, by=actor_of(request), at=at)
    return download(content, name=archive_name(club, at), kind="json")
