"""Checking in the players of a tournament, on the day of its session."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.sessions.attendance import arrive, arrive_all, play_again, refuse_elsewhere
from league.sessions.models import Session
from league.sessions.queries import came_to, local_date
from league.tournaments.models import Tournament


def is_early(tournament: Tournament, at: datetime) -> bool:
    """Whether the session is planned for a later day, so that nobody is checked in yet."""
    session = tournament.session
    is_planned = session.state == Session.State.PLANNED
    return is_planned and session.held_on > local_date(tournament.club, at)


def check_in(fresh: Tournament, people: Sequence[Member], *, by: Actor, at: datetime) -> None:
    """Check in players who enter, unless it is early."""
    if any(person.club_id != fresh.club_id for person in people):
        raise Refused("unknown-member", _("There is no such player."), status=404)
    for person in () if is_early(fresh, at) else people:
        arrived = arrive(fresh.session, person, by=by, at=at, even_if_elsewhere=True)
        if arrived.resting:
            play_again(fresh.session, person, by=by)


def not_seen(tournament: Tournament) -> list[Member]:
    """The players entered who have not been checked in to the session yet."""
    entries = tournament.entries.filter(withdrawn_at=None).select_related("member", "partner")
    people = [person for entry in entries.order_by("pk") for person in entry.people]
    seen = set(came_to(tournament.session).values_list("pk", flat=True))
    return [person for person in people if person.pk not in seen]


def check_in_entered(fresh: Tournament, *, by: Actor, at: datetime) -> None:
    """Check in the players who entered before the day, as play begins."""
    people = not_seen(fresh)
    if people:
        refuse_in_other_session(fresh, people)
        arrive_all(fresh.session, people, by=by, at=at)


def refuse_in_other_session(fresh: Tournament, people: Sequence[Member]) -> None:
    """Refuse (`elsewhere`) players who are checked in to another session, and say what to do."""
    try:
        refuse_elsewhere(fresh.session, people)
    except Refused as refused:
        refused.message += " " + _("Check them in here too, or close that session.")
        raise
