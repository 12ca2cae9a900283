"""JSON schemas of the API; this module has the types that request bodies share."""

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
        description="Chosen by the sender, new for every entry. Sent again, it changes nothing.",
    ),
]
Reason = Annotated[
    str, Field(min_length=1, max_length=200, description="The reason."), AfterValidator(_one_line)
]


def to_whole_number(value: object) -> object:
    """Accept 1.0 as the whole number 1, as JSON Schema does."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Number = Annotated[int, Field(ge=1, le=999), BeforeValidator(to_whole_number)]


class RequestBody(BaseModel):
    """A request body: values are not converted, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _iso_date(value: object) -> object:
    """Accept a date written as 2026-11-19, and in no other form."""
    if isinstance(value, str):
        if not DAY.fullmatch(value):
            raise ValueError("a date is written as 2026-11-19")
        return date.fromisoformat(value)
    return value


Id = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=80)]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]
Day = Annotated[date, BeforeValidator(_iso_date)]
Count = Annotated[int, Field(ge=0, le=999), BeforeValidator(to_whole_number)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(to_whole_number)]
SEED = "The same seed gives the same draw; left out, it is random."


def provided_values(body: RequestBody | None) -> dict[str, Any]:
    """The values in a body, without those that were left out."""
    values = body.model_dump() if body else {}
    return {name: value for name, value in values.items() if value is not None}
