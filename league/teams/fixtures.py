"""Fixtures before they are saved: days and venues with their clashes, the draw, late teams; and a
line of each for the printed season."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.errors import Refused, pairing_refusals
from league.labels import as_partners
from league.members.languages import clock, dated
from league.pairing.formats import (
    EntryId,
    Fixed,
    HomesAndAways,
    Moving,
    Placed,
    Rescheduled,
    Rounds,
    division_fixtures,
    homes_and_aways,
    late_team_matches,
    reschedule,
    venue_clashes,
)
from league.pairing.formats import Team as Drawn
from league.teams.breaks import week_of
from league.teams.models import PairsMatch, Team, TeamDivision, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord, by_division, match_records
from league.teams.round_shifts import with_round_shifts
from league.teams.tables import DONE, MatchShown
from league.teams.text import moved_line, result_line
from league.teams.validators import fixture_rules_from


class Venues:
    """The venues of a league's teams, each spelt as it was first written.

    `roomy` are the venues that, according to a team, have room for several matches at once.
    """

    def __init__(self, teams: Iterable[Team]) -> None:
        listed = list(teams)
        self.written: dict[str, str] = {}
        self.teams = {team.pk: team for team in listed}
        self.roomy = {self.of(team) or "" for team in listed if team.roomy}

    def of(self, team: Team) -> str | None:
        """The home venue of a team, or None."""
        return self.named(team.venue)

    def where(self, match: TeamMatch) -> str | None:
        """The venue of a match, or None."""
        return self.named(match.venue) or self.of(self.teams[match.home_id])

    def named(self, venue: str) -> str | None:
        """The venue of this name, spelt as it was first written; None for an empty name."""
        plain = " ".join(venue.split())
        return self.written.setdefault(plain.casefold(), plain) if plain else None


def clashes(matches: Iterable[MatchRecord], teams: Iterable[Team]) -> dict[tuple[date, str], int]:
    """Venues with more matches on a day than they have room for: {(day, venue): matches}.

    Counts matches of the league and of its cups, except those that are over or will not be played.
    """
    venues = Venues(teams)
    count: Counter[tuple[date, str]] = Counter()
    for fixture in matches:
        place = venues.where(fixture.match)
        if place and place not in venues.roomy and fixture.match.held_on and fixture.is_to_come:
            count[fixture.match.held_on, place] += 1
    return {key: n for key, n in count.items() if n > 1}


def double_bookings(matches: Iterable[MatchRecord]) -> dict[tuple[date, int], int]:
    """Teams with several matches to come on one day: {(day, team): matches}."""
    count: Counter[tuple[date, int]] = Counter()
    for fixture in matches:
        if fixture.match.held_on and fixture.is_to_come:
            count.update((fixture.match.held_on, team) for team in fixture.met.teams)
    return {key: n for key, n in count.items() if n > 1}


def assign_homes(
    meetings: Sequence[tuple[int, int]], day: date, matches: Iterable[MatchRecord], venues: Venues
) -> list[tuple[int, int]]:
    """Decide who is at home when these teams meet on a day: the first team, unless its venue
    already has a match that day and the other's has none. Each pair is (home, away)."""
    that_day = (m for m in matches if m.is_to_come and m.match.held_on == day)
    taken_venues = {venues.where(fixture.match) for fixture in that_day}
    pairs = []
    for teams in meetings:
        home_venues = [venues.of(venues.teams[team]) for team in teams]
        blocked = [venue in taken_venues - {None} - venues.roomy for venue in home_venues]
        home = 1 if blocked == [True, False] else 0
        taken_venues.add(home_venues[home])
        pairs.append((teams[home], teams[1 - home]))
    return pairs


def drawn_fixtures(league: TeamLeague, seed: int) -> list[TeamMatch]:
    """Draw every round of the league, with its date; nothing is saved.

    The teams are placed in the Berger tables at random, so that two teams of one venue are never
    at home together. A bye makes no match. Refuses fewer than two teams (`too-few`), and more than
    two teams of one venue, naming it.
    """
    drawn = draw_divisions(league, seed)
    days, last_number = days_of(league), Counter[int]()
    matches: list[TeamMatch] = []
    for rounds in drawn.divisions.values():
        for number, pairings in enumerate(rounds, 1):
            for pairing in pairings:
                if pairing.second is None:
                    continue
                last_number[number] += 1
                match = TeamMatch(league=league, round=number, number=last_number[number])
                match.home = drawn.venues.teams[int(pairing.first)]
                match.away = drawn.venues.teams[int(pairing.second)]
                match.held_on = days(number)
                match.half = 1 if number <= (len(rounds) + 1) // 2 else 2
                matches.append(match)
    return sorted(matches, key=lambda match: (match.round, match.number))


@dataclass(frozen=True, slots=True)
class DivisionDraw:
    """The rounds of every division, under None in a league without divisions."""

    divisions: dict[TeamDivision | None, Rounds]
    venues: Venues

    def evenness(self, *, double: bool) -> list[tuple[TeamDivision | None, HomesAndAways]]:
        """How evenly each division alternates home and away, compared with the best possible."""
        return [
            (division, homes_and_aways(rounds, double=double))
            for division, rounds in self.divisions.items()
        ]

    @property
    def clashes(self) -> int:
        """How many rounds have a venue with more matches than it has room for."""
        venues: dict[EntryId, str | None] = {
            key: None if (place := self.venues.of(team)) in self.venues.roomy else place
            for key, team in self.venues.teams.items()
        }
        return len(venue_clashes(list(self.divisions.values()), venues))


def draw_divisions(league: TeamLeague, seed: int) -> DivisionDraw:
    """Draw all divisions together, so that teams of one venue are not at home at the same time."""
    teams = list(league.teams.filter(withdrawn_at=None).select_related("division"))
    venues = Venues(teams)
    if undivided := teams_without_division(league, teams):
        raise Refused("no-division", f"{no_division(undivided)}.", status=409)
    groups = by_division(league, teams)
    small_divisions = [division for division, members in groups if len(members) < 2]
    if small_divisions:
        message = _("It takes at least two teams.")
        if small_divisions[0] is not None:
            message = _("%(division)s has fewer than two teams.") % {"division": small_divisions[0]}
        raise Refused("too-few", message, status=409)
    entries = [[Drawn(t.pk, venues.of(t)) for t in members] for _division, members in groups]
    with pairing_refusals():
        rounds = division_fixtures(
            entries,
            double=league.twice,
            parallel_venues=venues.roomy,
            derbies_early=fixture_rules_from(league.fixture_rules).derbies_early,
            seed=seed,
        )
    drawn = zip((division for division, _members in groups), rounds, strict=True)
    return DivisionDraw(dict(drawn), venues)


def teams_without_division(league: TeamLeague, teams: Iterable[Team]) -> list[Team]:
    """The teams that are in none of the league's divisions. At most one query."""
    undivided = [team for team in teams if not (team.division_id or team.withdrawn_at)]
    return undivided if undivided and league.divisions.exists() else []


def no_division(teams: Sequence[Team]) -> str:
    text = ngettext("%(teams)s has no division", "%(teams)s have no division", len(teams))
    return text % {"teams": as_partners(teams)}


def days_of(league: TeamLeague) -> Callable[[int], date]:
    """Return a function that gives the day of each round, counted from 1.

    A round that would fall in a blank week or in a week of the cups moves a step later.
    """
    pairs = PairsMatch.objects.filter(cup__league=league).values_list("held_on", flat=True)
    cup_days = [*fixture_rules_from(league.fixture_rules).cup_days, *pairs]
    blank_weeks = {week_of(date.fromisoformat(text)) for text in league.blank_days} | set(
        map(week_of, cup_days)
    )
    days: list[date] = []

    def day(number: int) -> date:
        candidate = days[-1] + timedelta(days=league.days_between) if days else league.starts_on
        while len(days) < number:
            if week_of(candidate) not in blank_weeks:
                days.append(candidate)
            candidate += timedelta(days=league.days_between)
        return days[number - 1]

    return day


def starts_at(league: TeamLeague) -> time | None:
    """The time at which the league's matches start, in the club's time zone."""
    return fixture_rules_from(league.fixture_rules).starts_at


def season_line(shown: MatchShown, planned: date | None) -> str:
    """A match among those of its round: its result, or its day if that isn't the `planned` one."""
    match = shown.match
    if shown.state in DONE:
        return moved_line(shown) if match.is_moved else result_line(shown)
    replay = _("to be played again") if match.is_replay else ""
    start = clock(match.begins_at) if match.held_on else ""
    notes = [replay, _new_day(match, planned), start, match.venue]
    if shown.state in ("off", "void"):
        notes = [_("not played") if shown.state == "off" else pgettext("a match", "void")]
        if shown.unplayed_winner:
            notes += [_("awarded to %(team)s") % {"team": shown.unplayed_winner.name}]
    return ", ".join(filter(None, [str(match), *notes]))


def _new_day(match: TeamMatch, planned: date | None) -> str:
    """The day of a match that isn't on the `planned` one, and whether it was moved there."""
    if match.held_on is None:
        is_postponed = match.first_date and not match.is_replay
        return _("postponed, day to be agreed") if is_postponed else _("day to be agreed")
    if match.held_on == planned:
        return ""
    day = dated(match.held_on, _("l j F"))
    if match.is_replay or match.first_date in (None, match.held_on):
        return day
    early = match.is_brought_forward
    return (_("brought forward to %(day)s") if early else _("postponed to %(day)s")) % {"day": day}


def fixtures_digest(matches: Iterable[TeamMatch]) -> str:
    """A digest of these fixtures, by which the form says which ones the organiser has looked at."""
    text = ";".join(f"{m.round},{m.held_on},{m.home_id},{m.away_id}" for m in matches)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# A late team: its matches are added and no others change, or the remaining rounds are redrawn.


@dataclass(frozen=True, slots=True)
class Plan:
    """The matches a late team would get. `seen` is a digest, by which the form names this plan."""

    team: Team
    matches: tuple[Placed, ...]
    teams: dict[int, Team]

    @property
    def added(self) -> list[Placed]:
        """The matches in rounds that would be new."""
        return [match for match in self.matches if match.added]

    @property
    def at_home(self) -> int:
        return sum(match.home == self.team.pk for match in self.matches)

    @property
    def seen(self) -> str:
        text = ";".join(f"{m.number},{m.day},{m.home},{m.away}" for m in self.matches)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ReschedulePlan:
    """The remaining rounds, redrawn with one more team.

    `moving` are the matches that may move, by primary key; `moved` are those that get another day
    or other sides. `seen` is a digest, by which the form names this plan.
    """

    team: Team
    matches: tuple[Rescheduled, ...]
    moving: dict[int, TeamMatch]
    teams: dict[int, Team]

    @property
    def moved(self) -> list[Rescheduled]:
        return [match for match in self.matches if match.key and not self.is_unmoved(match)]

    def is_unmoved(self, match: Rescheduled) -> bool:
        """Whether a match keeps its day and its sides."""
        old = self.moving[match.key or 0]
        return (old.held_on, old.home_id, old.away_id) == (match.day, match.home, match.away)

    @property
    def seen(self) -> str:
        text = ";".join(f"{m.key},{m.number},{m.day},{m.home},{m.away}" for m in self.matches)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_of(league: TeamLeague, team: Team, *, seed: int, today: date) -> Plan:
    """Plan the matches of a late team against every team in the fixtures, all after today; four
    queries. Where an opponent's match is off because a team has left, that week is free."""
    field = _load_field(league, team)
    placed = late_team_matches(
        Drawn(team.pk, field.venues.of(team)),
        field.opponents,
        _fixed_matches(field.matches, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        parallel_venues=field.venues.roomy,
        seed=seed,
    )
    return Plan(field.teams[team.pk], placed, field.teams)


def plan_reschedule(league: TeamLeague, team: Team, *, seed: int, today: date) -> ReschedulePlan:
    """Plan the rounds after today, redrawn with this team; four queries.

    Matches that have been played, awarded, postponed, moved or dated by hand stay as they are, and
    so do cup matches.
    """
    field = _load_field(league, team)
    moving = [match for match in field.matches if _may_move(match, today)]
    unmovable = [match for match in field.matches if match not in moving]
    current = _fixed_matches(moving, field.venues)
    drawn = reschedule(
        Drawn(team.pk, field.venues.of(team)),
        field.opponents,
        [Moving(m.match.pk, fixed) for m, fixed in zip(moving, current, strict=True)],
        _fixed_matches(unmovable, field.venues),
        after=today,
        days_between=league.days_between,
        double=league.twice,
        parallel_venues=field.venues.roomy,
        seed=seed,
    )
    movable = {m.match.pk: m.match for m in moving}
    return ReschedulePlan(field.teams[team.pk], drawn, movable, field.teams)


def _may_move(record: MatchRecord, today: date) -> bool:
    """Whether a match of the league is still to come and exactly as it was drawn."""
    match = record.match
    is_untouched = match.is_untouched and not match.venue
    as_drawn = match.cup_id is None and match.first_date is None
    is_to_come = match.held_on is not None and match.held_on > today and not record.is_off
    return is_untouched and as_drawn and is_to_come


@dataclass(frozen=True, slots=True)
class _Field:
    """All matches and teams of a league, and the teams in the fixtures that a late team meets."""

    matches: list[MatchRecord]
    teams: dict[int, Team]
    opponents: list[Drawn]
    venues: Venues


def _load_field(league: TeamLeague, team: Team) -> _Field:
    matches = with_round_shifts(league.matches.select_related("home", "away", "cup").order_by("pk"))
    drawn = {key for m in matches if m.cup_id is None for key in (m.home_id, m.away_id)}
    teams = {t.pk: t for t in league.teams.all()}
    opponents = [t for t in teams.values() if t.pk in drawn - {team.pk} and t.withdrawn_at is None]
    venues = Venues(teams.values())
    entries = [Drawn(t.pk, venues.of(t)) for t in opponents]
    return _Field(match_records(matches, league), teams, entries, venues)


def teams_without_fixtures(teams: Iterable[Team], matches: Iterable[MatchRecord]) -> list[Team]:
    """The teams that were entered after the fixtures were made and have no matches yet."""
    drawn = {team for match in matches for team in match.met.teams}
    return [t for t in teams if drawn and t.pk not in drawn and t.withdrawn_at is None]


def _fixed_matches(matches: Iterable[MatchRecord], venues: Venues) -> list[Fixed]:
    return [
        Fixed(
            number=0 if fixture.match.cup_id else fixture.match.round,
            home=fixture.match.home_id,
            away=fixture.match.away_id,
            meant=fixture.match.planned_on,
            day=fixture.match.held_on,
            venue=venues.where(fixture.match),
        )
        for fixture in matches
        if not fixture.is_off
    ]
