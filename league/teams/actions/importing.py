"""A season taken over from a file or from sheets: divisions, teams, fixtures, what came of them."""

from collections import Counter
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
from league.ranking.team_league.rules import LeagueRules, rules_to_json
from league.sessions.queries import local_date
from league.teams.actions.leagues import played_by
from league.teams.models import (
    Deduction,
    PlayOff,
    PlayOffPlace,
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
    """A fixture with what came of it: a card (`games` as `TeamMatch.card`), or a walk-over to
    "home", "away" or "nobody"; neither while it is open."""

    home: str
    away: str
    day: date | None
    half: int = 1
    games: tuple[Any, ...] | None = None
    played: date | None = None
    received: datetime | None = None
    late_lifted: bool = False
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
    found = mine.order_by("-is_default", "retired", "-pk").first()
    return played_by(found or adopt_preset(club, preset=USUAL, by=by), target)


@transaction.atomic
def import_season(club: Club, plan: SeasonPlan, *, by: Actor, at: datetime) -> TeamLeague:
    """Make the league of a checked plan, all of it."""
    rules, days = plan.rules, [one.day for one in plan.fixtures if one.day]
    stored = {k: v for k, v in rules_to_json(rules).items() if k not in FIELDS_OF_THEIR_OWN}
    pairings = [frozenset((one.home, one.away)) for one in plan.fixtures]
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
        _play_off(league, kind, [teams[team] for team in order], by=by, at=at)
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
    found = []
    for number, one in zip(rounds, plan.fixtures, strict=True):
        last[number] += 1
        held_on = one.played or one.day
        received = one.received and one.received.replace(tzinfo=league.club.zone)
        match = TeamMatch(league=league, round=number, number=last[number], half=one.half)
        match.home, match.away = teams[one.home], teams[one.away]
        match.held_on, match.first_date = held_on, one.day if one.day != held_on else None
        match.card, match.received_at = list(one.games or ()), received
        match.late_lifted = _("Lifted") if one.late_lifted else ""
        match.given_to = {"home": match.home, "away": match.away}.get(one.walkover)
        match.given_nobody = one.walkover == "nobody"
        match.given_reason = _("From the file") if one.walkover else ""
        found.append(match)
    TeamMatch.objects.bulk_create(found)


def _rounds(plan: SeasonPlan) -> list[int]:
    """A round for each fixture: its day's place among the days of its division."""
    division = {code: name for name, codes in plan.divisions for code in codes}
    days: dict[str, set[date]] = {}
    for one in plan.fixtures:
        if one.day:
            days.setdefault(division[one.home], set()).add(one.day)
    numbers = {
        name: {day: n for n, day in enumerate(sorted(many), 1)} for name, many in days.items()
    }
    return [numbers[division[one.home]][one.day] if one.day else 1 for one in plan.fixtures]


def _play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    made = PlayOff.objects.create(league=league, kind=kind, said_as=by.label[:80], at=at)
    PlayOffPlace.objects.bulk_create(
        PlayOffPlace(play_off=made, team=team, number=number)
        for number, team in enumerate(order, 1)
    )
    return made


@transaction.atomic
def record_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """The result of a play-off, the winner first; the latest between the same teams counts."""
    made = _play_off(league, kind, order, by=by, at=at)
    log_action(league.club, by, "record play-off", league, new={"order": [t.name for t in order]})
    return made
