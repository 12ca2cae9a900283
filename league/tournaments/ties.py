"""Ties that somebody must decide before people can move: asked for, or cut by lot."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.pairing.movements import preset
from league.pairing.rng import Rng
from league.ranking.match import MatchFacts
from league.tournaments.models import Match, Stage
from league.tournaments.parameters import CUT
from league.tournaments.picture import Picture


def open_ties(picture: Picture) -> list[MatchFacts]:
    """The tied matches of the last round on whose winner the next round depends."""
    if picture.last is None or not _matters(picture):
        return []
    return [m for m in picture.last.matches if m.tied and m.players == 4]


def refuse_ties(picture: Picture) -> None:
    """Refuse (`tie-open`) to draw on where a tie waits for its deciding hand."""
    ties = open_ties(picture)
    if ties and not _may_cut(picture):
        message = _("Match %(number)d is tied. Say who won the deciding hand first.")
        raise Refused("tie-open", message % {"number": ties[0].number}, status=409)


def cut_ties(picture: Picture, *, seed: int, by: Actor) -> int:
    """Cut for the ties that are left, by the seed of the draw; how many these were."""
    ties = open_ties(picture)
    chance = Rng(seed)
    for tie in ties:
        winner = chance.below(2)
        Match.objects.filter(pk=tie.key).update(
            winner=winner, decided_by=Match.By.CUT, decided_as=by.label[:80]
        )
        tournament = picture.stage.tournament
        what = {"match": tie.number, "winner": winner, "seed": seed}
        note(tournament.club, by, "cut for a tie", tournament, session=tournament.session, new=what)
    return len(ties)


def _matters(picture: Picture) -> bool:
    if picture.in_bracket:
        return True
    progressive = picture.stage.format == Stage.Format.PROGRESSIVE
    return progressive and preset(picture.chosen.movement).next_round is not None


def _may_cut(picture: Picture) -> bool:
    """Progressive tables are cut where the organiser chose so, or ended the round by force."""
    if picture.stage.format != Stage.Format.PROGRESSIVE:
        return False
    return picture.chosen.tie == CUT or bool(picture.last and picture.last.forced)
