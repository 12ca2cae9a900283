"""Rulings beside the hands: a renege's penalty, an organiser's adjustment, a misdeal noted."""

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

MOST_RULINGS = 200  # of one game, so that no sum of them is too large to keep


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
    """Rule a renege of the seat `by_seat`: its cost is the ruleset's (rules.md, D-24).

    `form` is "add" or "deduct" where the claimant may choose. It takes effect after the last hand
    entered; `about_hand` is where it happened, by default that hand.
    """
    ruling = Ruling(
        kind=Ruling.Kind.RENEGE,
        by_seat=by_seat,
        form=form,
        about_hand=about_hand,
        against_lone=against_lone,
    )
    return _add(table, ruling, client_id=client_id, by=by, at=at)


@transaction.atomic
def adjust_score(
    table: Table, points: Sequence[int], *, reason: str, client_id: str, by: Actor, at: datetime
) -> Ruling:
    """An organiser adds points by side as they stand (they may be negative), and says why."""
    message = _("Enter a whole number, like 2 or -2.")
    wrong = [n for n, one in enumerate(points) if type(one) is not int or abs(one) > MOST_POINTS]
    if wrong:
        raise Refused("bad-points", message, fields={f"points{n}": [message] for n in wrong})
    ruling = Ruling(kind=Ruling.Kind.ADJUSTMENT, points=list(points), reason=reason)
    return _add(table, ruling, client_id=client_id, by=by, at=at, as_organiser=True)


@transaction.atomic
def note_misdeal(table: Table, *, client_id: str, by: Actor, at: datetime) -> Ruling:
    """Note that the next hand was misdealt and is dealt again; the score does not move."""
    ruling = Ruling(kind=Ruling.Kind.MISDEAL)
    return _add(table, ruling, client_id=client_id, by=by, at=at)


@transaction.atomic
def withdraw_ruling(
    table: Table, ruling_id: int, *, by: Actor, at: datetime, as_organiser: bool = True
) -> Ruling:
    """Take a ruling back; it stays on the sheet, struck through.

    A table takes back what it may enter itself, as long as it may change its hands.
    """
    log = lock_game_log(table, open_only=not as_organiser)
    ruling = next((one for one in log.rulings if one.pk == ruling_id), None)
    if ruling is None or (ruling.kind == Ruling.Kind.ADJUSTMENT and not as_organiser):
        raise Refused("no-ruling", _("There is no such ruling."), status=404)
    refuse_too_late(log, ruling, at=at, as_organiser=as_organiser)
    if ruling.withdrawn_at is None:
        ruling.withdrawn_at, ruling.withdrawn_as = at, by.label[:80]
        ruling.save(update_fields=["withdrawn_at", "withdrawn_as"])
        log.changed()
        save_derived(log, at=at, rows_may_go=True)
        log_game_action(log, by, "withdraw ruling", old=_data(ruling))
    return ruling


def _add(
    table: Table,
    ruling: Ruling,
    *,
    client_id: str,
    by: Actor,
    at: datetime,
    as_organiser: bool = False,
) -> Ruling:
    log = lock_game_log(table, open_only=not as_organiser)
    known = next((one for one in log.rulings if one.client_id == client_id), None)
    if known is not None:
        return known
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
    log_game_action(log, by, "rule", new=_data(ruling))
    return ruling


def _refuse_faults(log: GameLog) -> None:
    wrong = [fault for fault in log.state.faults if fault.field == "rulings"]
    if wrong:
        raise refusal(wrong, names_at(log))


def _data(ruling: Ruling) -> dict[str, object]:
    return {
        "kind": ruling.kind,
        "seat": ruling.by_seat,
        "form": ruling.form,
        "points": ruling.points,
        "after_hand": ruling.after_hand,
        "reason": ruling.reason,
    }
