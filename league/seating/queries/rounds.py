"""Rounds: the draft on the organiser's desk and those already published."""

from collections.abc import Iterable

from django.db.models import QuerySet

from league.members.models import Member
from league.seating.models import Round, Table
from league.seating.queries.room import seated
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


def seating_of(round_: Round) -> QuerySet[Table]:
    """A round's tables with their `chairs`."""
    return round_.tables.select_related("ruleset").prefetch_related(seated()).order_by("number")


def members_by_id(ids: Iterable[int]) -> dict[int, Member]:
    """Members by their key, for plans that speak of keys alone."""
    return Member.objects.in_bulk(list(ids))
