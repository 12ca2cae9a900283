"""What a table may be told: the bodies of its orders, each field once and of its own kind."""

from typing import Annotated, Any

from django.core.exceptions import ValidationError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from league.api.shapes.games import HandShape, Record, TableStateShape
from league.play.forms import FreeText
from league.play.validators import MOST_POINTS

_words = FreeText()


def _one_line(text: str) -> str:
    try:
        return _words.clean(text)
    except ValidationError as error:
        raise ValueError(" ".join(error.messages)) from error


ClientId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{8,40}$",
        description="Made by the sender, new for every entry: the same again writes nothing.",
    ),
]
Reason = Annotated[
    str, Field(min_length=1, max_length=200, description="Why."), AfterValidator(_one_line)
]


def _whole(value: object) -> object:
    """1.0 is the whole number 1, as JSON Schema has it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Seat = Annotated[int, Field(ge=0, le=7), BeforeValidator(_whole)]
Number = Annotated[int, Field(ge=1, le=999), BeforeValidator(_whole)]
Score = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS), BeforeValidator(_whole)]
Unlikely = Annotated[
    bool, Field(description="True says that an unlikely hand was indeed so (after `unlikely`).")
]


class Order(BaseModel):
    """A body in which nothing is converted and nothing unknown passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


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
    """The table that stands here now; its code for whoever came with the old one's."""

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
