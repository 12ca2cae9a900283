"""A team that joins when the fixtures stand: its matches are added, no other is touched."""

from collections import Counter
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.sessions.queries import local_date
from league.teams.actions.setup import locked
from league.teams.joining import Plan, plan_of
from league.teams.models import Team, TeamLeague, TeamMatch


@transaction.atomic
def join_fixtures(team: Team, *, seed: int, seen: str, by: Actor, at: datetime) -> list[TeamMatch]:
    """Add the matches of a late team, as the organiser has `seen` them planned with this seed.

    Refuses (`plan_changed`) when something has happened since that would place them otherwise.
    """
    fresh = locked(team.league)
    _refuse_no_newcomer(fresh, team)
    plan = plan_of(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed in the meantime. Look at the matches again.")
        raise Refused("plan_changed", message, status=409)
    made = TeamMatch.objects.bulk_create(_matches(fresh, plan, at))
    team.joined_at = at
    team.save(update_fields=["joined_at"])
    added = len({one.number for one in plan.added})
    new = {"matches": len(made), "rounds_added": added, "seed": seed}
    note(fresh.club, by, "join fixtures", team, new=new)
    return made


def _refuse_no_newcomer(fresh: TeamLeague, team: Team) -> None:
    fixtures = fresh.matches.filter(cup=None)
    if not fixtures.exists():
        raise Refused("no_fixtures", _("There are no fixtures yet to join."), status=409)
    if team.withdrawn_at is not None or team.pk in _drawn(fresh):
        raise Refused("joined_already", _("This team has its matches already."), status=409)


def _drawn(fresh: TeamLeague) -> set[int]:
    sides = fresh.matches.filter(cup=None).values_list("home", "away")
    return {one for both in sides for one in both}


def _matches(fresh: TeamLeague, plan: Plan, at: datetime) -> list[TeamMatch]:
    last = Counter[int]()
    for round_number, number in fresh.matches.filter(cup=None).values_list("round", "number"):
        last[round_number] = max(last[round_number], number)
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
