"""Django's own `date` filter, with the first of a month as the language has it: "1er novembre".

Every template has it without loading it (`OPTIONS` of the templates).
"""

from datetime import date as day
from typing import Any

from django import template
from django.template.defaultfilters import date as plain_date

from league.members.languages import with_first_day

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, pattern: str | None = None) -> Any:
    """A day or a moment by a pattern: `{{ held_on|date:_("j F Y") }}`."""
    if pattern and isinstance(value, day):
        pattern = with_first_day(value, pattern)
    return plain_date(value, pattern)
