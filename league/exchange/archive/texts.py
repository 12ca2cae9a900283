"""An archive as text: read as JSON, and the signs and sizes in it that no club can have written."""

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from django.utils.translation import gettext as _

DEEPEST = 12  # lists and objects within one another; a hand with every card has six
LARGEST = 2**53  # the whole numbers that every program reads alike
_NO_SIGN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def read_json(content: bytes) -> Any:
    """The file's content. Raises ValueError: no JSON, a name twice in an object, NaN."""
    try:
        return json.loads(content, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(_("It is nested too deeply.")) from error


def troubles(value: Any, depth: int = 0) -> Iterator[str]:
    """Why a value cannot be stored anywhere: its text, its numbers, how deep it is."""
    if depth > DEEPEST:
        yield _("It is nested too deeply.")
    elif isinstance(value, str):
        if _NO_SIGN.search(value):
            yield _("It has characters that cannot be stored.")
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from troubles(name, depth + 1)
            yield from troubles(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from troubles(one, depth + 1)
    elif isinstance(value, int | float) and not (isfinite(value) and abs(value) <= LARGEST):
        yield _("A number is too large.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(_("A name is there twice in one object."))
    return found


def _no_number(text: str) -> Any:
    raise ValueError(_("%(text)s is not a number.") % {"text": text})
