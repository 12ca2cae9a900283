"""Telling open pages that a name or a club setting has changed."""

from django.db.models import F

from league.members.models import Club, Member


def touch_sessions(club: Club) -> None:
    """Raise the revision of every session of the club: its pages show something new."""
    club.sessions.update(revision=F("revision") + 1)


def touch_sessions_of(member: Member) -> None:
    """Raise the revision of every session this person came to."""
    member.club.sessions.filter(attendances__member=member).update(revision=F("revision") + 1)
