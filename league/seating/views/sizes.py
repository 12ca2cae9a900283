"""Reading table sizes and table numbers from a form."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.errors import Refused

MOST_TABLES = 300


def read_sizes(text: str) -> list[int] | None:
    """ "4+4+3" as sizes; None for nothing. The planner says whether they fit."""
    if not text.strip():
        return None
    parts = text.split("+")
    if len(parts) > MOST_TABLES or any(part.strip() not in ("2", "3", "4") for part in parts):
        raise Refused("bad-sizes", _("Tables seat 2, 3 or 4: write them as 4+4+3."))
    return [int(part) for part in parts]


def read_numbers(texts: Sequence[str]) -> list[int]:
    """Table numbers ticked in a form."""
    if len(texts) > MOST_TABLES or any(not text.isdecimal() or len(text) > 4 for text in texts):
        raise Refused("bad-tables", _("Tick the tables to seat anew."))
    return [int(text) for text in texts]
