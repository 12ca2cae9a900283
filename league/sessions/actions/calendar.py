"""The address of a club's calendar: making the one that is known void."""

from django.db import transaction

from league.members.actions.people import lock_club
from league.members.audit import Actor, note
from league.members.models import Club


@transaction.atomic
def revoke_calendar(club: Club, *, by: Actor) -> Club:
    """Make every known address of the club's calendar void; its page shows a new one."""
    lock_club(club)
    club.refresh_from_db()
    club.calendar_version += 1
    club.save(update_fields=["calendar_version"])
    note(club, by, "revoke calendar", club)
    return club
