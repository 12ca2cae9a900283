"""Opening, changing and closing a session; its clock; the number its live pages watch."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import PROGRAM, Actor, log_action
from league.members.models import Club
from league.seasons.actions import refuse_closed
from league.seasons.models import Season
from league.sessions.models import LONGEST_ROUND, Session, SignUp
from league.sessions.queries import evening_name, free_name, local_date, outside_seasons


def give_places(fresh: Session, *, at: datetime, new: SignUp | None = None) -> list[SignUp]:
    """Let as many as there are places for come off the waiting list; who has moved up.

    `fresh` is locked by the caller. `new` has just signed up: getting a place at once is no
    moving up. Somebody who has retired since holds no place.
    """
    current = fresh.sign_ups.filter(member__retired_at=None).select_related("member")
    waiting = list(current.filter(placed_at=None).order_by("pk"))
    if fresh.places is not None:
        taken = current.exclude(placed_at=None).count()
        waiting = waiting[: max(0, fresh.places - taken)]
    for one in waiting:
        one.placed_at, one.moved_up = at, one != new
        one.save(update_fields=["placed_at", "moved_up"])
        if one.moved_up:
            log_action(fresh.club, PROGRAM, "move up", one.member, session=fresh)
    return [one for one in waiting if one.moved_up]


State = Session.State
AT_A_TIME = 1000


def lock(club_session: Session, *, to_change: bool = True) -> Session:
    """The session's row as it is now, locked until the transaction ends.

    Refuses with `session-not-open` when it is to be changed and is closed or cancelled.
    """
    fresh = Session.objects.select_for_update().select_related("club").get(pk=club_session.pk)
    if to_change and fresh.state not in (State.OPEN, State.PLANNED):
        raise Refused(
            "session-not-open",
            _("This session is closed. Reopen it to change anything."),
            status=409,
        )
    return fresh


def bump(club_session: Session) -> int:
    """Raise the session's revision by one, inside the caller's transaction; the new number."""
    Session.objects.filter(pk=club_session.pk).update(revision=F("revision") + 1)
    club_session.refresh_from_db(fields=["revision"])
    return club_session.revision


@transaction.atomic
def start_session(
    club: Club,
    *,
    by: Actor,
    at: datetime,
    name: str = "",
    held_on: date | None = None,
    season: Season | None = None,
    begins_at: time | None = None,
    places: int | None = None,
) -> Session:
    """Make a session: tonight's, named after its date, unless said otherwise."""
    today = local_date(club, at)
    held_on = held_on or today
    _own_season(club, season)
    fields = {"season": season, "begins_at": begins_at, "places": places}
    # A form has today's name in it, also where another day is chosen there.
    if name.strip() in ("", evening_name(club, today), evening_name(club, held_on)):
        name = free_name(club, held_on)
    club_session = Session(club=club, name=name.strip(), held_on=held_on, **fields)
    make_sessions(club, [club_session], by=by, at=at)
    return club_session


@transaction.atomic
def make_sessions(club: Club, nights: Sequence[Session], *, by: Actor, at: datetime) -> None:
    """Store sessions not stored yet, all of them or none, each with an entry of its own.

    One for a later date is planned only; anyone who opens it then starts it. One that is over or
    cancelled already stays so.
    """
    today = local_date(club, at)
    for night in nights:
        if night.state == State.CLOSED:
            night.closed_at = at
        elif night.state != State.CANCELLED:
            night.state = State.PLANNED if night.held_on > today else State.OPEN
        night.made_by, night.made_at = by.user, at
    Session.objects.bulk_create(nights, batch_size=AT_A_TIME)
    for night in nights:
        log_action(club, by, "start session", night, session=night)


@transaction.atomic
def change_session(
    club_session: Session,
    *,
    by: Actor,
    at: datetime,
    name: str,
    held_on: date,
    season: Season | None,
    round_minutes: int | None,
    begins_at: time | None = None,
    places: int | None = None,
    rounds_planned: int | None = None,
) -> Session:
    """Change what a session is called, when it is held, its season, its rounds and how many may
    sign up. With more places than before the first of those waiting move up; fewer take
    nobody's place away."""
    fresh = lock(club_session)
    _own_season(fresh.club, season)
    old = _described(fresh)
    fresh.name, fresh.held_on, fresh.season = name, held_on, season
    fresh.round_minutes, fresh.begins_at, fresh.places = round_minutes, begins_at, places
    fresh.rounds_planned = rounds_planned
    fresh.save(
        update_fields=[
            "name",
            "held_on",
            "season",
            "round_minutes",
            "begins_at",
            "places",
            "rounds_planned",
        ]
    )
    give_places(fresh, at=at)
    log_action(
        fresh.club, by, "change session", fresh, session=fresh, old=old, new=_described(fresh)
    )
    bump(fresh)
    return fresh


def close_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """End the night: nobody enters or moves anything until it is opened again."""
    return _turn(club_session, State.CLOSED, "close session", by=by, at=at)


def cancel_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Call the night off. What was entered stays for the record and counts for nothing."""
    return _turn(club_session, State.CANCELLED, "cancel session", by=by, at=at)


def open_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Open a planned session, or one that was closed or cancelled, again."""
    return _turn(club_session, State.OPEN, "open session", by=by, at=at)


def revoke_door(club_session: Session, *, by: Actor) -> Session:
    """Make every self check-in code void; a new one is printed."""
    return _revoke(club_session, "door_version", "revoke door code", by=by)


def revoke_wall(club_session: Session, *, by: Actor) -> Session:
    """Make every link to the wall void."""
    return _revoke(club_session, "wall_version", "revoke wall link", by=by)


@transaction.atomic
def _turn(club_session: Session, to: str, action: str, *, by: Actor, at: datetime) -> Session:
    fresh = lock(club_session, to_change=False)
    if fresh.state == to:
        return fresh
    old, fresh.state = fresh.state, to
    fresh.closed_at = at if to in (State.CLOSED, State.CANCELLED) else None
    fresh.clock_ends_at = fresh.clock_paused_seconds = None
    fresh.save(update_fields=["state", "closed_at", "clock_ends_at", "clock_paused_seconds"])
    log_action(fresh.club, by, action, fresh, session=fresh, old=old, new=to)
    bump(fresh)
    return fresh


@transaction.atomic
def _revoke(club_session: Session, field: str, action: str, *, by: Actor) -> Session:
    fresh = lock(club_session, to_change=False)
    setattr(fresh, field, getattr(fresh, field) + 1)
    fresh.save(update_fields=[field])
    log_action(fresh.club, by, action, fresh, session=fresh)
    bump(fresh)
    return fresh


@transaction.atomic
def take_into_season(season: Season, *, by: Actor) -> int:
    """Let the sessions in a season's dates that are in no season count in it; how many these
    were. Refuses (`season-closed`) one that is closed."""
    refuse_closed(season)
    nights = list(outside_seasons(season))
    for night in nights:
        fresh = lock(night, to_change=False)
        old = _described(fresh)
        fresh.season = season
        fresh.save(update_fields=["season"])
        log_action(season.club, by, "change session", fresh, session=fresh, old=old,
                   new=_described(fresh))  # fmt: skip
        bump(fresh)
    return len(nights)


def _own_season(club: Club, season: Season | None) -> None:
    if season is not None and season.club_id != club.pk:
        raise Refused("unknown-season", _("There is no such season."), status=404)


def _described(club_session: Session) -> dict[str, Any]:
    return {
        "name": club_session.name,
        "held_on": club_session.held_on.isoformat(),
        "season": club_session.season_id,
        "round_minutes": club_session.round_minutes,
        "begins_at": club_session.begins_at and f"{club_session.begins_at:%H:%M}",
        "places": club_session.places,
        "rounds_planned": club_session.rounds_planned,
    }


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
    log_action(fresh.club, by, action, session=fresh)
    bump(fresh)
    return fresh


def _sensible(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_ROUND:
        message = _("Enter 1 to %(most)d minutes for the clock.") % {"most": LONGEST_ROUND}
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return minutes
