"""Actions that confirm or dispute a finished game."""

import logging
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Club
from league.play.actions.persistence import (
    AFTER_GAMES,
    lock_game_log,
    log_game_action,
    refuse_unless,
    save_results,
)
from league.play.game_log import GameLog
from league.play.models import Confirmation, Game
from league.play.results import is_auto_confirmed, may_confirm
from league.seating.models import Table
from league.sessions.models import Session

logger = logging.getLogger(__name__)
State = Game.State


@transaction.atomic
def confirm_game(
    table: Table,
    *,
    by: Actor,
    at: datetime,
    seat: int | None = None,
    any_side: bool = False,
    seen: str = "",
) -> Game:
    """Confirm a finished game, so that its result counts. `seat` is a seat of the confirming side,
    which may not have won; None is an organiser. `any_side`: an organiser confirms for a side, or a
    captain a whole card.

    `seen`: the `Game.score_seen` that was looked at. Refuses as `stale` when it has changed.
    """
    log = lock_game_log(table, open_only=False)
    if seen and seen != log.game.score_seen:
        raise Refused("stale", _("The score has changed. Check it again."), status=409)
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
    """Dispute a finished game, with a reason. The table can no longer change it; an organiser
    decides. The session must be open unless `after_closing`; `counted` allows a confirmed game."""
    log = lock_game_log(table, open_only=not after_closing)
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
    log_game_action(log, by, "dispute game", new={"seat": seat, "reason": reason})
    return log.game


def auto_confirm(club_session: Session, *, by: Actor, at: datetime) -> int:
    """Confirm the games that nobody disputed in time. Returns their number.

    Nothing depends on when this runs: pages and permissions compare with the current time. It is
    called by the next action on a table of the session, or by the command `remind`.
    """
    unopposed = Game.objects.filter(
        session=club_session, state=State.FINISHED, reopened=False, accept_at__lte=at
    )
    tables = [game.table for game in unopposed.select_related("table__session__club")]
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
        raise Refused("own-win", _("The other side confirms this score."), status=403)


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
