"""Writing down a hand, once, and taking back the last one."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor
from league.members.times import clock
from league.play.actions.keeping import keep, lock_book, refuse_unless, tell
from league.play.book import OUT_OF_TURN, Book, answer_of
from league.play.models import Game, Hand
from league.play.refusing import refusal, unlikely
from league.play.window import refuse_too_late
from league.seating.models import Table
from league.statements import insert
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
) -> Hand:
    """Write down one hand, exactly once, and work out what follows from it.

    The same `client_id` again answers the hand already written and writes nothing. Refuses with
    409 what clashes with what is there: `same-id` (the id with another hand), `hand-there` (the
    number is taken; `details` has the hand and whether it is the same), `hand-missing` (a hand
    before it is not there yet), `game-over`, `table-ended`. Refuses with 422 what the rules do
    not allow, every fault at its field, and as `unlikely` what they allow but nobody expects,
    until it is sent with `confirm_unlikely`.
    """
    book = lock_book(table)
    written = read(record, book)
    known = book.sent_as(client_id)
    if known is not None:
        return sent_again(known, written)
    _refuse_number(book, number, written, at)
    refuse_unless(book, [State.PLAYING])
    _refuse_empty_table(book)
    hand = Hand(
        game=book.game, number=book.next_number, version=_next_version(book), record=written
    )
    hand.client_id, hand.entered_at = client_id, at
    add_version(book, hand, confirm_unlikely=confirm_unlikely, by=by)
    keep(book, at=at)
    tell(book, by, "record hand", new=told(hand))
    return hand


@transaction.atomic
def undo_last_hand(
    table: Table, *, by: Actor, at: datetime, number: int, version: int, as_organiser: bool = False
) -> Hand:
    """Take back the last hand, the one that won the game too. Its number is given again.

    `number` and `version` say which hand is meant, so that pressing twice takes back one hand.
    """
    book = lock_book(table)
    hand = next((h for h in book.versions_of(number) if h.version == version), None)
    if hand is not None and hand.undone_at is not None:
        return hand  # the same press, arriving again
    last = book.hands[-1] if book.hands else None
    if hand is None or last is None or hand.pk != last.pk:
        raise Refused("not-last", _("This is not the last hand any more."), status=409)
    refuse_too_late(book, last, at=at, as_organiser=as_organiser)
    last.current, last.undone_at, last.undone_as = False, at, by.label
    last.save(update_fields=["current", "undone_at", "undone_as"])
    _forget_ending(book)
    book.changed()
    keep(book, at=at, rows_may_go=True)
    tell(book, by, "undo hand", old=told(last))
    return last


def read(record: dict[str, Any], book: Book) -> dict[str, Any]:
    """The record in strict form; refuses what is no hand record."""
    try:
        return HandRecord.from_json(record).to_json()
    except RecordError as error:
        raise refusal(error.faults, names_at(book)) from error


def names_at(book: Book) -> list[str]:
    """The people on the chairs, for sentences about them."""
    return [seat.member.name for seat in book.sitting()]


def sent_again(known: Hand, written: dict[str, Any]) -> Hand:
    """The hand that an id stands for, if it is the same hand; else `same-id`."""
    if known.record != written:
        message = _("This hand was sent before with something else in it; that one stands.")
        raise Refused("same-id", message, status=409, details={"hand": known})
    return known


def add_version(book: Book, hand: Hand, *, confirm_unlikely: bool, by: Actor) -> None:
    """Put a hand into the book, judged by the rules, and store it. Refuses what does not fit."""
    hand.entered_by, hand.entered_as = by.user, by.label[:80]
    book.versions.append(hand)
    book.changed()
    answer = answer_of(book.state, hand.number)
    faults = [found for found in book.state.faults if found.hand == hand.number]
    asked = [found for found in faults if found.code == OUT_OF_TURN]
    wrong = [found for found in faults if found.code != OUT_OF_TURN]
    if wrong:
        raise refusal(wrong, names_at(book))
    if (asked or answer.warnings) and not confirm_unlikely:
        raise unlikely([*asked, *answer.warnings], names_at(book))
    hand.out_of_turn = bool(asked)
    hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
    insert(hand)


def told(hand: Hand) -> dict[str, Any]:
    """A hand as the audit record keeps it."""
    return {"hand": hand.number, "version": hand.version, "record": hand.record}


def _refuse_empty_table(book: Book) -> None:
    if not any(seat.seated for seat in book.seats):
        message = _("The people of this table have moved on; nothing is played here any more.")
        raise Refused("table-ended", message, status=409)


def _next_version(book: Book) -> int:
    return len(book.versions_of(book.next_number)) + 1


def _forget_ending(book: Book) -> None:
    """A game that was ended after a hand is not ended once that hand is gone."""
    game = book.game
    if game.ended_by and (game.ended_after or 0) >= book.next_number:
        game.ended_by, game.ended_after = Game.EndedBy.PLAY, None
        game.ended_seat = game.decided_winners = None


def _refuse_number(book: Book, number: int | None, written: dict[str, Any], at: datetime) -> None:
    if number is None or number == book.next_number:
        return
    there = book.hand(number)
    if there is None:
        message = _("Hand %(number)d cannot be entered yet: hand %(next)d comes first.") % {
            "number": number,
            "next": book.next_number,
        }
        raise Refused("hand-missing", message, fields={"number": [message]}, status=409)
    same = there.record == written
    raise Refused(
        "hand-there",
        _already(book, there, same, at),
        status=409,
        details={"hand": there, "same": same},
    )


def _already(book: Book, there: Hand, same: bool, at: datetime) -> str:
    """ "Hand 8 was already entered by … 20 seconds ago (20:41): the same." """
    seconds = max(0, round((at - there.entered_at).total_seconds()))
    if seconds < 120:
        ago = ngettext("%(n)d second ago", "%(n)d seconds ago", seconds) % {"n": seconds}
    else:
        minutes = seconds // 60
        ago = ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    when = clock(book.table.session.club.local(there.entered_at).time())
    told = {"number": there.number, "who": there.entered_as, "ago": ago, "when": when}
    if same:
        text = _("Hand %(number)d was already entered by %(who)s %(ago)s (%(when)s), the same.")
    else:
        text = _("Hand %(number)d was already entered by %(who)s %(ago)s (%(when)s), differently.")
    return text % told
