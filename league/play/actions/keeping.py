"""Opening a table's book to write in it, and keeping it: what every order begins and ends with."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.play.book import GAME_NUMBER, Book, game_of, open_book, rules_of
from league.play.derived import apply_state, rows_told
from league.play.models import Game, Result
from league.seating.models import Table
from league.sessions.models import Session
from league.statements import insert, returned, update, upsert
from league.version import LAST, write_only_to_ours

State = Game.State
FIELDS = (
    "state",
    "ended_by",
    "ended_after",
    "ended_seat",
    "decided_winners",
    "totals",
    "reopened",
    "hands_played",
    "hands_written",
    "rulings_written",
    "misfits",
    "score",
    "winners",
    "accept_at",
    "started_at",
    "finished_at",
)
KEY = ("game", "member", "position")
ROW_FIELDS = [
    field.name
    for field in Result._meta.concrete_fields
    if field.name not in ("id", "session", *KEY)
]
OPEN = Session.State.OPEN.value
# The same statement asks of which version the database is, as the audit entry does at the end.
RAISED = "UPDATE league_session SET revision = revision + 1 WHERE id = %s"
LOCK = f"{RAISED} RETURNING ({LAST})"
LOCK_OPEN = f"{RAISED} AND state = %s RETURNING ({LAST})"


def game_at(table: Table) -> Game:
    """The table's game, made when it is first needed: with the table's rules and first dealer."""
    game = game_of(table)
    if game is None:
        with transaction.atomic():
            game, _made = Game.objects.get_or_create(
                table=table,
                number=GAME_NUMBER,
                defaults={
                    "session_id": table.session_id,
                    "ruleset": table.ruleset,
                    "first_dealer": table.first_dealer,
                    "score": [0] * len(rules_of(table.ruleset.body).sides),
                },
            )
    game.table = table
    return game


def lock_book(table: Table, *, open_only: bool = True) -> Book:
    """The book of a table as it is now, locked until the transaction ends.

    The session comes first, as in every order about it, so that two orders never wait for each
    other; raising its revision is what locks it. Refuses `session-not-open` unless the order may
    come after the evening is closed (`open_only=False`).
    """
    values = [table.session_id, OPEN] if open_only else [table.session_id]
    locked = returned(LOCK_OPEN if open_only else LOCK, *values)
    if locked is None:
        message = _("This session is not open, so nothing can be entered.")
        raise Refused("session-not-open", message, status=409)
    write_only_to_ours(locked[0])
    book = open_book(table, named=False)
    if book.game.pk is None:
        insert(book.game)
    book.stored = _now(book.game)
    return book


def keep(book: Book, *, at: datetime, rows_may_go: bool = False) -> None:
    """Store what follows from the book: the game's derived fields and result rows.

    `rows_may_go`: a hand was taken away, so somebody may have no row any more.
    """
    apply_state(book, at=at)
    now = _now(book.game)
    changed = [name for name in FIELDS if name not in book.stored or book.stored[name] != now[name]]
    if changed:
        update(book.game, changed)
        book.stored = now
    keep_rows(book, rows_may_go=rows_may_go)


def _now(game: Game) -> dict[str, Any]:
    """What the fields that orders change hold now."""
    values = {name: getattr(game, name) for name in FIELDS}
    return {name: [*told] if isinstance(told, list) else told for name, told in values.items()}


def keep_rows(book: Book, *, rows_may_go: bool = True) -> None:
    """Write the result rows that follow from the book, in one statement (more when rows may go)."""
    rows = rows_told(book)
    if rows_may_go:
        _drop_stale(book.game, {(row["member_id"], row["position"]) for row in rows})
    if rows:
        upsert(Result, rows, key=KEY, names=ROW_FIELDS)


def _drop_stale(game: Game, keys: set[tuple[int, int]]) -> None:
    stored = Result.objects.filter(game=game).values_list("pk", "member_id", "position")
    stale = [pk for pk, member, position in stored if (member, position) not in keys]
    if stale:
        Result.objects.filter(pk__in=stale).delete()


def tell(book: Book, by: Actor, action: str, **changes: Any) -> None:
    """The audit entry of an order about this game."""
    session = book.table.session
    subject = f"table {book.table.number}"
    note(session.club, by, action, subject, session=session, **changes)


def refuse_unless(book: Book, states: Sequence[str]) -> None:
    """Refuse an order that this game's state does not allow, and say why."""
    state = State(book.game.state)
    if state in states:
        return
    words = {
        State.PLAYING: _("This game is still being played."),
        State.FINISHED: _("This game is over."),
        State.CONFIRMED: _("This game is over and its result counts."),
        State.DISPUTED: _("This game is disputed; an organiser decides."),
        State.ABANDONED: _("This game was not played."),
    }
    codes = {State.PLAYING: "still-playing", State.DISPUTED: "disputed"}
    raise Refused(codes.get(state, "game-over"), words[state], status=409)


def recount_table(table: Table, *, at: datetime) -> Game:
    """Derive a game anew: after a chair was given to another for hands gone by, say."""
    with transaction.atomic():
        book = lock_book(table, open_only=False)
        keep(book, at=at, rows_may_go=True)
    return book.game
