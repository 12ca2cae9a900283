"""Play-offs: played as a match of their own, recorded, taken back."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.teams.actions.cups import make_cup_of
from league.teams.actions.importing import save_play_off
from league.teams.actions.leagues import locked
from league.teams.models import PlayOff, Team, TeamCup, TeamLeague
from league.teams.play_offs import DuePlayOff, due_play_offs


@transaction.atomic
def record_play_off(
    league: TeamLeague, kind: str, order: Sequence[Team], *, by: Actor, at: datetime
) -> PlayOff:
    """The result of a play-off that is due, the winner first. Refuses (`not-due`) any other."""
    fresh = locked(league, on=False)
    _due(fresh, kind, order)
    made = save_play_off(fresh, kind, order, by=by, at=at)
    log_action(league.club, by, "record play-off", league, new={"order": [t.name for t in order]})
    return made


@transaction.atomic
def take_back_play_off(play_off: PlayOff, *, by: Actor) -> None:
    """A play-off that was recorded by mistake: its teams are level again, or wait for it."""
    fresh = locked(play_off.league, on=False)
    names = [place.team.name for place in play_off.places.select_related("team")]
    play_off.delete()
    log_action(fresh.club, by, "take back play-off", fresh, old={"order": names})


@transaction.atomic
def make_play_off_match(
    league: TeamLeague,
    kind: str,
    teams: Sequence[Team],
    *,
    held_on: date | None,
    venue: str,
    by: Actor,
) -> TeamCup:
    """A play-off of two teams as a match of its own, with a day, a place and a card: a cup of the
    two. Its winner is recorded when it is played (`record_play_off`)."""
    fresh = locked(league)
    due = _due(fresh, kind, teams)
    name = (_("Play-off %(teams)s") % {"teams": due.name})[:80]
    return make_cup_of(fresh, due.teams, name=name, held_on=held_on, venue=venue, by=by)


def _due(league: TeamLeague, kind: str, teams: Sequence[Team]) -> DuePlayOff:
    """The play-off of these teams, which is due; refuses one that is not."""
    there = due_play_offs(league)
    for one in there:
        if (one.kind, set(one.teams)) == (kind, set(teams)) and len(one.teams) == len(teams):
            return one
    if there:
        message = _("This play-off isn't due. Due: %(due)s.")
        message %= {"due": ", ".join(one.name for one in there)}
    else:
        message = _("No play-off is due.")
    raise Refused("not-due", message, status=409)
