"""Whom the organiser of a tournament keeps from meeting."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.sessions.actions import bump
from league.tournaments.actions.setup import locked
from league.tournaments.models import Entry


@transaction.atomic
def keep_apart(one: Entry, other: Entry, *, by: Actor) -> None:
    """From the next draw on the two are not drawn against each other. Refuses (`same-entry`) an
    entry and itself."""
    if one == other:
        message = _("Choose two different entries.")
        raise Refused("same-entry", message, fields={"other": [message]})
    _noted(one, other, "keep entries apart", by=by)
    one.apart_from.add(other)


@transaction.atomic
def let_meet(one: Entry, other: Entry, *, by: Actor) -> None:
    """The two may meet again."""
    _noted(one, other, "let entries meet", by=by)
    one.apart_from.remove(other)


def _noted(one: Entry, other: Entry, action: str, *, by: Actor) -> None:
    fresh = locked(one.tournament)
    names = [", ".join(person.name for person in entry.people) for entry in (one, other)]
    log_action(fresh.club, by, action, fresh, session=fresh.session, new={"entries": names})
    bump(fresh.session)
