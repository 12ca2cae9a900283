"""A cup after a match of it, or who is in it, has changed: what no longer fits the bracket goes."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.teams.brackets import bracket_of
from league.teams.models import TeamCup, TeamMatch
from league.teams.queries import cup_matches_of


def keep_cup(match: TeamMatch) -> None:
    """Take back the matches drawn from this one that now have other sides."""
    if match.cup is not None:
        match.cup.league = match.league
        take_back_misfits(match.cup)


def take_back_misfits(cup: TeamCup) -> None:
    """Take back the matches whose sides are no longer those of the bracket.

    Refuses (`played-on`) when one of them has been played: then its sides stand.
    """
    drawn = cup_matches_of(cup)
    now = bracket_of(cup, drawn).matches
    for one in drawn:
        if set(one.met.teams) == set(now[one.match.place].sides):
            continue
        if one.match.session_id is not None or one.match.given_to_id is not None:
            message = _("A later match of this cup has been played, so who won this one stands.")
            raise Refused("played-on", message, status=409)
        one.match.delete()
