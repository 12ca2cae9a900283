"""New guests of a session by name, with the question about names that look alike."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.members.names import BadName, clean_name, looks_like, name_key
from league.members.paste import numbered_name
from league.sessions.models import Session


def new_guest(
    fresh: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool
) -> Member:
    """Add a guest to the club, within the caller's transaction."""
    name = checked_name(name, field="name")
    if not even_if_similar:
        _refuse_similar(fresh, name)
    guest = Member.objects.create(club=fresh.club, name=name, is_guest=True, joined_at=at)
    log_action(fresh.club, by, "add guest", guest, session=fresh)
    return guest


def checked_name(name: str, *, field: str) -> str:
    """The name, cleaned; refuses one that is not accepted (`bad-name`)."""
    try:
        return clean_name(name)
    except BadName as error:
        message = _("Type a name with at least one letter.")
        raise Refused("bad-name", message, fields={field: [message]}) from error


def _refuse_similar(fresh: Session, name: str) -> None:
    """Refuse a name that equals or resembles one the club already has."""
    members = list(active_members(fresh))
    similar_names = set(looks_like(name, [member.name for member in members])[:3])
    similar = [
        member
        for member in members
        if member.name in similar_names or member.name_key == name_key(name)
    ]
    if similar:
        message = _("The club already has %(name)s.") % {"name": similar[0].name}
        taken = {member.name_key for member in members}
        apart = numbered_name(name, taken) if name_key(name) in taken else name
        details = {"similar": similar, "suggestion": apart}
        raise Refused("similar-name", message, status=409, details=details)


def active_members(club_session: Session) -> QuerySet[Member]:
    return Member.objects.filter(club=club_session.club_id, retired_at=None)
