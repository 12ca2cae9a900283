"""Opening a table's log to write in it and saving it, as every action does; and whole games from
files, judged without a database, then saved together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.compiled_sql import fetch_row, insert, update, upsert
from league.database import LAST, write_only_to_ours
from league.errors import Refused
from league.members.audit import Actor, log_action
from league.play.final_scores import winners_of_totals
from league.play.game_log import (
    GameLog,
    new_game,
    open_game_log,
)
from league.play.models import Confirmation, Game, Hand, Result, Ruling
from league.play.results import apply_state, derived_results, result_columns
from league.seating.models import Seat, Table
from league.sessions.models import Session

State = Game.State
OVER = (State.FINISHED, State.DISPUTED, State.CONFIRMED, State.ABANDONED)
FIELDS = (
    "first_dealer",
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
AT_A_TIME = 1000  # rows of games that come from files
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


def lock_game_log(table: Table, *, open_only: bool = True) -> GameLog:
    """The log of a table as it is now, locked until the transaction ends.

    The session comes first, as in every order about it, so that two orders never wait for each
    other; raising its revision is what locks it. Refuses `session-not-open` unless the order may
    come after the evening is closed (`open_only=False`).
    """
    values = [table.session_id, OPEN] if open_only else [table.session_id]
    locked = fetch_row(LOCK_OPEN if open_only else LOCK, *values)
    if locked is None:
        message = _("This session is not open, so nothing can be entered.")
        raise Refused("session-not-open", message, status=409)
    write_only_to_ours(locked[0])
    log = open_game_log(table, named=False)
    if log.game.pk is None:
        insert(log.game)
    log.stored = _now(log.game)
    return log


AFTER_GAMES: list[Callable[[Table], None]] = []
"""What areas to the right derive of finished games: each is called with the table of a game that
has ended, or has changed after its end, in the same transaction. `league.apps` fills it."""


def save_derived(log: GameLog, *, at: datetime, rows_may_go: bool = False) -> None:
    """Store what follows from the log: the game's derived fields and result rows.

    `rows_may_go`: a hand was taken away, so somebody may have no row any more.
    """
    apply_state(log, at=at)
    now = _now(log.game)
    ended = {log.stored.get("state", State.PLAYING), now["state"]} - {State.PLAYING}
    changed = [name for name in FIELDS if name not in log.stored or log.stored[name] != now[name]]
    if changed:
        update(log.game, changed)
        log.stored = now
    save_results(log, rows_may_go=rows_may_go)
    for follow in AFTER_GAMES if ended else ():
        follow(log.table)


def _now(game: Game) -> dict[str, Any]:
    """What the fields that orders change hold now."""
    values = {name: getattr(game, name) for name in FIELDS}
    return {name: [*value] if isinstance(value, list) else value for name, value in values.items()}


def save_results(log: GameLog, *, rows_may_go: bool = True) -> None:
    """Write the result rows that follow from the log, in one statement (more when rows may go)."""
    rows = result_columns(log)
    if rows_may_go:
        _drop_stale(log.game, {(row["member_id"], row["position"]) for row in rows})
    if rows:
        upsert(Result, rows, key=KEY, names=ROW_FIELDS)


def _drop_stale(game: Game, keys: set[tuple[int, int]]) -> None:
    stored = Result.objects.filter(game=game).values_list("pk", "member_id", "position")
    stale = [pk for pk, member, position in stored if (member, position) not in keys]
    if stale:
        Result.objects.filter(pk__in=stale).delete()


def log_game_action(log: GameLog, by: Actor, action: str, **changes: Any) -> None:
    """The audit entry of an order about this game."""
    session = log.table.session
    subject = f"table {log.table.number}"
    log_action(session.club, by, action, subject, session=session, **changes)


def refuse_unless(log: GameLog, states: Sequence[str]) -> None:
    """Refuse an order that this game's state does not allow, and say why."""
    state = State(log.game.state)
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
    """Derive a game again, for example after somebody else was seated for earlier hands."""
    with transaction.atomic():
        log = lock_game_log(table, open_only=False)
        save_derived(log, at=at, rows_may_go=True)
    return log.game


@dataclass
class ImportedGame:
    """One game with all that is stored of it; its table and its session get their ids later."""

    log: GameLog
    rows: list[Result]
    confirmations: list[Confirmation] = field(default_factory=list)

    def parts(self) -> list[Hand | Ruling | Result | Confirmation]:
        return [*self.log.versions, *self.log.rulings, *self.rows, *self.confirmations]


def imported_game(log: GameLog, *, by: Actor, at: datetime) -> ImportedGame:
    """A game from its log of strict records: what `record_hand` for each and then `confirm_game`
    make. The rules were asked before, and the game is over: nothing is refused here. Nothing is
    stored."""
    entries: list[Hand | Ruling] = [*log.versions, *log.rulings]
    for entry in entries:
        entry.entered_as, entry.entered_at = by.label[:80], at
    for hand, answer in zip(log.versions, log.state.answers, strict=True):
        hand.entered_by = by.user
        hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
        if hand.struck:
            hand.points, hand.outcome = [0] * log.rules.players, "struck"
    return _over(log, by=by, at=at)


def imported_totals(
    table: Table,
    seats: list[Seat],
    totals: Sequence[int],
    winners: Sequence[int],
    *,
    code: str,
    by: Actor,
    at: datetime,
) -> ImportedGame:
    """A game of which only the final score by side is known: what `write_totals` and then
    `confirm_game` make of it, and a decision where others won than those with the most.

    `winners` are seats, whole sides; `code` is the game's public id. Nothing is stored.
    """
    game = new_game(table)
    game.public_id, game.totals, game.started_at = code, list(totals), at
    log = GameLog(table, game, [], [], seats)
    if list(winners) != winners_of_totals(log.rules, totals):
        game.ended_by, game.ended_after = Game.EndedBy.DECISION, 0
        game.decided_winners = list(winners)
    return _over(log, by=by, at=at)


def _over(log: GameLog, *, by: Actor, at: datetime) -> ImportedGame:
    """A finished game with what is derived from it, confirmed by the one who imported it."""
    apply_state(log, at=at)
    imported, game = ImportedGame(log, []), log.game
    if game.state == Game.State.FINISHED:
        game.state = Game.State.CONFIRMED
        confirmation = Confirmation(game=game, accepted=True, said_as=by.label[:80], at=at)
        imported.confirmations.append(confirmation)
    imported.rows = derived_results(log)
    return imported


def save_imported_games(imported: Sequence[ImportedGame]) -> None:
    """Store games from files in a few statements, so that a lock is held for no more than that.
    Their tables and sessions are stored."""
    for one in imported:
        one.log.game.table_id, one.log.game.session_id = _place(one.log.table)
    _create(Game, [one.log.game for one in imported])
    for one in imported:
        for part in one.parts():
            part.game_id = one.log.game.pk
        for row in one.rows:
            row.session_id = one.log.game.session_id
    _create(Hand, [hand for one in imported for hand in one.log.versions])
    _create(Ruling, [ruling for one in imported for ruling in one.log.rulings])
    _create(Result, [row for one in imported for row in one.rows])
    _create(Confirmation, [given for one in imported for given in one.confirmations])


def _create(model: Any, rows: list[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=AT_A_TIME)


def _place(table: Table) -> tuple[int, int]:
    return table.pk, table.session_id


class TableGames:
    """What seating asks of the games at its tables and does to them (`league.seating.queries`)."""

    entered = (
        Q(games__hands__current=True)
        | Q(games__totals__isnull=False)
        | Q(games__rulings__isnull=False, games__rulings__withdrawn_at=None)
        | Q(games__state__in=OVER)
    )
    over = Q(games__state__in=OVER)
    to_decide = Q(games__state=State.DISPUTED) | Q(games__reopened=True)

    def ever_written(self, table: Table) -> bool:
        return Hand.objects.filter(game__table=table).exists()

    def next_hand(self, table: Table) -> int:
        numbers = Hand.objects.filter(game__table=table, current=True).order_by("-number")
        return (numbers.values_list("number", flat=True).first() or 0) + 1

    def deal_first(self, table: Table, position: int) -> None:
        Game.objects.filter(table=table).update(first_dealer=position)

    def forget_unbegun(self, table: Table) -> None:
        Game.objects.filter(table=table, hands__isnull=True).delete()
