"""Knowing an erased person again without keeping the name: keyed hashes of its spellings."""

from collections.abc import Callable, Iterable

from django.utils.crypto import salted_hmac

from league.members.models import Club
from league.members.names import name_key


def mark(club: Club, name: str) -> str:
    """What is kept of an erased name. Without the server's secret it cannot be compared."""
    return salted_hmac("league.erased", f"{club.pk}:{name_key(name)}").hexdigest()


def marks(club: Club, names: Iterable[str]) -> list[str]:
    return sorted({mark(club, name) for name in names})


def was_erased(club: Club) -> Callable[[str], bool]:
    """Asks of a name whether a person of the club was erased under it. One query, made at once."""
    rows = club.members.exclude(erased_at=None).values_list("erased_marks", flat=True)
    known = {one for row in rows for one in row}
    return lambda name: bool(known) and mark(club, name) in known
