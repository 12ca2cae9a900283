"""Standings held back until the prize-giving: for whom, and the sentence that says so."""

from django.db.models import Q
from django.utils.translation import gettext as _

from league.access import reaches
from league.errors import Refused
from league.members.models import Club, Role
from league.sessions.models import Session
from league.sessions.queries import session_of

HELD = Q(session__standings_held=True)
"""Games and results of sessions held back: they count in no season, record or rating yet."""


def is_held_from(club_session: Session, rank: str | None) -> bool:
    """Whether somebody of this rank in the club has to wait for the standings."""
    return club_session.standings_held and not reaches(rank, Role.Rank.ORGANISER)


def refuse_held(club_session: Session, rank: str | None) -> None:
    """Refuse (`standings-held`) whoever has to wait for them."""
    if is_held_from(club_session, rank):
        message = _("The standings are held back until the prize-giving.")
        raise Refused("standings-held", message, status=403)


def released_session(club: Club, public_id: str, rank: str | None) -> Session:
    """The club's session, for somebody who may see who stands where in it; else refused."""
    club_session = session_of(club, public_id)
    refuse_held(club_session, rank)
    return club_session
