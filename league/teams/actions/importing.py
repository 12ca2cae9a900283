"""A season taken over from a file or from sheets: divisions, teams, fixtures, what came of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.members.actions import adopt_preset
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset
from league.members.names import name_key
from league.ranking.team_league.match import AWAY, HOME, card_games
from league.ranking.team_league.rules import LeagueRules, rules_to_json
from league.sessions.queries import local_date
from league.standings.labels import figure
from league.teams.actions.cups import save_play_off
from league.teams.actions.leagues import locked, played_by
from league.teams.actions.teams import players_named, save_players, save_team
from league.teams.models import (
    Deduction,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
)
from league.teams.validators import FIELDS_OF_THEIR_OWN

USUAL = "standard-four-handed"
NOON = time(12)


@dataclass(frozen=True, slots=True)
class FixtureRow:
    """A fixture with what came of it: a card (`games` as `TeamMatch.card`; `totals_only` where just
    the games won are known), or a walk-over to "home", "away" or "nobody"; neither while it is
    open."""

    home: str
    away: str
    day: date | None
    half: int = 1
    games: tuple[Any, ...] | None = None
    played: date | None = None
    received: datetime | None = None
    late_lifted: bool = False
    totals_only: bool = False
    walkover: str = ""


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """A checked season by the ids of its file; `received` of fixtures are local times."""

    name: str
    rules: LeagueRules
    divisions: Sequence[tuple[str, Sequence[str]]]
    fixtures: Sequence[FixtureRow] = ()
    adjustments: Sequence[tuple[str, Fraction]] = ()
    withdrawn: Sequence[tuple[str, date]] = ()
    play_offs: Sequence[tuple[str, Sequence[str]]] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def league_ruleset(club: Club, target: int | None, *, by: Actor) -> ClubRuleset:
    """What the club plays at tables of four (its default, any other, or the usual rules), to so
    many points."""
    mine = club.rulesets.filter(players=4)
    ruleset = mine.order_by("-is_default", "retired", "-pk").first()
    return played_by(ruleset or adopt_preset(club, preset=USUAL, by=by), target)


@transaction.atomic
def import_season(club: Club, plan: SeasonPlan, *, by: Actor, at: datetime) -> TeamLeague:
    """Make the league of a checked plan, all of it."""
    rules, days = plan.rules, [fixture.day for fixture in plan.fixtures if fixture.day]
    stored = {k: v for k, v in rules_to_json(rules).items() if k not in FIELDS_OF_THEIR_OWN}
    pairings = [frozenset((fixture.home, fixture.away)) for fixture in plan.fixtures]
    league = TeamLeague.objects.create(
        club=club,
        name=plan.name,
        state=TeamLeague.State.RUNNING if plan.fixtures else TeamLeague.State.SETUP,
        ruleset=league_ruleset(club, rules.target, by=by),
        pairs=rules.pairs,
        turns=rules.games_each,
        rules=stored,
        sections=rules.sections is not None,
        twice=len(set(pairings)) < len(pairings),
        starts_on=min(days, default=local_date(club, at)),
        made_by=by.user,
        made_at=at,
    )
    teams = _teams(league, plan)
    _fixtures(league, plan, teams)
    for team, points in plan.adjustments:
        taken = Decimal(-points.numerator) / Decimal(points.denominator)
        Deduction.objects.create(
            team=teams[team], points=taken, reason=_("From the file"), said_as=by.label[:80], at=at
        )
    for team, day in plan.withdrawn:
        gone = datetime.combine(day, NOON, tzinfo=club.zone)
        Team.objects.filter(pk=teams[team].pk).update(withdrawn_at=gone)
    for kind, order in plan.play_offs:
        save_play_off(league, kind, [teams[team] for team in order], by=by, at=at)
    new = {"teams": len(teams), "matches": len(plan.fixtures)}
    log_action(club, by, "import team league", league, new=new)
    return league


def _teams(league: TeamLeague, plan: SeasonPlan) -> dict[str, Team]:
    divisions = TeamDivision.objects.bulk_create(
        TeamDivision(league=league, name=name, number=number)
        for number, (name, _teams) in enumerate(plan.divisions, 1)
    )
    made = Team.objects.bulk_create(
        Team(league=league, division=division, code=code, name=plan.names.get(code, code))
        for division, (_name, codes) in zip(divisions, plan.divisions, strict=True)
        for code in codes
    )
    return {team.code: team for team in made}


def _fixtures(league: TeamLeague, plan: SeasonPlan, teams: Mapping[str, Team]) -> None:
    rounds, last = _rounds(plan), Counter[int]()
    matches = []
    for number, one in zip(rounds, plan.fixtures, strict=True):
        last[number] += 1
        held_on = one.played or one.day
        received = one.received and one.received.replace(tzinfo=league.club.zone)
        match = TeamMatch(league=league, round=number, number=last[number], half=one.half)
        match.home, match.away = teams[one.home], teams[one.away]
        match.held_on, match.first_date = held_on, one.day if one.day != held_on else None
        match.card, match.received_at = list(one.games or ()), received
        match.totals_only = one.totals_only
        match.late_lifted = _("Waived") if one.late_lifted else ""
        match.given_to = {"home": match.home, "away": match.away}.get(one.walkover)
        match.given_nobody = one.walkover == "nobody"
        match.given_reason = _("From the file") if one.walkover else ""
        matches.append(match)
    TeamMatch.objects.bulk_create(matches)


def _rounds(plan: SeasonPlan) -> list[int]:
    """A round for each fixture: its day's place among the days of its division."""
    division = {code: name for name, codes in plan.divisions for code in codes}
    days: dict[str, set[date]] = {}
    for fixture in plan.fixtures:
        if fixture.day:
            days.setdefault(division[fixture.home], set()).add(fixture.day)
    numbers = {
        name: {day: n for n, day in enumerate(sorted(many), 1)} for name, many in days.items()
    }
    return [
        numbers[division[fixture.home]][fixture.day] if fixture.day else 1
        for fixture in plan.fixtures
    ]


@dataclass(frozen=True, slots=True)
class SheetTeam:
    """A team as a sheet has it; `team` is the one of this name that the league has already, which
    only gets the `players` it does not have. `points_off` are taken off in the table, below nought
    given; `left` is the day on which it left."""

    name: str
    players: Sequence[str] = ()
    team: Team | None = None
    division: str = ""
    house: str = ""
    venue: str = ""
    captain: str = ""
    points_off: Fraction = Fraction(0)
    left: date | None = None


@transaction.atomic
def import_teams(
    league: TeamLeague, teams: Sequence[SheetTeam], *, by: Actor, at: datetime
) -> list[Team]:
    """Enter the teams of a checked sheet with their divisions, players and captains."""
    fresh = locked(league)
    divisions = {name_key(division.name): division for division in fresh.divisions.all()}
    for name in dict.fromkeys(team.division for team in teams if team.division):
        if name_key(name) not in divisions:
            number = max((division.number for division in divisions.values()), default=0) + 1
            made = TeamDivision.objects.create(league=fresh, name=name, number=number)
            divisions[name_key(name)] = made
    return [_enter(fresh, team, divisions, by=by, at=at) for team in teams]


def _enter(
    league: TeamLeague,
    one: SheetTeam,
    divisions: Mapping[str, TeamDivision],
    *,
    by: Actor,
    at: datetime,
) -> Team:
    if one.team is not None:
        one.team.league = league
        there = [place.member for place in one.team.players.select_related("member")]
        new = players_named(league, one.players, by=by, same_name=True)
        save_players(one.team, [*there, *new])
        names = {"players": list(one.players)}
        log_action(league.club, by, "save team", one.team, new={"name": one.team.name, **names})
        return one.team
    made = save_team(
        league, None, by=by, name=one.name, venue=one.venue, roomy=False, names=one.players,
        captain=one.captain, same_name=True, division=divisions.get(name_key(one.division)),
        house=one.house,
    )  # fmt: skip
    if one.left:
        made.withdrawn_at = datetime.combine(one.left, NOON, tzinfo=league.club.zone)
        made.save(update_fields=["withdrawn_at"])
    if one.points_off:
        off = Decimal(one.points_off.numerator) / Decimal(one.points_off.denominator)
        Deduction.objects.create(
            team=made, points=off, reason=_("From the file"), said_as=by.label[:80], at=at
        )
    return made


def games_won(games: Sequence[Any], rules: LeagueRules) -> tuple[Fraction, Fraction]:
    """Games won by each side, of games as `TeamMatch.card` has them."""
    scores = [game.score for game in card_games(games, rules)]
    home = sum((score.share(HOME) for score in scores), Fraction(0))
    return home, sum((score.share(AWAY) for score in scores), Fraction(0))


@dataclass(frozen=True, slots=True)
class SheetMatch:
    """A fixture as a sheet has it, with its result where it has one, by the league's `rules`;
    `match` is the one that the league has already, which only gets the result. `day` is when it is
    or was played, `planned` the day it was meant for. Of `games` that are `totals_only` just the
    sums are known."""

    home: Team
    away: Team
    match: TeamMatch | None = None
    round: int | None = None
    day: date | None = None
    planned: date | None = None
    venue: str = ""
    games: tuple[Any, ...] = ()
    totals_only: bool = False
    walkover: str = ""
    rules: LeagueRules = field(default_factory=LeagueRules)

    @property
    def has_result(self) -> bool:
        return bool(self.games or self.walkover)

    @property
    def won(self) -> tuple[Fraction, Fraction]:
        """Games won by each side."""
        return games_won(self.games, self.rules.by_game if self.totals_only else self.rules)

    @property
    def score(self) -> str:
        return "–".join(figure("won", won) for won in self.won)


RESULT = (
    "held_on", "first_date", "card", "totals_only", "given_to", "given_nobody", "given_reason",
    "revision",
)  # fmt: skip


@transaction.atomic
def import_matches(
    league: TeamLeague, matches: Sequence[SheetMatch], *, by: Actor
) -> list[TeamMatch]:
    """Add the fixtures of a checked sheet, and the results to those that are there."""
    fresh = locked(league)
    new = [fixture for fixture in matches if fixture.match is None]
    there = list(fresh.matches.filter(cup=None).select_related("home"))
    rounds = _sheet_rounds(new, there)
    made = TeamMatch.objects.bulk_create(_sheet_matches(fresh, new, there, rounds))
    changed = [
        _with_result(fixture.match, fixture) for fixture in matches if fixture.match is not None
    ]
    TeamMatch.objects.bulk_update(changed, RESULT)
    if made and not there:
        pairings = [frozenset((one.home_id, one.away_id)) for one in made]
        fresh.twice = len(set(pairings)) < len(pairings)
        fresh.starts_on = min((one.held_on for one in made if one.held_on), default=fresh.starts_on)
    fresh.state = TeamLeague.State.RUNNING
    fresh.save(update_fields=["state", "twice", "starts_on"])
    log_action(
        fresh.club, by, "import team league", fresh, new={"new": len(made), "results": len(changed)}
    )
    return [*made, *changed]


def _sheet_rounds(new: Sequence[SheetMatch], there: Sequence[TeamMatch]) -> list[int]:
    """A round for each new fixture: the one on the sheet, else that of the same day in its
    division, else the next ones in the order of their days."""
    known: dict[int | None, dict[date, int]] = defaultdict(dict)
    for match in there:
        day = match.first_date or match.held_on
        if day:
            known[match.home.division_id].setdefault(day, match.round)
    for one in sorted(new, key=lambda one: one.planned or one.day or date.max):
        rounds, day = known[one.home.division_id], one.planned or one.day
        if day and day not in rounds:
            rounds[day] = one.round or max(rounds.values(), default=0) + 1
    return [
        one.round or known[one.home.division_id].get(one.planned or one.day or date.max, 1)
        for one in new
    ]


def _sheet_matches(
    league: TeamLeague,
    new: Sequence[SheetMatch],
    there: Sequence[TeamMatch],
    rounds: Sequence[int],
) -> list[TeamMatch]:
    numbers: dict[int, int] = defaultdict(int)
    last: dict[int | None, int] = defaultdict(int)
    for match in there:
        numbers[match.round] = max(numbers[match.round], match.number)
        last[match.home.division_id] = max(last[match.home.division_id], match.round)
    for one, number in zip(new, rounds, strict=True):
        last[one.home.division_id] = max(last[one.home.division_id], number)
    matches = []
    for one, number in zip(new, rounds, strict=True):
        numbers[number] += 1
        match = TeamMatch(league=league, round=number, number=numbers[number], venue=one.venue)
        match.home, match.away = one.home, one.away
        match.half = 1 if number <= (last[one.home.division_id] + 1) // 2 else 2
        match.held_on = one.day or one.planned
        match.first_date = one.planned if one.planned != match.held_on else None
        matches.append(_with_result(match, one))
    return matches


def _with_result(match: TeamMatch, one: SheetMatch) -> TeamMatch:
    if one.day and match.held_on and one.day != match.held_on:
        match.first_date = match.first_date or match.held_on
    match.held_on = one.day or match.held_on
    match.card, match.totals_only = list(one.games), one.totals_only
    match.given_to = {"home": match.home, "away": match.away}.get(one.walkover)
    match.given_nobody = one.walkover == "nobody"
    match.given_reason = _("From the file") if one.walkover else ""
    match.revision += 1 if match.pk else 0
    return match
