"""The one way in which pages and mails tell times: `{{ at|clock }}`, `{{ at|moment }}`, and
`{{ held_on|date_beside:name }}` for the day of a session."""

from datetime import date

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from league.members import times
from league.sessions.queries import evening_name

register = template.Library()
register.filter("clock", times.clock)
register.filter("moment", times.moment)


@register.filter
def date_beside(held_on: date, name: str) -> str:
    """A session's day, to be written beside its name: "" where the name says it already, and with
    the year only where that is not this year's."""
    this_year = held_on.year == timezone.localdate().year
    if not this_year:
        return date_format(held_on, "j F Y")
    days = (evening_name(held_on), date_format(held_on, "l j F"), date_format(held_on, "j F"))
    return "" if any(day in name for day in days) else date_format(held_on, "l j F")
