"""Names that read alike: pure, so that a guest is not entered twice under two spellings."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Protocol, TypeVar

ALIKE = 0.84
"""How alike two whole names read, from 0 to 1, before somebody is asked (difflib's ratio)."""


class Named(Protocol):
    name_key: str


N = TypeVar("N", bound=Named)


def similar_names(name: str, among: Sequence[N]) -> list[N]:
    """Whoever of `among` is called `name` or nearly so, the likest first; at most three."""
    key = " ".join(name.casefold().split())
    scored = [(likeness(key, one.name_key), one) for one in among]
    close = sorted((pair for pair in scored if pair[0] >= ALIKE), key=lambda pair: -pair[0])
    return [one for _score, one in close[:3]]


def likeness(one: str, other: str) -> float:
    """How alike two folded names read: 1 for the same; the same words in another order count."""
    if one == other or sorted(one.split()) == sorted(other.split()):
        return 1.0
    return SequenceMatcher(None, one, other).ratio()
