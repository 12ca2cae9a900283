"""Knowing an erased person again without storing the name: keyed hashes of its spellings."""

from collections.abc import Callable, Iterable

from django.utils.crypto import salted_hmac

from league.members.models import Club
from league.members.names import name_key


def mark(club: Club, name: str) -> str:
    """What is stored of an erased name. Without the server's secret it cannot be compared."""
    return salted_hmac("league.erased", f"{club.pk}:{name_key(name)}").hexdigest()


def marks(club: Club, names: Iterable[str]) -> list[str]:
    return sorted({mark(club, name) for name in names})


def erased_marks(club: Club) -> frozenset[str]:
    """The marks of everybody of the club who was erased. One query."""
    rows = club.members.exclude(erased_at=None).values_list("erased_marks", flat=True)
    return frozenset(one for row in rows for one in row)


def was_erased(club: Club, known: frozenset[str] | None = None) -> Callable[[str], bool]:
    """Asks of a name whether a person of the club was erased under it, as `known` marks say."""
    marks_here = erased_marks(club) if known is None else known
    return lambda name: bool(marks_here) and mark(club, name) in marks_here
