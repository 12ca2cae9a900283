"""What addresses ask: lists in parts, at most a hundred at a time; numbers and days strictly."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest
from pydantic import BaseModel, BeforeValidator, Field

Shown = TypeVar("Shown")
MOST, USUAL, FURTHEST = 100, 50, 1_000_000


def _digits(value: object) -> object:
    """Digits and nothing else: an address that says 5.0 or 0_5 means something else."""
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("a whole number is written in digits")
    return value


def _iso(value: object) -> object:
    """A day as 2026-11-19 and no other way: pydantic takes any number for seconds since 1970."""
    if isinstance(value, str) and not DAY.fullmatch(value):
        raise ValueError("a day is written as 2026-11-19")
    return value


DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
Whole = Annotated[int, BeforeValidator(_digits)]
Day = Annotated[date, BeforeValidator(_iso)]


class Part(BaseModel):
    """Which part of a list is asked for."""

    limit: Whole = Field(USUAL, ge=1, le=MOST, description="How many at most.")
    offset: Whole = Field(0, ge=0, le=FURTHEST, description="How many to leave out before.")


class Page(BaseModel, Generic[Shown]):
    """A part of a list."""

    items: list[Shown]
    count: int = Field(description="How many there are in all.")
    next: str | None = Field(description="Where the next part is; null after the last.")


def page_of(
    request: HttpRequest, found: QuerySet[Any], part: Part, shape: Callable[[Any], Shown]
) -> Page[Shown]:
    """A part of what was found, each shown as `shape` says. Two queries beside its own."""
    count = found.count()
    rows: Iterable[Any] = found[part.offset : part.offset + part.limit]
    end = part.offset + part.limit
    asked = request.GET.copy()
    asked["offset"], asked["limit"] = str(end), str(part.limit)
    more = f"{request.path}?{asked.urlencode()}" if end < count else None
    return Page(items=[shape(row) for row in rows], count=count, next=more)
