"""Putting an earlier hand right, or striking it: a new version, the old one kept and shown."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions.keeping import keep, lock_book, tell
from league.play.actions.record import add_version, read, sent_again, told
from league.play.book import Book
from league.play.models import Hand
from league.play.window import refuse_too_late
from league.seating.models import Table


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

    Later hands that no longer fit are kept and listed (`Book.misfits`). Refuses `stale` (409, with
    both hands in `details`) when somebody changed the hand since `expected_version`; 403 when the
    table's time is over and this is no organiser.
    """
    book = lock_book(table, open_only=not as_organiser)
    written = read(record, book)
    known = book.sent_as(client_id)
    if known is not None:
        return sent_again(known, written)
    old = _current(book, hand_number, expected_version, written)
    refuse_too_late(book, old, at=at, as_organiser=as_organiser)
    hand = _successor(book, old, reason=reason, client_id=client_id, at=at)
    hand.record = written
    add_version(book, hand, confirm_unlikely=confirm_unlikely, by=by)
    keep(book, at=at, rows_may_go=True)
    tell(book, by, "correct hand", old=told(old), new=told(hand) | {"reason": reason})
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
    book = lock_book(table, open_only=not as_organiser)
    known = book.sent_as(client_id)
    if known is not None:
        return known
    old = _current(book, hand_number, expected_version, None)
    refuse_too_late(book, old, at=at, as_organiser=as_organiser)
    hand = _successor(book, old, reason=reason, client_id=client_id, at=at)
    hand.struck, hand.outcome, hand.points = True, "struck", [0] * book.rules.players
    hand.entered_by, hand.entered_as = by.user, by.label[:80]
    hand.save()
    book.versions.append(hand)
    book.changed()
    keep(book, at=at, rows_may_go=True)
    tell(book, by, "strike hand", old=told(old), new=told(hand) | {"reason": reason})
    return hand


def _current(
    book: Book, number: int, expected_version: int, written: dict[str, Any] | None
) -> Hand:
    """The version that counts, if it is the one that was looked at."""
    current = book.hand(number)
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


def _successor(book: Book, old: Hand, *, reason: str, client_id: str, at: datetime) -> Hand:
    """A new version in the old one's place, not yet stored."""
    old.current = False
    old.save(update_fields=["current"])
    return Hand(
        game=book.game,
        number=old.number,
        version=max(hand.version for hand in book.versions_of(old.number)) + 1,
        client_id=client_id,
        record=old.record,
        reason=reason,
        entered_at=at,
    )
