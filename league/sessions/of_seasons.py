"""Which sessions belong to a season: those that its dates miss, and taking them in or out."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.members.audit import Actor, log_action
from league.members.languages import dated
from league.seasons.actions import refuse_closed
from league.seasons.models import Season
from league.sessions.actions import bump, lock, settings_of
from league.sessions.models import Session
from league.sessions.queries import season_on

State = Session.State


def sessions_without_season(season: Season) -> QuerySet[Session]:
    """The sessions within the season's dates that belong to no season, the earliest first.

    Cancelled ones and sessions of team matches are left out.
    """
    sessions = season.club.sessions.filter(
        season=None, held_on__gte=season.starts_on, of_team_match=False
    ).exclude(state=State.CANCELLED)
    sessions = sessions.filter(held_on__lte=season.ends_on) if season.ends_on else sessions
    return sessions.order_by("held_on", "pk")


def sessions_to_take_in(season: Season) -> list[Session]:
    """The sessions that closing took out of the season and that belong to none; if there are none,
    all within its dates that belong to no season."""
    sessions = list(sessions_without_season(season))
    return [one for one in sessions if one.taken_out_of_id == season.pk] or sessions


def planned_sessions(season: Season) -> QuerySet[Session]:
    """The season's planned sessions, the earliest first."""
    return season.sessions.filter(state=State.PLANNED).order_by("held_on", "pk")


def sessions_outside(season: Season) -> QuerySet[Session]:
    """The season's sessions that are before its first day or after its last, the earliest first.

    Cancelled ones and sessions of team matches are left out.
    """
    is_outside = Q(held_on__lt=season.starts_on)
    if season.ends_on:
        is_outside |= Q(held_on__gt=season.ends_on)
    sessions = season.sessions.filter(is_outside, of_team_match=False)
    return sessions.exclude(state=State.CANCELLED).order_by("held_on", "pk")


def days_of(sessions: Iterable[Session]) -> list[str]:
    """The days of these sessions, as they stand in a sentence."""
    return [dated(session.held_on, _("j F")) for session in sessions]


@transaction.atomic
def take_into_season(season: Season, *, by: Actor) -> int:
    """Add the sessions that `sessions_to_take_in` finds; return their number.

    Refuses a closed season (`season-closed`).
    """
    refuse_closed(season)
    sessions = sessions_to_take_in(season)
    for session in sessions:
        _set_season(session, season, by=by)
    return len(sessions)


@transaction.atomic
def take_out_of_season(
    season: Season, sessions: QuerySet[Session], *, by: Actor, closing: bool = False
) -> int:
    """Move these sessions to the other open season of their day, if any; return their number."""
    moved = list(sessions)
    for session in moved:
        other = season_on(season.club, session.held_on, but=season)
        _set_season(session, other, by=by, taken_out_of=season if closing and not other else None)
    return len(moved)


def _set_season(
    session: Session, season: Season | None, *, by: Actor, taken_out_of: Season | None = None
) -> None:
    fresh = lock(session, to_change=False)
    old, fresh.season, fresh.taken_out_of = settings_of(fresh), season, taken_out_of
    fresh.save(update_fields=["season", "taken_out_of"])
    log_action(fresh.club, by, "change session", fresh, session=fresh, old=old,
               new=settings_of(fresh))  # fmt: skip
    bump(fresh)
