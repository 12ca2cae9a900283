"""A team that joins when the fixtures stand: its matches are added and no other is touched, or the
rounds to come are drawn anew."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.sessions.queries import local_date
from league.teams.actions.setup import locked
from league.teams.joining import Plan, PlanAnew, plan_anew, plan_of
from league.teams.models import Team, TeamLeague, TeamMatch

OUT_OF_THE_WAY = 10_000
"""Added to the numbers of matches on their way to another round, so that none meets another's."""


@transaction.atomic
def join_fixtures(team: Team, *, seed: int, seen: str, by: Actor, at: datetime) -> list[TeamMatch]:
    """Add the matches of a late team, as the organiser has `seen` them planned with this seed.

    Refuses (`plan-changed`) when something has happened since that would place them otherwise.
    """
    fresh = locked(team.league)
    _refuse_no_newcomer(fresh, team)
    plan = plan_of(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed in the meantime. Look at the matches again.")
        raise Refused("plan-changed", message, status=409)
    made = TeamMatch.objects.bulk_create(_matches(fresh, plan, at))
    team.joined_at = at
    team.save(update_fields=["joined_at"])
    added = len({one.number for one in plan.added})
    new = {"matches": len(made), "rounds_added": added, "seed": seed}
    note(fresh.club, by, "join fixtures", team, new=new)
    return made


@transaction.atomic
def join_drawn_anew(
    team: Team, *, seed: int, seen: str, by: Actor, at: datetime
) -> list[TeamMatch]:
    """The rounds to come with a late team, as the organiser has `seen` them drawn by this seed;
    the matches of the team.

    Matches that get another day or other sides are as ones that were moved: calendars follow.
    Refuses (`plan-changed`) when something has happened since that would draw them otherwise.
    """
    fresh = locked(team.league)
    _refuse_no_newcomer(fresh, team)
    plan = plan_anew(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed in the meantime. Look at the matches again.")
        raise Refused("plan-changed", message, status=409)
    before = fresh.matches.filter(cup=None).aggregate(last=Max("round"))["last"]
    moved = len(plan.moved)
    fresh.matches.filter(pk__in=plan.moving).update(number=F("number") + OUT_OF_THE_WAY)
    made = _drawn_anew(fresh, plan, at)
    team.joined_at, team.drawn_anew = at, True
    team.save(update_fields=["joined_at", "drawn_anew"])
    added = max(0, max(one.number for one in plan.matches) - before)
    new = {"matches": len(made), "moved": moved, "rounds_added": added, "seed": seed}
    note(fresh.club, by, "join fixtures drawn anew", team, new=new)
    return made


def _drawn_anew(fresh: TeamLeague, plan: PlanAnew, at: datetime) -> list[TeamMatch]:
    """Every match in its round, numbered on from those that stand in it."""
    last = _last_numbers(fresh, plan.moving)
    new: list[TeamMatch] = []
    old: list[TeamMatch] = []
    for one in plan.matches:
        last[one.number] += 1
        match = plan.moving.get(one.key or 0) or TeamMatch(league=fresh, made_at=at)
        if one.key and not plan.stays(one):
            match.revision += 1
        match.round, match.number, match.held_on = one.number, last[one.number], one.day
        match.home_id, match.away_id = int(one.home), int(one.away)
        (old if one.key else new).append(match)
    fields = ["round", "number", "held_on", "home", "away", "revision"]
    TeamMatch.objects.bulk_update(old, fields)
    return TeamMatch.objects.bulk_create(new)


def _refuse_no_newcomer(fresh: TeamLeague, team: Team) -> None:
    fixtures = fresh.matches.filter(cup=None)
    if not fixtures.exists():
        raise Refused("no-fixtures", _("There are no fixtures yet to join."), status=409)
    if team.withdrawn_at is not None or team.pk in _drawn(fresh):
        raise Refused("joined-already", _("This team has its matches already."), status=409)


def _drawn(fresh: TeamLeague) -> set[int]:
    sides = fresh.matches.filter(cup=None).values_list("home", "away")
    return {one for both in sides for one in both}


def _matches(fresh: TeamLeague, plan: Plan, at: datetime) -> list[TeamMatch]:
    last = _last_numbers(fresh)
    return [
        TeamMatch(
            league=fresh,
            round=one.number,
            number=last[one.number] + 1,
            home_id=int(one.home),
            away_id=int(one.away),
            held_on=one.day,
            made_at=at,
        )
        for one in plan.matches
    ]


def _last_numbers(fresh: TeamLeague, without: Collection[int] = ()) -> Counter[int]:
    """The highest number of a match in each round."""
    last = Counter[int]()
    rows = fresh.matches.filter(cup=None).exclude(pk__in=without)
    for round_number, number in rows.values_list("round", "number"):
        last[round_number] = max(last[round_number], number)
    return last
