"""Rulings: the penalty for a renege, an organiser's adjustment of the score, a recorded misdeal."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions.persistence import (
    lock_game_log,
    log_game_action,
    refuse_unless,
    save_derived,
)
from league.play.actions.record import names_at
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Game, Ruling
from league.play.queries import refuse_too_late
from league.play.text import refusal
from league.seating.models import Table

State = Game.State
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
    """Add points by side (they may be negative) for a reason, as an organiser."""
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
    refuse_too_late(log, ruling, at=at, as_organiser=as_organiser)
    if ruling.withdrawn_at is None:
        ruling.withdrawn_at, ruling.withdrawn_as = at, by.label[:80]
        ruling.save(update_fields=["withdrawn_at", "withdrawn_as"])
        log.changed()
        save_derived(log, at=at, rows_may_go=True)
        log_game_action(log, by, "withdraw ruling", old=_ruling_data(ruling))
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
    if len(log.rulings) >= MOST_RULINGS:
        raise Refused("many-rulings", _("This game has too many rulings already."), status=409)
    ruling.game, ruling.after_hand = log.game, len(log.hands)
    ruling.client_id, ruling.entered_as, ruling.entered_at = client_id, by.label[:80], at
    log.rulings.append(ruling)
    log.changed()
    _refuse_faults(log)
    ruling.save()
    save_derived(log, at=at)
    log_game_action(log, by, "rule", new=_ruling_data(ruling))
    return ruling


def _refuse_faults(log: GameLog) -> None:
    faults = [fault for fault in log.state.faults if fault.field == "rulings"]
    if faults:
        raise refusal(faults, names_at(log))


def _ruling_data(ruling: Ruling) -> dict[str, object]:
    return {
        "kind": ruling.kind,
        "seat": ruling.by_seat,
        "form": ruling.form,
        "points": ruling.points,
        "after_hand": ruling.after_hand,
        "reason": ruling.reason,
    }
