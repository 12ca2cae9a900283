"""Ending a game from outside its hands: conceded, time called, not played, or totals alone."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions.confirm import decide
from league.play.actions.keeping import keep, lock_book, refuse_unless, tell
from league.play.book import Book
from league.play.final_scores import score_faults
from league.play.models import Confirmation, Game
from league.play.validators import MOST_POINTS
from league.play.window import refuse_too_late
from league.seating.models import Table

State, EndedBy = Game.State, Game.EndedBy


@transaction.atomic
def concede(table: Table, seat: int, *, by: Actor, at: datetime) -> Game:
    """The side of `seat` gives the game up: the other side (the highest of the others) wins."""
    book = lock_book(table)
    if _ended_so(book, EndedBy.CONCEDED):
        return book.game
    refuse_unless(book, [State.PLAYING])
    if not 0 <= seat < book.rules.players:
        message = _("Say who gives up.")
        raise Refused("bad-seat", message, fields={"seat": [message]})
    return _end(book, EndedBy.CONCEDED, seat, by=by, at=at, action="concede")


@transaction.atomic
def call_time(table: Table, *, by: Actor, at: datetime) -> Game:
    """The game ends at its score: the highest wins, equal scores draw."""
    book = lock_book(table)
    if _ended_so(book, EndedBy.TIME):
        return book.game
    refuse_unless(book, [State.PLAYING])
    return _end(book, EndedBy.TIME, None, by=by, at=at, action="call time")


@transaction.atomic
def resume(table: Table, *, by: Actor, at: datetime, as_organiser: bool = False) -> Game:
    """Take back a concession or a call of time, or a game said not to be played: play goes on."""
    book = lock_book(table)
    game = book.game
    if game.state == State.PLAYING:
        return game
    if game.state == State.ABANDONED:
        if not as_organiser:
            refuse_unless(book, [State.PLAYING])
        game.state = State.PLAYING
    elif game.ended_by not in (EndedBy.CONCEDED, EndedBy.TIME):
        raise Refused("game-over", _("This game ended by its score."), status=409)
    elif book.hands:
        refuse_too_late(book, book.hands[-1], at=at, as_organiser=as_organiser)
    old = {"ended_by": game.ended_by, "seat": game.ended_seat}
    game.ended_by, game.ended_seat, game.ended_after = EndedBy.PLAY, None, None
    book.changed()
    keep(book, at=at)
    tell(book, by, "resume game", old=old)
    return game


@transaction.atomic
def abandon_game(table: Table, *, reason: str, by: Actor, at: datetime) -> Game:
    """The game was not played to any end and counts for nobody; its hands are kept."""
    book = lock_book(table, open_only=False)
    game = book.game
    if game.state != State.ABANDONED:
        old = {"state": game.state, "score": game.score}
        game.state, game.finished_at, game.reopened = State.ABANDONED, at, False
        keep(book, at=at, rows_may_go=True)
        decide(game, Confirmation.Decision.ABANDONED, reason, by=by, at=at)
        tell(book, by, "abandon game", old=old, new={"reason": reason})
    return game


@transaction.atomic
def write_totals(
    table: Table, totals: Sequence[int], *, by: Actor, at: datetime, as_organiser: bool = False
) -> Game:
    """A table that writes down a game's score alone: the final score by side, once.

    The same score again changes nothing; another one replaces it while the table may correct.
    """
    book = lock_book(table, open_only=not as_organiser)
    game, old = book.game, book.game.totals
    if not table.totals_only or book.hands:
        raise Refused("hands-here", _("This table writes its hands down."), status=409)
    _refuse_bad_totals(book, totals)
    if old == list(totals):
        return game
    if not as_organiser and game.state not in (State.PLAYING, State.FINISHED):
        refuse_unless(book, [State.PLAYING])
    game.totals, game.started_at = list(totals), game.started_at or at
    book.changed()
    keep(book, at=at, rows_may_go=True)
    tell(book, by, "write totals", old=old, new=list(totals))
    return game


def _refuse_bad_totals(book: Book, totals: Sequence[int]) -> None:
    sides = book.rules.sides
    if len(totals) != len(sides):
        raise Refused("bad-totals", _("Every side has a score."))
    message = _("A score is a whole number up to %(most)d.") % {"most": MOST_POINTS}
    wrong = [side for side, score in enumerate(totals) if not -MOST_POINTS <= score <= MOST_POINTS]
    if wrong:
        fields = {f"total{side}": [message] for side in wrong}
        raise Refused("bad-totals", message, fields=fields)
    impossible = dict(score_faults(book.rules, totals))
    if impossible:
        message = next(iter(impossible.values()))
        fields = {f"total{side}": [sentence] for side, sentence in impossible.items()}
        raise Refused("bad-totals", message, fields=fields)


def _ended_so(book: Book, how: str) -> bool:
    """The same order arriving twice."""
    return book.game.ended_by == how and book.game.state != State.PLAYING


def _end(book: Book, how: str, seat: int | None, *, by: Actor, at: datetime, action: str) -> Game:
    game = book.game
    game.ended_by, game.ended_seat, game.ended_after = how, seat, len(book.hands)
    book.changed()
    keep(book, at=at)
    tell(book, by, action, new={"seat": seat, "score": game.score})
    return game
