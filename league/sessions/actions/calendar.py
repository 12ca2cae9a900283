"""The addresses of calendars, a club's and a member's own: making those that are known void."""

from django.db import transaction

from league.members.actions.people import lock_club
from league.members.audit import Actor, note
from league.members.models import Club, Member


@transaction.atomic
def revoke_calendar(club: Club, *, by: Actor) -> Club:
    """Make every known address of the club's calendar void; its page shows a new one."""
    lock_club(club)
    club.refresh_from_db()
    club.calendar_version += 1
    club.save(update_fields=["calendar_version"])
    note(club, by, "revoke calendar", club)
    return club


@transaction.atomic
def revoke_own_calendar(member: Member, *, by: Actor) -> Member:
    """Make every known address of the member's own calendar void; its page shows a new one."""
    lock_club(member.club)
    member.refresh_from_db()
    member.calendar_version += 1
    member.save(update_fields=["calendar_version"])
    note(member.club, by, "revoke own calendar", member)
    return member
