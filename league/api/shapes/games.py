"""Games with their hands as records, the state of a table, and the bodies that write to it."""

from datetime import datetime
from typing import Annotated, Any

from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from league.api.shapes import ClientId, Number, Order, Reason, to_whole_number
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
    """One version of a hand. `points` by seat are what the rules pay for it.

    `struck`: it counts for nothing. `current` is false for a version that was replaced or taken
    back. Who wrote it down and why is for members' tokens alone.
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
    """A penalty, an adjustment or a misdeal between two hands."""

    after_hand: int
    kind: str
    by_seat: int | None
    about_hand: int | None
    form: str | None
    points: list[int] | None = Field(description="By side, where an organiser set them.")
    withdrawn: bool
    reason: str | None


class GameShape(BaseModel):
    """A game. `score` is by side, `winners` are seats.

    `ruleset` is the preset it was played by and `options` what the club changed of it, as in a
    hand record; both are null for rules that are no change of a preset.
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
    misfits: int = Field(description="How many hands no longer fit since a correction.")
    started_at: datetime | None
    finished_at: datetime | None
    seats: list[SeatShape]


class GameDetail(GameShape):
    """A game with its hands: those that count, for members' tokens all versions too."""

    hands: list[HandShape]
    rulings: list[RulingShape]


class SideShape(BaseModel):
    """A side of a table: its seats, its points, and what it still needs."""

    seats: list[int]
    points: int
    target: int | None
    needs: int | None
    won: bool


class TableStateShape(BaseModel):
    """A table as it stands. `phase` is one word for what can happen next: playing, totals (only
    its score is asked), finished, disputed, confirmed, abandoned, reopened."""

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
    bool, Field(description="True says that an unlikely hand was indeed so (after `unlikely`).")
]


class HandOrder(Order):
    """A hand to write down."""

    record: Record
    client_id: ClientId
    number: Number | None = Field(None, description="Which hand it is; the next one if left out.")
    confirm_unlikely: Unlikely = False


class CorrectionOrder(Order):
    """A hand put right. `version` is the one that was looked at."""

    record: Record
    client_id: ClientId
    version: Number
    reason: Reason
    confirm_unlikely: Unlikely = False


class StrikeOrder(Order):
    """A hand that is to count for nothing."""

    client_id: ClientId
    version: Number
    reason: Reason


class UndoOrder(Order):
    """Which hand to take back, so that a second time takes back nothing more."""

    number: Number
    version: Number


class CheckOrder(Order):
    """A hand to look at. What is no hand record is answered with its faults, as any hand is."""

    record: dict[str, Any] = Field(description="A hand record, or what somebody takes for one.")


class MisdealOrder(Order):
    """A misdeal to note."""

    client_id: ClientId


class PenaltyOrder(Order):
    """A renege to rule. `form` where the rules let the claimant choose."""

    client_id: ClientId
    by_seat: Seat
    form: str = Field("", pattern="^(add|deduct)?$", description="add, deduct or empty.")
    about_hand: Number | None = Field(None, description="Where it was; the last hand if left out.")
    against_lone: bool | None = None


class SideOrder(Order):
    """One side of the table, by a seat of it."""

    seat: Seat


class DisputeOrder(SideOrder):
    """What a side says against the result."""

    reason: Reason


class TotalsOrder(Order):
    """A game's final score, side by side."""

    totals: list[Score] = Field(max_length=8)


class Written(BaseModel):
    """A hand that is stored, and the table after it. `counts` is false for one that was taken back
    or replaced since it was first sent."""

    hand: HandShape
    counts: bool
    table: TableStateShape


class Following(BaseModel):
    """The table that stands here now; its code for anyone who came with the old one's."""

    table_id: str
    code: str | None


class Answer(BaseModel):
    """What the rules make of a hand: the answer of the hand record, and what comes after it."""

    model_config = ConfigDict(extra="allow")

    valid: bool
    faults: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    score: list[int] | None = Field(description="By side, after this hand.")
    over: bool = Field(description="Whether the game ends with it.")
