"""Rounds: the draft on the organiser's desk and those already published."""

from django.db.models import Q, QuerySet

from league.seating.models import Round, Table
from league.seating.queries.room import ENTERED, seated
from league.sessions.models import Session


def draft_of(club_session: Session) -> Round | None:
    """The session's draft, if there is one."""
    return club_session.rounds.filter(state=Round.State.DRAFT).first()


def latest_published(club_session: Session) -> Round | None:
    """The round published last."""
    return (
        club_session.rounds.filter(state=Round.State.PUBLISHED)
        .order_by("-published_at", "-number")
        .first()
    )


def published_rounds(club_session: Session) -> QuerySet[Round]:
    """The rounds published tonight, in order."""
    return club_session.rounds.filter(state=Round.State.PUBLISHED).order_by("number")


def can_take_back(published: Round) -> bool:
    """Whether a published round may still be undone: nothing entered, nobody moved on."""
    return not published.tables.filter(ENTERED | Q(is_live=False)).exists()


def seating_of(round_: Round) -> QuerySet[Table]:
    """A round's tables with their `chairs`."""
    return round_.tables.select_related("ruleset").prefetch_related(seated()).order_by("number")
