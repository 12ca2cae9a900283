"""How often one token may ask, and how many wrong ones one address may try.

What a token asks is counted in the memory of each process: the limit keeps a program that has run
wild from taking the evening's server, and a write to the database for every read would do just
that. Wrong tokens are counted for all processes.
"""

from datetime import datetime

from django.core.cache import caches
from django.utils.translation import gettext as _

from league.errors import Refused
from league.sessions.throttle import WINDOW, count, refuse_over

A_MINUTE = 300
WRONG_TOKENS = 30


def count_request(who: str, *, at: datetime) -> None:
    """One more request of this token in this minute; refuses with 429 once there are too many."""
    cache, minute = caches["pages"], int(at.timestamp() // 60)
    key = f"api:{who}:{minute}"
    cache.add(key, 0, 120)
    try:
        asked = cache.incr(key)
    except ValueError:  # thrown out between the two lines: the count begins anew
        return
    if asked > A_MINUTE:
        message = _("A token may ask %(most)d times a minute.") % {"most": A_MINUTE}
        left = 60 - int(at.timestamp() % 60)
        raise Refused("too-many-requests", message, status=429, details={"retry_after": left})


def refuse_guessers(address: str) -> None:
    """Refuse an address that keeps sending tokens that open nothing."""
    try:
        refuse_over(_wrong(address), WRONG_TOKENS)
    except Refused as refused:
        message = _("Too many wrong tokens from here.")
        raise Refused(
            "too-many-tries", message, status=429, details={"retry_after": WINDOW}
        ) from refused


def count_wrong_token(address: str) -> None:
    count(_wrong(address))


def _wrong(address: str) -> str:
    return f"api-wrong:{address}"
