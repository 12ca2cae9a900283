"""Agreeing to a club's mail, and stopping it: by the link in the mail, without an account."""

from django.db import transaction

from league.members.actions.people import lock_club
from league.members.audit import Actor, note
from league.members.models import Member


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
        note(member.club, by, action, member)
