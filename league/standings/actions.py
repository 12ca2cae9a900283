"""Orders about standings: what a club, or one session of it, ranks by."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.live import touch_sessions
from league.members.audit import Actor, note
from league.members.models import Club
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from league.standings.measures import MEASURES


@transaction.atomic
def choose_measures(club: Club, codes: Sequence[str], *, by: Actor) -> Club:
    """Rank the club's sessions and seasons by `codes`, in order. Sessions with a list of their
    own keep it. Refuses (`unknown_measure`) a code that is none."""
    _known(codes)
    fresh = Club.objects.select_for_update().get(pk=club.pk)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    touch_sessions(fresh)
    note(fresh, by, "choose measures", fresh, old=old, new=fresh.measures)
    return fresh


@transaction.atomic
def choose_session_measures(club_session: Session, codes: Sequence[str], *, by: Actor) -> Session:
    """Rank this session by `codes`; an empty list gives it back to the club's rule."""
    _known(codes)
    fresh = lock(club_session)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    note(fresh.club, by, "choose measures", fresh, session=fresh, old=old, new=fresh.measures)
    bump(fresh)
    return fresh


def _known(codes: Sequence[str]) -> None:
    for code in codes:
        if code not in MEASURES:
            raise Refused("unknown_measure", _("There is no such measure."))
