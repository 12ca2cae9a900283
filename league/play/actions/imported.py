"""Whole games of another evening, from files: judged without a database, then saved together.

`imported_game` folds a game once by its rules; `save_imported_games` stores everything of one kind
in a few statements, so that a lock is held for no more than that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from league.members.audit import Actor
from league.play.final_scores import winners_of_totals
from league.play.game_log import GameLog, new_game
from league.play.models import Confirmation, Game, Hand, Result, Ruling
from league.play.results import apply_state, derived_results
from league.seating.models import Seat, Table

AT_A_TIME = 1000


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
    """A finished game with what is derived from it, confirmed by whoever imported it."""
    apply_state(log, at=at)
    imported, game = ImportedGame(log, []), log.game
    if game.state == Game.State.FINISHED:
        game.state = Game.State.CONFIRMED
        said = Confirmation(game=game, accepted=True, said_as=by.label[:80], at=at)
        imported.confirmations.append(said)
    imported.rows = derived_results(log)
    return imported


def save_imported_games(imported: Sequence[ImportedGame]) -> None:
    """Store imported_game games. Their tables and sessions are stored."""
    games = [one.log.game for one in imported]
    for one in imported:
        one.log.game.table_id, one.log.game.session_id = _place(one.log.table)
    Game.objects.bulk_create(games, batch_size=AT_A_TIME)
    for one in imported:
        for part in one.parts():
            part.game_id = one.log.game.pk
        for row in one.rows:
            row.session_id = one.log.game.session_id
    hands = [hand for one in imported for hand in one.log.versions]
    Hand.objects.bulk_create(hands, batch_size=AT_A_TIME)
    Ruling.objects.bulk_create(ruling for one in imported for ruling in one.log.rulings)
    rows = [row for one in imported for row in one.rows]
    Result.objects.bulk_create(rows, batch_size=AT_A_TIME)
    said = [said for one in imported for said in one.confirmations]
    Confirmation.objects.bulk_create(said, batch_size=AT_A_TIME)


def _place(table: Table) -> tuple[int, int]:
    return table.pk, table.session_id
