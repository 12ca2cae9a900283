"""Actions that end a game other than by its hands, or settle a dispute."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import new_public_id
from league.play.actions.confirm import confirm_game
from league.play.actions.persistence import (
    lock_game_log,
    log_game_action,
    refuse_unless,
    save_derived,
)
from league.play.final_scores import score_faults
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Confirmation, Game, Hand, Ruling
from league.play.queries import refuse_too_late
from league.play.results import is_over
from league.seating.models import Table

State, EndedBy = Game.State, Game.EndedBy
STANDS, PLAY_ON = "stands", "play_on"


@transaction.atomic
def settle_game(
    table: Table,
    decision: str,
    *,
    reason: str,
    by: Actor,
    at: datetime,
    winners: Sequence[int] | None = None,
    score: Sequence[int] | None = None,
) -> Game:
    """Decide about a disputed, unconfirmed or reopened game, as an organiser.

    `stands`: it counts at its score, and the leaders win if it is not over. `score`: it ends at
    this `score` by side. `play_on`: the players continue where they sit. `new_end`: hands beyond an
    earlier end are set aside. `decided`: the seats in `winners` win at the present score.
    """
    log = lock_game_log(table, open_only=decision == PLAY_ON)
    old = {"state": log.game.state, "winners": log.game.winners, "score": log.game.score}
    _DECISIONS[decision](log, Verdict(reason, winners or (), score or ()), by, at)
    Confirmation.objects.filter(game=log.game, settled_at=None).update(settled_at=at)
    decide(log.game, decision, reason, by=by, at=at)
    new = {"decision": decision, "reason": reason, "winners": log.game.winners}
    log_game_action(log, by, "settle game", old=old, new=new)
    return log.game


def decide(game: Game, decision: str, reason: str, *, by: Actor, at: datetime) -> None:
    """Store an organiser's decision about a game, and the reason. Ends any call of its table."""
    Table.objects.filter(pk=game.table_id).update(called_at=None, coming_at=None)
    fields = {"decision": decision, "reason": reason, "said_as": by.label[:80]}
    if not game.confirmations.filter(**fields).exists():  # else the same request again
        game.confirmations.create(accepted=decision != PLAY_ON, at=at, settled_at=at, **fields)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The details of an organiser's decision: reason, winning seats, score by side."""

    reason: str
    winners: Sequence[int]
    score: Sequence[int]


def _let_stand(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    game = log.game
    if not is_over(log):
        game.ended_by, game.ended_after = EndedBy.TIME, len(log.hands)
    _save_confirmed(log, by, at)


def _end_at_score(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    """End the game at this score. The hands stay; a ruling makes up the difference."""
    _refuse_bad_totals(log, verdict.score)
    game = log.game
    _set_aside(log, by, at)
    game.ended_by, game.ended_after = EndedBy.PLAY, None
    game.ended_seat = game.decided_winners = None
    log.changed()
    if game.totals is not None:
        game.totals = list(verdict.score)
    else:
        _rule_difference(log, verdict, by, at)
    if not is_over(log):
        game.ended_by, game.ended_after = EndedBy.TIME, len(log.hands)
    _save_confirmed(log, by, at)


def _rule_difference(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    points = [new - old for new, old in zip(verdict.score, log.state.score, strict=True)]
    if not any(points):
        return
    ruling = Ruling(kind=Ruling.Kind.ADJUSTMENT, points=points, reason=verdict.reason)
    ruling.game, ruling.after_hand, ruling.client_id = log.game, len(log.hands), new_public_id()
    ruling.entered_as, ruling.entered_at = by.label[:80], at
    ruling.save()
    log.rulings.append(ruling)
    log.changed()


def _decide_winners(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    sides = [side for side in log.rules.sides if set(side) & set(verdict.winners)]
    if not sides:
        message = _("Choose who won.")
        raise Refused("bad-winners", message, fields={"winners": [message]})
    game = log.game
    game.ended_by, game.ended_after = EndedBy.DECISION, len(log.hands)
    game.decided_winners = sorted(seat for side in sides for seat in side)
    _save_confirmed(log, by, at)


def _accept_new_end(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    if not is_over(log):
        raise Refused("not-over", _("This game has no new end; it goes on."), status=409)
    _save_confirmed(log, by, at)


def _play_on(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    game = log.game
    if not log.table.is_live:
        message = _("These players have moved on. Make a table for them, or let the score stand.")
        raise Refused("moved-on", message, status=409)
    game.ended_by, game.ended_after = EndedBy.PLAY, None
    game.ended_seat = game.decided_winners = game.totals = None
    log.changed()
    if is_over(log):
        message = _("By its hands this game is over. Fix or delete a hand to go on.")
        raise Refused("game-over", message, status=409)
    game.state, game.finished_at, game.accept_at, game.reopened = State.PLAYING, None, None, False
    save_derived(log, at=at, rows_may_go=True)


_DECISIONS = {
    STANDS: _let_stand,
    "score": _end_at_score,
    PLAY_ON: _play_on,
    "new_end": _accept_new_end,
    "decided": _decide_winners,
}


def _save_confirmed(log: GameLog, by: Actor, at: datetime) -> None:
    """Confirm the game as it now is. Hands beyond its end are set aside, not deleted."""
    _set_aside(log, by, at)
    game = log.game
    game.state, game.finished_at = State.CONFIRMED, game.finished_at or at
    log.changed()
    save_derived(log, at=at, rows_may_go=True)


def _set_aside(log: GameLog, by: Actor, at: datetime) -> None:
    beyond_numbers = {fault.hand for fault in log.conflicts() if fault.code == "game-over"}
    beyond_hands = [hand for hand in log.hands if hand.number in beyond_numbers]
    for hand in beyond_hands:
        hand.current, hand.undone_at, hand.undone_as = False, at, by.label[:80]
    Hand.objects.bulk_update(beyond_hands, ["current", "undone_at", "undone_as"])


@transaction.atomic
def concede(table: Table, seat: int, *, by: Actor, at: datetime) -> Game:
    """Concede the game for the side of `seat`: the highest of the other sides wins."""
    log = lock_game_log(table)
    if _has_ended_by(log, EndedBy.CONCEDED):
        return log.game
    refuse_unless(log, [State.PLAYING])
    if not 0 <= seat < log.rules.players:
        message = _("Choose who concedes.")
        raise Refused("bad-seat", message, fields={"seat": [message]})
    return _end_game(log, EndedBy.CONCEDED, seat, by=by, at=at, action="concede")


@transaction.atomic
def call_time(table: Table, *, by: Actor, at: datetime) -> Game:
    """End the game at its score: the highest wins, equal scores draw."""
    log = lock_game_log(table)
    if _has_ended_by(log, EndedBy.TIME):
        return log.game
    refuse_unless(log, [State.PLAYING])
    return _end_game(log, EndedBy.TIME, None, by=by, at=at, action="call time")


@transaction.atomic
def resume(table: Table, *, by: Actor, at: datetime, as_organiser: bool = False) -> Game:
    """Resume a game after a concession or a call of time, or one marked as not played."""
    log = lock_game_log(table)
    game = log.game
    if game.state == State.PLAYING:
        return game
    if game.state == State.ABANDONED:
        if not as_organiser:
            refuse_unless(log, [State.PLAYING])
        game.state = State.PLAYING
    elif game.ended_by not in (EndedBy.CONCEDED, EndedBy.TIME):
        raise Refused("game-over", _("This game ended by its score."), status=409)
    else:
        last_hand = log.hands[-1] if log.hands else None
        refuse_too_late(log, last_hand, at=at, as_organiser=as_organiser)
    old = {"ended_by": game.ended_by, "seat": game.ended_seat}
    game.ended_by, game.ended_seat, game.ended_after = EndedBy.PLAY, None, None
    log.changed()
    save_derived(log, at=at, rows_may_go=not log.hands)
    log_game_action(log, by, "resume game", old=old)
    return game


@transaction.atomic
def abandon_game(table: Table, *, reason: str, by: Actor, at: datetime) -> Game:
    """Mark the game as not played. It counts for neither side; its hands are kept."""
    log = lock_game_log(table, open_only=False)
    game = log.game
    if game.state != State.ABANDONED:
        old = {"state": game.state, "score": game.score}
        game.state, game.finished_at, game.reopened = State.ABANDONED, at, False
        save_derived(log, at=at, rows_may_go=True)
        Confirmation.objects.filter(game=game, settled_at=None).update(settled_at=at)
        decide(game, Confirmation.Decision.ABANDONED, reason, by=by, at=at)
        log_game_action(log, by, "abandon game", old=old, new={"reason": reason})
    return game


@transaction.atomic
def write_totals(
    table: Table,
    totals: Sequence[int],
    *,
    by: Actor,
    at: datetime,
    as_organiser: bool = False,
    no_hands: bool = False,
    awaits_confirmation: bool = False,
) -> Game:
    """Record only the final score by side, at a table that records no hands.

    `no_hands` makes it such a table if no hand was recorded there yet. The same score again changes
    nothing; another replaces it while corrections are allowed. An organiser's score is confirmed at
    once, unless it `awaits_confirmation`."""
    log = lock_game_log(table, open_only=not as_organiser)
    game, old = log.game, log.game.totals
    if no_hands and not log.versions and not table.totals_only:
        table.totals_only = True
        table.save(update_fields=["totals_only"])
    if not table.totals_only or log.hands:
        raise Refused("hands-here", _("This table enters its hands one by one."), status=409)
    _refuse_bad_totals(log, totals)
    if old == list(totals):
        return game
    if not as_organiser and game.state not in (State.PLAYING, State.FINISHED):
        refuse_unless(log, [State.PLAYING])
    game.totals, game.started_at = list(totals), game.started_at or at
    log.changed()
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(log, by, "write totals", old=old, new=list(totals))
    if as_organiser and not awaits_confirmation and game.state == State.FINISHED:
        return confirm_game(table, by=by, at=at)
    return game


def _refuse_bad_totals(log: GameLog, totals: Sequence[int]) -> None:
    sides = log.rules.sides
    if len(totals) != len(sides):
        raise Refused("bad-totals", _("Every side needs a score."))
    message = _("A score is a whole number up to %(most)d.") % {"most": MOST_POINTS}
    bad_sides = [side for side, score in enumerate(totals) if abs(score) > MOST_POINTS]
    if bad_sides:
        raise Refused("bad-totals", message, fields={f"total{n}": [message] for n in bad_sides})
    impossible = dict(score_faults(log.rules, totals))
    if impossible:
        message = next(iter(impossible.values()))
        fields = {f"total{side}": [text] for side, text in impossible.items()}
        raise Refused("bad-totals", message, fields=fields)


def _has_ended_by(log: GameLog, ended_by: str) -> bool:
    return log.game.ended_by == ended_by and log.game.state != State.PLAYING


def _end_game(
    log: GameLog, ended_by: str, seat: int | None, *, by: Actor, at: datetime, action: str
) -> Game:
    game = log.game
    game.ended_by, game.ended_seat, game.ended_after = ended_by, seat, len(log.hands)
    log.changed()
    save_derived(log, at=at)
    log_game_action(log, by, action, new={"seat": seat, "score": game.score})
    return game
