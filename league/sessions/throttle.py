"""Counting what comes from one address, so that nobody guesses codes or floods a list.

Addresses are those of the connection, never ones a client claims.
"""

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.errors import Refused

WINDOW = 600
"""Seconds after which a count begins anew."""


def address_of(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def count(key: str) -> int:
    """One more of `key` within the window; how many there are now."""
    cache.add(key, 0, WINDOW)
    try:
        return cache.incr(key)
    except ValueError:  # the window closed between the two lines
        cache.set(key, 1, WINDOW)
        return 1


def refuse_over(key: str, most: int, message: str = "") -> None:
    """Refuse (`too_many_tries`, 429) once more than `most` of `key` were counted."""
    if cache.get(key, 0) >= most:
        told = message or _("Too many tries from here. Wait ten minutes, or ask the organiser.")
        raise Refused("too_many_tries", told, status=429)
