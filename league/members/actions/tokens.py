"""Making and revoking the tokens by which programs ask the API."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.invitations import hash_of
from league.members.actions.people import lock_club, read_name
from league.members.audit import Actor, note
from league.members.models import ApiToken, Club

PREFIX = "rb_"  # so that whoever finds one, in a log or a repository, sees what it is
MOST_TOKENS = 50


@transaction.atomic
def make_token(
    club: Club, *, name: str, scope: str, by: Actor, at: datetime
) -> tuple[ApiToken, str]:
    """A new token and its secret, which can be shown now and never again."""
    lock_club(club)
    if club.tokens.filter(revoked_at=None).count() >= MOST_TOKENS:
        sentence = _("A club has at most %(most)d tokens. Revoke one that is not used any more.")
        raise Refused("too-many-tokens", sentence % {"most": MOST_TOKENS}, status=409)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        club=club,
        name=read_name(name),
        scope=ApiToken.Scope(scope),
        token_hash=hash_of(secret),
        made_by=by.user,
        made_at=at,
    )
    note(club, by, "make token", token, new={"scope": token.scope})
    return token, secret


@transaction.atomic
def revoke_token(token: ApiToken, *, by: Actor, at: datetime) -> ApiToken:
    """Make a token useless, for good."""
    lock_club(token.club)
    token.refresh_from_db()
    if token.revoked_at is None:
        token.revoked_at = at
        token.save(update_fields=["revoked_at"])
        note(token.club, by, "revoke token", token)
    return token
