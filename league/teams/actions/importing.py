"""Import a season from a file or from sheets: divisions, teams, fixtures and results."""

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
from league.teams.actions.leagues import lock_league, ruleset_with_target
from league.teams.actions.teams import players_named, save_players, save_team
from league.teams.models import (
    Deduction,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
)
from league.teams.validators import FIELDS_OF_THEIR_OWN

DEFAULT_PRESET = "standard-four-handed"
NOON = time(12)


@dataclass(frozen=True, slots=True)
class FixtureRow:
    """A fixture with its result: a card, or a walk-over to "home", "away" or "nobody", or neither
    while it is open. `games` are in the format of `TeamMatch.card`; `totals_only` if only the games
    won are known."""

    home: str
    away: str
    day: date | None
    begins_at: time | None = None
    half: int = 1
    games: tuple[Any, ...] | None = None
    played: date | None = None
    received: datetime | None = None
    late_lifted: bool = False
    totals_only: bool = False
    walkover: str = ""


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """A checked season, by the ids of its file. `FixtureRow.received` is in local time."""

    name: str
    rules: LeagueRules
    divisions: Sequence[tuple[str, Sequence[str]]]
    fixtures: Sequence[FixtureRow] = ()
    adjustments: Sequence[tuple[str, Fraction]] = ()
    withdrawn: Sequence[tuple[str, date]] = ()
    play_offs: Sequence[tuple[str, Sequence[str]]] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def league_ruleset(club: Club, target: int | None, *, by: Actor) -> ClubRuleset:
    """The club's ruleset for tables of four, played to `target` points: its default, or another
    one, or else the standard preset."""
    four_handed = club.rulesets.filter(players=4)
    ruleset = four_handed.order_by("-is_default", "retired", "-pk").first()
    return ruleset_with_target(ruleset or adopt_preset(club, preset=DEFAULT_PRESET, by=by), target)


@transaction.atomic
def import_season(club: Club, plan: SeasonPlan, *, by: Actor, at: datetime) -> TeamLeague:
    """Create the whole league of a checked plan."""
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
    teams = _create_teams(league, plan)
    _create_fixtures(league, plan, teams)
    for team, points in plan.adjustments:
        deducted = Decimal(-points.numerator) / Decimal(points.denominator)
        Deduction.objects.create(
            team=teams[team],
            points=deducted,
            reason=_("from an imported file"),
            said_as=by.label[:80],
            at=at,
        )
    for team, day in plan.withdrawn:
        withdrawn_at = datetime.combine(day, NOON, tzinfo=club.zone)
        Team.objects.filter(pk=teams[team].pk).update(withdrawn_at=withdrawn_at)
    for kind, order in plan.play_offs:
        save_play_off(league, kind, [teams[team] for team in order], by=by, at=at)
    new = {"teams": len(teams), "matches": len(plan.fixtures)}
    log_action(club, by, "import team league", league, new=new)
    return league


def _create_teams(league: TeamLeague, plan: SeasonPlan) -> dict[str, Team]:
    divisions = TeamDivision.objects.bulk_create(
        TeamDivision(league=league, name=name, number=number)
        for number, (name, _teams) in enumerate(plan.divisions, 1)
    )
    teams = Team.objects.bulk_create(
        Team(league=league, division=division, code=code, name=plan.names.get(code, code))
        for division, (_name, codes) in zip(divisions, plan.divisions, strict=True)
        for code in codes
    )
    return {team.code: team for team in teams}


def _create_fixtures(league: TeamLeague, plan: SeasonPlan, teams: Mapping[str, Team]) -> None:
    rounds, last_number = _round_numbers(plan), Counter[int]()
    matches = []
    for number, row in zip(rounds, plan.fixtures, strict=True):
        last_number[number] += 1
        held_on = row.played or row.day
        received = row.received and row.received.replace(tzinfo=league.club.zone)
        match = TeamMatch(league=league, round=number, number=last_number[number], half=row.half)
        match.home, match.away = teams[row.home], teams[row.away]
        match.held_on, match.first_date = held_on, row.day if row.day != held_on else None
        match.begins_at = row.begins_at
        match.card, match.received_at = list(row.games or ()), received
        match.totals_only = row.totals_only
        match.late_lifted = _("Waived") if row.late_lifted else ""
        match.given_to = {"home": match.home, "away": match.away}.get(row.walkover)
        match.given_nobody = row.walkover == "nobody"
        match.given_reason = _("from an imported file") if row.walkover else ""
        matches.append(match)
    TeamMatch.objects.bulk_create(matches)


def _round_numbers(plan: SeasonPlan) -> list[int]:
    """The round of each fixture: the rank of its day among the days of its division."""
    division = {code: name for name, codes in plan.divisions for code in codes}
    days: dict[str, set[date]] = {}
    for fixture in plan.fixtures:
        if fixture.day:
            days.setdefault(division[fixture.home], set()).add(fixture.day)
    numbers = {
        name: {day: n for n, day in enumerate(sorted(played_on), 1)}
        for name, played_on in days.items()
    }
    return [
        numbers[division[fixture.home]][fixture.day] if fixture.day else 1
        for fixture in plan.fixtures
    ]


@dataclass(frozen=True, slots=True)
class SheetTeam:
    """A team on a sheet.

    `team` is the league's team of this name, if there is one already: it only gets those `players`
    that it does not have. `points_off` are deducted in the table, or added if negative; `left` is
    the day on which the team left.
    """

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
    """Add the teams of a checked sheet, with their divisions, players and captains."""
    fresh = lock_league(league)
    divisions = {name_key(division.name): division for division in fresh.divisions.all()}
    for name in dict.fromkeys(team.division for team in teams if team.division):
        if name_key(name) not in divisions:
            number = max((division.number for division in divisions.values()), default=0) + 1
            divisions[name_key(name)] = TeamDivision.objects.create(
                league=fresh, name=name, number=number
            )
    imported = [_add_team(fresh, team, divisions, by=by, at=at) for team in teams]
    new = {"teams": [team.name for team in teams]}
    log_action(fresh.club, by, "import team league", fresh, new=new)
    return imported


def _add_team(
    league: TeamLeague,
    row: SheetTeam,
    divisions: Mapping[str, TeamDivision],
    *,
    by: Actor,
    at: datetime,
) -> Team:
    if row.team is not None:
        row.team.league = league
        squad = [place.member for place in row.team.players.select_related("member")]
        new = players_named(league, row.players, by=by, same_name=True)
        save_players(row.team, [*squad, *new])
        names = {"players": list(row.players)}
        log_action(league.club, by, "save team", row.team, new={"name": row.team.name, **names})
        return row.team
    team = save_team(
        league, None, by=by, name=row.name, venue=row.venue, roomy=False, names=row.players,
        captain=row.captain, same_name=True, division=divisions.get(name_key(row.division)),
        house=row.house,
    )  # fmt: skip
    if row.left:
        team.withdrawn_at = datetime.combine(row.left, NOON, tzinfo=league.club.zone)
        team.save(update_fields=["withdrawn_at"])
    if row.points_off:
        deducted = Decimal(row.points_off.numerator) / Decimal(row.points_off.denominator)
        reason = _("from an imported file")
        Deduction.objects.create(
            team=team, points=deducted, reason=reason, said_as=by.label[:80], at=at
        )
    return team


def games_won(games: Sequence[Any], rules: LeagueRules) -> tuple[Fraction, Fraction]:
    """Games won by each side. `games` are in the format of `TeamMatch.card`."""
    scores = [game.score for game in card_games(games, rules)]
    home = sum((score.share(HOME) for score in scores), Fraction(0))
    return home, sum((score.share(AWAY) for score in scores), Fraction(0))


@dataclass(frozen=True, slots=True)
class SheetMatch:
    """A fixture on a sheet, with its result if it has one; `rules` are the league's.

    `match` is the league's fixture, if it exists already: it only gets the result. `day` is the day
    on which it is or was played, `planned` the day first planned. `totals_only`: only the totals of
    the `games` are known.
    """

    home: Team
    away: Team
    match: TeamMatch | None = None
    round: int | None = None
    day: date | None = None
    begins_at: time | None = None
    planned: date | None = None
    venue: str = ""
    games: tuple[Any, ...] = ()
    totals_only: bool = False
    walkover: str = ""
    rules: LeagueRules = field(default_factory=LeagueRules)

    @property
    def original_day(self) -> date | None:
        """The day first planned; the day of play if the sheet has no other."""
        return self.planned or self.day

    @property
    def has_result(self) -> bool:
        return bool(self.games or self.walkover)

    @property
    def won(self) -> tuple[Fraction, Fraction]:
        """Games won by each side."""
        return games_won(self.games, self.rules.by_game if self.totals_only else self.rules)

    @property
    def name(self) -> str:
        """The match as the activity log calls it, with its score."""
        return f"{self.home} – {self.away} {self.score if self.games else ''}".strip()

    @property
    def score(self) -> str:
        return "–".join(figure("won", won) for won in self.won)


RESULT_FIELDS = (
    "held_on", "first_date", "card", "card_note", "totals_only", "given_to", "given_nobody",
    "given_reason", "revision",
)  # fmt: skip


@transaction.atomic
def import_matches(
    league: TeamLeague, matches: Sequence[SheetMatch], *, by: Actor
) -> list[TeamMatch]:
    """Add the fixtures of a checked sheet, and the results of fixtures that exist already."""
    fresh = lock_league(league)
    new = [fixture for fixture in matches if fixture.match is None]
    existing = list(fresh.matches.filter(cup=None).select_related("home"))
    rounds = _sheet_rounds(new, existing)
    added = TeamMatch.objects.bulk_create(_sheet_matches(fresh, new, existing, rounds))
    days = {row.match.pk: row.match.held_on for row in matches if row.match}
    changed = [
        _with_result(fixture.match, fixture) for fixture in matches if fixture.match is not None
    ]
    TeamMatch.objects.bulk_update(changed, RESULT_FIELDS)
    if added and not existing:
        pairings = [frozenset((match.home_id, match.away_id)) for match in added]
        fresh.twice = len(set(pairings)) < len(pairings)
        fresh.starts_on = min(
            (match.held_on for match in added if match.held_on), default=fresh.starts_on
        )
    fresh.state = TeamLeague.State.RUNNING
    fresh.save(update_fields=["state", "twice", "starts_on"])
    log_action(
        fresh.club,
        by,
        "import team league",
        fresh,
        new={"new": len(added), "results": [row.name for row in matches if row.has_result]},
    )
    for match in changed:
        if match.held_on != (before := days[match.pk]):
            new_day = {"held_on": str(match.held_on), "reason": _("from an imported file")}
            old_day = {"held_on": str(before or "")}
            log_action(fresh.club, by, "move team match", match, old=old_day, new=new_day)
    return [*added, *changed]


def _sheet_rounds(new: Sequence[SheetMatch], existing: Sequence[TeamMatch]) -> list[int]:
    """The round of each new fixture: the one on the sheet, or else that of the same day in its
    division, or else a new round, in the order of the days."""
    rounds_by_day: dict[int | None, dict[date, int]] = defaultdict(dict)
    for match in existing:
        day = match.first_date or match.held_on
        if day:
            rounds_by_day[match.home.division_id].setdefault(day, match.round)
    for row in sorted(new, key=lambda row: row.original_day or date.max):
        rounds, day = rounds_by_day[row.home.division_id], row.original_day
        if day and day not in rounds:
            rounds[day] = row.round or max(rounds.values(), default=0) + 1
    return [
        row.round or rounds_by_day[row.home.division_id].get(row.original_day or date.max, 1)
        for row in new
    ]


def _sheet_matches(
    league: TeamLeague,
    new: Sequence[SheetMatch],
    existing: Sequence[TeamMatch],
    rounds: Sequence[int],
) -> list[TeamMatch]:
    last_number: dict[int, int] = defaultdict(int)
    last_round: dict[int | None, int] = defaultdict(int)
    for match in existing:
        last_number[match.round] = max(last_number[match.round], match.number)
        last_round[match.home.division_id] = max(last_round[match.home.division_id], match.round)
    for row, number in zip(new, rounds, strict=True):
        last_round[row.home.division_id] = max(last_round[row.home.division_id], number)
    matches = []
    for row, number in zip(new, rounds, strict=True):
        last_number[number] += 1
        match = TeamMatch(league=league, round=number, number=last_number[number], venue=row.venue)
        match.home, match.away = row.home, row.away
        match.half = 1 if number <= (last_round[row.home.division_id] + 1) // 2 else 2
        match.held_on, match.begins_at = row.day or row.planned, row.begins_at
        match.first_date = row.planned if row.planned != match.held_on else None
        matches.append(_with_result(match, row))
    return matches


def _with_result(match: TeamMatch, row: SheetMatch) -> TeamMatch:
    if row.day and match.held_on and row.day != match.held_on:
        match.first_date = match.first_date or match.held_on
    match.held_on = row.day or match.held_on
    match.card_note = match.card_note if match.card else ""
    match.card, match.totals_only = list(row.games), row.totals_only
    match.given_to = {"home": match.home, "away": match.away}.get(row.walkover)
    match.given_nobody = row.walkover == "nobody"
    match.given_reason = _("from an imported file") if row.walkover else ""
    match.revision += 1 if match.pk else 0
    return match
