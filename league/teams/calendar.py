"""Team matches in a calendar to subscribe to: the club's, or those of a member's own teams."""

from datetime import date

from django.db.models import Q
from django.urls import reverse

from league.members.models import Club, Member
from league.sessions.calendar import CANCELLED, CONFIRMED, Entry
from league.teams.models import TeamLeague, TeamMatch


def entries_of(club: Club, since: date, member: Member | None = None) -> list[Entry]:
    """The fixtures that have a day, or a member's, the first first. One query."""
    matches = TeamMatch.objects.filter(league__club=club, held_on__gte=since)
    if member is not None:
        teams = member.team_places.values("team")
        matches = matches.filter(Q(home__in=teams) | Q(away__in=teams))
    matches = matches.select_related("league", "home", "away").order_by("held_on", "pk")
    return [_entry(club, match) for match in matches]


def _entry(club: Club, match: TeamMatch) -> Entry:
    gone = match.home.withdrawn_at or match.away.withdrawn_at
    unplayed = match.session_id is None and match.given_to_id is None
    off = match.league.state == TeamLeague.State.CANCELLED or (gone and unplayed)
    place = match.venue or match.home.venue
    assert match.held_on is not None
    return Entry(
        uid=f"{match.public_id}@right-bower",
        name=f"{match}, {place}" if place else str(match),
        day=match.held_on,
        path=reverse("team_match", args=[club.slug, match.league.public_id, match.public_id]),
        made_at=match.made_at,
        sequence=match.revision,
        status=CANCELLED if off else CONFIRMED,
    )
