"""How often one token may ask, and how many wrong ones one address may try.

What a token asks is counted for all processes of all machines, in the database: but each process
tells it only of every so many requests, since a write for every read would be a burden to the
evening's server of its own. So the limit is exceeded by some requests a process at most. While the
database cannot be written each process counts for itself.
"""

from datetime import datetime
from threading import Lock

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league import limits
from league.errors import Refused
from league.limits import Limit, network_of

A_MINUTE = 300
TOLD_AT_ONCE = 30  # parts of what is allowed: a process tells the database of each
WRONG_TOKENS = Limit(most=30, within=10 * limits.MINUTE)


class _Minute:
    """What this process has counted in one minute: of each secret, how often it asked since the
    database was told, and what the database said then."""

    def __init__(self) -> None:
        self.lock, self.minute = Lock(), 0
        self.untold: dict[str, int] = {}
        self.told: dict[str, int] = {}

    def count(self, who: str, minute: int) -> int:
        """One more; how many these are with those of other processes, as far as is known."""
        with self.lock:
            if minute != self.minute:
                self.minute, self.untold, self.told = minute, {}, {}
            self.untold[who] = self.untold.get(who, 0) + 1
            known, untold = self.told.get(who, 0), self.untold[who]
            enough = who not in self.told or untold * TOLD_AT_ONCE >= A_MINUTE
            if enough:
                self.untold[who] = 0
        if not enough:
            return known + untold
        asked = _told_all(who, minute, untold)
        with self.lock:
            self.told[who] = asked = asked or known + untold
        return asked


_here = _Minute()


def _told_all(who: str, minute: int, more: int) -> int | None:
    """The database's count with so many more; None while it cannot be written."""
    try:
        return limits.add(f"api:{who}:{minute}", 2 * limits.MINUTE, more)
    except DatabaseError:
        return None


def count_request(who: str, *, at: datetime) -> None:
    """One more request of this secret in this minute; refuses with 429 once there are too many."""
    if _here.count(who, int(at.timestamp() // 60)) > A_MINUTE:
        message = _("A token may ask %(most)d times a minute.") % {"most": A_MINUTE}
        left = 60 - int(at.timestamp() % 60)
        raise Refused("too-many-requests", message, status=429, details={"retry_after": left})


def count_wrong_token(request: HttpRequest) -> None:
    """Count a wrong token; refuse an address that keeps sending them."""
    message = _("Too many wrong tokens from here.")
    limits.refuse_over(f"wrong-token:{network_of(request)}", WRONG_TOKENS, message)
