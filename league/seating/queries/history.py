"""What was played before, as the planner wants it: tonight and earlier in the season."""

from itertools import groupby

from league.seating.models import Round, Seat
from league.seating.planning import Tables
from league.sessions.models import Session

EARLIER_SESSIONS = 8
"""How many sessions of the season back are looked at."""


def played_before(club_session: Session) -> list[Tables]:
    """The published rounds of the season's last sessions and of tonight, oldest first."""
    sessions = [*_earlier(club_session), club_session.pk]
    seats = (
        Seat.objects.filter(
            session__in=sessions, table__round__state=Round.State.PUBLISHED, until_hand=None
        )
        .order_by("session__held_on", "session", "table__round__number", "table", "position")
        .values_list("table__round", "table", "member")
    )
    rounds = groupby(seats, key=lambda seat: seat[0])
    return [
        tuple(
            tuple(member for _round, _table, member in chairs)
            for _table, chairs in groupby(of_round, key=lambda seat: seat[1])
        )
        for _round, of_round in rounds
    ]


def _earlier(club_session: Session) -> list[int]:
    if club_session.season_id is None:
        return []
    before = (
        Session.objects.filter(season=club_session.season_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
    )
    return list(before.values_list("pk", flat=True)[:EARLIER_SESSIONS])
