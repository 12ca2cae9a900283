"""Whole games of another evening, written down at once: what their tables would have come to.

`judged` asks the rules and folds a game once, and needs no database; `keep_games` stores what it
made, everything of one kind in a few statements: a lock is held for no more than that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from league.members.audit import Actor
from league.play.book import Book, new_game
from league.play.derived import apply_state, stored_rows
from league.play.models import Confirmation, Game, Hand, Result
from league.play.results import winners_of_totals
from league.seating.models import Seat, Table
from league.statements import insert_many

AT_A_TIME = 1000


@dataclass
class Brought:
    """One game with all that is stored of it; its table and its session get their ids later."""

    book: Book
    rows: list[Result]
    confirmed: list[Confirmation] = field(default_factory=list)

    def parts(self) -> list[Hand | Result | Confirmation]:
        return [*self.book.versions, *self.rows, *self.confirmed]


def judged(
    table: Table,
    seats: list[Seat],
    records: Sequence[dict[str, Any]],
    ids: Sequence[str],
    *,
    by: Actor,
    at: datetime,
) -> Brought:
    """A game from its strict records: what `record_hand` for each and then `confirm_game` make.

    The rules were asked before, and the game is over: nothing is refused here. `ids` are the
    hands' client ids. Nothing is stored.
    """
    game = new_game(table)
    book = Book(table, game, [], [], seats)
    told: dict[str, Any] = {"entered_by": by.user, "entered_as": by.label[:80], "entered_at": at}
    for number, (record, client_id) in enumerate(zip(records, ids, strict=True), 1):
        hand = Hand(game=game, number=number, record=record, client_id=client_id, **told)
        book.versions.append(hand)
    for hand, answer in zip(book.versions, book.state.answers, strict=True):
        hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
    return _over(book, by=by, at=at)


def judged_totals(
    table: Table,
    seats: list[Seat],
    totals: Sequence[int],
    winners: Sequence[int],
    *,
    code: str,
    by: Actor,
    at: datetime,
) -> Brought:
    """A game of which only the final score by side is known: what `write_totals` and then
    `confirm_game` make of it, and a decision where others won than those with the most.

    `winners` are seats, whole sides; `code` is the game's public id. Nothing is stored.
    """
    game = new_game(table)
    game.public_id, game.totals, game.started_at = code, list(totals), at
    book = Book(table, game, [], [], seats)
    if list(winners) != winners_of_totals(totals, book.rules.sides):
        game.ended_by, game.ended_after = Game.EndedBy.DECISION, 0
        game.decided_winners = list(winners)
    return _over(book, by=by, at=at)


def _over(book: Book, *, by: Actor, at: datetime) -> Brought:
    """A finished game with what is derived from it, confirmed by whoever brought it."""
    apply_state(book, at=at)
    brought, game = Brought(book, []), book.game
    if game.state == Game.State.FINISHED:
        game.state = Game.State.CONFIRMED
        said = Confirmation(game=game, accepted=True, said_as=by.label[:80], at=at)
        brought.confirmed.append(said)
    brought.rows = stored_rows(book)
    return brought


def keep_games(brought: Sequence[Brought]) -> None:
    """Store judged games. Their tables and sessions are stored."""
    games = [one.book.game for one in brought]
    for one in brought:
        one.book.game.table_id, one.book.game.session_id = _place(one.book.table)
    Game.objects.bulk_create(games, batch_size=AT_A_TIME)
    for one in brought:
        for part in one.parts():
            part.game_id = one.book.game.pk
        for row in one.rows:
            row.session_id = one.book.game.session_id
    insert_many([hand for one in brought for hand in one.book.versions])
    insert_many([row for one in brought for row in one.rows])
    insert_many([said for one in brought for said in one.confirmed])


def _place(table: Table) -> tuple[int, int]:
    return table.pk, table.session_id
