"""Fixtures before they are made: venues and their days, the draw, what a late team would play."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing.fixtures import (
    Fixed,
    HomesAndAways,
    Moving,
    Placed,
    Rescheduled,
    division_fixtures,
    homes_and_aways,
    late_team_matches,
    reschedule,
    venue_clashes,
)
from league.pairing.fixtures import Team as Drawn
from league.pairing.formats import EntryId, Rounds
from league.teams.models import PairsMatch, Team, TeamDivision, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord, by_division, played
from league.teams.validators import fixture_rules_from


class Venues:
    """The venues of a league's teams, each as it was first written.

    `roomy` are those of which a team says that they take several matches at once.
    """

    def __init__(self, teams: Iterable[Team]) -> None:
        listed = list(teams)
        self.written: dict[str, str] = {}
        self.teams = {team.pk: team for team in listed}
        self.roomy = {self.of(team) or "" for team in listed if team.roomy}

    def of(self, team: Team) -> str | None:
        """Where a team is at home; None for one without a venue."""
        return self.named(team.venue)

    def where(self, match: TeamMatch) -> str | None:
        """Where a match is played."""
        return self.named(match.venue) or self.of(self.teams[match.home_id])

    def named(self, venue: str) -> str | None:
        """A venue as it was first written."""
        plain = " ".join(venue.split())
        return self.written.setdefault(plain.casefold(), plain) if plain else None


def clashes(matches: Iterable[MatchRecord], teams: Iterable[Team]) -> dict[tuple[date, str], int]:
    """Where one venue has more matches on one day than it has room for: day and place, how many.

    Matches of the league and of its cups alike; those that are over or will not be played are not
    counted.
    """
    venues = Venues(teams)
    count: Counter[tuple[date, str]] = Counter()
    for fixture in matches:
        place = venues.where(fixture.match)
        if place and place not in venues.roomy and fixture.match.held_on and fixture.is_to_come:
            count[fixture.match.held_on, place] += 1
    return {where: many for where, many in count.items() if many > 1}


def doubles(matches: Iterable[MatchRecord]) -> dict[tuple[date, int], int]:
    """Teams with several matches to come on one day: day and team, how many."""
    count: Counter[tuple[date, int]] = Counter()
    for fixture in matches:
        if fixture.match.held_on and fixture.is_to_come:
            count.update((fixture.match.held_on, team) for team in fixture.met.teams)
    return {where: many for where, many in count.items() if many > 1}


def homes(
    meetings: Sequence[tuple[int, int]], day: date, matches: Iterable[MatchRecord], venues: Venues
) -> list[tuple[int, int]]:
    """Who is at home where these teams meet on a day: the first, unless its venue has a match
    on that day already and the other's has none."""
    there = (fixture for fixture in matches if fixture.is_to_come and fixture.match.held_on == day)
    taken = {venues.where(one.match) for one in there}
    pairs = []
    for both in meetings:
        here = [venues.of(venues.teams[team]) for team in both]
        blocked = [place in taken - {None} - venues.roomy for place in here]
        home = 1 if blocked == [True, False] else 0
        taken.add(here[home])
        pairs.append((both[home], both[1 - home]))
    return pairs


def drawn_fixtures(league: TeamLeague, seed: int) -> list[TeamMatch]:
    """Every round of the league, not saved: the teams drawn by lot into the Berger tables, two
    teams of one venue never at home together. Each round has its date; a bye is no match.

    Refuses fewer than two teams (`too-few`), and three of one venue by its name.
    """
    drawn = draw_divisions(league, seed)
    days, last = days_of(league), Counter[int]()
    matches: list[TeamMatch] = []
    for rounds in drawn.divisions.values():
        for number, pairings in enumerate(rounds, 1):
            for pairing in pairings:
                if pairing.second is None:
                    continue
                last[number] += 1
                match = TeamMatch(league=league, round=number, number=last[number])
                match.home = drawn.venues.teams[int(pairing.first)]
                match.away = drawn.venues.teams[int(pairing.second)]
                match.held_on = days(number)
                match.half = 1 if number <= (len(rounds) + 1) // 2 else 2
                matches.append(match)
    return sorted(matches, key=lambda one: (one.round, one.number))


@dataclass(frozen=True, slots=True)
class DivisionsDrawn:
    """The rounds of every division, under None in a league without any."""

    divisions: dict[TeamDivision | None, Rounds]
    venues: Venues

    def evenness(self, *, double: bool) -> list[tuple[TeamDivision | None, HomesAndAways]]:
        """How even each division's homes and aways are, beside the bound."""
        return [(one, homes_and_aways(many, double=double)) for one, many in self.divisions.items()]

    @property
    def clashes(self) -> int:
        """How many rounds have a venue with more matches than it takes."""
        venues: dict[EntryId, str | None] = {
            key: None if (place := self.venues.of(team)) in self.venues.roomy else place
            for key, team in self.venues.teams.items()
        }
        return len(venue_clashes(list(self.divisions.values()), venues))


def draw_divisions(league: TeamLeague, seed: int) -> DivisionsDrawn:
    """The divisions drawn together, so that teams of one venue are not at home at once."""
    teams = list(league.teams.filter(withdrawn_at=None).select_related("division"))
    venues = Venues(teams)
    groups = by_division(league, teams)
    small = [division for division, members in groups if len(members) < 2]
    if small:
        message = _("It takes at least two teams.")
        if small[0] is not None:
            message = _("%(division)s has fewer than two teams.") % {"division": small[0]}
        raise Refused("too-few", message, status=409)
    entered = [[Drawn(t.pk, venues.of(t)) for t in members] for _division, members in groups]
    with pairing_refusals():
        rounds = division_fixtures(
            entered,
            double=league.twice,
            parallel_venues=venues.roomy,
            derbies_early=fixture_rules_from(league.fixture_rules).derbies_early,
            seed=seed,
        )
    named = zip((division for division, _members in groups), rounds, strict=True)
    return DivisionsDrawn(dict(named), venues)


def days_of(league: TeamLeague) -> Callable[[int], date]:
    """The day of each round, from 1; one that would be in a blank week or in a week of the cups
    comes a step later."""
    pairs = PairsMatch.objects.filter(cup__league=league).values_list("held_on", flat=True)
    cups = [*fixture_rules_from(league.fixture_rules).cup_days, *pairs]
    blank = {week_of(date.fromisoformat(one)) for one in league.blank_days} | set(
        map(week_of, cups)
    )
    days: list[date] = []

    def day(number: int) -> date:
        at = days[-1] + timedelta(days=league.days_between) if days else league.starts_on
        while len(days) < number:
            if week_of(at) not in blank:
                days.append(at)
            at += timedelta(days=league.days_between)
        return days[number - 1]

    return day


def week_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def mark_of(matches: Iterable[TeamMatch]) -> str:
    """Tells these fixtures from any others: anyone who makes them says which were looked at."""
    text = ";".join(f"{m.round},{m.held_on},{m.home_id},{m.away_id}" for m in matches)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# Its matches are added and no other is touched; or the rounds to come are redrawn.


@dataclass(frozen=True, slots=True)
class Plan:
    """The matches a team would get. `seen` tells this plan from any other: who adds it says so."""

    team: Team
    matches: tuple[Placed, ...]
    teams: dict[int, Team]

    @property
    def added(self) -> list[Placed]:
        """Those in rounds that are not there yet."""
        return [match for match in self.matches if match.added]

    @property
    def at_home(self) -> int:
        return sum(match.home == self.team.pk for match in self.matches)

    @property
    def seen(self) -> str:
        text = ";".join(f"{o.number},{o.day},{o.home},{o.away}" for o in self.matches)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ReschedulePlan:
    """The rounds to come with a team more. `moving` are the matches that may move, by their keys;
    those that get another day or other sides are `moved`."""

    team: Team
    matches: tuple[Rescheduled, ...]
    moving: dict[int, TeamMatch]
    teams: dict[int, Team]

    @property
    def moved(self) -> list[Rescheduled]:
        return [match for match in self.matches if match.key and not self.unmoved(match)]

    def unmoved(self, one: Rescheduled) -> bool:
        """Whether a match keeps its day and its sides."""
        was = self.moving[one.key or 0]
        return (was.held_on, was.home_id, was.away_id) == (one.day, one.home, one.away)

    @property
    def seen(self) -> str:
        text = ";".join(f"{o.key},{o.number},{o.day},{o.home},{o.away}" for o in self.matches)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_of(league: TeamLeague, team: Team, *, seed: int, today: date) -> Plan:
    """The matches of a team against every other that is in the fixtures, all after today; four
    queries. Matches of a team that has left leave its opponents' weeks free."""
    field = _field(league, team)
    placed = late_team_matches(
        Drawn(team.pk, field.venues.of(team)),
        field.others,
        _standing(field.matches, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        parallel_venues=field.venues.roomy,
        seed=seed,
    )
    return Plan(field.teams[team.pk], placed, field.teams)


def plan_reschedule(league: TeamLeague, team: Team, *, seed: int, today: date) -> ReschedulePlan:
    """The rounds after today redrawn with this team in them; four queries.

    What has been played or given, put off, moved or dated by hand stays, and so do cup matches.
    """
    field = _field(league, team)
    moving = [match for match in field.matches if _may_move(match, today)]
    standing = [match for match in field.matches if match not in moving]
    fixed = _standing(moving, field.venues)
    drawn = reschedule(
        Drawn(team.pk, field.venues.of(team)),
        field.others,
        [Moving(one.match.pk, at) for one, at in zip(moving, fixed, strict=True)],
        _standing(standing, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        parallel_venues=field.venues.roomy,
        seed=seed,
    )
    there = {one.match.pk: one.match for one in moving}
    return ReschedulePlan(field.teams[team.pk], drawn, there, field.teams)


def _may_move(one: MatchRecord, today: date) -> bool:
    """Whether nothing has been done about a match of the league that is still to come."""
    match = one.match
    untouched = match.is_untouched and not match.venue
    by_the_draw = match.cup_id is None and match.first_date is None
    to_come = match.held_on is not None and match.held_on > today and not one.is_off
    return untouched and by_the_draw and to_come


@dataclass(frozen=True, slots=True)
class _Field:
    """All matches, all teams, and those of the fixtures that a newcomer meets."""

    matches: list[MatchRecord]
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


def waiting(teams: Iterable[Team], matches: Iterable[MatchRecord]) -> list[Team]:
    """The teams that were entered when the fixtures stood and have none yet."""
    drawn = {team for match in matches for team in match.met.teams}
    return [t for t in teams if drawn and t.pk not in drawn and t.withdrawn_at is None]


def _standing(matches: Iterable[MatchRecord], venues: Venues) -> list[Fixed]:
    return [
        Fixed(
            number=0 if fixture.match.cup_id else fixture.match.round,
            home=fixture.match.home_id,
            away=fixture.match.away_id,
            meant=fixture.match.first_date or fixture.match.held_on,
            day=fixture.match.held_on,
            venue=venues.where(fixture.match),
        )
        for fixture in matches
        if not fixture.is_off
    ]
