"""Times of day as words, everywhere on the site in the way of the reader's language."""

from datetime import datetime, time

from django.utils import timezone
from django.utils.formats import date_format, get_format, time_format

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
    return f"{date_format(timezone.localtime(at), 'j M')}, {clock(at)}"


def _here(at: datetime | time) -> datetime | time:
    return timezone.localtime(at) if isinstance(at, datetime) and timezone.is_aware(at) else at
