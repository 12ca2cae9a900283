"""Who means to come: signing up, the waiting list; agreeing to mail; one's own calendar link."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_club
from league.members.audit import Actor, log_action
from league.members.models import Member, Role
from league.sessions.actions.night import bump, give_places, lock
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
        raise Refused("unknown-member", _("There is no such player."), status=404)
    row, made = SignUp.objects.get_or_create(session=fresh, member=member, defaults={"made_at": at})
    if made:
        log_action(fresh.club, by, "sign up", member, session=fresh)
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
    deleted, _models = SignUp.objects.filter(session=fresh, member=member).delete()
    if not deleted:
        message = _("%(name)s is not signed up.") % {"name": member.name}
        raise Refused("not-signed-up", message, status=409)
    log_action(fresh.club, by, "withdraw", member, session=fresh)
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


@transaction.atomic
def agree_to_mail(member: Member, *, email: str, by: Actor) -> None:
    """From now on the club may send mail to this address, where it is the one it has."""
    changes = {}
    if email == member.email:
        changes["confirmed_email"] = email
    if member.reminders == Member.Reminders.NEVER:
        changes["reminders"] = Member.Reminders.MINE
    _choose(member, "agree to mail", by, **changes)


@transaction.atomic
def stop_mail(member: Member, *, by: Actor) -> None:
    """No mail of the club to this member any more; the address is not asked again."""
    never = Member.Reminders.NEVER
    changes = {"confirmed_email": "", "asked_email": member.email, "reminders": never}
    _choose(member, "stop mail", by, **changes)


def _choose(member: Member, action: str, by: Actor, **changes: str) -> None:
    lock_club(member.club)
    same = Member.objects.filter(pk=member.pk, email=member.email)
    if any(getattr(member, name) != value for name, value in changes.items()):
        same.update(**changes)
        log_action(member.club, by, action, member)


@transaction.atomic
def make_calendar_link(role: Role, *, by: Actor, at: datetime) -> Role:
    """A link for the account of this role. One made before stops working."""
    return _set(role, at, "make calendar link", by)


@transaction.atomic
def revoke_calendar_link(role: Role, *, by: Actor) -> Role:
    """Let the link of this role open nothing any more."""
    return _set(role, None, "revoke calendar link", by)


def _set(role: Role, since: datetime | None, action: str, by: Actor) -> Role:
    lock_club(role.club)
    role.refresh_from_db()
    role.calendar_since = since
    role.save(update_fields=["calendar_since"])
    log_action(role.club, by, action, role.user)
    return role
