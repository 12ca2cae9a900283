"""The round's clock: started, paused, lengthened and stopped for everybody at once."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.sessions.actions.night import bump, lock
from league.sessions.models import LONGEST_ROUND, Session


@transaction.atomic
def start_clock(
    club_session: Session, *, by: Actor, at: datetime, minutes: int | None = None
) -> Session:
    """Start the clock, or let a paused one run on. `minutes` default to the session's own."""
    fresh = lock(club_session)
    if fresh.clock_paused_seconds is not None and minutes is None:
        left = timedelta(seconds=fresh.clock_paused_seconds)
    else:
        minutes = _sensible(minutes or fresh.round_minutes or 0)
        fresh.round_minutes = minutes
        left = timedelta(minutes=minutes)
    return _set(fresh, "start clock", by=by, ends_at=at + left)


@transaction.atomic
def pause_clock(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Stop the clock where it is. One already past its end stands at zero."""
    fresh = lock(club_session)
    if fresh.clock_ends_at is None:
        raise Refused("clock-not-running", _("The clock is not running."), status=409)
    left = max(0, round((fresh.clock_ends_at - at).total_seconds()))
    return _set(fresh, "pause clock", by=by, paused=left)


@transaction.atomic
def extend_clock(club_session: Session, *, by: Actor, at: datetime, minutes: int) -> Session:
    """Give everybody more minutes; a clock that has run out runs again from now."""
    fresh = lock(club_session)
    more = timedelta(minutes=_sensible(minutes))
    if fresh.clock_paused_seconds is not None:
        longer = fresh.clock_paused_seconds + round(more.total_seconds())
        return _set(fresh, "extend clock", by=by, paused=longer)
    if fresh.clock_ends_at is None:
        raise Refused("clock-not-running", _("The clock is not running."), status=409)
    return _set(fresh, "extend clock", by=by, ends_at=max(fresh.clock_ends_at, at) + more)


@transaction.atomic
def stop_clock(club_session: Session, *, by: Actor) -> Session:
    """Put the clock away."""
    return _set(lock(club_session), "stop clock", by=by)


def _set(
    fresh: Session,
    action: str,
    *,
    by: Actor,
    ends_at: datetime | None = None,
    paused: int | None = None,
) -> Session:
    fresh.clock_ends_at, fresh.clock_paused_seconds = ends_at, paused
    fresh.save(update_fields=["clock_ends_at", "clock_paused_seconds", "round_minutes"])
    note(fresh.club, by, action, session=fresh)
    bump(fresh)
    return fresh


def _sensible(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_ROUND:
        message = _("Give the clock 1 to %(most)d minutes.") % {"most": LONGEST_ROUND}
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return minutes
