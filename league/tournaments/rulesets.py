"""The rules a tournament's tables play by: the club's own, for so many hands or to a bell."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.members.actions.rulesets import resolved
from league.members.models import Club, ClubRuleset
from league.seating.actions.drawing import ruleset_for
from league.tournaments.models import Stage
from league.tournaments.parameters import BELL, HANDS, chosen

UNTIL_THE_BELL = 200
"""More hands than any table plays before the head table rings."""


def rules_at(stage: Stage, players: int, *, head: bool) -> ClubRuleset:
    """The ruleset of a table of this stage: the club's for this size, made to fit the stage."""
    choice = chosen(stage.parameters)
    usual = ruleset_for(stage.tournament.club, players)
    if stage.format != Stage.Format.PROGRESSIVE:
        return usual
    if choice.unit == HANDS:
        words = ngettext("%(n)d hand", "%(n)d hands", choice.hands) % {"n": choice.hands}
        return variant(usual, {"hands": choice.hands}, words)
    if choice.unit == BELL and head:
        words = ngettext("to %(n)d point", "to %(n)d points", choice.bell_points)
        return variant(usual, {"target": choice.bell_points}, words % {"n": choice.bell_points})
    if choice.unit == BELL:
        return variant(usual, {"hands": UNTIL_THE_BELL}, _("to the bell"))
    return usual


def variant(usual: ClubRuleset, options: dict[str, Any], words: str) -> ClubRuleset:
    """The club's ruleset with these options, made when it is first needed.

    It is off the club's lists (retired): only tournaments and leagues play by it.
    """
    body = resolved(usual.body, options).to_dict()
    name = f"{usual.name[:50]}, {words}"
    club: Club = usual.club
    made = club.rulesets.filter(name=name, players=usual.players).order_by("-version").first()
    if made is not None and made.body == body:
        return made
    return ClubRuleset.objects.create(
        club=club,
        name=name,
        players=usual.players,
        version=made.version + 1 if made else 1,
        preset=usual.preset,
        body=body,
        retired=True,
    )
