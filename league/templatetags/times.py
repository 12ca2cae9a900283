"""The one way in which pages and mails tell times: `{{ at|clock }}`, `{{ at|moment }}`, and
`{{ held_on|date_beside:name }}` for the day of a session; and Django's own `date` filter, with the
first of a month as the language has it: "1er novembre"; and
`{{ name|as_label }}`, a label with its colon, and `{{ names|as_partners }}`, "Rose & Ann".

Every template has them without loading them (`OPTIONS` of the templates).
"""

from collections.abc import Iterator
from datetime import date as day
from typing import Any

from django import template
from django.conf import settings
from django.template.defaultfilters import date as plain_date
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.labels import as_label, as_partners
from league.members.languages import clock, dated, moment, with_first_day, zone_place

register = template.Library()
register.filter("clock", clock)
register.filter("moment", moment)
register.filter("as_label", as_label)
register.filter("as_partners", as_partners)
register.filter("zone_place", zone_place)


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, pattern: str | None = None) -> Any:
    """A day or a moment by a pattern: `{{ held_on|date:_("j F Y") }}`."""
    if pattern and isinstance(value, day):
        pattern = with_first_day(value, pattern)
    return plain_date(value, pattern)


@register.filter
def date_beside(held_on: day, name: str) -> str:
    """A session's day, to be written beside its name: "" where the name says it already, and with
    the year only where that is not this year's."""
    if held_on.year != timezone.localdate().year:
        return dated(held_on, _("j F Y"))
    return "" if any(text in name for text in _spellings(held_on)) else dated(held_on, _("l j F"))


def _spellings(held_on: day) -> Iterator[str]:
    """The day as the site writes it in any language: whose name this is may read another."""
    for code, _name in settings.LANGUAGES:
        with override(code):
            yield dated(held_on, _("l j F"))
            yield dated(held_on, _("j F"))
