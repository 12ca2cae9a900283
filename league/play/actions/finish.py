"""Ending a game from outside its hands; confirming and disputing; an organiser settles."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import new_public_id
from league.play.actions.persistence import (
    AFTER_GAMES,
    lock_game_log,
    log_game_action,
    refuse_unless,
    save_derived,
    save_results,
)
from league.play.final_scores import score_faults
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Confirmation, Game, Hand, Ruling
from league.play.queries import refuse_too_late
from league.play.results import accepted_by_silence, is_over
from league.seating.models import Table
from league.sessions.models import Session

logger = logging.getLogger(__name__)
State, EndedBy = Game.State, Game.EndedBy
STANDS, PLAY_ON = "stands", "play_on"


@transaction.atomic
def confirm_game(
    table: Table, *, by: Actor, at: datetime, seat: int | None = None, seen: str = ""
) -> Game:
    """Accept a finished game: its result counts. `seat` is a seat of the side that accepts.

    `seen`: the score that was looked at, as `Game.score_seen` writes it; refuses (`stale`) another.
    """
    log = lock_game_log(table, open_only=False)
    if seen and seen != log.game.score_seen:
        raise Refused("stale", _("The score has changed. Check it again."), status=409)
    if log.game.state == State.CONFIRMED:
        return log.game  # the same press, arriving again
    refuse_unless(log, [State.FINISHED])
    _refuse_reopened(log)
    Confirmation.objects.create(
        game=log.game, accepted=True, seat=seat, said_as=by.label[:80], at=at
    )
    _move(log, State.CONFIRMED, at)
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
    after_closing: bool = False,
    counted: bool = False,
) -> Game:
    """Object to a finished game, with a reason: the table cannot touch it, an organiser decides. A
    table objects while its session is open; to a card later too, even to one that has `counted`.
    """
    log = lock_game_log(table, open_only=not after_closing)
    if log.game.state == State.DISPUTED:
        return log.game
    refuse_unless(log, [State.FINISHED, *([State.CONFIRMED] if counted else [])])
    if accepted_by_silence(log.game, at):
        message = _("The time to object is over. Ask the organiser.")
        raise Refused("accepted", message, status=409)
    Confirmation.objects.create(
        game=log.game, accepted=False, seat=seat, reason=reason, said_as=by.label[:80], at=at
    )
    _move(log, State.DISPUTED, at)
    log_game_action(log, by, "dispute game", new={"seat": seat, "reason": reason})
    return log.game


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
    """An organiser decides about a disputed, unconfirmed or reopened game.

    `stands`: it counts at its score; one that is not over ends there, the leaders win. `score`: it
    ends at this `score` by side. `play_on`: its people go on where they sit. `new_end`: the hands
    beyond an earlier end are set aside. `decided`: the seats in `winners` win at this score.
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
    """Keep what an organiser decided about a game, and why. A call of its table ends with it."""
    Table.objects.filter(pk=game.table_id).update(called_at=None, coming_at=None)
    decided = {"decision": decision, "reason": reason, "said_as": by.label[:80]}
    if not game.confirmations.filter(**decided).exists():  # else the same press, arriving again
        game.confirmations.create(accepted=decision != PLAY_ON, at=at, settled_at=at, **decided)


def accept_silent(club_session: Session, *, by: Actor, at: datetime) -> int:
    """Confirm the games to which nobody has objected in time; how many these were.

    Nothing waits for it: what a table may still do, and what pages show, is asked of the moment.
    It is stored with the next order to a table of the session, or by `remind`.
    """
    silent = Game.objects.filter(
        session=club_session, state=State.FINISHED, reopened=False, accept_at__lte=at
    )
    tables = [game.table for game in silent.select_related("table__session__club")]
    for table in tables:
        _accept(table, by, at)
    return len(tables)


def accept_silent_everywhere(*, by: Actor, at: datetime) -> set[str]:
    """The same in every session; the clubs (their web addresses) in which it failed."""
    late = Game.objects.filter(state=State.FINISHED, reopened=False, accept_at__lte=at)
    nights = Session.objects.filter(pk__in=late.values("session")).select_related("club")
    failed: set[str] = set()
    for night in nights:
        try:
            accept_silent(night, by=by, at=at)
        except Exception:
            logger.exception("the results of the club %s cannot be confirmed", night.club.slug)
            failed.add(night.club.slug)
    return failed


@transaction.atomic
def _accept(table: Table, by: Actor, at: datetime) -> None:
    log = lock_game_log(table, open_only=False)
    if accepted_by_silence(log.game, at):
        _move(log, State.CONFIRMED, at)
        log_game_action(log, by, "accept game", new={"score": log.game.score})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an organiser gives with a decision: why, who won (seats), the score by side."""

    reason: str
    winners: Sequence[int]
    score: Sequence[int]


def _stands(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    game = log.game
    if not is_over(log):
        game.ended_by, game.ended_after = EndedBy.TIME, len(log.hands)
    _settled(log, by, at)


def _at_score(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    """The hands stay; a ruling beside them makes up the difference."""
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
    _settled(log, by, at)


def _rule_difference(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    points = [to - now for to, now in zip(verdict.score, log.state.score, strict=True)]
    if not any(points):
        return
    ruling = Ruling(kind=Ruling.Kind.ADJUSTMENT, points=points, reason=verdict.reason)
    ruling.game, ruling.after_hand, ruling.client_id = log.game, len(log.hands), new_public_id()
    ruling.entered_as, ruling.entered_at = by.label[:80], at
    ruling.save()
    log.rulings.append(ruling)
    log.changed()


def _decided(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    sides = [side for side in log.rules.sides if set(side) & set(verdict.winners)]
    if not sides:
        message = _("Choose who won.")
        raise Refused("bad-winners", message, fields={"winners": [message]})
    game = log.game
    game.ended_by, game.ended_after = EndedBy.DECISION, len(log.hands)
    game.decided_winners = sorted(seat for side in sides for seat in side)
    _settled(log, by, at)


def _new_end(log: GameLog, verdict: Verdict, by: Actor, at: datetime) -> None:
    if not is_over(log):
        raise Refused("not-over", _("This game has no new end; it goes on."), status=409)
    _settled(log, by, at)


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
    STANDS: _stands,
    "score": _at_score,
    PLAY_ON: _play_on,
    "new_end": _new_end,
    "decided": _decided,
}


def _settled(log: GameLog, by: Actor, at: datetime) -> None:
    """The game counts as it now is; hands beyond its end are set aside, not lost."""
    _set_aside(log, by, at)
    game = log.game
    game.state, game.finished_at = State.CONFIRMED, game.finished_at or at
    log.changed()
    save_derived(log, at=at, rows_may_go=True)


def _set_aside(log: GameLog, by: Actor, at: datetime) -> None:
    beyond = {fault.hand for fault in log.conflicts() if fault.code == "game-over"}
    gone = [hand for hand in log.hands if hand.number in beyond]
    for hand in gone:
        hand.current, hand.undone_at, hand.undone_as = False, at, by.label[:80]
    Hand.objects.bulk_update(gone, ["current", "undone_at", "undone_as"])


def _move(log: GameLog, state: str, at: datetime) -> None:
    log.game.state = state
    log.game.save(update_fields=["state"])
    save_results(log, rows_may_go=False)
    for follow in AFTER_GAMES:
        follow(log.table)


def _refuse_reopened(log: GameLog) -> None:
    if log.game.reopened:
        message = _("A correction changed how this game ends; an organiser decides first.")
        raise Refused("reopened", message, status=409)


@transaction.atomic
def concede(table: Table, seat: int, *, by: Actor, at: datetime) -> Game:
    """The side of `seat` gives the game up: the other side (the highest of the others) wins."""
    log = lock_game_log(table)
    if _ended_so(log, EndedBy.CONCEDED):
        return log.game
    refuse_unless(log, [State.PLAYING])
    if not 0 <= seat < log.rules.players:
        message = _("Choose who concedes.")
        raise Refused("bad-seat", message, fields={"seat": [message]})
    return _end(log, EndedBy.CONCEDED, seat, by=by, at=at, action="concede")


@transaction.atomic
def call_time(table: Table, *, by: Actor, at: datetime) -> Game:
    """The game ends at its score: the highest wins, equal scores draw."""
    log = lock_game_log(table)
    if _ended_so(log, EndedBy.TIME):
        return log.game
    refuse_unless(log, [State.PLAYING])
    return _end(log, EndedBy.TIME, None, by=by, at=at, action="call time")


@transaction.atomic
def resume(table: Table, *, by: Actor, at: datetime, as_organiser: bool = False) -> Game:
    """Take back a concession or a call of time, or a game said not to be played: play goes on."""
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
    elif log.hands:
        refuse_too_late(log, log.hands[-1], at=at, as_organiser=as_organiser)
    old = {"ended_by": game.ended_by, "seat": game.ended_seat}
    game.ended_by, game.ended_seat, game.ended_after = EndedBy.PLAY, None, None
    log.changed()
    save_derived(log, at=at)
    log_game_action(log, by, "resume game", old=old)
    return game


@transaction.atomic
def abandon_game(table: Table, *, reason: str, by: Actor, at: datetime) -> Game:
    """The game was not played to any end and counts for nobody; its hands are kept."""
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
    """A table that writes down a game's score alone: the final score by side, once.

    `no_hands` makes it such a table, as long as no hand was written there. The same score again
    changes nothing; another replaces it while the table may correct. An organiser's is confirmed.
    """
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
    wrong = [side for side, score in enumerate(totals) if not -MOST_POINTS <= score <= MOST_POINTS]
    if wrong:
        raise Refused("bad-totals", message, fields={f"total{side}": [message] for side in wrong})
    impossible = dict(score_faults(log.rules, totals))
    if impossible:
        message = next(iter(impossible.values()))
        fields = {f"total{side}": [text] for side, text in impossible.items()}
        raise Refused("bad-totals", message, fields=fields)


def _ended_so(log: GameLog, how: str) -> bool:
    """The same order arriving twice."""
    return log.game.ended_by == how and log.game.state != State.PLAYING


def _end(log: GameLog, how: str, seat: int | None, *, by: Actor, at: datetime, action: str) -> Game:
    game = log.game
    game.ended_by, game.ended_seat, game.ended_after = how, seat, len(log.hands)
    log.changed()
    save_derived(log, at=at)
    log_game_action(log, by, action, new={"seat": seat, "score": game.score})
    return game
