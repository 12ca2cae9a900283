"""Locks a table's game log and saves what follows from it, as every action does; stores whole games
that are imported from files.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
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
from league.seating.models import Round, Seat, Table
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
# The same statement reads the version of the database, as the audit entry does at the end.
RAISED = "UPDATE league_session SET revision = revision + 1 WHERE id = %s"
LOCK = f"{RAISED} RETURNING ({LAST})"
LOCK_OPEN = f"{RAISED} AND state = %s RETURNING ({LAST})"


def lock_game_log(table: Table, *, open_only: bool = True) -> GameLog:
    """The current log of a table, locked until the transaction ends.

    Raising the revision of the session locks it. Every action locks the session first, so that two
    actions cannot deadlock. Refuses as `session-not-open` when the session is closed, unless
    `open_only` is False.
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
    log.stored = _field_values(log.game)
    return log


AFTER_GAMES: list[Callable[[Table], None]] = []
"""Callbacks of areas that depend on this one. Each is called with the table of a game that has
ended, or has changed after its end, in the same transaction. `league.apps` fills the list."""


UNDONE: list[Callable[[Table], bool]] = []
"""Each says whether the match of a table was undone. `league.apps` fills the list."""

WALKOVERS: list[Callable[[Table], bool]] = []
"""Each says whether the match of a table was given by walk-over. `league.apps` fills the list."""


def is_match_undone(table: Table) -> bool:
    """Whether a table played a match that was undone, or whose round was unpublished, so that its
    game counts nowhere."""
    is_withdrawn = table.round.state == Round.State.WITHDRAWN
    is_gone = is_withdrawn or any(is_undone(table) for is_undone in UNDONE)
    return table.round.by_tournament and is_gone


def is_match_walkover(table: Table) -> bool:
    """Whether a table's match was given by walk-over, so that its game decides nothing."""
    return table.round.by_tournament and any(is_walkover(table) for is_walkover in WALKOVERS)


def refuse_undone(table: Table) -> None:
    """Refuse to change the game of a match that was undone."""
    if is_match_undone(table):
        message = _("A corrected result made this match void: its game counts nowhere.")
        if table.round.state == Round.State.WITHDRAWN:
            message = _("This round was unpublished: its game counts nowhere.")
        raise Refused("undone-match", message, status=409)


def refuse_walkover(table: Table) -> None:
    """Refuse to decide or score the game of a match that was given by walk-over."""
    if is_match_walkover(table):
        message = _("This match is a walk-over: take it back on the tournament's page.")
        raise Refused("walk-over", message, status=409)


def save_derived(log: GameLog, *, at: datetime, rows_may_go: bool = False) -> None:
    """Store what follows from the log: the game's derived fields and its result rows.

    `rows_may_go`: a hand may have been removed, so some players may no longer have a row.
    """
    apply_state(log, at=at)
    values = _field_values(log.game)
    if (log.stored.get("state"), values["state"]) == (State.DISPUTED, State.PLAYING):
        # A correction has brought the game back in play: the dispute is answered.
        Confirmation.objects.filter(game=log.game, settled_at=None).update(settled_at=at)
    end_states = {log.stored.get("state", State.PLAYING), values["state"]} - {State.PLAYING}
    changed_fields = [
        name for name in FIELDS if name not in log.stored or log.stored[name] != values[name]
    ]
    if changed_fields:
        update(log.game, changed_fields)
        log.stored = values
    save_results(log, rows_may_go=rows_may_go)
    for callback in AFTER_GAMES if end_states else ():
        callback(log.table)


def _field_values(game: Game) -> dict[str, Any]:
    """The present values of the fields that actions change; lists are copied."""
    values = {name: getattr(game, name) for name in FIELDS}
    return {name: [*value] if isinstance(value, list) else value for name, value in values.items()}


def save_results(log: GameLog, *, rows_may_go: bool = True) -> None:
    """Store the result rows that follow from the log, in one statement (more if `rows_may_go`)."""
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
    """Write the entry for an action on this game to the activity log."""
    session = log.table.session
    log_action(session.club, by, action, log.table.name_in_log, session=session, **changes)


def refuse_unless(log: GameLog, states: Sequence[str]) -> None:
    """Refuse an action unless the game is in one of these states."""
    state = State(log.game.state)
    if state in states:
        return
    words = {
        State.PLAYING: _("This game is still being played."),
        State.FINISHED: _("This game is over."),
        State.CONFIRMED: _("This game is over and its result counts."),
        State.DISPUTED: _("This game is disputed; an organiser decides."),
        State.ABANDONED: log.game.called_off_text,
    }
    codes = {State.PLAYING: "still-playing", State.DISPUTED: "disputed"}
    raise Refused(codes.get(state, "game-over"), words[state], status=409)


def recount_table(table: Table, *, at: datetime) -> Game:
    """Recompute a game, for example after another player was seated for earlier hands."""
    with transaction.atomic():
        log = lock_game_log(table, open_only=False)
        save_derived(log, at=at, rows_may_go=True)
    return log.game


@dataclass
class ImportedGame:
    """A game with all its rows; the ids of its table and session may not exist yet."""

    log: GameLog
    rows: list[Result]
    confirmations: list[Confirmation] = field(default_factory=list)

    def parts(self) -> list[Hand | Ruling | Result | Confirmation]:
        return [*self.log.versions, *self.log.rulings, *self.rows, *self.confirmations]


def imported_game(log: GameLog, *, by: Actor, at: datetime) -> ImportedGame:
    """A game from its log of strict records, as `record_hand` for each hand and then `confirm_game`
    would make it. The caller has checked the hands, and the game is over: nothing is refused.
    Nothing is stored."""
    entries: list[Hand | Ruling] = [*log.versions, *log.rulings]
    for entry in entries:
        entry.entered_as, entry.entered_at = by.label[:80], at
    for hand, answer in zip(log.versions, log.state.answers, strict=True):
        hand.entered_by = by.user
        hand.points, hand.outcome = list(answer.points or ()), answer.outcome or ""
        if hand.struck:
            hand.points, hand.outcome = [0] * log.rules.players, "struck"
    return _confirmed_import(log, by=by, at=at)


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
    """A game with only a final score by side, as `write_totals` and then `confirm_game` would make
    it, with a decision where the winners are not those with the most points.

    `winners` are all seats of the winning sides; `code` is the game's public id. Nothing is stored.
    """
    game = new_game(table)
    game.public_id, game.totals, game.started_at = code, list(totals), at
    log = GameLog(table, game, [], [], seats)
    if list(winners) != winners_of_totals(log.rules, totals):
        game.ended_by, game.ended_after = Game.EndedBy.DECISION, 0
        game.decided_winners = list(winners)
    return _confirmed_import(log, by=by, at=at)


def _confirmed_import(log: GameLog, *, by: Actor, at: datetime) -> ImportedGame:
    """A finished game with its derived rows, confirmed by the person who imports it."""
    apply_state(log, at=at)
    imported, game = ImportedGame(log, []), log.game
    if game.state == Game.State.FINISHED:
        game.state = Game.State.CONFIRMED
        confirmation = Confirmation(game=game, accepted=True, said_as=by.label[:80], at=at)
        imported.confirmations.append(confirmation)
    imported.rows = derived_results(log)
    return imported


def save_imported_games(imported: Sequence[ImportedGame]) -> None:
    """Store imported games in a few statements, to hold the lock only briefly. Their tables and
    sessions must be stored already."""
    for game in imported:
        game.log.game.table_id, game.log.game.session_id = _table_and_session_ids(game.log.table)
    _bulk_create(Game, [game.log.game for game in imported])
    for game in imported:
        for part in game.parts():
            part.game_id = game.log.game.pk
        for row in game.rows:
            row.session_id = game.log.game.session_id
    _bulk_create(Hand, [hand for game in imported for hand in game.log.versions])
    _bulk_create(Ruling, [ruling for game in imported for ruling in game.log.rulings])
    _bulk_create(Result, [row for game in imported for row in game.rows])
    _bulk_create(
        Confirmation, [confirmation for game in imported for confirmation in game.confirmations]
    )


def _bulk_create(model: Any, rows: list[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=AT_A_TIME)


def _table_and_session_ids(table: Table) -> tuple[int, int]:
    return table.pk, table.session_id


class TableGames:
    """The games of tables as the seating area needs them (see `league.seating.queries`)."""

    entered = (
        Q(games__hands__current=True)
        | Q(games__totals__isnull=False)
        | Q(games__rulings__isnull=False, games__rulings__withdrawn_at=None)
        | Q(games__state__in=OVER)
    )
    over = Q(games__state__in=OVER)
    called_off = Q(games__state=State.ABANDONED)
    to_decide = Q(games__state=State.DISPUTED) | Q(games__reopened=True)
    last_hand = Subquery(
        Hand.objects.filter(game__table=OuterRef("table"), game__totals__isnull=True, current=True)
        .exclude(game__state=State.PLAYING)
        .order_by("-number")
        .values("number")[:1]
    )

    def ever_written(self, table: Table) -> bool:
        return Hand.objects.filter(game__table=table).exists()

    def next_hand(self, table: Table) -> int:
        numbers = Hand.objects.filter(game__table=table, current=True).order_by("-number")
        return (numbers.values_list("number", flat=True).first() or 0) + 1

    def deal_first(self, table: Table, position: int) -> None:
        Game.objects.filter(table=table).update(first_dealer=position)

    def forget_unbegun(self, table: Table) -> None:
        Game.objects.filter(table=table, hands__isnull=True).delete()
