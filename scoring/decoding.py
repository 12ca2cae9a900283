"""Text to JSON data without surprises: size, depth, doubled keys and odd numbers are faults."""

import json
from collections import Counter
from typing import Any

from scoring.faults import Fault, fault

MOST_BYTES = 64 * 1024  # of one record: a hand of twelve tricks with every card is under six
MOST_FILE_BYTES = 16 * 1024 * 1024


class _Refused(ValueError):
    """Raised inside the JSON reader; carries the sentence's key."""


def decode(text: bytes, limit: int = MOST_BYTES) -> tuple[Any, Fault | None]:
    """The data a JSON text holds, or the one fault that keeps it from being read.

    >>> decode(b'{"dealer": 0}')
    ({'dealer': 0}, None)
    >>> decode(b'{"dealer": 0, "dealer": 1}')[1].message
    'dealer stands twice in one object.'
    """
    if len(text) > limit:
        return None, fault("bad-format/too-big", count=limit // 1024)
    try:
        return (
            json.loads(
                text.decode("utf-8-sig"),
                object_pairs_hook=_once,
                parse_constant=_no_constant,
                parse_float=_finite,
            ),
            None,
        )
    except _Refused as refused:
        return None, fault("bad-format/doubled", text=str(refused))
    except (ValueError, RecursionError):
        return None, fault("bad-format/not-json")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        count = Counter(name for name, _ in pairs)
        twice = next(name for name in count if count[name] > 1)
        raise _Refused("".join(sign if sign.isprintable() else "?" for sign in twice[:20]))
    return found


def _no_constant(text: str) -> float:
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number
