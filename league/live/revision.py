"""Health checks, and the revision of a session, which open pages poll."""

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from league.access import rank_in
from league.database import is_ours
from league.members.models import Club
from league.network import own_addresses
from league.sessions.models import Session

# A page gives its reader this URL with a signed key, so that a request costs one read by index and
# no check of permissions. The key gives access to nothing but the revision number.

KEY_SECONDS = 24 * 60 * 60
# Raw SQL, since phones poll this all evening and the ORM takes twenty times as long to build it.
REVISION = """
    SELECT night.revision, night.club_id, club.visibility, reader.id
    FROM league_session night JOIN league_club club ON club.id = night.club_id
    LEFT JOIN league_role role ON role.id = %s AND role.club_id = club.id
    LEFT JOIN league_user reader ON reader.id = role.user_id AND reader.is_active
    WHERE night.public_id = %s AND club.slug = %s
"""
_key = TimestampSigner(salt="league.live.revision")


def revision_url(club_session: Session, role: int = 0) -> str:
    """The URL to poll, with a key that is valid for a day.

    Only for pages whose reader may see the session. If that is by a `role`, the key ends with it.
    """
    address = reverse("session_revision", args=[club_session.club.slug, club_session.public_id])
    signed = _key.sign(f"{club_session.public_id}.{role}")
    return f"{address}?k={role}:{signed.partition(':')[2]}"


@require_safe
def session_revision(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """The revision as JSON and as ETag; 304 while it has not changed.

    For holders of a key, for members of the club, and for everybody if the club is public; 404 for
    others.
    """
    if "\0" in public_id:  # no id has one, and PostgreSQL refuses it as an error
        raise Http404
    role = _role_of_key(request, public_id)
    with connection.cursor() as cursor:
        cursor.execute(REVISION, [role, public_id, slug])
        row = cursor.fetchone()
    if row is None:
        raise Http404
    revision, club_id, visibility, reader = row
    club = Club(id=club_id, visibility=visibility)
    if not (role == 0 or reader or club.is_public or rank_in(club, request.user)):
        raise Http404
    etag = f'"{version_tag(revision)}"'
    answer = JsonResponse(
        {"revision": revision}, headers={"ETag": etag, "Cache-Control": "private, no-cache"}
    )
    return get_conditional_response(request, etag=etag, response=answer) or answer


def version_tag(revision: int) -> str:
    """The tag by which a page knows whether it is up to date.

    It is the session's revision and, on the club's own laptop, also the laptop's network address,
    which a router may change during the evening.
    """
    return "-".join([str(revision), *(own_addresses()[:1] if settings.LAPTOP else [])])


def _role_of_key(request: HttpRequest, public_id: str) -> int | None:
    """The role that the key was given to, 0 if to none; None without a valid key."""
    role, _colon, rest = request.GET.get("k", "").partition(":")
    try:
        signed = _key.unsign(f"{public_id}.{role}:{rest}", max_age=KEY_SECONDS)
    except BadSignature:
        return None
    return int(signed.rpartition(".")[2])


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process is up, without using the database."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """Answer whether the database is up and has the tables of this version."""
    if not is_ours():
        return HttpResponse("another version\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")
