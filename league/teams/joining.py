"""What a team that joins late would play: the league's fixtures as they stand, put to the rule."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from league.teams.models import Team, TeamLeague
from league.teams.queries import Played, played
from league.teams.venues import Venues
from league.tournaments.formats.fixtures import Team as Drawn
from league.tournaments.formats.joining import Fixed, Placed, joining


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


def plan_of(league: TeamLeague, team: Team, *, seed: int, today: date) -> Plan:
    """The matches of a team against every other that is in the fixtures, all after today; four
    queries. Matches of a team that has left leave its opponents' weeks free."""
    matches = list(league.matches.select_related("home", "away", "cup").order_by("pk"))
    drawn = {one for m in matches if m.cup_id is None for one in (m.home_id, m.away_id)}
    teams = {one.pk: one for one in league.teams.all()}
    others = [t for t in teams.values() if t.pk in drawn - {team.pk} and t.withdrawn_at is None]
    venues = Venues(teams.values())
    placed = joining(
        Drawn(team.pk, venues.of(team)),
        [Drawn(one.pk, venues.of(one)) for one in others],
        _standing(played(matches, league), venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        roomy=venues.roomy,
        seed=seed,
    )
    return Plan(teams[team.pk], placed, teams)


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
