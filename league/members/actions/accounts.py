"""One's own account, and the tokens by which programs ask the API."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_club, read_name
from league.members.actions.roles import hash_of
from league.members.audit import Actor, log_action
from league.members.models import ApiToken, Club, User
from league.members.names import look


def change_account(user: User, *, name: str, language: str = "", same_name: bool = False) -> User:
    """Set the name others see, and the language of pages and mail; a form has cleaned them.

    One that looks like another account's in a club of theirs needs `same_name`, said on purpose.
    """
    if name and name != user.display_name and not same_name:
        _ask_about_look(user, name)
    user.display_name, user.language = name, language
    user.save(update_fields=["display_name", "language"])
    return user


def _ask_about_look(user: User, name: str) -> None:
    clubs = user.roles.values("club")
    others = User.objects.filter(roles__club__in=clubs).exclude(pk=user.pk).distinct()
    like = next((str(other) for other in others if look(str(other)) == look(name)), None)
    if like is not None:
        sentence = _("Looks like %(name)s. Same person?") % {"name": like}
        fields = {"display_name": [sentence]}
        raise Refused("name-like", sentence, fields=fields, status=409, asks="same_name")


PREFIX = "rb_"  # so that whoever finds one, in a log or a repository, sees what it is
MOST_TOKENS = 50


@transaction.atomic
def make_token(
    club: Club, *, name: str, scope: str, by: Actor, at: datetime
) -> tuple[ApiToken, str]:
    """A new token and its secret, which can be shown now and never again."""
    lock_club(club)
    if club.tokens.filter(revoked_at=None).count() >= MOST_TOKENS:
        sentence = _("A club has at most %(most)d tokens. Revoke one you no longer use.")
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
    log_action(club, by, "make token", token, new={"scope": token.scope})
    return token, secret


@transaction.atomic
def revoke_token(token: ApiToken, *, by: Actor, at: datetime) -> ApiToken:
    """Make a token useless, for good."""
    lock_club(token.club)
    token.refresh_from_db()
    if token.revoked_at is None:
        token.revoked_at = at
        token.save(update_fields=["revoked_at"])
        log_action(token.club, by, "revoke token", token)
    return token
