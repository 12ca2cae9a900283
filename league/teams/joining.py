"""What a team that joins late would play: the league's fixtures as they stand, put to the rules.

Its matches are added and no other is touched; or the rounds to come are drawn anew.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from league.pairing.formats.late_team import Fixed, Placed, joining
from league.pairing.formats.league_fixtures import Team as Drawn
from league.pairing.formats.reschedule import Anew, Moving, rounds_anew
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import Played, played
from league.teams.venues import Venues


@dataclass(frozen=True, slots=True)
class Plan:
    """The matches a team would get. `seen` tells this plan from any other: who adds it says so."""

    team: Team
    matches: tuple[Placed, ...]
    teams: dict[int, Team]

    @property
    def added(self) -> list[Placed]:
        """Those in rounds that are not there yet."""
        return [one for one in self.matches if one.added]

    @property
    def at_home(self) -> int:
        return sum(one.home == self.team.pk for one in self.matches)

    @property
    def seen(self) -> str:
        told = ";".join(f"{o.number},{o.day},{o.home},{o.away}" for o in self.matches)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PlanAnew:
    """The rounds to come with a team more. `moving` are the matches that may move, by their keys;
    those that get another day or other sides are `moved`."""

    team: Team
    matches: tuple[Anew, ...]
    moving: dict[int, TeamMatch]
    teams: dict[int, Team]

    @property
    def moved(self) -> list[Anew]:
        return [one for one in self.matches if one.key and not self.stays(one)]

    def stays(self, one: Anew) -> bool:
        """Whether a match keeps its day and its sides."""
        was = self.moving[one.key or 0]
        return (was.held_on, was.home_id, was.away_id) == (one.day, one.home, one.away)

    @property
    def seen(self) -> str:
        told = ";".join(f"{o.key},{o.number},{o.day},{o.home},{o.away}" for o in self.matches)
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def plan_of(league: TeamLeague, team: Team, *, seed: int, today: date) -> Plan:
    """The matches of a team against every other that is in the fixtures, all after today; four
    queries. Matches of a team that has left leave its opponents' weeks free."""
    field = _field(league, team)
    placed = joining(
        Drawn(team.pk, field.venues.of(team)),
        field.others,
        _standing(field.matches, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        roomy=field.venues.roomy,
        seed=seed,
    )
    return Plan(field.teams[team.pk], placed, field.teams)


def plan_anew(league: TeamLeague, team: Team, *, seed: int, today: date) -> PlanAnew:
    """The rounds after today drawn anew with this team in them; four queries.

    What has been played or given, put off, moved or dated by hand stays, and so do cup matches.
    """
    field = _field(league, team)
    moving = [one for one in field.matches if _may_move(one, today)]
    standing = [one for one in field.matches if one not in moving]
    fixed = _standing(moving, field.venues)
    drawn = rounds_anew(
        Drawn(team.pk, field.venues.of(team)),
        field.others,
        [Moving(one.match.pk, at) for one, at in zip(moving, fixed, strict=True)],
        _standing(standing, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        roomy=field.venues.roomy,
        seed=seed,
    )
    there = {one.match.pk: one.match for one in moving}
    return PlanAnew(field.teams[team.pk], drawn, there, field.teams)


def _may_move(one: Played, today: date) -> bool:
    """Whether nothing has been done about a match of the league that is still to come."""
    match = one.match
    untouched = match.session_id is None and match.given_to_id is None and not match.venue
    by_the_draw = match.cup_id is None and match.first_date is None
    to_come = match.held_on is not None and match.held_on > today and not one.is_off
    return untouched and by_the_draw and to_come


@dataclass(frozen=True, slots=True)
class _Field:
    """All matches, all teams, and those of the fixtures that a newcomer meets."""

    matches: list[Played]
    teams: dict[int, Team]
    others: list[Drawn]
    venues: Venues


def _field(league: TeamLeague, team: Team) -> _Field:
    matches = list(league.matches.select_related("home", "away", "cup").order_by("pk"))
    drawn = {one for m in matches if m.cup_id is None for one in (m.home_id, m.away_id)}
    teams = {one.pk: one for one in league.teams.all()}
    others = [t for t in teams.values() if t.pk in drawn - {team.pk} and t.withdrawn_at is None]
    venues = Venues(teams.values())
    met = [Drawn(one.pk, venues.of(one)) for one in others]
    return _Field(played(matches, league), teams, met, venues)


def waiting(teams: Iterable[Team], matches: Iterable[Played]) -> list[Team]:
    """The teams that were entered when the fixtures stood and have none yet."""
    drawn = {team for one in matches for team in one.met.teams}
    return [t for t in teams if drawn and t.pk not in drawn and t.withdrawn_at is None]


def _standing(matches: Iterable[Played], venues: Venues) -> list[Fixed]:
    return [
        Fixed(
            number=0 if one.match.cup_id else one.match.round,
            home=one.match.home_id,
            away=one.match.away_id,
            meant=one.match.first_date or one.match.held_on,
            day=one.match.held_on,
            venue=venues.where(one.match),
        )
        for one in matches
        if not one.is_off
    ]
