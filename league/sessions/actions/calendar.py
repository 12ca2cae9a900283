"""The link to the calendar that everybody makes for themselves: made or replaced, and revoked."""

from datetime import datetime

from django.db import transaction

from league.members.actions.people import lock_club
from league.members.audit import Actor, note
from league.members.models import Role


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
    note(role.club, by, action, role.user)
    return role
