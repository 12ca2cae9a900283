"""Withdrawing an entry from a tournament that has begun, and undoing that before the next draw."""

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
    """Withdraw an entry after play has begun: its results stay, later rounds leave it out.

    Its table in the current round goes on with a substitute, or the organiser decides the match.
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
    """Undo a withdrawal, unless a round has been drawn since (`drawn-since`)."""
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
