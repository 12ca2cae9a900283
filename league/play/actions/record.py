"""Actions on hands: record one, undo the last one, correct or delete an earlier one."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.compiled_sql import insert
from league.errors import Refused
from league.members.audit import Actor
from league.members.languages import clock
from league.play.actions.persistence import (
    lock_game_log,
    log_game_action,
    refuse_unless,
    save_derived,
)
from league.play.game_log import OUT_OF_TURN, GameLog, answer_of
from league.play.models import Game, Hand
from league.play.table_changes import (
    reason_not_to_correct,
    reason_not_to_undo,
    refuse_because,
)
from league.play.text import refusal, unlikely
from league.seating.models import Table
from scoring import HandRecord, RecordError

State = Game.State


@transaction.atomic
def record_hand(
    table: Table,
    record: dict[str, Any],
    *,
    client_id: str,
    by: Actor,
    at: datetime,
    number: int | None = None,
    confirm_unlikely: bool = False,
    came_back: bool = False,
) -> Hand:
    """Record a hand, exactly once, and store what follows from it.

    `came_back`: the server had the hand before and lost it; a phone kept a copy and sent it again.

    A repeated `client_id` returns the hand already recorded and changes nothing. Refuses with 409
    what conflicts with the present state: `same-id` (the id belongs to a different hand),
    `hand-there` (the number is taken; `details` has that hand and whether it is the same),
    `hand-missing` (an earlier hand is missing), `game-over`, `table-ended`. Refuses with 422 what
    the rules do not allow, with each fault at its field, and as `unlikely` what is allowed but
    improbable, unless `confirm_unlikely` is set.
    """
    log = lock_game_log(table)
    strict_record = read(record, log)
    sent_hand = log.sent_as(client_id)
    if sent_hand is not None:
        return check_same_hand(sent_hand, strict_record)
    _refuse_number(log, number, strict_record, at)
    refuse_unless(log, [State.PLAYING])
    _refuse_empty_table(log)
    hand = Hand(
        game=log.game, number=log.next_number, version=_next_version(log), record=strict_record
    )
    hand.client_id, hand.entered_at = client_id, at
    add_version(log, hand, confirm_unlikely=confirm_unlikely, by=by)
    save_derived(log, at=at)
    details = {"came_back": True} if came_back else {}
    log_game_action(log, by, "record hand", new=hand_data(hand) | details)
    return hand


@transaction.atomic
def undo_last_hand(
    table: Table, *, by: Actor, at: datetime, number: int, version: int, as_organiser: bool = False
) -> Hand:
    """Undo the last hand, even if it ended the game. Its number becomes free again.

    `number` and `version` identify the hand, so that a repeated request undoes only one.
    """
    log = lock_game_log(table)
    hand = next((hand for hand in log.versions_of(number) if hand.version == version), None)
    if hand is not None and hand.undone_at is not None:
        return hand  # the same request, sent again
    last_hand = log.hands[-1] if log.hands else None
    if hand is None or last_hand is None or hand.pk != last_hand.pk:
        raise Refused(
            "not-last", _("This is no longer the last hand. Undo the later one first."), status=409
        )
    if not as_organiser:
        refuse_because(reason_not_to_undo(log, last_hand, at=at))
    last_hand.current, last_hand.undone_at, last_hand.undone_as = False, at, by.label
    last_hand.save(update_fields=["current", "undone_at", "undone_as"])
    _reopen_if_undone(log)
    log.changed()
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(log, by, "undo hand", old=hand_data(last_hand))
    return last_hand


def redo_hand(
    table: Table, *, number: int, version: int, client_id: str, by: Actor, at: datetime
) -> Hand:
    """Restore an undone hand as a new version, unless another hand has taken its place."""
    undone = Hand.objects.filter(
        game__table=table, number=number, version=version, undone_at__isnull=False
    ).first()
    if undone is None:
        raise Refused("no-hand", _("There is no such hand."), status=404)
    return record_hand(
        table,
        undone.record,
        client_id=client_id,
        by=by,
        at=at,
        number=number,
        confirm_unlikely=True,  # it was confirmed when it was first recorded
    )


def read(record: dict[str, Any], log: GameLog) -> dict[str, Any]:
    """The record in strict form. Refuses what is not a hand record."""
    try:
        return HandRecord.from_json(record).to_json()
    except RecordError as error:
        raise refusal(error.faults, names_at(log)) from error


def names_at(log: GameLog, number: int | None = None) -> list[str]:
    """The names by seat of those at the table, or of the players of a hand, for sentences."""
    seats = log.seats_of(number) if number else log.sitting()
    return [seat.member.label for seat in seats]


def check_same_hand(sent_hand: Hand, strict_record: dict[str, Any]) -> Hand:
    """The hand already sent with an id. Refuses as `same-id` if its record differs."""
    if sent_hand.record != strict_record:
        message = _("This hand was already sent with other details. The first one counts.")
        raise Refused("same-id", message, status=409, details={"hand": sent_hand})
    return sent_hand


def add_version(log: GameLog, hand: Hand, *, confirm_unlikely: bool, by: Actor) -> None:
    """Add a hand to the log and store it. Refuses what the rules do not allow."""
    hand.entered_by, hand.entered_as = by.user, by.label[:80]
    log.versions.append(hand)
    if hand.number == 1:  # the table says who dealt first; the draw was only a proposal
        log.game.first_dealer = hand.record["dealer"]
    log.changed()
    hand.out_of_turn = _refuse_faults(log, hand, confirm_unlikely=confirm_unlikely)
    answer = answer_of(log.state, hand.number)
    hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
    insert(hand)


def _refuse_faults(log: GameLog, hand: Hand, *, confirm_unlikely: bool) -> bool:
    """Refuse a hand with faults, or with warnings that were not confirmed. Returns whether it was
    dealt out of turn."""
    warnings = answer_of(log.state, hand.number).warnings
    faults = [fault for fault in log.state.faults if fault.hand == hand.number]
    out_of_turn = [fault for fault in faults if fault.code == OUT_OF_TURN]
    if refused_faults := [fault for fault in faults if fault not in out_of_turn]:
        raise refusal(refused_faults, names_at(log, hand.number), hand.record)
    if (out_of_turn or warnings) and not confirm_unlikely:
        raise unlikely([*out_of_turn, *warnings], names_at(log, hand.number))
    return bool(out_of_turn)


def hand_data(hand: Hand) -> dict[str, Any]:
    """A hand as stored in the activity log."""
    return {"hand": hand.number, "version": hand.version, "record": hand.record}


def _refuse_empty_table(log: GameLog) -> None:
    if not any(seat.seated for seat in log.seats):
        message = _("These players have moved on. This table has ended.")
        raise Refused("table-ended", message, status=409)


def _next_version(log: GameLog) -> int:
    return len(log.versions_of(log.next_number)) + 1


def _reopen_if_undone(log: GameLog) -> None:
    """Remove an ending (by decision, time or concession) that came after a hand now undone."""
    game = log.game
    if game.ended_by and (game.ended_after or 0) >= log.next_number:
        game.ended_by, game.ended_after = Game.EndedBy.PLAY, None
        game.ended_seat = game.decided_winners = None


def _refuse_number(
    log: GameLog, number: int | None, strict_record: dict[str, Any], at: datetime
) -> None:
    if number is None or number == log.next_number:
        return
    existing = log.hand(number)
    if existing is None:
        message = _("Hand %(number)d cannot be entered yet: hand %(next)d comes first.") % {
            "number": number,
            "next": log.next_number,
        }
        raise Refused("hand-missing", message, fields={"number": [message]}, status=409)
    is_same = existing.record == strict_record and not existing.struck
    raise Refused(
        "hand-there",
        _already_entered_text(log, existing, is_same, at),
        status=409,
        details={"hand": existing, "same": is_same},
    )


def _already_entered_text(log: GameLog, existing: Hand, is_same: bool, at: datetime) -> str:
    """For example "Someone else entered hand 8 the same way: Rose, 20 seconds ago (8:41 p.m.)." """
    seconds = max(0, round((at - existing.entered_at).total_seconds()))
    if seconds < 5:
        ago = _("just now")
    elif seconds < 120:
        ago = ngettext("%(n)d second ago", "%(n)d seconds ago", seconds) % {"n": seconds}
    else:
        minutes = seconds // 60
        ago = ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    when = clock(log.table.session.club.local(existing.entered_at).time())
    values = {"number": existing.number, "who": existing.entered_as, "ago": ago, "when": when}
    if existing.struck:
        text = _("Hand %(number)d was deleted: %(who)s, %(ago)s (%(when)s).")
    elif is_same:
        text = _("Someone else entered hand %(number)d the same way: %(who)s, %(ago)s (%(when)s).")
    else:
        text = _("Someone else entered hand %(number)d differently: %(who)s, %(ago)s (%(when)s).")
    return text % values


@transaction.atomic
def correct_hand(
    table: Table,
    hand_number: int,
    record: dict[str, Any],
    *,
    reason: str,
    expected_version: int,
    client_id: str,
    by: Actor,
    at: datetime,
    as_organiser: bool = False,
    confirm_unlikely: bool = False,
) -> Hand:
    """Correct a hand: store a new version and recompute everything after it.

    Later hands that no longer fit are kept and listed by `GameLog.conflicts`. Refuses as `stale`
    (409, with both hands in `details`) when the hand has changed since `expected_version`, and with
    403 when the time for corrections is over and the actor is no organiser.
    """
    log = lock_game_log(table, open_only=not as_organiser)
    strict_record = read(record, log)
    sent_hand = log.sent_as(client_id)
    if sent_hand is not None:
        return check_same_hand(sent_hand, strict_record)
    old = _current_version(log, hand_number, expected_version, strict_record)
    if not as_organiser:
        refuse_because(reason_not_to_correct(log, old, at=at))
    hand = _new_version(log, old, reason=reason, client_id=client_id, at=at)
    hand.record = strict_record
    add_version(log, hand, confirm_unlikely=confirm_unlikely, by=by)
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(
        log, by, "correct hand", old=hand_data(old), new=hand_data(hand) | {"reason": reason}
    )
    return hand


@transaction.atomic
def strike_hand(
    table: Table,
    hand_number: int,
    *,
    reason: str,
    expected_version: int,
    client_id: str,
    by: Actor,
    at: datetime,
    as_organiser: bool = False,
) -> Hand:
    """Delete a hand: it scores nothing but keeps its number and deal; it can be corrected later."""
    log = lock_game_log(table, open_only=not as_organiser)
    sent_hand = log.sent_as(client_id)
    if sent_hand is not None:
        return sent_hand
    old = _current_version(log, hand_number, expected_version, None)
    if not as_organiser:
        refuse_because(reason_not_to_correct(log, old, at=at))
    hand = _new_version(log, old, reason=reason, client_id=client_id, at=at)
    hand.struck, hand.outcome, hand.points = True, "struck", [0] * log.rules.players
    hand.entered_by, hand.entered_as = by.user, by.label[:80]
    hand.save()
    log.versions.append(hand)
    log.changed()
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(
        log, by, "strike hand", old=hand_data(old), new=hand_data(hand) | {"reason": reason}
    )
    return hand


def _current_version(
    log: GameLog, number: int, expected_version: int, strict_record: dict[str, Any] | None
) -> Hand:
    """The version that counts. Refuses as `stale` if it is not the one that was looked at."""
    current = log.hand(number)
    if current is None:
        raise Refused("no-hand", _("There is no such hand."), status=404)
    if current.version != expected_version:
        message = _("Hand %(number)d was changed by %(who)s since you looked at it.") % {
            "number": number,
            "who": current.entered_as,
        }
        details = {"hand": current, "yours": strict_record}
        raise Refused("stale", message, status=409, details=details)
    return current


def _new_version(log: GameLog, old: Hand, *, reason: str, client_id: str, at: datetime) -> Hand:
    """A new version of the hand, not stored yet; the old one is no longer current."""
    old.current = False
    old.save(update_fields=["current"])
    return Hand(
        game=log.game,
        number=old.number,
        version=max(hand.version for hand in log.versions_of(old.number)) + 1,
        client_id=client_id,
        record=old.record,
        reason=reason,
        entered_at=at,
    )
