"""Orders about one match beside its card: a deciding game, a card moved, messages."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.teams.actions.cards import write_card
from league.teams.actions.locking import locked
from league.teams.actions.setup import keep_cup
from league.teams.card import Card
from league.teams.models import MatchMessage, TeamLeague, TeamMatch
from league.teams.queries import lined_up, meetings_of, played


@transaction.atomic
def decide_cup_match(match: TeamMatch, *, home: int, away: int, by: Actor) -> TeamMatch:
    """The one game more after a drawn cup match, between pairs that the captains named (L-19);
    its winner goes on. Refuses a match that is not a drawn one of a cup, and a drawn game."""
    league = locked(match.league)
    match.refresh_from_db()
    match.league = league
    (now,) = played([match], league)
    if match.cup_id is None or now.met.won[0] != now.met.won[1] or not now.met.over:
        message = _("Only a drawn cup match has a deciding game.")
        raise Refused("not-drawn", message, status=409)
    if home == away:
        message = _("The deciding game has a winner.")
        raise Refused("undecided", message, fields={"away": [message]})
    match.decider = [home, away]
    match.revision += 1
    match.save(update_fields=["decider", "revision"])
    keep_cup(match)
    log_action(league.club, by, "decide cup match", match, new={"points": f"{home}–{away}"})
    return match


CARD = ("session", "written_by", "written_as", "received_at", "card")


@transaction.atomic
def move_card(match: TeamMatch, to: TeamMatch, *, by: Actor, at: datetime) -> TeamMatch:
    """A card that was filled in for the wrong fixture becomes the card of another between the same
    teams; home and visitors change sides where that one has them the other way round.

    Its games, people and the time it arrived stay. Refuses where the other has a card already, or
    where a decision was made about this one.
    """
    league = locked(match.league)
    for one in (match, to):
        one.refresh_from_db()
        one.league = league
    _refuse_move(match, to)
    card = card_of(match, league)
    if to.home_id != match.home_id:
        card = turned(card, league)
    for name in CARD:
        setattr(to, name, getattr(match, name))
    match.session, match.written_by, match.received_at = None, None, None
    match.written_as, match.card = "", []
    match.revision += 1
    match.save(update_fields=[*CARD, "revision"])
    to.save(update_fields=CARD)
    keep_cup(match)
    write_card(to, card, side=None, by=by, at=at, anyway=True)
    log_action(league.club, by, "move match card", to, old={"was": str(match)})
    return to


def _refuse_move(match: TeamMatch, to: TeamMatch) -> None:
    if match.session is None or match.card_note:
        message = _("A decision was made about this card, so it can't be moved.")
        if match.session is None:
            message = _("This match has no card yet.")
        raise Refused("no-card", message, status=409)
    if not to.is_untouched:
        message = _("That match has a card or is awarded already.")
        raise Refused("card-known", message, fields={"to": [message]}, status=409)
    if {to.home_id, to.away_id} != {match.home_id, match.away_id}:
        message = _("Choose a match of the same two teams.")
        raise Refused("other-teams", message, fields={"to": [message]})


def card_of(match: TeamMatch, league: TeamLeague) -> Card:
    """What is written on the card of a match, as it was brought in."""
    home: list[tuple[Member, Member] | None] = [None] * league.pairs
    away: list[tuple[Member, Member] | None] = [None] * league.pairs
    scores = {}
    for one in lined_up(match, league):
        there = one.game is not None and one.game.totals is not None
        if one.game is None or not there or one.game.state == one.game.State.ABANDONED:
            continue
        home[one.home_pair - 1] = one.home[0], one.home[1]
        away[one.away_pair - 1] = one.away[0], one.away[1]
        scores[one.turn, one.home_pair] = (int(one.game.score[0]), int(one.game.score[1]))
    assert match.held_on is not None
    return Card(match.held_on, home, away, scores, match.received_at)


def turned(card: Card, league: TeamLeague) -> Card:
    """The card with home and visitors changed: each game at the turn in which these pairs meet."""
    turns = {(one.home_pair, one.away_pair): one.turn for one in meetings_of(league)}
    scores = {}
    for one in meetings_of(league):
        score = card.scores.get((one.turn, one.home_pair))
        if score is None:
            continue
        turn = turns.get((one.away_pair, one.home_pair))
        if turn is None:
            message = _("The pairs of this card don't meet in the other match. Fill it in there.")
            raise Refused("no-turn", message, fields={"to": [message]})
        scores[turn, one.away_pair] = (score[1], score[0])
    return Card(card.held_on, card.away, card.home, scores, card.received)


@transaction.atomic
def leave_message(match: TeamMatch, *, text: str, by: Actor, at: datetime) -> MatchMessage:
    """A message of a captain or an organiser about a match; it stays with the match."""
    league = locked(match.league, on=False)
    made = MatchMessage.objects.create(match=match, text=text, said_as=by.label[:80], at=at)
    log_action(league.club, by, "leave match message", match)
    return made
