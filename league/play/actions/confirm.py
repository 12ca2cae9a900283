"""Actions that confirm or dispute a finished game, or settle a dispute."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Club, new_public_id
from league.play.actions.persistence import (
    AFTER_GAMES,
    lock_game_log,
    log_game_action,
    refuse_undone,
    refuse_unless,
    refuse_walkover,
    save_derived,
    save_results,
)
from league.play.final_scores import score_faults
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Confirmation, Game, Hand, Ruling
from league.play.results import is_auto_confirmed, is_over, may_confirm
from league.seating.models import Table
from league.sessions.models import Session

logger = logging.getLogger(__name__)
State, EndedBy = Game.State, Game.EndedBy
STANDS, SCORE, PLAY_ON = "stands", "score", "play_on"


@transaction.atomic
def confirm_game(
    table: Table,
    *,
    by: Actor,
    at: datetime,
    seat: int | None = None,
    any_side: bool = False,
    of_card: bool = False,
    seen: str = "",
) -> Game:
    """Confirm a finished game, so that its result counts. `seat` is a seat of the confirming side,
    which may not have won; None is an organiser. `any_side`: an organiser confirms for a side, or a
    captain a whole card. `of_card`: with the whole card of a match; the caller logs it once.

    `seen`: the `Game.score_seen` that was looked at. Refuses as `stale` when it has changed.
    """
    log = lock_game_log(table, open_only=False)
    refuse_changed_score(log, seen)
    if log.game.state == State.CONFIRMED:
        return log.game  # the same request, sent again
    refuse_unless(log, [State.FINISHED])
    _refuse_reopened(log)
    if seat is not None and not any_side:
        _refuse_side(log, seat)
    Confirmation.objects.create(
        game=log.game, accepted=True, seat=seat, said_as=by.label[:80], at=at
    )
    _change_state(log, State.CONFIRMED, at)
    if not of_card:
        log_game_action(log, by, "confirm game", new={"seat": seat, "score": log.game.score})
    return log.game


@transaction.atomic
def dispute_game(
    table: Table,
    *,
    reason: str,
    by: Actor,
    at: datetime,
    seat: int | None = None,
    of_card: bool = False,
    counted: bool = False,
) -> Game:
    """Dispute a finished game, with a reason. The table can no longer change it; an organiser
    decides. `of_card`: a captain disputes the whole card of a match, whose session is closed; the
    caller logs it once. `counted` allows a confirmed game."""
    log = lock_game_log(table, open_only=not of_card)
    if log.game.state == State.DISPUTED:
        return log.game
    refuse_unless(log, [State.FINISHED, *([State.CONFIRMED] if counted else [])])
    if is_auto_confirmed(log.game, at):
        message = _("The time to object is over. Ask the organiser.")
        raise Refused("accepted", message, status=409)
    Confirmation.objects.create(
        game=log.game, accepted=False, seat=seat, reason=reason, said_as=by.label[:80], at=at
    )
    _change_state(log, State.DISPUTED, at)
    if not of_card:
        log_game_action(log, by, "dispute game", new={"seat": seat, "reason": reason})
    return log.game


@transaction.atomic
def withdraw_dispute(table: Table, *, by: Actor, at: datetime) -> Game:
    """Take back a table's dispute that was a mistake, before an organiser has decided: the score
    waits to be confirmed again. A captain's dispute of a card is none of the table's."""
    log = lock_game_log(table)
    if log.game.state == State.FINISHED:
        return log.game  # the same request, sent again
    refuse_unless(log, [State.DISPUTED])
    disputes = Confirmation.objects.filter(game=log.game, accepted=False, settled_at=None)
    if log.table.session.of_team_match or not disputes.exclude(seat=None).exists():
        raise Refused("disputed", _("This game is disputed; an organiser decides."), status=409)
    old = disputes.values("seat", "reason").first()
    disputes.update(settled_at=at)
    _change_state(log, State.FINISHED, at)
    log_game_action(log, by, "withdraw dispute", old=old)
    return log.game


@transaction.atomic
def await_confirmation(table: Table, *, at: datetime) -> Game:
    """Let the disputed game of a corrected card wait to be confirmed, for the club's whole time."""
    log = lock_game_log(table, open_only=False)
    refuse_unless(log, [State.DISPUTED])
    disputes = Confirmation.objects.filter(game=log.game, accepted=False, settled_at=None)
    disputes.update(settled_at=at)
    minutes = log.table.session.club.auto_accept_minutes
    log.game.accept_at = None if minutes is None else at + timedelta(minutes=minutes)
    log.game.save(update_fields=["accept_at"])
    _change_state(log, State.FINISHED, at)
    return log.game


def auto_confirm(club_session: Session, *, by: Actor, at: datetime) -> int:
    """Confirm the games that nobody disputed in time. Returns their number.

    Nothing depends on when this runs: pages and permissions compare with the current time. It is
    called by the next action on a table of the session, or by the command `remind`.
    """
    unopposed = Game.objects.filter(
        session=club_session, state=State.FINISHED, reopened=False, accept_at__lte=at
    )
    tables = [
        game.table for game in unopposed.select_related("table__session__club", "table__round")
    ]
    for table in tables:
        _auto_confirm_table(table, by, at)
    return len(tables)


def auto_confirm_everywhere(*, by: Actor, at: datetime) -> set[str]:
    """Confirm such games in every session. Returns the slugs of the clubs in which it failed."""
    unopposed = Game.objects.filter(state=State.FINISHED, reopened=False, accept_at__lte=at)
    sessions = Session.objects.filter(pk__in=unopposed.values("session")).select_related("club")
    failed_clubs: set[str] = set()
    for session in sessions:
        try:
            auto_confirm(session, by=by, at=at)
        except Exception:
            logger.exception("the results of the club %s cannot be confirmed", session.club.slug)
            failed_clubs.add(session.club.slug)
    return failed_clubs


@transaction.atomic
def _auto_confirm_table(table: Table, by: Actor, at: datetime) -> None:
    log = lock_game_log(table, open_only=False)
    if is_auto_confirmed(log.game, at):
        _change_state(log, State.CONFIRMED, at)
        log_game_action(log, by, "accept game", new={"score": log.game.score})


def _refuse_side(log: GameLog, seat: int) -> None:
    if log.table.session.club.confirm == Club.Confirm.ORGANISER:
        message = _("An organiser confirms this game.")
        raise Refused("organiser-confirms", message, status=403)
    if not may_confirm(log, seat):
        is_of_singles = len(log.rules.sides) > 2
        message = (
            _("Another player confirms this score.")
            if is_of_singles
            else _("The other side confirms this score.")
        )
        raise Refused("own-win", message, status=403)


def refuse_changed_score(log: GameLog, seen: str) -> None:
    """Refuse (`stale`) if the score is not the `Game.score_seen` that was looked at."""
    if seen and seen != log.game.score_seen:
        raise Refused("stale", _("The score has changed. Check it again."), status=409)


def _refuse_reopened(log: GameLog) -> None:
    if log.game.reopened:
        message = _("A correction changed how this game ends; an organiser decides first.")
        raise Refused("reopened", message, status=409)


def _change_state(log: GameLog, state: str, at: datetime) -> None:
    log.game.state = state
    log.game.save(update_fields=["state"])
    save_results(log, rows_may_go=False)
    for callback in AFTER_GAMES:
        callback(log.table)


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
    refuse_undone(log.table)
    if log.game.state != State.DISPUTED and not log.game.reopened:
        refuse_walkover(log.table)
    old = _result(log.game)
    _DECISIONS[decision](log, Verdict(reason, winners or (), score or ()), by, at)
    Confirmation.objects.filter(game=log.game, settled_at=None).update(settled_at=at)
    decide(log.game, decision, reason, by=by, at=at)
    new = {"decision": decision, "reason": reason, **_result(log.game)}
    log_game_action(log, by, "settle game", old=old, new=new)
    return log.game


def _result(game: Game) -> dict[str, object]:
    return {"state": game.state, "winners": game.winners, "score": game.score}


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
    refuse_bad_totals(log, verdict.score)
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
        raise Refused("not-over", _("This game isn't over: play on."), status=409)
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
        message = _("The hands entered end this game. Fix or delete one to play on.")
        raise Refused("game-over", message, status=409)
    game.state, game.finished_at, game.accept_at, game.reopened = State.PLAYING, None, None, False
    save_derived(log, at=at, rows_may_go=True)


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


def refuse_bad_totals(log: GameLog, totals: Sequence[int]) -> None:
    """Refuse a score by side that the rules do not allow (`bad-totals`)."""
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


_DECISIONS = {
    STANDS: _let_stand,
    SCORE: _end_at_score,
    PLAY_ON: _play_on,
    "new_end": _accept_new_end,
    "decided": _decide_winners,
}
