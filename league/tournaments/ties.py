"""Tied matches: which need a winner, who can win them, and the cut that decides them."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.pairing import Rng
from league.pairing.movements import preset
from league.ranking.match_facts import MatchFacts
from league.tournaments.models import Match, Stage
from league.tournaments.parameters import CUT
from league.tournaments.stage_state import StageState

BY_WINNERS = ("winners-up", "up-and-down", "winners-stay")


def open_ties(state: StageState) -> list[MatchFacts]:
    """The tied matches of the last round on whose winner the next round depends."""
    if state.last is None or not (state.in_bracket or _winners_move(state)):
        return []
    return [match for match in state.last.matches if match.tied]


def ties_to_decide(state: StageState) -> list[MatchFacts]:
    """The open ties without which no round can be drawn; none where the draw cuts for them."""
    return [] if _may_cut(state) else open_ties(state)


def contenders(match: MatchFacts) -> list[int]:
    """The positions that share the win of a tied match, one of which wins the deciding hand.

    At a table of four individuals each pair is named by the first of its positions.
    """
    if match.of_pairs:
        return sorted(match.sides)
    game = match.played[-1]
    return sorted(game.winning_sides or range(game.sides))


def refuse_ties(state: StageState) -> None:
    """Refuse (`tie-open`) to draw a round while a tie waits for its deciding hand."""
    if ties_to_decide(state):
        message = _("A table is tied. Choose who won its deciding hand first.")
        raise Refused("tie-open", message, status=409)


def cut_ties(state: StageState, *, seed: int, by: Actor) -> int:
    """Cut for the undecided ties, by the seed of the draw. Returns their number."""
    ties = open_ties(state)
    rng = Rng(seed)
    for tie in ties:
        positions = contenders(tie)
        winner = positions[rng.below(len(positions))]
        Match.objects.filter(pk=tie.key).update(
            winner=winner, decided_by=Match.By.CUT, decided_as=by.label[:80]
        )
        tournament = state.stage.tournament
        names = state.names_by_side(tie)
        new = {"match": " – ".join(names.values()), "winner": names[winner], "seed": seed}
        log_action(
            tournament.club, by, "cut for a tie", tournament, session=tournament.session, new=new
        )
    return len(ties)


def moves_by_results(state: StageState) -> bool:
    """Whether it is a progressive in which the results say who moves where."""
    progressive = state.stage.format == Stage.Format.PROGRESSIVE
    return progressive and preset(state.options.movement).next_round is not None


def _winners_move(state: StageState) -> bool:
    """Whether the winners and the losers of a table go different ways to a next round."""
    is_progressive = state.stage.format == Stage.Format.PROGRESSIVE
    is_last = len(state.published) >= state.options.rounds
    return is_progressive and not is_last and state.options.movement in BY_WINNERS


def _may_cut(state: StageState) -> bool:
    """Whether ties may be cut: in Progressive, if the organiser chose so or forced the round."""
    if state.stage.format != Stage.Format.PROGRESSIVE:
        return False
    return state.options.tie == CUT or bool(state.last and state.last.is_forced)
