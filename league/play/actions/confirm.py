"""After the end: the other side confirms or disputes, an organiser settles."""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions.keeping import keep, keep_rows, lock_book, refuse_unless, tell
from league.play.book import Book
from league.play.derived import accepted_by_silence, is_over
from league.play.models import Confirmation, Game, Hand
from league.seating.models import Table
from league.sessions.models import Session

log = logging.getLogger(__name__)
State, EndedBy = Game.State, Game.EndedBy
STANDS, PLAY_ON, NEW_END, DECIDED = "stands", "play_on", "new_end", "decided"


@transaction.atomic
def confirm_game(table: Table, *, by: Actor, at: datetime, seat: int | None = None) -> Game:
    """Accept a finished game: its result counts. `seat` is a seat of the side that accepts."""
    book = lock_book(table, open_only=False)
    if book.game.state == State.CONFIRMED:
        return book.game  # the same press, arriving again
    refuse_unless(book, [State.FINISHED])
    _refuse_reopened(book)
    Confirmation.objects.create(
        game=book.game, accepted=True, seat=seat, said_as=by.label[:80], at=at
    )
    _move(book, State.CONFIRMED, at)
    tell(book, by, "confirm game", new={"seat": seat, "score": book.game.score})
    return book.game


@transaction.atomic
def dispute_game(
    table: Table,
    *,
    reason: str,
    by: Actor,
    at: datetime,
    seat: int | None = None,
    after_closing: bool = False,
) -> Game:
    """Object to a finished game, with a reason: the table cannot touch it, an organiser decides.

    A table objects while its session is open; a card handed in later may be objected to later.
    """
    book = lock_book(table, open_only=not after_closing)
    if book.game.state == State.DISPUTED:
        return book.game
    refuse_unless(book, [State.FINISHED])
    if accepted_by_silence(book.game, at):
        message = _("The time to object is over. Ask the organiser.")
        raise Refused("accepted", message, status=409)
    Confirmation.objects.create(
        game=book.game, accepted=False, seat=seat, reason=reason, said_as=by.label[:80], at=at
    )
    _move(book, State.DISPUTED, at)
    tell(book, by, "dispute game", new={"seat": seat, "reason": reason})
    return book.game


@transaction.atomic
def settle_game(
    table: Table,
    decision: str,
    *,
    reason: str,
    by: Actor,
    at: datetime,
    winners: Sequence[int] | None = None,
) -> Game:
    """An organiser decides about a disputed, unconfirmed or reopened game (design 6.4).

    `stands`: it counts at its score; one that is not over ends there, the leaders win. `play_on`:
    its people go on where they sit. `new_end`: the hands beyond an earlier end are set aside.
    `decided`: the seats in `winners` win at this score.
    """
    book = lock_book(table, open_only=decision == PLAY_ON)
    old = {"state": book.game.state, "winners": book.game.winners, "score": book.game.score}
    _DECISIONS[decision](book, winners, by, at)
    Confirmation.objects.filter(game=book.game, settled_at=None).update(settled_at=at)
    decide(book.game, decision, reason, by=by, at=at)
    new = {"decision": decision, "reason": reason, "winners": book.game.winners}
    tell(book, by, "settle game", old=old, new=new)
    return book.game


def decide(game: Game, decision: str, reason: str, *, by: Actor, at: datetime) -> None:
    """Keep what an organiser decided about a game, and why, with what was said before."""
    said = {"decision": decision, "reason": reason, "said_as": by.label[:80]}
    if game.confirmations.filter(**said).exists():
        return  # the same press, arriving again
    game.confirmations.create(accepted=decision != PLAY_ON, at=at, settled_at=at, **said)


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
            log.exception("the results of the club %s cannot be confirmed", night.club.slug)
            failed.add(night.club.slug)
    return failed


@transaction.atomic
def _accept(table: Table, by: Actor, at: datetime) -> None:
    book = lock_book(table, open_only=False)
    if accepted_by_silence(book.game, at):
        _move(book, State.CONFIRMED, at)
        tell(book, by, "accept game", new={"score": book.game.score})


def _stands(book: Book, winners: Sequence[int] | None, by: Actor, at: datetime) -> None:
    game = book.game
    if not is_over(book):
        game.ended_by, game.ended_after = EndedBy.TIME, len(book.hands)
    _settled(book, by, at)


def _decided(book: Book, winners: Sequence[int] | None, by: Actor, at: datetime) -> None:
    sides = [side for side in book.rules.sides if set(side) & set(winners or ())]
    if not sides:
        message = _("Say who has won.")
        raise Refused("bad-winners", message, fields={"winners": [message]})
    game = book.game
    game.ended_by, game.ended_after = EndedBy.DECISION, len(book.hands)
    game.decided_winners = sorted(seat for side in sides for seat in side)
    _settled(book, by, at)


def _new_end(book: Book, winners: Sequence[int] | None, by: Actor, at: datetime) -> None:
    if not is_over(book):
        raise Refused("not-over", _("This game has no new end; it goes on."), status=409)
    _settled(book, by, at)


def _play_on(book: Book, winners: Sequence[int] | None, by: Actor, at: datetime) -> None:
    game = book.game
    if not book.table.is_live:
        message = _("The people of this table have moved on. Seat them again, or let it stand.")
        raise Refused("moved-on", message, status=409)
    game.ended_by, game.ended_after = EndedBy.PLAY, None
    game.ended_seat = game.decided_winners = game.totals = None
    book.changed()
    if is_over(book):
        message = _("By its hands this game is over. Correct or strike a hand to go on.")
        raise Refused("game-over", message, status=409)
    game.state, game.finished_at, game.accept_at, game.reopened = State.PLAYING, None, None, False
    keep(book, at=at, rows_may_go=True)


_DECISIONS = {STANDS: _stands, PLAY_ON: _play_on, NEW_END: _new_end, DECIDED: _decided}


def _settled(book: Book, by: Actor, at: datetime) -> None:
    """The game counts as it now is; hands beyond its end are set aside, not lost."""
    _set_aside(book, by, at)
    game = book.game
    game.state, game.finished_at = State.CONFIRMED, game.finished_at or at
    book.changed()
    keep(book, at=at, rows_may_go=True)


def _set_aside(book: Book, by: Actor, at: datetime) -> None:
    beyond = {found.hand for found in book.misfits() if found.code == "game-over"}
    gone = [hand for hand in book.hands if hand.number in beyond]
    for hand in gone:
        hand.current, hand.undone_at, hand.undone_as = False, at, by.label[:80]
    Hand.objects.bulk_update(gone, ["current", "undone_at", "undone_as"])


def _move(book: Book, state: str, at: datetime) -> None:
    book.game.state = state
    book.game.save(update_fields=["state"])
    keep_rows(book, rows_may_go=False)


def _refuse_reopened(book: Book) -> None:
    if book.game.reopened:
        message = _("A correction changed how this game ends; an organiser decides first.")
        raise Refused("reopened", message, status=409)
