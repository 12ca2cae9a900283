"""The whole club as one file, for its owner."""

import json

from allauth.account.decorators import reauthentication_required
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from league.access import ClubRequest, club_page
from league.exchange.archive import archive_of
from league.exchange.sheets import download
from league.members.audit import actor_of, note
from league.members.models import Club


@require_GET
@club_page("owner")
@reauthentication_required
def club_archive(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything of the club to take away; the password is asked, and it is written down."""
    at = timezone.now()
    data = archive_of(club, at=at)
    note(club, actor_of(request), "export club", club.slug)
    name = f"{club.slug} {club.local(at).date()}"
    return download(json.dumps(data, ensure_ascii=False).encode(), name=name, kind="json")
