"""What was played before, as the planner wants it: tonight and earlier in the season."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from league.pairing.seating import PlayedRound
from league.seating.models import Round, Seat
from league.sessions.models import Session

EARLIER_SESSIONS = 8
"""How many sessions of the season back are looked at."""


def played_before(club_session: Session) -> list[PlayedRound]:
    """The published rounds of the season's last sessions and of tonight, oldest first."""
    sessions = [club_session.pk, *_earlier(club_session)]
    age = {session: back for back, session in enumerate(sessions)}
    rounds = _played(sessions)
    return sorted(
        (PlayedRound(tables, out, age[session]) for session, tables, out in rounds),
        key=lambda played: -played.age,
    )


def played_tonight(club_session: Session) -> list[PlayedRound]:
    """The rounds published tonight, in order."""
    return [PlayedRound(tables, out) for _session, tables, out in _played([club_session.pk])]


Tables = tuple[tuple[int, ...], ...]


def _played(sessions: list[int]) -> list[tuple[int, Tables, tuple[int, ...]]]:
    """Session, tables and who sat out, of every published round in order; two queries."""
    seats = (
        Seat.objects.filter(
            session__in=sessions, table__round__state=Round.State.PUBLISHED, until_hand=None
        )
        .order_by("session", "table__round__number", "table__round", "table", "position")
        .values_list("session", "table__round", "table", "table__first_dealer", "member")
    )
    out = defaultdict(list)
    resting = Round.sits_out.through.objects.filter(
        round__session__in=sessions, round__state=Round.State.PUBLISHED
    )
    for round_, member in resting.order_by("id").values_list("round", "member"):
        out[round_].append(member)
    return [
        (session, tuple(_tables(of_round)), tuple(out[round_]))
        for (session, round_), of_round in groupby(seats, key=lambda seat: seat[:2])
    ]


def _tables(seats: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Each table's members from its first dealer on: the planner has the deal with seat 0."""
    for (_table, dealer), chairs in groupby(seats, key=lambda seat: seat[2:4]):
        members = [chair[4] for chair in chairs]
        first = dealer if dealer < len(members) else 0
        yield (*members[first:], *members[:first])


def _earlier(club_session: Session) -> list[int]:
    if club_session.season_id is None:
        return []
    before = (
        Session.objects.filter(season=club_session.season_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .filter(team_match=None)  # who one's partners are there is the team's affair
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
    )
    return list(before.values_list("pk", flat=True)[:EARLIER_SESSIONS])
