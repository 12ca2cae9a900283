"""Every order to a league locks it first: two secretaries take turns."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.teams.models import TeamLeague


def locked(league: TeamLeague, *, on: bool = True) -> TeamLeague:
    """The league as it is now, locked until the transaction ends; refuses one that is closed."""
    fresh = TeamLeague.objects.select_for_update().get(pk=league.pk)
    fresh.club = league.club
    if on and fresh.state not in (TeamLeague.State.SETUP, TeamLeague.State.RUNNING):
        message = _("This league is closed. Reopen it to change anything.")
        raise Refused("league-closed", message, status=409)
    return fresh
