"""Actions on sessions: starting, changing and closing them, their clock, their revision."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import PROGRAM, Actor, log_action
from league.members.models import Club
from league.seasons.models import Season
from league.sessions.models import LONGEST_ROUND, Session, SignUp
from league.sessions.queries import (
    clock_at,
    evening_name,
    free_name,
    local_date,
    may_repeat,
    may_unopen,
    season_on,
)


def give_places(fresh: Session, *, at: datetime, new: SignUp | None = None) -> list[SignUp]:
    """Give free places to the first on the waiting list; return who moved up.

    The caller has locked `fresh`. `new` has just signed up: getting a place at once does not count
    as moving up. Members deactivated since hold no place.
    """
    current = fresh.sign_ups.filter(member__retired_at=None).select_related("member")
    waiting = list(current.filter(placed_at=None).order_by("pk"))
    if fresh.places is not None:
        taken_count = current.exclude(placed_at=None).count()
        waiting = waiting[: max(0, fresh.places - taken_count)]
    for sign_up in waiting:
        sign_up.placed_at, sign_up.moved_up = at, sign_up != new
        sign_up.save(update_fields=["placed_at", "moved_up"])
        if sign_up.moved_up:
            log_action(fresh.club, PROGRAM, "move up", sign_up.member, session=fresh)
    return [sign_up for sign_up in waiting if sign_up.moved_up]


State = Session.State
BATCH_SIZE = 1000
REPEATED = (
    "begins_at",
    "places",
    "round_minutes",
    "rounds_planned",
    "measures",
)
"""What a session planned a week later copies as it is."""


def lock(club_session: Session, *, to_change: bool = True) -> Session:
    """Return the session's current row, locked until the transaction ends.

    Refuses (`session-not-open`) a closed or cancelled session, unless `to_change` is False.
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
    """Raise the session's revision by one, within the caller's transaction, and return it."""
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
    note: str = "",
) -> Session:
    """Make a session, by default for today and named after its date."""
    today = local_date(club, at)
    held_on = held_on or today
    _check_season(club, season)
    fields = {"season": season, "begins_at": begins_at, "places": places, "note": note}
    # The form offers today's name, even if another day is then chosen.
    if name.strip() in ("", evening_name(club, today), evening_name(club, held_on)):
        name = free_name(club, held_on)
    club_session = Session(club=club, name=name.strip(), held_on=held_on, **fields)
    make_sessions(club, [club_session], by=by, at=at)
    return club_session


@transaction.atomic
def repeat_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Plan the same a week later: name, time, places, season, rounds and ranking. House rules and
    table sizes were for this session only.

    A name after the date follows the date; a season that has ended by then gives way to that day's.
    Refuses a name that is taken on that day (`details` has the `session` there), and a session that
    was opened or cancelled if that day has a session or is no longer to come.
    """
    fresh = lock(club_session, to_change=False)
    held_on = fresh.held_on + timedelta(days=7)
    name, is_repeatable = _name_on(fresh, held_on), may_repeat(fresh, at)
    others = fresh.club.sessions.filter(held_on=held_on).order_by("pk")
    other = others.filter(name=name).first() or (None if is_repeatable else others.first())
    if other:
        message = _("%(name)s is already planned for the week after.")
        if other.state == State.CANCELLED:
            message = _("%(name)s was cancelled. Reopen it in its settings.")
        message, details = message % {"name": other.name}, {"session": other.public_id}
        raise Refused("session-planned", message, status=409, details=details)
    if not is_repeatable:
        message = _("This session can't be planned again. Plan a new one.")
        raise Refused("session-not-planned", message, status=409)
    season = fresh.season
    if season and (season.closed_at or (season.ends_on and season.ends_on < held_on)):
        season = season_on(fresh.club, held_on)
    copied = {field: getattr(fresh, field) for field in REPEATED}
    repeated = Session(club=fresh.club, name=name, held_on=held_on, season=season, **copied)
    make_sessions(fresh.club, [repeated], by=by, at=at)
    return repeated


def _name_on(club_session: Session, held_on: date) -> str:
    """The session's name for another day: the date in it, if any, becomes that day's, without the
    number of a second session on the old day."""
    club = club_session.club
    old, new = evening_name(club, club_session.held_on), evening_name(club, held_on)
    if re.fullmatch(rf"{re.escape(old)} \(\d+\)", club_session.name):
        return new
    return club_session.name.replace(old, new, 1)


@transaction.atomic
def make_sessions(club: Club, sessions: Sequence[Session], *, by: Actor, at: datetime) -> None:
    """Save new sessions, all or none, each with its own log entry.

    A session for a later date is planned, and is opened by hand. One that is closed or cancelled
    already stays so.
    """
    today = local_date(club, at)
    for session in sessions:
        if session.state == State.CLOSED:
            session.closed_at = at
        elif session.state != State.CANCELLED:
            session.state = State.PLANNED if session.held_on > today else State.OPEN
        session.made_by, session.made_at = by.user, at
    Session.objects.bulk_create(sessions, batch_size=BATCH_SIZE)
    for session in sessions:
        action = "plan session" if session.state == State.PLANNED else "start session"
        chosen = {name: value for name, value in settings_of(session).items() if value}
        new = {name: chosen[name] for name in ("begins_at", "season", "places") if name in chosen}
        log_action(club, by, action, session, session=session, new=new or None)


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
    note: str = "",
) -> Session:
    """Change a session's settings. A name after the date follows it.

    With more places than before, the first on the waiting list move up; with fewer, nobody loses
    a place. On another day or at another time, players who signed up get a mail, and reminders. An
    open session that no player has come to is planned again if its new day is to come.
    """
    fresh = lock(club_session)
    if (held_on, begins_at) != (fresh.held_on, fresh.begins_at):
        SignUp.mark_moved(fresh, held_on, begins_at)
        fresh.reminders.all().delete()
    if season != fresh.season:
        _check_season(fresh.club, season)
    old = settings_of(fresh)
    if held_on != fresh.held_on and _is_planned_on(fresh, held_on, at):
        fresh.state = State.PLANNED
    name = _name_on(fresh, held_on) if name == fresh.name else name
    fresh.name, fresh.held_on, fresh.season = name, held_on, season
    fresh.round_minutes, fresh.begins_at, fresh.places = round_minutes, begins_at, places
    fresh.rounds_planned, fresh.note = rounds_planned, note
    fresh.save(
        update_fields=[
            "name",
            "held_on",
            "season",
            "round_minutes",
            "begins_at",
            "places",
            "rounds_planned",
            "note",
            "state",
        ]
    )
    give_places(fresh, at=at)
    log_action(
        fresh.club, by, "change session", fresh, session=fresh, old=old, new=settings_of(fresh)
    )
    bump(fresh)
    return fresh


def _is_planned_on(fresh: Session, held_on: date, at: datetime) -> bool:
    is_to_come = held_on > local_date(fresh.club, at)
    return is_to_come and not fresh.of_team_match and not fresh.attendances.exists()


def close_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Close the session: nobody can change anything until it is reopened."""
    return _set_state(club_session, State.CLOSED, "close session", by=by, at=at)


def cancel_session(club_session: Session, *, by: Actor, at: datetime, reason: str = "") -> Session:
    """Cancel the session. What was entered is kept for the record, but doesn't count."""
    return _set_state(club_session, State.CANCELLED, "cancel session", by=by, at=at, reason=reason)


@transaction.atomic
def open_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Open a planned session, or reopen one that was closed or cancelled. A cancelled one whose day
    is still to come is planned again; players who got a mail that it is cancelled get another."""
    fresh = lock(club_session, to_change=False)
    is_to_come = fresh.held_on > local_date(fresh.club, at)
    state = State.PLANNED if fresh.state == State.CANCELLED and is_to_come else State.OPEN
    if state != fresh.state:
        _check_season(fresh.club, fresh.season)
    return _set_state(fresh, state, "open session", by=by, at=at)


@transaction.atomic
def unopen_session(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Plan a session again that was opened by mistake; see `may_unopen`."""
    fresh = lock(club_session)
    if not may_unopen(fresh, at):
        message = _("This session has begun, or its day is past.")
        raise Refused("session-begun", message, status=409)
    return _set_state(fresh, State.PLANNED, "unopen session", by=by, at=at)


def revoke_door(club_session: Session, *, by: Actor) -> Session:
    """Make all self check-in codes of the session expire; a new one has to be printed."""
    return _raise_version(club_session, "door_version", "revoke door code", by=by)


def revoke_wall(club_session: Session, *, by: Actor) -> Session:
    """Make all links to the session's wall expire."""
    return _raise_version(club_session, "wall_version", "revoke wall link", by=by)


@transaction.atomic
def _set_state(
    club_session: Session, state: str, action: str, *, by: Actor, at: datetime, reason: str = ""
) -> Session:
    fresh = lock(club_session, to_change=False)
    if fresh.state == state:
        return fresh
    old, fresh.state, fresh.cancel_reason = fresh.state, state, reason
    fresh.closed_at = at if state in (State.CLOSED, State.CANCELLED) else None
    fresh.save(update_fields=["state", "closed_at", "cancel_reason"])
    new = {"state": state, "reason": reason} if reason else state
    log_action(fresh.club, by, action, fresh, session=fresh, old=old, new=new)
    bump(fresh)
    return fresh


@transaction.atomic
def _raise_version(club_session: Session, field: str, action: str, *, by: Actor) -> Session:
    fresh = lock(club_session, to_change=False)
    setattr(fresh, field, getattr(fresh, field) + 1)
    fresh.save(update_fields=[field])
    log_action(fresh.club, by, action, fresh, session=fresh)
    bump(fresh)
    return fresh


def _check_season(club: Club, season: Season | None) -> None:
    """Refuse a season of another club (`unknown-season`), and a closed one (`season-closed`)."""
    if season is not None and season.club_id != club.pk:
        raise Refused("unknown-season", _("There is no such season."), status=404)
    if season is not None and season.closed_at:
        text = _("%(season)s is closed. Reopen it first, or choose another season.")
        raise Refused("season-closed", text % {"season": season.name}, status=409)


def settings_of(club_session: Session) -> dict[str, Any]:
    return {
        "name": club_session.name,
        "held_on": club_session.held_on.isoformat(),
        "season": club_session.season.name if club_session.season else "",
        "round_minutes": club_session.round_minutes,
        "begins_at": club_session.begins_at and f"{club_session.begins_at:%H:%M}",
        "places": club_session.places,
        "rounds_planned": club_session.rounds_planned,
        "note": club_session.note,
        "state": club_session.state,
    }


@transaction.atomic
def start_clock(
    club_session: Session, *, by: Actor, at: datetime, minutes: int | None = None
) -> Session:
    """Start the clock, or resume it. `minutes` defaults to the session's round length, and becomes
    it where the session has none."""
    fresh = lock(club_session)
    if fresh.clock_paused_seconds is not None and minutes is None:
        time_left = timedelta(seconds=fresh.clock_paused_seconds)
    else:
        minutes = _checked_minutes(minutes or fresh.round_minutes or 0)
        fresh.round_minutes = fresh.round_minutes or minutes
        time_left = timedelta(minutes=minutes)
    return _set_clock(fresh, "start clock", by=by, minutes=time_left, ends_at=at + time_left)


@transaction.atomic
def pause_clock(club_session: Session, *, by: Actor, at: datetime) -> Session:
    """Pause the clock. One that has run out is not running any more."""
    fresh = lock(club_session)
    if fresh.clock_ends_at is None or fresh.clock_ends_at <= at:
        raise Refused("clock-not-running", _("The clock is not running."), status=409)
    seconds_left = round((fresh.clock_ends_at - at).total_seconds())
    time_left = timedelta(seconds=seconds_left)
    return _set_clock(fresh, "pause clock", by=by, minutes=time_left, paused=seconds_left)


@transaction.atomic
def extend_clock(club_session: Session, *, by: Actor, at: datetime, minutes: int) -> Session:
    """Add minutes to the clock; one that has run out runs again from now."""
    fresh = lock(club_session)
    extra = timedelta(minutes=_checked_minutes(minutes))
    if fresh.clock_paused_seconds is not None:
        seconds = fresh.clock_paused_seconds + round(extra.total_seconds())
        return _set_clock(fresh, "extend clock", by=by, minutes=extra, paused=seconds)
    if fresh.clock_ends_at is None:
        raise Refused("clock-not-running", _("The clock is not running."), status=409)
    ends_at = max(fresh.clock_ends_at, at) + extra
    return _set_clock(fresh, "extend clock", by=by, minutes=extra, ends_at=ends_at)


@transaction.atomic
def stop_clock(club_session: Session, *, by: Actor) -> Session:
    """Remove the clock."""
    return _set_clock(lock(club_session), "stop clock", by=by)


def clear_old_clock(fresh: Session, *, by: Actor, at: datetime, all_moved: bool) -> None:
    """Remove the last round's clock: it has run out, or all its tables have moved on."""
    clock = clock_at(fresh, at)
    if clock is not None and (all_moved or clock.seconds <= 0):
        _set_clock(fresh, "stop clock", by=by)


def _set_clock(
    fresh: Session,
    action: str,
    *,
    by: Actor,
    minutes: timedelta | None = None,
    ends_at: datetime | None = None,
    paused: int | None = None,
) -> Session:
    """Save the clock; `minutes` is what was given or is left, for the log."""
    fresh.clock_ends_at, fresh.clock_paused_seconds = ends_at, paused
    fresh.save(update_fields=["clock_ends_at", "clock_paused_seconds", "round_minutes"])
    new = {"minutes": round(minutes.total_seconds() / 60)} if minutes else None
    log_action(fresh.club, by, action, session=fresh, new=new)
    bump(fresh)
    return fresh


def _checked_minutes(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_ROUND:
        message = _("Enter 1 to %(most)d minutes for the clock.") % {"most": LONGEST_ROUND}
        raise Refused("bad-minutes", message, fields={"minutes": [message]})
    return minutes
