"""Who means to come: signing up, withdrawing, and the waiting list moving up by itself."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.sessions.actions.night import bump, lock
from league.sessions.actions.places import give_places
from league.sessions.models import Session, SignUp
from league.sessions.queries import takes_sign_ups


@transaction.atomic
def sign_up(club_session: Session, member: Member, *, by: Actor, at: datetime) -> SignUp:
    """Somebody means to come: they get a place, or the end of the waiting list.

    Saying it twice changes nothing. Refuses a night that is over (`session-over`), closed or
    called off (`session-not-open`), and somebody who is no member any more (`unknown-member`).
    """
    fresh = _coming(club_session, at)
    if member.club_id != fresh.club_id or member.retired_at is not None:
        raise Refused("unknown-member", _("There is no such member."), status=404)
    row, made = SignUp.objects.get_or_create(session=fresh, member=member, defaults={"made_at": at})
    if made:
        note(fresh.club, by, "sign up", member, session=fresh)
        give_places(fresh, at=at, new=row)
        bump(fresh)
        row.refresh_from_db()
    return row


@transaction.atomic
def withdraw(club_session: Session, member: Member, *, by: Actor, at: datetime) -> list[SignUp]:
    """Somebody does not come after all; the first who waits gets the place. Who has moved up.

    Refuses who is not signed up (`not-signed-up`), and a night that is over or closed.
    """
    fresh = _coming(club_session, at)
    gone, _models = SignUp.objects.filter(session=fresh, member=member).delete()
    if not gone:
        message = _("%(name)s is not signed up.") % {"name": member.name}
        raise Refused("not-signed-up", message, status=409)
    note(fresh.club, by, "withdraw", member, session=fresh)
    moved = give_places(fresh, at=at)
    bump(fresh)
    return moved


@transaction.atomic
def fill_places(club_session: Session, *, at: datetime) -> list[SignUp]:
    """Give the places that people who retired have left; who has moved up."""
    fresh = lock(club_session)
    moved = give_places(fresh, at=at)
    if moved:
        bump(fresh)
    return moved


def _coming(club_session: Session, at: datetime) -> Session:
    fresh = lock(club_session)
    if not takes_sign_ups(fresh, at):
        raise Refused("session-over", _("This session is over."), status=409)
    return fresh
