"""Games with their hands as records, the state of a table, and the bodies that write to it."""

from datetime import datetime
from typing import Annotated, Any

from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from league.api.shapes import ClientId, Number, Reason, RequestBody, to_whole_number
from league.api.shapes.people import NameOf
from league.api.shapes.sessions import SeatShape, seat_shape
from league.exchange.game_files import rules_named
from league.play.game_log import GameLog
from league.play.models import MOST_POINTS, Hand, Ruling
from league.play.queries import SideState, TableState
from league.play.results import as_of, is_provisional

# `interface` replaces this placeholder with the published schema of the hand record.
Record = Annotated[dict[str, Any], WithJsonSchema({"title": "HandRecord", "type": "object"})]


class HandShape(BaseModel):
    """One version of a hand. `points`, by seat, are what it scores by the rules.

    `struck` is true for a deleted hand, which does not count. `current` is false for a version that
    was replaced or undone. Only tokens of members read who recorded it and the reason for a change.
    """

    number: int
    version: int
    record: Record
    outcome: str
    points: list[int]
    struck: bool
    current: bool
    client_id: str | None
    entered_at: datetime
    entered_by: str | None
    reason: str | None


class RulingShape(BaseModel):
    """A penalty, an adjustment or a misdeal, between two hands."""

    after_hand: int
    kind: str
    by_seat: int | None
    about_hand: int | None
    form: str | None
    points: list[int] | None = Field(description="By side, if an organiser set them.")
    withdrawn: bool
    reason: str | None


class GameShape(BaseModel):
    """A game. `score` is by side; `winners` are seats.

    `ruleset` is the preset it was played by and `options` are the club's changes to it, as in a
    hand record; both are null for rules that are not based on a preset.
    """

    id: str
    session_id: str
    table_id: str
    table_number: int
    players: int
    ruleset_id: str
    ruleset: str | None
    options: dict[str, Any] | None
    first_dealer: int
    state: str
    ended_by: str
    provisional: bool
    score: list[int]
    winners: list[int]
    hands_played: int
    misfits: int = Field(description="How many hands no longer fit after a correction.")
    started_at: datetime | None
    finished_at: datetime | None
    seats: list[SeatShape]


class GameDetail(GameShape):
    """A game with its hands: those that count or, for tokens of members, all versions."""

    hands: list[HandShape]
    rulings: list[RulingShape]


class SideShape(BaseModel):
    """A side at a table: its seats, its points, and the points it still needs."""

    seats: list[int]
    points: int
    target: int | None
    needs: int | None
    won: bool


class TableStateShape(BaseModel):
    """The current state of a table. `phase` says what can happen next: playing, totals (only the
    final score is recorded), finished, disputed, confirmed, abandoned, reopened."""

    id: str
    session_id: str
    number: int
    live: bool
    phase: str
    ruleset_id: str
    game_id: str | None
    seats: list[SeatShape]
    sides: list[SideShape]
    next_hand: int
    dealer: int = Field(description="The seat that deals the next hand.")
    hands: list[HandShape]


def hand_shape(hand: Hand, *, with_reasons: bool) -> HandShape:
    """A hand; `with_reasons` adds who recorded it and why it was changed."""
    return HandShape(
        number=hand.number,
        version=hand.version,
        record=hand.record,
        outcome=hand.outcome,
        points=list(hand.points),
        struck=hand.struck,
        current=hand.current,
        client_id=hand.client_id if with_reasons else None,
        entered_at=hand.entered_at,
        entered_by=hand.entered_as if with_reasons else None,
        reason=hand.reason if with_reasons else None,
    )


def game_fields(game_log: GameLog, name_of: NameOf) -> dict[str, Any]:
    """The fields of a game that every response has."""
    game, rules = as_of(game_log.game, timezone.now()), rules_named(game_log.game.ruleset.body)
    return {
        "id": game.public_id,
        "session_id": game_log.table.session.public_id,
        "table_id": game_log.table.public_id,
        "table_number": game_log.table.number,
        "players": game_log.rules.players,
        "ruleset_id": game.ruleset.public_id,
        "ruleset": rules.get("ruleset"),
        "options": rules.get("options", {}) if rules else None,
        "first_dealer": game.first_dealer,
        "state": game.state,
        "ended_by": game.ended_by,
        "provisional": is_provisional(game),
        "score": list(game.score),
        "winners": list(game.winners),
        "hands_played": game.hands_played,
        "misfits": game.misfits,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "seats": [seat_shape(seat, name_of) for seat in game_log.seats],
    }


def game_detail(game_log: GameLog, name_of: NameOf, *, with_reasons: bool) -> GameDetail:
    """A game with its hands; `with_reasons` adds hands that no longer count, and the reasons."""
    hands = game_log.versions if with_reasons else game_log.hands
    return GameDetail(
        **game_fields(game_log, name_of),
        hands=[hand_shape(hand, with_reasons=with_reasons) for hand in hands],
        rulings=[_ruling_shape(ruling, with_reasons=with_reasons) for ruling in game_log.rulings],
    )


def _ruling_shape(ruling: Ruling, *, with_reasons: bool) -> RulingShape:
    return RulingShape(
        after_hand=ruling.after_hand,
        kind=ruling.kind,
        by_seat=ruling.by_seat,
        about_hand=ruling.about_hand,
        form=ruling.form or None,
        points=ruling.points,
        withdrawn=ruling.withdrawn_at is not None,
        reason=ruling.reason if with_reasons else None,
    )


def table_state_shape(state: TableState, name_of: NameOf) -> TableStateShape:
    table, game_log = state.table, state.log
    return TableStateShape(
        id=table.public_id,
        session_id=table.session.public_id,
        number=table.number,
        live=table.is_live,
        phase=state.phase,
        ruleset_id=table.ruleset.public_id,
        game_id=game_log.game.public_id if game_log.game.pk else None,
        seats=[seat_shape(seat, name_of) for seat in game_log.sitting()],
        sides=[_side_shape(side) for side in state.sides],
        next_hand=state.number,
        dealer=state.dealer,
        hands=[hand_shape(hand, with_reasons=True) for hand in game_log.hands],
    )


def _side_shape(side: SideState) -> SideShape:
    return SideShape(
        seats=list(side.seats),
        points=side.points,
        target=side.target,
        needs=side.needs,
        won=side.won,
    )


Seat = Annotated[int, Field(ge=0, le=7), BeforeValidator(to_whole_number)]
Score = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS), BeforeValidator(to_whole_number)]
Unlikely = Annotated[
    bool, Field(description="True records an unexpected hand all the same (after `unlikely`).")
]


class HandRequest(RequestBody):
    """A hand to record."""

    record: Record
    client_id: ClientId
    number: Number | None = Field(
        None, description="The number of the hand; the next one if left out."
    )
    confirm_unlikely: Unlikely = False


class CorrectionRequest(RequestBody):
    """A fixed hand. `version` is the version that you saw."""

    record: Record
    client_id: ClientId
    version: Number
    reason: Reason
    confirm_unlikely: Unlikely = False


class DeletionRequest(RequestBody):
    """A hand to delete. `version` is the version that you saw."""

    client_id: ClientId
    version: Number
    reason: Reason


class UndoRequest(RequestBody):
    """The hand to undo, so that sending this twice does not undo another one."""

    number: Number
    version: Number


class HandCheckRequest(RequestBody):
    """A hand to check. If it is not a hand record at all, the response lists its faults too."""

    record: dict[str, Any] = Field(
        description="A hand record; anything else is answered with its faults."
    )


class MisdealRequest(RequestBody):
    """A misdeal to record."""

    client_id: ClientId


class PenaltyRequest(RequestBody):
    """A renege to penalise. `form` is for rules that let the other side choose the penalty."""

    client_id: ClientId
    by_seat: Seat
    form: str = Field("", pattern="^(add|deduct)?$", description="`add`, `deduct` or empty.")
    about_hand: Number | None = Field(
        None, description="The hand with the renege; the last one if left out."
    )
    against_lone: bool | None = None


class SideRequest(RequestBody):
    """A side of the table, given by one of its seats."""

    seat: Seat


class DisputeRequest(SideRequest):
    """A side's reason to dispute the result."""

    reason: Reason


class TotalsRequest(RequestBody):
    """The final score of a game, by side."""

    totals: list[Score] = Field(max_length=8)


class RecordedHand(BaseModel):
    """A recorded hand, and the table after it. `counts` is false for a hand that was undone or
    replaced after it was first sent."""

    hand: HandShape
    counts: bool
    table: TableStateShape


class NextTable(BaseModel):
    """The table that is here now, and its code for a caller with the old table's code."""

    table_id: str
    code: str | None


class HandCheck(BaseModel):
    """The check of a hand by the rules, and the game after it."""

    model_config = ConfigDict(extra="allow")

    valid: bool
    faults: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    score: list[int] | None = Field(description="By side, after this hand.")
    over: bool = Field(description="Whether the hand ends the game.")
