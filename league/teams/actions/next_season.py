"""The next season of a league: the same rules, its teams and their people, promotion carried on."""

from collections.abc import Mapping
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.teams.actions.setup import locked
from league.teams.models import Team, TeamDivision, TeamLeague, TeamPlayer

COPIED = (
    "ruleset", "pairs", "turns", "rules", "squad_rules", "preset", "sections", "borrowed", "twice",
    "days_between",
)  # fmt: skip


@transaction.atomic
def start_next_league(
    league: TeamLeague,
    *,
    name: str,
    starts_on: date,
    moves: Mapping[int, str],
    seed: int,
    by: Actor,
    at: datetime,
) -> TeamLeague:
    """A league like this one with its teams, those that left aside; `moves` name the division of
    every team that goes up or down. No fixtures are made yet.

    Refuses (`still-playing`) a league that is not closed: its last matches may still move teams.
    """
    fresh = locked(league, on=False)
    if fresh.state != TeamLeague.State.FINISHED:
        message = _("Close this league first: its tables decide who goes up and down.")
        raise Refused("still-playing", message, status=409)
    if league.club.team_leagues.filter(name=name, starts_on=starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    made = TeamLeague(club=league.club, name=name, starts_on=starts_on, seed=seed)
    for field in COPIED:
        setattr(made, field, getattr(fresh, field))
    made.made_by, made.made_at = by.user, at
    made.save()
    divisions = {
        one.name: TeamDivision.objects.create(league=made, name=one.name, number=one.number)
        for one in fresh.divisions.all()
    }
    for team in fresh.teams.filter(withdrawn_at=None).select_related("division"):
        current = team.division.name if team.division else ""
        division = divisions.get(moves.get(team.pk, current))
        _copy_team(team, made, division)
    log_action(league.club, by, "start next league", made, new={"after": fresh.name})
    return made


def _copy_team(team: Team, league: TeamLeague, division: TeamDivision | None) -> None:
    players = list(team.players.all())
    copy = Team.objects.create(
        league=league,
        division=division,
        name=team.name,
        code=team.code,
        house=team.house,
        venue=team.venue,
        roomy=team.roomy,
        captain=team.captain,
    )
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league=league, team=copy, member_id=one.member_id) for one in players
    )
