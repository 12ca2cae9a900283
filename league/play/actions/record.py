"""Writing down a hand, once; taking back the last; putting an earlier one right."""

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
from league.play.queries import refuse_too_late
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
    """Write down one hand, exactly once, and work out what follows from it.

    `came_back`: the server had it before and lost it; the phone that sent it kept a copy.

    The same `client_id` again answers the hand already written and writes nothing. Refuses with
    409 what clashes with what is there: `same-id` (the id with another hand), `hand-there` (the
    number is taken; `details` has the hand and whether it is the same), `hand-missing` (a hand
    before it is not there yet), `game-over`, `table-ended`. Refuses with 422 what the rules do
    not allow, every fault at its field, and as `unlikely` what they allow but nobody expects,
    until it is sent with `confirm_unlikely`.
    """
    log = lock_game_log(table)
    written = read(record, log)
    known = log.sent_as(client_id)
    if known is not None:
        return sent_again(known, written)
    _refuse_number(log, number, written, at)
    refuse_unless(log, [State.PLAYING])
    _refuse_empty_table(log)
    hand = Hand(game=log.game, number=log.next_number, version=_next_version(log), record=written)
    hand.client_id, hand.entered_at = client_id, at
    add_version(log, hand, confirm_unlikely=confirm_unlikely, by=by)
    save_derived(log, at=at)
    again = {"came_back": True} if came_back else {}
    log_game_action(log, by, "record hand", new=hand_data(hand) | again)
    return hand


@transaction.atomic
def undo_last_hand(
    table: Table, *, by: Actor, at: datetime, number: int, version: int, as_organiser: bool = False
) -> Hand:
    """Take back the last hand, the one that won the game too. Its number is given again.

    `number` and `version` say which hand is meant, so that pressing twice takes back one hand.
    """
    log = lock_game_log(table)
    hand = next((h for h in log.versions_of(number) if h.version == version), None)
    if hand is not None and hand.undone_at is not None:
        return hand  # the same press, arriving again
    last = log.hands[-1] if log.hands else None
    if hand is None or last is None or hand.pk != last.pk:
        raise Refused(
            "not-last", _("This is no longer the last hand. Undo the later one first."), status=409
        )
    refuse_too_late(log, last, at=at, as_organiser=as_organiser)
    last.current, last.undone_at, last.undone_as = False, at, by.label
    last.save(update_fields=["current", "undone_at", "undone_as"])
    _forget_ending(log)
    log.changed()
    save_derived(log, at=at, rows_may_go=True)
    log_game_action(log, by, "undo hand", old=hand_data(last))
    return last


def redo_hand(
    table: Table, *, number: int, version: int, client_id: str, by: Actor, at: datetime
) -> Hand:
    """Put an undone hand back as a new version, as long as nothing took its place."""
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
        confirm_unlikely=True,  # it was confirmed when it was first written down
    )


def read(record: dict[str, Any], log: GameLog) -> dict[str, Any]:
    """The record in strict form; refuses what is no hand record."""
    try:
        return HandRecord.from_json(record).to_json()
    except RecordError as error:
        raise refusal(error.faults, names_at(log)) from error


def names_at(log: GameLog) -> list[str]:
    """The people at the table, for sentences about them."""
    return [seat.member.name for seat in log.sitting()]


def sent_again(known: Hand, written: dict[str, Any]) -> Hand:
    """The hand that an id stands for, if it is the same hand; else `same-id`."""
    if known.record != written:
        message = _("This hand was already sent with other details. The first one counts.")
        raise Refused("same-id", message, status=409, details={"hand": known})
    return known


def add_version(log: GameLog, hand: Hand, *, confirm_unlikely: bool, by: Actor) -> None:
    """Put a hand into the log, judged by the rules, and store it. Refuses what does not fit."""
    hand.entered_by, hand.entered_as = by.user, by.label[:80]
    log.versions.append(hand)
    if hand.number == 1:  # who dealt first is the table's to say; the draw was a proposal
        log.game.first_dealer = hand.record["dealer"]
    log.changed()
    answer = answer_of(log.state, hand.number)
    faults = [fault for fault in log.state.faults if fault.hand == hand.number]
    out_of_turn = [fault for fault in faults if fault.code == OUT_OF_TURN]
    if wrong := [fault for fault in faults if fault not in out_of_turn]:
        raise refusal(wrong, names_at(log), hand.record)
    if (out_of_turn or answer.warnings) and not confirm_unlikely:
        raise unlikely([*out_of_turn, *answer.warnings], names_at(log))
    hand.out_of_turn = bool(out_of_turn)
    hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
    insert(hand)


def hand_data(hand: Hand) -> dict[str, Any]:
    """A hand as the audit record keeps it."""
    return {"hand": hand.number, "version": hand.version, "record": hand.record}


def _refuse_empty_table(log: GameLog) -> None:
    if not any(seat.seated for seat in log.seats):
        message = _("These players have moved on. This table has ended.")
        raise Refused("table-ended", message, status=409)


def _next_version(log: GameLog) -> int:
    return len(log.versions_of(log.next_number)) + 1


def _forget_ending(log: GameLog) -> None:
    """A game that was ended after a hand is not ended once that hand is gone."""
    game = log.game
    if game.ended_by and (game.ended_after or 0) >= log.next_number:
        game.ended_by, game.ended_after = Game.EndedBy.PLAY, None
        game.ended_seat = game.decided_winners = None


def _refuse_number(log: GameLog, number: int | None, written: dict[str, Any], at: datetime) -> None:
    if number is None or number == log.next_number:
        return
    there = log.hand(number)
    if there is None:
        message = _("Hand %(number)d cannot be entered yet: hand %(next)d comes first.") % {
            "number": number,
            "next": log.next_number,
        }
        raise Refused("hand-missing", message, fields={"number": [message]}, status=409)
    same = there.record == written
    raise Refused(
        "hand-there",
        _already(log, there, same, at),
        status=409,
        details={"hand": there, "same": same},
    )


def _already(log: GameLog, there: Hand, same: bool, at: datetime) -> str:
    """ "Someone else entered hand 8 the same way: Rose, 20 seconds ago (8:41 p.m.)." """
    seconds = max(0, round((at - there.entered_at).total_seconds()))
    if seconds < 5:
        ago = _("just now")
    elif seconds < 120:
        ago = ngettext("%(n)d second ago", "%(n)d seconds ago", seconds) % {"n": seconds}
    else:
        minutes = seconds // 60
        ago = ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    when = clock(log.table.session.club.local(there.entered_at).time())
    words = {"number": there.number, "who": there.entered_as, "ago": ago, "when": when}
    if same:
        text = _("Someone else entered hand %(number)d the same way: %(who)s, %(ago)s (%(when)s).")
    else:
        text = _("Someone else entered hand %(number)d differently: %(who)s, %(ago)s (%(when)s).")
    return text % words


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
    """Replace a hand by what it really was. Everything after it is folded anew.

    Later hands that no longer fit stay and are listed (`GameLog.conflicts`). Refuses `stale` (409,
    with both hands in `details`) when somebody changed the hand since `expected_version`; 403 when
    the table's time is over and this is no organiser.
    """
    log = lock_game_log(table, open_only=not as_organiser)
    written = read(record, log)
    known = log.sent_as(client_id)
    if known is not None:
        return sent_again(known, written)
    old = _current(log, hand_number, expected_version, written)
    refuse_too_late(log, old, at=at, as_organiser=as_organiser)
    hand = _successor(log, old, reason=reason, client_id=client_id, at=at)
    hand.record = written
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
    """Let a hand count for nothing: it keeps its number and deal, and can be put right again."""
    log = lock_game_log(table, open_only=not as_organiser)
    known = log.sent_as(client_id)
    if known is not None:
        return known
    old = _current(log, hand_number, expected_version, None)
    refuse_too_late(log, old, at=at, as_organiser=as_organiser)
    hand = _successor(log, old, reason=reason, client_id=client_id, at=at)
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


def _current(
    log: GameLog, number: int, expected_version: int, written: dict[str, Any] | None
) -> Hand:
    """The version that counts, if it is the one that was looked at."""
    current = log.hand(number)
    if current is None:
        raise Refused("no-hand", _("There is no such hand."), status=404)
    if current.version != expected_version:
        message = _("Hand %(number)d was changed by %(who)s since you looked at it.") % {
            "number": number,
            "who": current.entered_as,
        }
        details = {"hand": current, "yours": written}
        raise Refused("stale", message, status=409, details=details)
    return current


def _successor(log: GameLog, old: Hand, *, reason: str, client_id: str, at: datetime) -> Hand:
    """A new version in the old one's place, not yet stored."""
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
