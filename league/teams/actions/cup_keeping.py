"""A cup after one of its matches has changed: what was drawn from it and no longer fits goes."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.teams.brackets import bracket_of
from league.teams.models import TeamMatch
from league.teams.queries import cup_matches_of


def keep_cup(match: TeamMatch) -> None:
    """Take back the matches drawn from this one that now have other sides.

    Refuses (`played_on`) when one of them has been played: then its sides stand.
    """
    if match.cup is None:
        return
    match.cup.league = match.league
    drawn = cup_matches_of(match.cup)
    now = bracket_of(match.cup, drawn).matches
    for one in drawn:
        if set(one.met.teams) == set(now[one.match.place].sides):
            continue
        if one.match.session_id is not None or one.match.given_to_id is not None:
            message = _("A later match of this cup has been played, so who won this one stands.")
            raise Refused("played_on", message, status=409)
        one.match.delete()
