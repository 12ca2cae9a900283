"""League matches as calendar entries, and the time at which they start."""

from datetime import date, datetime, time, timedelta

from django.db.models import Q
from django.urls import reverse

from league.members.models import Club, Member
from league.sessions.calendar import CANCELLED, CONFIRMED, Entry
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.validators import fixture_rules_from


def entries_of(
    club: Club,
    since: date,
    member: Member | None = None,
    *,
    of: TeamLeague | Team | None = None,
) -> list[Entry]:
    """Calendar entries of the club's dated matches from `since` on, by day; one query.

    `member` limits them to the member's teams, `of` to one league or team.
    """
    matches = TeamMatch.objects.filter(league__club=club, held_on__gte=since)
    if isinstance(of, TeamLeague):
        matches = matches.filter(league=of)
    elif of is not None:
        matches = matches.filter(Q(home=of) | Q(away=of))
    if member is not None:
        teams = member.team_places.values("team")
        matches = matches.filter(Q(home__in=teams) | Q(away__in=teams))
    matches = matches.select_related("league", "home", "away").order_by("held_on", "pk")
    return [_entry(club, match) for match in matches]


def starts_at(league: TeamLeague) -> time | None:
    """The time at which the league's matches start, in the club's time zone."""
    return fixture_rules_from(league.fixture_rules).starts_at


def _entry(club: Club, match: TeamMatch) -> Entry:
    withdrawn = match.home.withdrawn_at or match.away.withdrawn_at
    is_off = match.league.state == TeamLeague.State.CANCELLED or (withdrawn and match.is_untouched)
    assert match.held_on is not None
    start_time = starts_at(match.league)
    begins = datetime.combine(match.held_on, start_time, club.zone) if start_time else None
    return Entry(
        uid=f"{match.public_id}@right-bower",
        name=str(match),
        day=match.held_on,
        path=reverse("team_match", args=[club.slug, match.league.public_id, match.public_id]),
        made_at=match.made_at,
        sequence=match.revision,
        begins=begins,
        ends=begins and begins + timedelta(minutes=club.session_minutes),
        venue=match.venue or match.home.venue,
        status=CANCELLED if is_off else CONFIRMED,
    )
