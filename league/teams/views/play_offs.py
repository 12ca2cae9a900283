"""Play-offs: a match for one that is due, its result, and taking that back."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import ClubRequest
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.teams import actions
from league.teams.cup_forms import PlayOffForm, PlayOffMatchForm
from league.teams.models import PlayOff, TeamLeague
from league.teams.play_offs import DuePlayOff, due_play_offs
from league.teams.views.leagues import league_action


@league_action
def team_play_off(request: ClubRequest, league: TeamLeague) -> str:
    """The result of a play-off."""
    due = _due(request, league)
    form = PlayOffForm(request.POST, due=due)
    order = form.order(valid(form))
    actions.record_play_off(league, due.kind, order, by=actor_of(request), at=timezone.now())
    return _("Recorded the play-off.")


@league_action
def team_play_off_match(request: ClubRequest, league: TeamLeague) -> str:
    """A play-off gets a day, a place and a card."""
    due, data = _due(request, league), valid(PlayOffMatchForm(request.POST))
    made = actions.make_play_off_match(league, due.kind, due.teams, by=actor_of(request), **data)
    return _("Added %(cup)s.") % {"cup": made.name}


@league_action
def team_play_off_back(request: ClubRequest, league: TeamLeague, play_off: int) -> str:
    """A play-off that was recorded by mistake is taken back."""
    found = get_object_or_404(PlayOff, league=league, pk=play_off)
    found.league = league
    actions.take_back_play_off(found, by=actor_of(request))
    return _("Took the play-off back.")


def _due(request: ClubRequest, league: TeamLeague) -> DuePlayOff:
    key = request.POST.get("about", "")
    for one in due_play_offs(league):
        if one.key == key:
            return one
    raise Refused("not-due", _("This play-off isn't due any more."), status=409)
