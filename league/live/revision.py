"""What revision a club session is at: the one number live pages ask for, again and again.

A page that its reader may see gives that reader the address with a key, so that the answer costs
one read by index: who asks need not be looked up each time. The key opens nothing but the number.
"""

from django.core.signing import BadSignature, TimestampSigner
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from league.access import rank_in
from league.members.models import Club
from league.sessions.models import Session

KEY_SECONDS = 24 * 60 * 60
# Phones ask this all evening: Django would take twenty times as long to put it together.
REVISION = """
    SELECT night.revision, night.club_id, club.visibility
    FROM league_session night JOIN league_club club ON club.id = night.club_id
    WHERE night.public_id = %s AND club.slug = %s
"""
_key = TimestampSigner(salt="league.live.revision")


def revision_url(club_session: Session) -> str:
    """The address to ask, with a key good for a day. For pages whose reader was let in."""
    address = reverse("session_revision", args=[club_session.club.slug, club_session.public_id])
    return f"{address}?k={_key.sign(club_session.public_id).partition(':')[2]}"


@require_safe
def session_revision(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """The revision as JSON and as ETag; 304 while it has not moved.

    For whoever holds a key, anybody where the club is public, and its own people; 404 to others.
    """
    if "\0" in public_id:  # no id holds one, and PostgreSQL would not even look
        raise Http404
    with connection.cursor() as cursor:
        cursor.execute(REVISION, [public_id, slug])
        row = cursor.fetchone()
    if row is None:
        raise Http404
    revision, club_id, visibility = row
    club = Club(id=club_id, visibility=visibility)
    if not (_holds_key(request, public_id) or club.is_public or rank_in(club, request.user)):
        raise Http404
    etag = f'"{revision}"'
    answer = JsonResponse(
        {"revision": revision}, headers={"ETag": etag, "Cache-Control": "private, no-cache"}
    )
    return get_conditional_response(request, etag=etag, response=answer) or answer


def _holds_key(request: HttpRequest, public_id: str) -> bool:
    try:
        return bool(_key.unsign(f"{public_id}:{request.GET.get('k', '')}", max_age=KEY_SECONDS))
    except BadSignature:
        return False
