"""An entry leaves a tournament that has begun, or comes back before the next draw."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.tournaments.actions.entering import names_of
from league.tournaments.actions.setup import locked, touch
from league.tournaments.models import Entry


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: Actor, at: datetime) -> Entry:
    """Somebody leaves after play has begun: results stay, no later round has them.

    A table of the round that is on goes on with a substitute, or is called by the organiser.
    """
    fresh = locked(entry.tournament)
    entry.refresh_from_db()
    if entry.withdrawn_at is None:
        entry.withdrawn_at = at
        entry.save(update_fields=["withdrawn_at"])
        log_action(
            fresh.club, by, "withdraw entry", fresh, session=fresh.session, new=names_of(entry)
        )
        touch(fresh)
    return entry


@transaction.atomic
def return_entry(entry: Entry, *, by: Actor) -> Entry:
    """A withdrawal is undone, as long as no round was drawn without the entry."""
    fresh = locked(entry.tournament)
    entry.refresh_from_db()
    if entry.withdrawn_at is None:
        return entry
    drawn = fresh.last_drawn()
    if drawn and drawn > entry.withdrawn_at:
        sentence = _("A round was drawn after this withdrawal. Discard that draft first.")
        raise Refused("drawn-since", sentence, status=409)
    entry.withdrawn_at = None
    entry.save(update_fields=["withdrawn_at"])
    log_action(fresh.club, by, "return entry", fresh, session=fresh.session, new=names_of(entry))
    touch(fresh)
    return entry
