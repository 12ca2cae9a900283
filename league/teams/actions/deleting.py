"""Delete a league in which no match has been played."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.teams.actions.leagues import lock_league
from league.teams.models import PairsMatch, TeamLeague, TeamMatch


def has_results(league: TeamLeague) -> bool:
    """Whether a match of the league or of one of its cups has a card, an award or a score."""
    has_score = Q(home_points__isnull=False) | Q(through__isnull=False)
    return (
        league.matches.exclude(**TeamMatch.UNTOUCHED).exists()
        or PairsMatch.objects.filter(has_score, cup__league=league).exists()
    )


@transaction.atomic
def drop_league(league: TeamLeague, *, by: Actor) -> None:
    """Delete a league with its teams and fixtures. Refuses (`played-already`) one with results."""
    fresh = lock_league(league, must_be_open=False)
    if has_results(fresh):
        message = _("A match has been played, so the league can't be deleted. Call it off instead.")
        raise Refused("played-already", message, status=409)
    old = {"teams": [team.name for team in fresh.teams.all()]}
    log_action(fresh.club, by, "drop team league", fresh, old=old)
    # Matches and pairs protect their teams, and teams their division.
    for rows in (fresh.matches, fresh.cups, fresh.pairs_cups, fresh.teams):
        rows.all().delete()
    fresh.delete()
