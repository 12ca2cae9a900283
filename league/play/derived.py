"""What is stored of a game for speed: derived from its book, here and nowhere else."""

from datetime import datetime, timedelta
from typing import Any

from league.members.models import Club
from league.play.book import Book
from league.play.models import Game, Result
from league.play.results import Row, Sitting, rows_of, total_rows, winners_of_totals

State = Game.State
ENDED = (State.FINISHED, State.CONFIRMED, State.DISPUTED)


def figures(book: Book) -> dict[str, object]:
    """The stored figures of a game: functions of its hands, rulings, totals and way of ending."""
    state, game = book.state, book.game
    if game.totals is not None:
        winners: list[int] = winners_of_totals(game.totals, book.rules.sides)
        if game.ended_by == Game.EndedBy.DECISION and game.decided_winners is not None:
            winners = list(game.decided_winners)
        score = list(game.totals)
    else:
        winners, score = list(state.winners), list(state.score)
    return {
        "score": score,
        "winners": winners,
        "hands_played": sum(not hand.struck for hand in book.hands),
        "hands_written": len(book.versions),
        "rulings_written": len(book.rulings),
        "misfits": len(book.misfits()),
    }


def is_over(book: Book) -> bool:
    return book.game.totals is not None or book.state.over


def apply_state(book: Book, *, at: datetime) -> None:
    """Put the figures into the game's row and move its state along.

    A game that a correction opens again is played on where its people still sit. Where they have
    moved on, or where hands lie beyond a new end, an organiser chooses: `reopened` says so.
    """
    game, club = book.game, book.table.session.club
    for name, value in figures(book).items():
        setattr(game, name, value)
    if book.hands and game.started_at is None:
        game.started_at = at
    if game.state == State.ABANDONED:
        return
    beyond = any(found.code == "game-over" for found in book.misfits())
    if is_over(book):
        game.reopened = beyond
        if game.state == State.PLAYING:
            _finish(game, club, at)
    elif game.state in ENDED:
        if still_seated(book):
            game.state, game.reopened = State.PLAYING, False
            game.finished_at = game.accept_at = None
        else:
            game.reopened = True


def _finish(game: Game, club: Club, at: datetime) -> None:
    game.finished_at = at
    if club.confirm == Club.Confirm.NONE:
        game.state = State.CONFIRMED
        return
    game.state = State.FINISHED
    minutes = club.auto_accept_minutes
    game.accept_at = None if minutes is None else at + timedelta(minutes=minutes)


def accepted_by_silence(game: Game, at: datetime) -> bool:
    """Whether nobody has objected to a finished game for as long as the club gives them."""
    waiting = game.state == State.FINISHED and not game.reopened
    return waiting and game.accept_at is not None and game.accept_at <= at


def as_of(game: Game, at: datetime) -> Game:
    """The game as it counts at this moment: confirmed where silence has accepted it. For reading;
    it is stored by the next order, or by `remind`."""
    if accepted_by_silence(game, at):
        game.state = State.CONFIRMED
    return game


def still_seated(book: Book) -> bool:
    """Whether the people of this table still sit at it, so that play can go on."""
    return book.table.is_live and all(seat.seated for seat in book.sitting())


def stored_rows(book: Book) -> list[Result]:
    """The result rows of a game, not yet stored."""
    return [Result(**told) for told in rows_told(book)]


def rows_told(book: Book) -> list[dict[str, Any]]:
    """What the result rows of a game hold, by the attributes of their model."""
    game = book.game
    if game.state == State.ABANDONED:
        return []
    told = {
        "session_id": game.session_id,
        "game_id": game.pk,
        "provisional": is_provisional(game),
    }
    return [told | _columns(row) for row in _rows(book)]


def is_provisional(game: Game) -> bool:
    """Whether a result may still change hands: not confirmed, disputed, or opened again."""
    return game.state != State.CONFIRMED or game.reopened


def _rows(book: Book) -> list[Row]:
    sittings = [
        Sitting(seat.member_id, seat.position, seat.from_hand, seat.until_hand)
        for seat in book.seats
    ]
    if book.game.totals is not None:
        rules = book.rules
        winners = list(figures(book)["winners"])  # type: ignore[call-overload]
        return total_rows(book.game.totals, rules.sides, rules.target or 0, sittings, winners)
    records = [None if hand.struck else hand.record for hand in book.hands]
    return rows_of(book.state, records, sittings)


def _columns(row: Row) -> dict[str, Any]:
    columns = row.as_dict()
    columns["member_id"] = columns.pop("member")
    return columns
