"""Times as words, in the way of the reader's language, and the time zones one may choose."""

from datetime import datetime, time
from functools import cache
from importlib.resources import files
from zoneinfo import available_timezones

from django.utils import timezone
from django.utils.formats import date_format, get_format, time_format
from django.utils.translation import gettext as _

Choices = list[tuple[str, list[tuple[str, str]]]]


def zone_choices(*more: str) -> Choices:
    """Choices for a form: every zone of a country, under its part of the world; and `more`, which
    a club has from long ago by another name."""
    parts: dict[str, list[tuple[str, str]]] = {"": [("UTC", "UTC")]}
    for zone in sorted({*_zones(), *more} - {"UTC"}):
        part, _, place = zone.partition("/")
        named = (zone, (place or part).replace("_", " ").replace("/", ", "))
        parts.setdefault(part if place else "", []).append(named)
    return list(parts.items())


@cache
def other_names() -> dict[str, str]:
    """Names that are not offered, such as browsers still use, with the zones they stand for."""
    links = [line.split() for line in _table("tzdata.zi") if line.startswith("L ")]
    same = {other: zone for _kind, zone, other in links}
    offered = _zones()
    return {a: b for a, b in same.items() if "/" in a and a not in offered and b in offered}


@cache
def _zones() -> frozenset[str]:
    offered = {line.split("\t")[2] for line in _table("zone.tab") if not line.startswith("#")}
    return frozenset(offered & available_timezones())


def _table(name: str) -> list[str]:
    return files("tzdata").joinpath("zoneinfo", name).read_text("utf-8").splitlines()


HALF_DAYS = "P"  # what languages with a.m. and p.m. have as TIME_FORMAT


def clock(at: datetime | time | None, *, seconds: bool = False) -> str:
    """The time of day: "8:41 p.m." or "20:41", as the language has it; "" for none.

    A moment is told on the clock of the page, which is the club's.
    """
    if at is None:
        return ""
    style = get_format("TIME_FORMAT")
    if seconds:
        style = "g:i:s a" if style == HALF_DAYS else "H:i:s"
    return time_format(_here(at), style)


def moment(at: datetime | None) -> str:
    """Day and time: "19 Nov, 8:41 p.m."; "" for none."""
    if at is None:
        return ""
    day = date_format(timezone.localtime(at), _("j M"))
    return f"{day}, {clock(at)}"


def _here(at: datetime | time) -> datetime | time:
    return timezone.localtime(at) if isinstance(at, datetime) and timezone.is_aware(at) else at
