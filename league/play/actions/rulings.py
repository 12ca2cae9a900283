"""Rulings and declared ends: penalties, adjustments and misdeals; games conceded, called on time,
abandoned, resumed, or entered as totals.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions.confirm import (
    confirm_game,
    decide,
    refuse_bad_totals,
    refuse_changed_score,
)
from league.play.actions.persistence import (
    lock_game_log,
    log_game_action,
    refuse_undone,
    refuse_unless,
    refuse_walkover,
    save_derived,
)
from league.play.actions.record import names_at
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Confirmation, Game, Ruling
from league.play.table_changes import (
    ended_by_organiser,
    logged_as,
    reason_not_to_resume,
    reason_not_to_withdraw,
    refuse_because,
)
from league.play.text import refusal
from league.seating.models import Table

State, EndedBy = Game.State, Game.EndedBy
OPEN_TO_ORGANISERS = (State.PLAYING, State.FINISHED, State.CONFIRMED, State.DISPUTED)

MOST_RULINGS = 200  # per game, so that no sum of them is too large to store


@transaction.atomic
def rule_penalty(
    table: Table,
    *,
    by_seat: int,
    client_id: str,
    by: Actor,
    at: datetime,
    form: str = "",
    about_hand: int | None = None,
    against_lone: bool | None = None,
) -> Ruling:
    """Apply the penalty for a renege by `by_seat`; the ruleset sets its cost (rules.md, D-24).

    `form` is "add" or "deduct" where the claimant may choose. The penalty takes effect after the
    last hand entered; `about_hand` is the hand of the renege, by default that one.
    """
    ruling = Ruling(
        kind=Ruling.Kind.RENEGE,
        by_seat=by_seat,
        form=form,
        about_hand=about_hand,
        against_lone=against_lone,
    )
    return _add_ruling(table, ruling, client_id=client_id, by=by, at=at)


@transaction.atomic
def adjust_score(
    table: Table, points: Sequence[int], *, reason: str, client_id: str, by: Actor, at: datetime
) -> Ruling:
    """Add points by side (they may be negative) for a reason, as an organiser. Refuses as
    `final-score` where only the final score was entered: another score replaces that one."""
    message = _("Enter a whole number, like 2 or -2.")
    wrong_sides = [
        side
        for side, value in enumerate(points)
        if type(value) is not int or abs(value) > MOST_POINTS
    ]
    if wrong_sides:
        raise Refused(
            "bad-points", message, fields={f"points{side}": [message] for side in wrong_sides}
        )
    ruling = Ruling(kind=Ruling.Kind.ADJUSTMENT, points=list(points), reason=reason)
    return _add_ruling(table, ruling, client_id=client_id, by=by, at=at, as_organiser=True)


@transaction.atomic
def note_misdeal(table: Table, *, client_id: str, by: Actor, at: datetime) -> Ruling:
    """Record that the next hand was misdealt and is dealt again; the score does not change."""
    ruling = Ruling(kind=Ruling.Kind.MISDEAL)
    return _add_ruling(table, ruling, client_id=client_id, by=by, at=at)


@transaction.atomic
def withdraw_ruling(
    table: Table, ruling_id: int, *, by: Actor, at: datetime, as_organiser: bool = True
) -> Ruling:
    """Withdraw a ruling; the score sheet still shows it, struck through.

    A table may withdraw the rulings that it may enter itself, while it may change its hands.
    """
    log = lock_game_log(table, open_only=not as_organiser)
    ruling = next((ruling for ruling in log.rulings if ruling.pk == ruling_id), None)
    if ruling is None or (ruling.kind == Ruling.Kind.ADJUSTMENT and not as_organiser):
        raise Refused("no-ruling", _("There is no such ruling."), status=404)
    if not as_organiser:
        refuse_because(reason_not_to_withdraw(log, ruling, at=at))
    if ruling.withdrawn_at is None:
        with_ruling = log.state.score
        ruling.withdrawn_at, ruling.withdrawn_as = at, by.label[:80]
        ruling.save(update_fields=["withdrawn_at", "withdrawn_as"])
        log.changed()
        save_derived(log, at=at, rows_may_go=True)
        old = _ruling_data(ruling, log.state.score, with_ruling)
        log_game_action(log, by, "withdraw ruling", old=old)
    return ruling


def _add_ruling(
    table: Table,
    ruling: Ruling,
    *,
    client_id: str,
    by: Actor,
    at: datetime,
    as_organiser: bool = False,
) -> Ruling:
    log = lock_game_log(table, open_only=not as_organiser)
    existing = next((ruling for ruling in log.rulings if ruling.client_id == client_id), None)
    if existing is not None:
        return existing
    refuse_unless(log, OPEN_TO_ORGANISERS if as_organiser else [State.PLAYING])
    if log.game.totals is not None:
        message = _("Only the final score was entered here. Correct the score instead.")
        raise Refused("final-score", message, status=409)
    if len(log.rulings) >= MOST_RULINGS:
        raise Refused("many-rulings", _("This game has too many rulings already."), status=409)
    ruling.game, ruling.after_hand = log.game, len(log.hands)
    ruling.client_id, ruling.entered_as, ruling.entered_at = client_id, by.label[:80], at
    without = log.state.score
    log.rulings.append(ruling)
    log.changed()
    _refuse_faults(log)
    ruling.save()
    save_derived(log, at=at)
    log_game_action(log, by, logged_as(ruling), new=_ruling_data(ruling, without, log.state.score))
    return ruling


def _refuse_faults(log: GameLog) -> None:
    faults = [fault for fault in log.state.faults if fault.field == "rulings"]
    if faults:
        raise refusal(faults, names_at(log))


def _ruling_data(
    ruling: Ruling, without: Sequence[int], with_ruling: Sequence[int]
) -> dict[str, object]:
    """What the activity log has of a ruling, a penalty with the points that it cost: it compares
    the score without it and with it."""
    points = ruling.points
    if ruling.kind == Ruling.Kind.RENEGE:
        points = [new - old for old, new in zip(without, with_ruling, strict=True)]
    return {
        "kind": ruling.kind,
        "seat": ruling.by_seat,
        "form": ruling.form,
        "points": points,
        "after_hand": ruling.after_hand,
        "reason": ruling.reason,
    }


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
def concede_instead(table: Table, seat: int, *, reason: str, by: Actor, at: datetime) -> Game:
    """Let the side of `seat` have conceded instead, if a side conceded or lost by walk-over."""
    log = lock_game_log(table)
    game = log.game
    if game.ended_by != EndedBy.CONCEDED:
        return game
    old = {"seat": game.ended_seat, "score": game.score}
    game.ended_seat = seat
    log.changed()
    save_derived(log, at=at)
    if game.is_walkover:
        decide(game, Confirmation.Decision.ABANDONED, reason, by=by, at=at)
    log_game_action(log, by, "concede", old=old, new={"seat": seat, "score": game.score})
    return game


@transaction.atomic
def call_time(table: Table, *, by: Actor, at: datetime, seen: str = "") -> Game:
    """End the game at its score: the highest wins, equal scores draw. `seen`: as for
    `confirm_game`."""
    log = lock_game_log(table)
    if _has_ended_by(log, EndedBy.TIME):
        return log.game
    refuse_unless(log, [State.PLAYING])
    refuse_changed_score(log, seen)
    return _end_game(log, EndedBy.TIME, None, by=by, at=at, action="call time")


@transaction.atomic
def resume(table: Table, *, by: Actor, at: datetime, as_organiser: bool = False) -> Game:
    """Resume a game after a concession or a call of time, or one marked as not played."""
    log = lock_game_log(table)
    game = log.game
    if game.state == State.PLAYING:
        return game
    refuse_undone(table)
    refuse_walkover(table)
    if game.state == State.ABANDONED:
        if not as_organiser:
            refuse_unless(log, [State.PLAYING])
        game.state = State.PLAYING
    elif game.ended_by not in (EndedBy.CONCEDED, EndedBy.TIME):
        raise Refused("game-over", _("This game ended by its score."), status=409)
    elif not as_organiser:
        refuse_because(reason_not_to_resume(log, at=at))
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
    if log.game.state != State.ABANDONED or log.game.is_walkover:
        if log.game.is_conceded_unplayed:  # else it would read as a walk-over
            log.game.ended_by, log.game.ended_seat, log.game.ended_after = EndedBy.PLAY, None, None
            log.changed()
        _abandon(log, reason, by=by, at=at)
    return log.game


@transaction.atomic
def walk_over(table: Table, seat: int, *, reason: str, by: Actor, at: datetime) -> Game:
    """End a table at which no hand was played: the side of `seat` loses the match by walk-over."""
    log = lock_game_log(table, open_only=False)
    refuse_unless(log, [State.PLAYING])
    log.game.ended_by, log.game.ended_seat, log.game.ended_after = EndedBy.CONCEDED, seat, 0
    log.changed()
    _abandon(log, reason, by=by, at=at)
    return log.game


def _abandon(log: GameLog, reason: str, *, by: Actor, at: datetime) -> None:
    game = log.game
    old = {"state": game.state, "score": game.score}
    game.state, game.finished_at, game.reopened = State.ABANDONED, at, False
    save_derived(log, at=at, rows_may_go=True)
    Confirmation.objects.filter(game=game, settled_at=None).update(settled_at=at)
    decide(game, Confirmation.Decision.ABANDONED, reason, by=by, at=at)
    log_game_action(log, by, "abandon game", old=old, new={"reason": reason})


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
    replaces: bool = True,
) -> Game:
    """Record only the final score by side, at a table that records no hands.

    `no_hands` makes it such a table if no hand was recorded there yet. The same score again changes
    nothing; another `replaces` it while corrections are allowed, or is refused (`score-there`).
    An organiser's score is confirmed at once, unless it `awaits_confirmation`."""
    log = lock_game_log(table, open_only=not as_organiser)
    game, old = log.game, log.game.totals
    if no_hands and not log.versions and not table.totals_only:
        table.totals_only = True
        table.save(update_fields=["totals_only"])
    if not table.totals_only or log.hands:
        raise Refused("hands-here", _("This table enters its hands one by one."), status=409)
    refuse_undone(table)
    refuse_walkover(table)
    refuse_bad_totals(log, totals)
    if old == list(totals):
        return game
    if old is not None and not replaces:
        message = _("Someone else has just entered another score for this table.")
        raise Refused("score-there", message, status=409)
    if not as_organiser:
        refuse_unless(log, [State.PLAYING, State.FINISHED])
        refuse_because(ended_by_organiser(log))
    game.totals, game.started_at = list(totals), game.started_at or at
    log.changed()
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(log, by, "write totals", old=old, new=list(totals))
    if as_organiser and not awaits_confirmation and game.state == State.FINISHED:
        return confirm_game(table, by=by, at=at)
    return game


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
