"""The JSON that programs read and send; here, what all request bodies are made of."""

import re
from datetime import date
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from league.play.forms import FreeText

_text_field = FreeText()


def _one_line(text: str) -> str:
    try:
        return _text_field.clean(text)
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


def to_whole_number(value: object) -> object:
    """Accept 1.0 as the whole number 1, as JSON Schema does."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Number = Annotated[int, Field(ge=1, le=999), BeforeValidator(to_whole_number)]


class Order(BaseModel):
    """A body in which nothing is converted and nothing unknown passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _iso_date(value: object) -> object:
    """Accept a date written as 2026-11-19, and in no other form."""
    if isinstance(value, str):
        if not DAY.fullmatch(value):
            raise ValueError("a day is written as 2026-11-19")
        return date.fromisoformat(value)
    return value


Id = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=80)]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]
Day = Annotated[date, BeforeValidator(_iso_date)]
Count = Annotated[int, Field(ge=0, le=999), BeforeValidator(to_whole_number)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(to_whole_number)]
SEED = "The same seed draws the same; left out, one is drawn."


def provided_values(order: Order | None) -> dict[str, Any]:
    """The values that a body has, without those it leaves out."""
    values = order.model_dump() if order else {}
    return {name: value for name, value in values.items() if value is not None}
