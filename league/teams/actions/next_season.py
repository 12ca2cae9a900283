"""From one league another: its next season, or a second competition on the same nights."""

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.ranking.team_league.rules import plain
from league.teams.actions.locking import locked
from league.teams.models import Team, TeamDivision, TeamLeague, TeamMatch, TeamPlayer

COPIED = (
    "ruleset", "pairs", "turns", "rules", "squad_rules", "preset", "secretary", "sections",
    "borrowed", "twice", "days_between",
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
    made, divisions = _copied(fresh, name=name, starts_on=starts_on, by=by, at=at)
    made.before, made.seed = fresh, seed
    made.save(update_fields=["before", "seed"])
    for team in fresh.teams.filter(withdrawn_at=None).select_related("division"):
        current = team.division.name if team.division else ""
        division = divisions.get(moves.get(team.pk, current))
        _copy_team(team, made, division)
    log_action(league.club, by, "start next league", made, new={"after": fresh.name})
    return made


@transaction.atomic
def start_second_competition(
    league: TeamLeague, *, name: str, walkover: Fraction, by: Actor, at: datetime
) -> TeamLeague:
    """A second competition on the same nights: the league's teams, people and fixtures, with cards
    and a table of its own. A walk-over in it gives `walkover` points.

    Refuses (`no-fixtures`) a league whose fixtures are not made.
    """
    fresh = locked(league)
    fixtures = list(fresh.matches.filter(cup=None))
    if not fixtures:
        raise Refused("no-fixtures", _("Make the fixtures first."), status=409)
    if fresh.club.team_leagues.filter(name=name, starts_on=fresh.starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    made, divisions = _copied(fresh, name=name, starts_on=fresh.starts_on, by=by, at=at)
    own = dict(made.rules.get("walkover", {}))
    made.rules = {**made.rules, "walkover": {**own, "win": plain(walkover)}}
    made.state, made.seed = TeamLeague.State.RUNNING, fresh.seed
    made.save()
    teams = {
        one.pk: _copy_team(one, made, divisions.get(one.division.name if one.division else ""))
        for one in fresh.teams.select_related("division")
    }
    TeamMatch.objects.bulk_create(
        TeamMatch(
            league=made, round=one.round, number=one.number, half=one.half, made_at=at,
            home=teams[one.home_id], away=teams[one.away_id], held_on=one.held_on,
            first_date=one.first_date, venue=one.venue,
        )
        for one in fixtures
    )  # fmt: skip
    log_action(fresh.club, by, "start second competition", made, new={"beside": fresh.name})
    return made


def _copied(
    fresh: TeamLeague, *, name: str, starts_on: date, by: Actor, at: datetime
) -> tuple[TeamLeague, dict[str, TeamDivision]]:
    """A league with the rules and the divisions of another, and those by their names."""
    made = TeamLeague(club=fresh.club, name=name, starts_on=starts_on)
    for field in COPIED:
        setattr(made, field, getattr(fresh, field))
    made.fixture_rules = {**fresh.fixture_rules, "cup_days": []}
    made.made_by, made.made_at = by.user, at
    made.save()
    return made, {
        one.name: TeamDivision.objects.create(league=made, name=one.name, number=one.number)
        for one in fresh.divisions.all()
    }


def _copy_team(team: Team, league: TeamLeague, division: TeamDivision | None) -> Team:
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
        withdrawn_at=team.withdrawn_at,
    )
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league=league, team=copy, member_id=one.member_id) for one in players
    )
    return copy
